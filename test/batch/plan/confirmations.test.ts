import { DAY, MINUTE } from '../../support/time';
import { cup, makeRow, makeRows, mug, mugForCooks, pan } from '../support/order-builder';
import { Story, useBrief } from '../support/story';
import type { WorldCommand } from '../support/world';

/* A run that cannot ask orders nothing if a confirmation is missing. */

async function startReady(): Promise<Story> {
	const story = new Story();
	expect(await story.run(makeRows(mug))).toBe('ready, 1 brief');
	return story;
}

describe('options-changed', () => {
	const where = ['Status=active'];
	const only = ['2'];
	const allowed = { options: { where, only }, confirmations: 'allow' } as const;
	const allSkipped = [makeRow(2, mug, { isSkipped: true })];
	const noRows = { options: { where }, rows: allSkipped, confirmations: 'allow' } as const;
	const withColumns = (columns: WorldCommand['columns']): WorldCommand => ({
		columns: columns ?? {},
	});
	const map = (...headers: string[]) => ({ options: { map: headers } });

	/** Returns the result of the last of these runs. */
	async function runAll(commands: readonly WorldCommand[]): Promise<string> {
		const story = new Story();
		for (const command of commands.slice(0, -1))
			await story.run(command.rows ?? makeRows(mug), command);
		return await story.run(makeRows(mug), commands.at(-1));
	}

	test.each<[string, WorldCommand[]]>([
		['the last run had another --where', [{ options: { where } }, {}]],
		['the only run had --only and another --where', [{ options: { where, only } }, {}]],
		[
			'a field has another header',
			[withColumns({ product_name: 'Title' }), withColumns({ product_name: 'Name' })],
		],
	])('is asked for if %s', async (_, commands) => {
		expect(await runAll(commands)).toBe('ready [options-changed], 1 brief');
	});

	test.each<[string, WorldCommand[]]>([
		['only a later run with --only had another --where', [{}, allowed, {}]],
		['--where of the last run left no row', [{}, noRows, {}]],
		['--where left no row after a trial with --only', [{ options: { only } }, noRows, {}]],
		['a field had no header', [{}, withColumns({ product_name: 'Name' })]],
		['a field lost its header', [withColumns({ audience: 'Audience' }), {}]],
		[
			'options come in another sequence',
			[map('A=audience', 'B=objective'), map('B=objective', 'A=audience')],
		],
	])('is not asked for if %s', async (_, commands) => {
		expect(await runAll(commands)).toBe('ready, 1 brief');
	});
});

test('unknown-csv is asked for in a folder that has no order for any row', async () => {
	const story = await startReady();
	expect(await story.run(makeRows(cup))).toBe('pending [unknown-csv], 1 brief');
	expect(await story.run(makeRows(cup, mug))).toBe('ready ready, 2 briefs');
});

test('unknown-csv is decided before --use-brief is applied', async () => {
	const story = await startReady();
	const { id } = await story.letColleagueOrder(pan);
	const planned = await story.run(makeRows(pan, cup), useBrief(2, id));
	expect(planned).toBe('pending pending [unknown-csv], 2 briefs');
});

test('new-folder is asked for if the workspace has the products with content that no row reuses', async () => {
	const story = new Story();
	await story.letColleagueOrder(mug);
	expect(await story.run(makeRows(mugForCooks))).toBe('pending [new-folder], 1 brief');
	expect(await story.run(makeRows(mug, mugForCooks))).toBe('ready ready, 2 briefs');
});

test('neither confirmation is asked for in a folder whose only orders are undecided', async () => {
	const story = new Story([], { isInputShown: false });
	await story.letColleagueOrder(mug);
	const where = { options: { where: ['Status=active'] } };
	expect(await story.run(makeRows(mug), where)).toBe('needs_review, 1 brief');
	expect(await story.run(makeRows(pan))).toBe('ready, 2 briefs');
});

describe('other-workspace', () => {
	test('is asked for if the workspace lists none of the briefs of the folder', async () => {
		const story = await startReady();
		await story.clock.pass(DAY);
		story.created.length = 0;
		expect(await story.run(makeRows(mug, pan))).toBe('ready pending [other-workspace], 0 briefs');
	});

	test('is not asked for while the list can lag', async () => {
		const story = new Story([], { listLagMs: 9 * MINUTE });
		await story.runBatch({ rows: makeRows(mug) });
		const result = await story.runBatch({ rows: makeRows(mug, pan) });
		expect(result?.confirmations).toEqual([]);
	});

	test('is not asked for if all briefs of the folder are older than 90 days', async () => {
		const story = await startReady();
		await story.passDays(91);
		story.created.length = 0;
		expect(await story.run(makeRows(mug, pan))).toBe('ready ready, 1 brief');
	});
});
