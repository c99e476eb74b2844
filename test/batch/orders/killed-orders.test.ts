import type { Row } from '../../../batch/csv/types';
import { getOrderBrief } from '../../../batch/orders/order';
import { HOUR, MINUTE } from '../../support/time';
import { cup, makeRow, makeRows, mug, mugForCooks, pan } from '../support/order-builder';
import { retry, Story } from '../support/story';
import type { WorldCommand } from '../support/world';

/* Orders of a process that was killed: their briefs are found, or the same key is sent again, and no brief is paid twice. */

const KILLED = ['dies before the work'];
const ORDERED_AND_KILLED = ['dies after the work'];
const one = makeRows(mug);

/** A story in which the first order was sent by a killed run. */
async function startKilled(
	rows: readonly Row[] = one,
	faults: readonly string[] = KILLED,
): Promise<Story> {
	const story = new Story(faults);
	await story.run(rows);
	return story;
}

describe('an order of a killed run without a brief', () => {
	const skipped = [makeRow(2, mug, { isSkipped: true })];
	test.each<[string, Row[], Omit<WorldCommand, 'rows'>, string]>([
		['while --where skips its row', skipped, {}, 'skipped, 0 briefs'],
		['by retry', one, retry, 'pending, 0 briefs'],
		['outside --only', makeRows(mug, pan), { options: { only: ['3'] } }, 'pending ready, 1 brief'],
	])('is dropped and not sent %s', async (_, rows, command, expected) => {
		const story = await startKilled(rows);
		expect(await story.run(rows, command)).toBe(expected);
		const { live } = await story.readOrders();
		expect(live.map(({ input }) => input)).not.toContainEqual(mug);
	});

	test('is dropped when its row was removed, and ordered when the row is put back', async () => {
		const story = await startKilled(makeRows(pan, mug), ['slow answer', ...KILLED]);
		expect(await story.run(makeRows(pan))).toBe('ready, 1 brief');
		expect(await story.run(makeRows(pan, mug))).toBe('ready ready, 2 briefs');
	});

	test('is replaced by the order of its edited row, also after the edit is undone', async () => {
		const story = await startKilled();
		await story.run(makeRows(mugForCooks));
		await story.run(makeRows(mugForCooks));
		expect(story.created.map(({ input }) => input)).toEqual([mugForCooks]);
		expect(await story.run(one)).toBe('changed, 1 brief');
	});
});

describe('an order of a killed run with a brief', () => {
	test('has its brief 99 days later, although its row was edited', async () => {
		const story = new Story(ORDERED_AND_KILLED);
		await story.runBatch({ rows: makeRows(mug, pan) });
		await story.passDays(99);
		expect(await story.run(makeRows(mugForCooks, pan))).toBe('changed ready, 2 briefs');
	});

	test('takes the brief of a colleague in place of its failed brief', async () => {
		const story = new Story(ORDERED_AND_KILLED);
		story.shouldFail = (_, index) => index === 0;
		await story.runBatch({ rows: one });
		await story.clock.pass(MINUTE);
		await story.letColleagueOrder(mug);
		expect(await story.run(one)).toBe('ready, 2 briefs');
		const { live } = await story.readOrders();
		expect(live.map(getOrderBrief)).toMatchObject([{ id: story.created[1]?.id }]);
	});

	test('that another folder has paid for and that failed is not paid for again', async () => {
		const story = new Story([], { listLagMs: 9 * MINUTE });
		story.shouldFail = () => true;
		await story.runBatch({ rows: one, folder: 'other' });
		await story.clock.pass(2 * MINUTE);
		// The list does not show the brief yet. The service returns it for the same key, and the process is killed.
		story.setFaults(...ORDERED_AND_KILLED);
		await story.runBatch({ rows: one });
		await story.clock.pass(2 * HOUR);
		expect(await story.run(one)).toBe('failed, 1 brief');
	});

	test('leaves the brief of a colleague from 40 days ago to its edited row', async () => {
		const story = new Story([], { pageSize: 1 });
		await story.letColleagueOrder(mugForCooks);
		await story.passDays(40);
		await story.run(makeRows(pan));
		story.setFaults(...KILLED);
		await story.run(makeRows(mug, pan));
		await story.run(makeRows(mugForCooks, pan));
		expect(await story.run(makeRows(mugForCooks, pan))).toBe('ready ready, 2 briefs');
	});

	test('counts the slot of its brief as used, although the list does not show the brief', async () => {
		const story = new Story(ORDERED_AND_KILLED, { listLagMs: 5 * MINUTE });
		const rows = makeRows(mug, pan, cup);
		await story.runBatch({ rows: rows.slice(0, 1) });
		await story.runBatch({ rows, options: { only: ['3,4'] } });
		expect(story.created).toHaveLength(3);
		expect(story.mostRunning).toBe(2);
	});
});

describe('a key that the service counts from its first request', () => {
	const behavior = { isKeyAgedFromFirstRequest: true, listLagMs: 5 * MINUTE } as const;

	/** Runs one row repeatedly, with these minutes after each run. */
	async function playRuns(story: Story, ...minutes: readonly number[]): Promise<number> {
		for (const pause of minutes) {
			await story.runBatch({ rows: one });
			await story.clock.pass(pause * MINUTE);
		}
		return story.created.length;
	}

	test('pays once when it expires between two kills', async () => {
		const story = new Story([...KILLED, ...ORDERED_AND_KILLED], behavior);
		expect(await playRuns(story, 58, 3, 20, 20)).toBe(1);
	});

	test('pays once when it is an hour old and was sent a minute ago', async () => {
		const story = new Story([...KILLED, ...KILLED], { listLagMs: 5 * MINUTE });
		expect(await playRuns(story, 60, 1, 0)).toBe(1);
	});

	/** A killed run, and a `retry` that drops its order. */
	async function startDropped(): Promise<Story> {
		const story = new Story(KILLED, { ...behavior, listLagMs: MINUTE, isInputShown: false });
		await story.runBatch({ rows: one });
		await story.clock.pass(12 * MINUTE);
		await story.runBatch({ rows: one, ...retry });
		return story;
	}

	test('is not repeated by a request that would be the first after an hour', async () => {
		const story = await startDropped();
		// The request is 59 minutes and 59 seconds after the first.
		await story.clock.pass(47 * MINUTE + 57_000);
		story.setFaults('lost after the work');
		await story.runBatch({ rows: one });
		expect(await story.run(one)).toBe('needs_review, 1 brief');
	});
});
