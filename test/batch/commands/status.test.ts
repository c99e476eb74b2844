import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { listCommands, runOnce, TestProgram } from '../support/test-program';
import { makeTemporaryFolder } from '../../support/temporary-folder';
import { HOUR } from '../../support/time';

test('shows the last run, the rows and the briefs of the month, and ends with the code of the rows', async () => {
	const program = await runOnce('Mug', 'Pan', 'n/a');
	await program.clock.pass(2 * HOUR);
	const { code, output } = await program.type('status');
	expect(code).toBe(1);
	expect(output).toMatch(/The last run ended on .* \(2 h 0 min ago\) with exit code 1\./);
	expect(output).toContain('1 invalid');
	expect(output).toContain('2 ready');
	expect(output).toContain('2 briefs ordered in 2026-11');
});

test('counts the orders of the folder, without commands, if the CSV cannot be read', async () => {
	const program = await runOnce('Mug', 'Pan');
	program.removeCsv('products.csv');
	const { code, output } = await program.type('status');
	expect(code).toBe(0);
	expect(output).toContain('so the orders of the folder are counted instead of the rows');
	expect(output).toContain('2 ready');
});

test('suggests the previous command after the CSV of another client was refused', async () => {
	const program = new TestProgram(['Mug', 'n/a']);
	program.write('wrong.csv', 'Product Name', 'Lamp', 'Vase');
	await program.type('run products.csv --max 9');
	expect((await program.type('run wrong.csv')).code).toBe(2);
	const { code, output } = await program.type('status');
	expect(code).toBe(2);
	expect(output).toContain('none of them is for a row of wrong.csv');
	expect(output).toMatch(/brief-batch run \/\S+products\.csv --out \/\S+briefs --max 9$/m);
	expect(output).not.toContain('run wrong.csv');
});

test('suggests commands with the options of the last run, and with its own --name', async () => {
	const program = new TestProgram(['Mug', 'Pan'], { allowance: 1 });
	await program.type('run products.csv --max 9 --name Acme');
	const { output } = await program.type('status');
	expect(output).toContain('1 deferred');
	expect(output).toMatch(/run \/\S+products\.csv --out \/\S+briefs --max 9 --name Acme$/m);
	expect((await program.type('status --name Fay')).output).toMatch(/--max 9 --name Fay$/m);
});

test('suggests the previous command after a run whose --where left no row, and that command needs no confirmation', async () => {
	const program = new TestProgram();
	program.write('products.csv', 'Product Name,Status', 'Mug,active', 'n/a,active');
	await program.type('run products.csv');
	const filtered = 'run products.csv --where Status=aktive --allow options-changed';
	expect((await program.type(filtered)).code).toBe(0);
	expect((await program.type('status')).output).toMatch(
		/run \/\S+products\.csv --out \/\S+briefs$/m,
	);
	expect((await program.type('run products.csv')).code).toBe(1);
});

test('names a run that was refused before its first order, with its reason and code', async () => {
	const program = new TestProgram(['Mug']);
	program.refuseKey();
	const run = await program.type('run products.csv');
	expect([run.code, program.created.length, listCommands(run.output)]).toEqual([4, 0, []]);
	const { code, output } = await program.type('status');
	expect(code).toBe(4);
	expect(output).toContain('with exit code 4.');
	expect(output).toContain('API key');
});

test('shows one line per folder, the most urgent first, and ends with the most urgent code', async () => {
	const program = new TestProgram(['Mug', 'Pan', 'Cup']);
	program.write('invalid.csv', 'Product Name', 'n/a', 'Lamp');
	program.write('late.csv', 'Product Name', 'Rug', 'Bowl', 'Fork');
	await program.type('run products.csv --out ready');
	await program.type('run late.csv --out late --max 1 --name 商店');
	await program.passDays(28);
	await program.type('run invalid.csv --out invalid');
	program.refuseKey();
	await program.type('run products.csv --out refused --name Acme');
	const { code, output } = await program.type('status ready invalid late refused elsewhere');
	expect(code).toBe(4);
	expect(output.trimEnd().split('\n')).toEqual([
		'! There is no run in elsewhere.',
		expect.stringMatching(/^! refused {2}exit code 4, \d+ seconds? ago {2}/),
		expect.stringMatching(/^! 商店 {5}28 days ago, no run since {2}2 not ordered yet, 1 ready$/),
		expect.stringMatching(/^! invalid {2}.* ago +1 invalid, 1 ready$/),
		// A folder whose rows are all ready needs no schedule.
		expect.stringMatching(/^ {2}ready {4}28 days ago +3 ready$/),
	]);
});

test.each(['acme', 'acme/', 'acme/briefs'])(
	'finds the folder briefs in the folder of a client: status %s',
	async (path) => {
		const program = new TestProgram(['Mug']);
		await program.type('run products.csv --out acme/briefs');
		const { code, output } = await program.type(`status ${path}`);
		expect([code, output]).toEqual([0, expect.stringContaining('1 ready')]);
	},
);

const profile = join(makeTemporaryFolder(), 'client.env');

test('suggests commands with the profile of the last run, and results.csv has none', async () => {
	const program = new TestProgram(['Mug', 'M?sli']);
	writeFileSync(profile, 'CREATOR_BRIEFING_NAME=Acme');
	await program.type(`run products.csv --profile ${profile} --notify http://127.0.0.1:9/secret`);
	const { output } = await program.type('status');
	expect(listCommands(output)[0]).toContain(` --profile ${profile} --name Acme --only 3 `);
	expect(output + program.readFile('report.html')).not.toContain('secret');
	expect(program.readFile('results.csv')).not.toContain('brief-batch');
});
