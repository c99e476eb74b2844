import { ServiceError } from '../../../core/api/errors';
import { findWaits, logWaits } from '../../../batch/commands/run-progress';
import { isAccepted } from '../../../batch/orders/order';
import { WaitWatch } from '../../../batch/run/wait-watch';
import type { OnlineSession } from '../../../batch/commands/session';
import type { Console } from '../../../batch/terminal/console';
import { makeRefusal, UNAVAILABLE } from '../../support/faults';
import { DAY, HOUR, MINUTE } from '../../support/time';
import { COLLEAGUE } from '../../support/virtual-service';
import { VirtualClock } from '../../support/virtual-clock';
import { cup, makeRows, mug, pan } from '../support/order-builder';
import { listProducts, World } from '../support/world';

const UNNAMED_MS = 11_000;

/** Reads the waits of a run every second of virtual time, as the progress view does. */
class WaitRecorder {
	/** The texts of the waits that were named, without times. */
	readonly texts = new Set<string>();
	/** When the waits for a slot that were named have begun. */
	readonly slotWaits = new Set<number>();
	/** The longest time in which nothing happened and no wait or running brief was shown. */
	longestUnnamedMs = 0;
	private readonly end = new AbortController();

	private constructor(private readonly clock: VirtualClock) {}

	/** Records the waits of a run. */
	static async record(world: World, run: () => Promise<unknown>): Promise<WaitRecorder> {
		const recorder = new WaitRecorder(world.clock);
		world.onSession = (session) => void recorder.sample(session).catch(() => undefined);
		await run();
		recorder.end.abort();
		return recorder;
	}

	private async sample(session: OnlineSession): Promise<void> {
		const { store } = session.folder;
		let lastNews = this.clock.now();
		let state = '';
		store.subscribe(() => (lastNews = this.clock.now()));
		for (;;) {
			await this.clock.sleep(1_000, this.end.signal);
			const waits = findWaits(session);
			for (const { kind, since } of waits) if (kind === 'slot') this.slotWaits.add(since);
			for (const { text } of waits)
				this.texts.add(text.replace(/since (.* until .* at most|[^;]+)/, 'since …'));
			const { slots } = session.workspace;
			const { currentOutage, oldestRequest, currentListWaits } = session.waits;
			// A wait that has begun is named ten seconds later.
			const begun = [slots.currentWait, currentOutage, oldestRequest, ...currentListWaits];
			const newState = begun.map((span) => span?.since ?? '').join();
			const isNamed = waits.length > 0 || store.orders.live.some(isAccepted);
			if (isNamed || newState !== state) lastNews = this.clock.now();
			state = newState;
			this.longestUnnamedMs = Math.max(this.longestUnnamedMs, this.clock.now() - lastNews);
		}
	}
}

describe('two unconfirmed orders whose keys are nearly an hour old', () => {
	const two = makeRows(mug, pan);
	const three = makeRows(mug, pan, cup);

	/** Mug and Pan were first sent 58 minutes ago, and their processes were killed. */
	async function startOld(lastSentMinutesAgo = 8): Promise<World> {
		const world = new World({ listLagMs: MINUTE });
		for (const minutes of [58 - lastSentMinutesAgo, lastSentMinutesAgo]) {
			for (const row of ['2', '3']) {
				world.setFaults('dies before the work');
				await world.runBatch({ rows: two, options: { only: [row] } });
			}
			await world.clock.pass(minutes * MINUTE);
		}
		world.setFaults();
		return world;
	}

	test('are sent after a new row, once the list must show their briefs', async () => {
		const world = await startOld();
		const began = world.clock.now();
		await world.runBatch({ rows: three });
		const sent = world.created.map(({ input, createdAt }) => [
			input.product_name,
			createdAt - began < MINUTE,
		]);
		expect(sent).toEqual([
			['Cup', true],
			['Mug', false],
			['Pan', false],
		]);
	});

	test('are named while they wait', async () => {
		const world = await startOld();
		const recorder = await WaitRecorder.record(world, () => world.runBatch({ rows: two }));
		expect([...recorder.texts]).toContain(
			'Waiting since …: the brief list might not show yet whether 2 orders without an answer created a brief.',
		);
		expect(recorder.longestUnnamedMs).toBeLessThanOrEqual(UNNAMED_MS);
	});

	test('do not delay the end of a run that has stopped ordering', async () => {
		const world = await startOld(2);
		world.shouldFail = () => true;
		const began = world.clock.now();
		world.onSession = ({ folder: { store } }) => void store.saveRun({ failuresInRow: 4 });
		await world.runBatch({ rows: three });
		expect(world.created).toHaveLength(1);
		expect(world.clock.now() - began).toBeLessThan(4 * MINUTE);
	});
});

describe('an outage', () => {
	const unavailable = (retryAt?: number) =>
		new ServiceError({ kind: 'service_unavailable', operation: 'list_licences', retryAt });

	test('can last 14 seconds and a request before the first answer, and 30 minutes after it', () => {
		const clock = new VirtualClock();
		const waits = new WaitWatch(clock);
		const getLimit = () => (waits.currentOutage?.until ?? 0) - clock.now();
		waits.recordAnswer(unavailable(), false);
		const first = getLimit();
		waits.recordAnswer(null, true);
		waits.recordAnswer(unavailable(), true);
		expect([first, getLimit()]).toEqual([74_000, 30 * MINUTE]);
	});

	test('is named once, and again whenever it lasts longer than said', () => {
		jest.useFakeTimers();
		const clock = { now: () => Date.now(), sleep: () => Promise.resolve() };
		const waits = new WaitWatch(clock);
		const lines: string[] = [];
		const console = { event: (line: string) => lines.push(line) } as unknown as Console;
		const session = { waits, clock, workspace: { slots: { currentWait: null } }, wording: {} };
		const stopLog = logWaits(console, session as unknown as OnlineSession);
		for (let seconds = 0; seconds < 70 * 60; seconds += 30) {
			waits.recordAnswer(unavailable(clock.now() + 30_000), true);
			jest.advanceTimersByTime(30_000);
		}
		stopLog();
		jest.useRealTimers();
		expect(lines.map((line) => /waiting (.*) at most/.exec(line)?.[1])).toEqual([
			...['30 minutes', '1 h 0 min', '1 h 30 min'],
		]);
	});
});

/** Starts two briefs of colleagues, which use both slots. */
function startOthers(world: World): void {
	for (const durationMs of [400_000, 500_000])
		world.create(COLLEAGUE, { product_name: 'Of a colleague' }, durationMs);
}

describe('no wait over ten seconds is unnamed', () => {
	test.each<[string, World, (world: World) => void, RegExp]>([
		[
			'others use both slots',
			new World(),
			startOthers,
			/Waiting for a slot since …: “Of a colleague” \(https:[^)]+, since 10 November, [^)]+\) and .* are running\./,
		],
		[
			'a third brief is refused in the last moment',
			new World({ thirdBrief: 'refuse' }),
			(world) => world.callBeforeFirstCreate(() => startOthers(world)),
			/Waiting for a slot/,
		],
		[
			'the service does not answer for minutes',
			new World(),
			(world) => {
				const end = world.clock.now() + 5 * MINUTE;
				world.callBeforeFirstCreate(() => {
					world.intercept = () => (world.clock.now() < end ? UNAVAILABLE : null);
				});
			},
			/The service has not answered since …; waiting 30 minutes at most\./,
		],
		[
			'an order gets no usable answer although the list can be read',
			new World(),
			(world) => world.interceptCreates(() => ({ status: 502, body: '<html>' })),
			/./,
		],
		['the list lags', new World({ listAgeMs: 5 * MINUTE }), () => undefined, /./],
	])('when %s', async (_, world, prepare, expected) => {
		prepare(world);
		const recorder = await WaitRecorder.record(world, () => world.runProducts(listProducts(3)));
		expect([...recorder.texts].join()).toMatch(expected);
		expect(recorder.longestUnnamedMs).toBeLessThanOrEqual(UNNAMED_MS);
	});

	test('when a create request is answered slowly', async () => {
		const world = new World({}, ['slow answer']);
		const rows = makeRows(mug);
		const recorder = await WaitRecorder.record(world, () => world.runBatch({ rows }));
		expect([...recorder.texts]).toContain('Waiting for an answer since ….');
		expect(recorder.longestUnnamedMs).toBeLessThanOrEqual(UNNAMED_MS);
	});
});

test('a wait for a slot keeps its beginning when the service refuses the order again and again', async () => {
	const world = new World();
	const end = world.clock.now() + 10 * MINUTE;
	const refusal = makeRefusal(409, 'slots_in_use', 'Both slots are in use');
	world.interceptCreates(() => (world.clock.now() < end ? refusal : null));
	const recorder = await WaitRecorder.record(world, () => world.runProducts(listProducts(1)));
	expect(world.created).toHaveLength(1);
	expect(recorder.slotWaits.size).toBe(1);
});

test('deleted briefs of a colleague use no slot', async () => {
	const world = new World({ briefMs: 3 * HOUR });
	for (const input of [mug, pan]) world.create(COLLEAGUE, input);
	await world.runBatch({ rows: makeRows(mug, pan) });
	await world.clock.pass(DAY);
	for (const brief of [...world.created]) world.remove(brief);
	const start = world.clock.now();
	await world.runBatch({ rows: makeRows(mug, pan, cup) });
	const [{ createdAt } = { createdAt: Infinity }] = world.created;
	expect(createdAt - start).toBeLessThan(5 * MINUTE);
});
