import { ServiceError } from '../../../core/api/errors';
import { WaitWatch } from '../../../batch/run/wait-watch';
import { VirtualClock } from '../../support/virtual-clock';
import { FAILS } from '../../support/faults';
import { VirtualBatch } from '../support/virtual-batch';
import { cup, makeRows, mug, pan } from '../support/order-builder';
import { WaitRecorder } from '../support/wait-recorder';
import { Oracle, Script, World } from '../support/world';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const UNNAMED_MS = 11_000;

/** Mug and Pan were first sent 58 minutes ago, and their processes were killed. */
async function makeOldOrders(lastSentMinutesAgo = 8): Promise<World> {
	const nature = { inputs: [mug, pan], keyMemoryMs: HOUR, listLagMs: MINUTE, showsInput: true };
	const world = new World(nature, new Oracle());
	const killBoth = async () => {
		for (const row of ['2', '3']) {
			world.oracle = new Script(['dies before the work']);
			await world.runBatch({ options: { only: [row] } });
		}
	};
	await killBoth();
	await world.clock.pass((58 - lastSentMinutesAgo) * MINUTE);
	await killBoth();
	await world.clock.pass(lastSentMinutesAgo * MINUTE);
	world.oracle = new Oracle();
	return world;
}

describe('two unconfirmed orders whose keys are nearly an hour old', () => {
	test('are sent after a new row, once the list must show their briefs', async () => {
		const world = await makeOldOrders();
		const began = world.clock.now();
		await world.runBatch({ rows: makeRows(mug, pan, cup) });
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
		const world = await makeOldOrders();
		const recorder = new WaitRecorder(world.clock);
		await world.runBatch({ onSession: recorder.watch });
		recorder.stop();
		expect([...recorder.texts]).toContain(
			'Waiting since …: the brief list might not show yet whether 2 orders without an answer created a brief.',
		);
		expect(recorder.longestUnnamedMs).toBeLessThanOrEqual(UNNAMED_MS);
	});

	test('do not hold up the end of a run that has stopped ordering', async () => {
		const world = await makeOldOrders(2);
		world.failedBriefs = () => true;
		const began = world.clock.now();
		const rows = makeRows(mug, pan, cup);
		await world.runBatch({ rows, options: { maxFailures: ['1'] } });
		expect(world.created).toHaveLength(1);
		expect(world.clock.now() - began).toBeLessThan(4 * MINUTE);
	});
});

test('an outage before the first answer is waited out for a quarter of a minute', () => {
	const clock = new VirtualClock();
	const waits = new WaitWatch(clock);
	const error = new ServiceError({ kind: 'service_unavailable', operation: 'list_licences' });
	const getLimit = () => (waits.currentOutage?.until ?? 0) - clock.now();
	waits.recordAnswer(error);
	const first = getLimit();
	waits.recordAnswer(null);
	waits.recordAnswer(error);
	expect([first, getLimit()]).toEqual([14_000, 30 * MINUTE]);
});

describe('no wait over ten seconds is unnamed', () => {
	async function record(batch: VirtualBatch, products: readonly string[]): Promise<WaitRecorder> {
		const recorder = new WaitRecorder(batch.clock);
		batch.onSession = recorder.watch;
		await batch.run(products);
		recorder.stop();
		return recorder;
	}

	test('when others use both slots', async () => {
		const batch = new VirtualBatch();
		batch.sandbox.startOther(400_000);
		batch.sandbox.startOther(500_000);
		const { texts, longestUnnamedMs } = await record(batch, ['Mug']);
		expect([...texts].join()).toMatch(/^Waiting for a slot since …: briefs .* are running\./);
		expect(longestUnnamedMs).toBeLessThanOrEqual(UNNAMED_MS);
	});

	test('when a third brief is refused in the last moment', async () => {
		const batch = new VirtualBatch({ thirdBrief: 'refuse' });
		batch.beforeFirstCreate = () => {
			batch.sandbox.startOther(300_000);
			batch.sandbox.startOther(200_000);
		};
		const { longestUnnamedMs } = await record(batch, ['Mug']);
		expect(longestUnnamedMs).toBeLessThanOrEqual(UNNAMED_MS);
	});

	test('when the service does not answer for minutes', async () => {
		const batch = new VirtualBatch();
		const end = batch.clock.now() + 5 * MINUTE;
		batch.beforeFirstCreate = () => {
			batch.sandbox.intercept = () => (batch.clock.now() < end ? FAILS : undefined);
		};
		const { texts, longestUnnamedMs } = await record(batch, ['Mug']);
		expect([...texts].join()).toContain(
			'The service has not answered since …; waiting 30 minutes at most.',
		);
		expect(longestUnnamedMs).toBeLessThanOrEqual(UNNAMED_MS);
	});

	test('when an order gets no usable answer although the list can be read', async () => {
		const batch = new VirtualBatch();
		batch.intercept = () => ({ status: 502, headers: {}, body: '<title>Blocked</title>' });
		const { longestUnnamedMs } = await record(batch, ['Mug']);
		expect(longestUnnamedMs).toBeLessThanOrEqual(UNNAMED_MS);
	});

	test('when a create request is answered slowly', async () => {
		const nature = { inputs: [mug], keyMemoryMs: HOUR, listLagMs: 0, showsInput: true };
		const world = new World(nature, new Script(['slow answer']));
		const recorder = new WaitRecorder(world.clock);
		await world.runBatch({ onSession: recorder.watch });
		recorder.stop();
		expect([...recorder.texts]).toContain('Waiting for an answer since ….');
		expect(recorder.longestUnnamedMs).toBeLessThanOrEqual(UNNAMED_MS);
	});

	test('when the list lags five minutes', async () => {
		const batch = new VirtualBatch({ listLag: 5 * MINUTE });
		const { longestUnnamedMs } = await record(batch, ['Mug', 'Pan', 'Cup']);
		expect(longestUnnamedMs).toBeLessThanOrEqual(UNNAMED_MS);
	});
});
