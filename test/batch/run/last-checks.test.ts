import type { ConnectedSession } from '../../../batch/session';
import { VirtualClock } from '../../support/virtual-clock';
import { cup, makeRows, mug, mugForCooks, pan } from '../support/order-builder';
import { MINUTE, Story } from '../support/story';
import { VirtualBatch } from '../support/virtual-batch';

/* What a run checks before each create request, although the plan has checked it before. */

/** Two minutes before a new month. */
const BEFORE_MIDNIGHT = Date.UTC(2026, 10, 30, 23, 58);

const list = (count: number) => Array.from({ length: count }, (_, index) => `Product ${index}`);

describe('the allowance', () => {
	test('of a new month is read when the run reaches that month', async () => {
		const batch = new VirtualBatch({ allowance: 4 }, new VirtualClock(BEFORE_MIDNIGHT));
		const lowerAllowance = () => void Object.assign(batch.sandbox.switches, { allowance: 1 });
		void batch.clock.sleep(2 * MINUTE).then(lowerAllowance);
		const { end, orderedIds } = await batch.run(list(5));
		expect(end).toBe('allowance_used_up');
		expect(orderedIds.size).toBe(3);
		expect(batch.sandbox.count('create_brief')).toBe(3);
	});

	test('counts the briefs of the folder that the list does not show yet', async () => {
		const batch = new VirtualBatch({ allowance: 4, listLag: 60 * MINUTE });
		await batch.run(list(3));
		const { overview } = await batch.run(list(6));
		expect(overview.counts).toMatchObject({ ready: 4, deferred: 2 });
		expect(batch.sandbox.count('create_brief')).toBe(4);
	});
});

describe('the slots', () => {
	test('that a killed run might have used are waited for, although the list does not show its briefs', async () => {
		const story = new Story(['dies after the work'], { listLagMs: 5 * MINUTE });
		const rows = makeRows(mug, pan, cup);
		await story.world.runBatch({ rows: rows.slice(0, 1) });
		await story.world.runBatch({ rows, options: { only: ['3,4'] } });
		expect(story.world.created).toHaveLength(3);
		expect(story.world.mostRunning).toBe(2);
	});
});

describe('rows of one product whose briefs hide their input', () => {
	const hidden = { showsInput: false };

	test('are decided after the answer to the other row is in the journal', async () => {
		const story = new Story([], hidden);
		const slowDownJournal = ({ clock, folder: { store } }: ConnectedSession) => {
			const save = store.save.bind(store);
			store.save = async (changes) => {
				const isAnswer = changes.some(
					(change) => 'order' in change && change.state?.kind === 'accepted',
				);
				if (isAnswer) await clock.sleep(MINUTE);
				await save(changes);
			};
		};
		const rows = makeRows(mug, mugForCooks);
		await story.world.runBatch({ rows, onSession: slowDownJournal });
		expect(await story.readStatuses(rows)).toEqual(['ready', 'ready']);
	});

	test('come after the other rows, so that --max leaves them first', async () => {
		const story = new Story(['dies after the work'], hidden);
		await story.world.runBatch({ rows: makeRows(mug) });
		await story.world.clock.pass(20 * MINUTE);
		const max = { options: { max: ['2'] } };
		const rows = makeRows(mugForCooks, mug, pan);
		expect(await story.run(rows, max)).toBe('pending ready ready, 2 briefs');
	});
});

test('a brief that --use-brief gave to another row is used for the row with its content, too', async () => {
	const story = new Story();
	const brief = await story.letColleagueOrder(mug);
	const options = { useBrief: [`2=${brief.id}`] };
	const allowed = { options, confirmations: 'allow' } as const;
	expect(await story.run(makeRows(pan), allowed)).toBe('ready [other-product], 1 briefs');
	expect(await story.run(makeRows(pan, mug))).toBe('ready ready, 1 briefs');
});
