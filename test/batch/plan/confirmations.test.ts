import { HOUR } from '../../support/time';
import { cup, makeRow, makeRows, mug, mugForCooks, pan } from '../support/order-builder';
import { listCommands, runOnce, TestProgram } from '../support/test-program';
import { useBrief, World, type WorldCommand } from '../support/world';

/* A run that cannot ask orders nothing if a confirmation is missing. */

async function startReady(): Promise<World> {
	const world = new World();
	expect(await world.run(makeRows(mug))).toBe('ready, 1 brief');
	return world;
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

	/** Returns the result of the last of these runs, which has another row to order. */
	async function runAll(commands: readonly WorldCommand[]): Promise<string> {
		const world = new World();
		for (const command of commands.slice(0, -1))
			await world.run(command.rows ?? makeRows(mug), command);
		return await world.run(makeRows(mug, pan), commands.at(-1));
	}

	test.each<[string, WorldCommand[]]>([
		['the last run had another --where', [{ options: { where } }, {}]],
		['the only run had --only and another --where', [{ options: { where, only } }, {}]],
		[
			'a field has another header',
			[withColumns({ product_name: 'Title' }), withColumns({ product_name: 'Name' })],
		],
	])('is asked for if %s', async (_, commands) => {
		expect(await runAll(commands)).toBe('ready pending [options-changed], 1 brief');
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
		expect(await runAll(commands)).toBe('ready ready, 2 briefs');
	});
});

test('unknown-csv is asked for in a folder that has no order for any row', async () => {
	const world = await startReady();
	expect(await world.run(makeRows(cup))).toBe('pending [unknown-csv], 1 brief');
	expect(await world.run(makeRows(cup, mug))).toBe('ready ready, 2 briefs');
});

test('unknown-csv is only named if nothing would be paid', async () => {
	const program = new TestProgram(['Mug']);
	await program.type('run products.csv');
	program.writeProducts('Lamp');
	const { code, output } = await program.type('run products.csv --max 0');
	expect(output).toContain('none of them is for a row of products.csv');
	expect(code).not.toBe(2);
});

test('unknown-csv is decided before --use-brief is applied', async () => {
	const world = await startReady();
	const { id } = await world.letColleagueOrder(pan);
	const planned = await world.run(makeRows(pan, cup), useBrief(2, id));
	expect(planned).toBe('pending pending [unknown-csv], 2 briefs');
});

test('new-folder is asked for if the workspace has the products with content that no row reuses', async () => {
	const world = new World();
	await world.letColleagueOrder(mug);
	expect(await world.run(makeRows(mugForCooks))).toBe('pending [new-folder], 1 brief');
	expect(await world.run(makeRows(mug, mugForCooks))).toBe('ready ready, 2 briefs');
});

test('neither confirmation is asked for in a folder whose only orders are undecided', async () => {
	const world = new World({ isInputShown: false });
	await world.letColleagueOrder(mug);
	const where = { options: { where: ['Status=active'] } };
	expect(await world.run(makeRows(mug), where)).toBe('needs_review, 1 brief');
	expect(await world.run(makeRows(pan))).toBe('ready, 2 briefs');
});

describe('options-changed through the command', () => {
	const HEADER = 'Name,SKU,Group';

	async function start(): Promise<TestProgram> {
		const program = new TestProgram();
		program.write('products.csv', HEADER, 'Mug,A1,Bakers');
		await program.type('run products.csv --map Group=audience');
		return program;
	}

	test('names the option that differs', async () => {
		const program = await start();
		program.write('products.csv', HEADER, 'Mug,A1,Bakers', 'Pan,A2,Cooks');
		const { code, output } = await program.type('run products.csv --set objective=Sell');
		expect([code, program.created.length]).toEqual([2, 1]);
		expect(output).toContain(
			'--map: was Group=audience, now empty; --set: was empty, now objective=Sell.',
		);
		expect(listCommands(output)).toContain('brief-batch run products.csv --map Group=audience');
	});

	test('does not propose the old options if the CSV cannot be read with them', async () => {
		const program = await start();
		program.write('products.csv', 'Name,SKU,Segment', 'Mug,A1,Bakers', 'Pan,A2,Cooks');
		const { code, output } = await program.type('run products.csv --map Segment=audience');
		expect([code, program.created.length]).toEqual([2, 1]);
		expect(output).toContain('--map: was Group=audience, now Segment=audience.');
		expect(output).not.toContain('as before');
	});

	test('is a notice if nothing would be paid, and that run changes nothing for the next run', async () => {
		const program = await start();
		const other = await program.type('run products.csv --set objective=Sell');
		expect([other.code, program.created.length]).toEqual([1, 1]);
		expect(other.output).toContain('--set: was empty, now objective=Sell.');
		program.write('products.csv', HEADER, 'Mug,A1,Bakers', 'Pan,A2,Cooks');
		expect((await program.type('run products.csv --map Group=audience')).code).toBe(0);
	});

	test('is not asked for after --id was added to a folder whose rows are ready', async () => {
		const program = await start();
		await program.type('run products.csv --map Group=audience --id SKU');
		program.write('products.csv', HEADER, 'Mug,A1,Bakers', 'Pan,A2,Cooks');
		const { code } = await program.type('run products.csv --map Group=audience --id SKU');
		expect([code, program.created.length]).toEqual([0, 2]);
	});
});

describe('other-workspace', () => {
	const OTHER_KEY = { env: { CREATOR_BRIEFING_API_KEY: 'other' } };

	/** The next command asks another workspace: it has no briefs. */
	async function changeWorkspace(): Promise<TestProgram> {
		const program = await runOnce('Mug');
		program.remove(program.created[0]!);
		program.writeProducts('Mug', 'Pan');
		return program;
	}

	test('is asked for at once with another key whose workspace lists none of the briefs', async () => {
		const program = await changeWorkspace();
		const { code, output } = await program.type('run products.csv', OTHER_KEY);
		expect([code, program.created.length]).toEqual([2, 0]);
		expect(output).toContain('No run of the folder briefs has used this address and API key');
		expect(output).toContain('lists none of its briefs');
		expect(output).not.toContain('--out');
	});

	test('is asked for if the folder has only an order without an answer', async () => {
		const program = new TestProgram(['Mug']);
		program.interceptCreates(() => ({ status: 502 }));
		await program.type('run products.csv');
		program.stopIntercepting();
		await program.clock.pass(HOUR);
		const { code, output } = await program.type('run products.csv', OTHER_KEY);
		expect([code, program.created.length]).toEqual([2, 0]);
		expect(output).toContain('address and API key');
	});

	test('is not asked for with a key that the folder knows, or that was confirmed', async () => {
		const program = await changeWorkspace();
		expect((await program.type('run products.csv')).code).toBe(0);
		const first = 'run products.csv --only 2 --allow other-workspace --max 0';
		await program.type(first, OTHER_KEY);
		expect((await program.type('run products.csv', OTHER_KEY)).code).toBe(0);
	});

	test('is not asked for with a new key of the same workspace', async () => {
		const program = await runOnce('Mug');
		program.writeProducts('Mug', 'Pan');
		expect((await program.type('run products.csv', OTHER_KEY)).code).toBe(0);
	});

	test('is not asked for if all briefs of the folder are older than 90 days', async () => {
		const program = await changeWorkspace();
		await program.passDays(91);
		expect((await program.type('run products.csv', OTHER_KEY)).code).toBe(0);
	});
});
