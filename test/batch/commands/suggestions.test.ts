import { listCommands, runOnce, TestProgram } from '../support/test-program';
import { listProducts } from '../support/world';

describe('plan', () => {
	test('ends with 3 if rows are beyond the allowance, as the run would', async () => {
		const program = new TestProgram(['Mug', 'Pan', 'Cup'], { allowance: 2 });
		expect((await program.type('plan products.csv')).code).toBe(3);
	});

	test('ends with 2 if `run` would refuse, and suggests commands for changed rows and for the confirmation', async () => {
		const program = await runOnce('Mug', 'Pan');
		program.writeProducts('Mug', 'Pan', 'Cup');
		const { code, output } = await program.type('plan products.csv --set objective=Sell');
		expect(code).toBe(2);
		expect(output).toContain('options-changed: ');
		expect(listCommands(output)).toEqual([
			'brief-batch run products.csv --set objective=Sell --accept-edits 2,3 --max 0',
			'brief-batch run products.csv --set objective=Sell --only 2,3 --reorder 2,3',
			'brief-batch run products.csv',
			'brief-batch run products.csv --set objective=Sell --allow options-changed',
		]);
	});

	test('suggests a command that costs nothing if all rows are reused', async () => {
		const program = await runOnce('Mug');
		const { code, output } = await program.type('plan products.csv --out other');
		expect(code).toBe(0);
		expect(output).toMatch(
			/\(orders nothing new\):\n {2}brief-batch run products\.csv --out other --max 0\n/,
		);
	});

	test.each([
		['plan products.csv --max 2', 'about 5 minutes, two briefs at a time'],
		['plan products.csv', 'about 9 minutes, two briefs at a time'],
	])('counts the time of the briefs of this run alone: %s', async (words, time) => {
		const program = new TestProgram(listProducts(40), { allowance: 4 });
		expect((await program.type(words)).output).toContain(time);
	});

	test('checks the rows without an API key, and suggests no command that needs a key', async () => {
		const program = new TestProgram(['Mug', 'Pan']);
		const env = { CREATOR_BRIEFING_API_KEY: '' };
		const { code, output } = await program.type('plan products.csv', { env });
		expect([code, listCommands(output)]).toEqual([0, []]);
		expect(output).toContain('set CREATOR_BRIEFING_BASE_URL and CREATOR_BRIEFING_API_KEY');
		expect((await program.type('plan products.csv --only 99', { env })).code).toBe(2);
		program.writeProducts('Mug', 'n/a');
		expect((await program.type('plan products.csv', { env })).code).toBe(1);
	});
});

test.each(['plan', 'run'])('%s names what was skipped in the CSV', async (command) => {
	const program = new TestProgram();
	program.write('products.csv', 'Spring list', '', 'Name,A', 'Mug,new', 'Name,A', 'Pan,old');
	const { code, output } = await program.type(`${command} products.csv --where A=none`);
	expect(code).toBe(0);
	expect(output).toContain('Row 3 is the header');
	expect(output).toContain('repeated headers: row 5');
});

describe('suggested commands', () => {
	test('order damaged rows individually or together', async () => {
		const program = new TestProgram(['Mug', 'M?sli', 'B?cher']);
		const { output } = await program.type('run products.csv --quiet');
		expect(listCommands(output)).toEqual([
			'brief-batch run products.csv --quiet --only 3 --allow damaged-rows',
			'brief-batch run products.csv --quiet --only 4 --allow damaged-rows',
			'brief-batch run products.csv --quiet --only 3,4 --allow damaged-rows',
		]);
		program.writeProducts('Mug', 'M?sli');
		expect(listCommands((await program.type('run products.csv')).output)).toEqual([
			'brief-batch run products.csv --only 3 --allow damaged-rows',
		]);
	});

	test('repeat a refused command with --only, and with either options', async () => {
		const program = await runOnce('Mug');
		program.writeProducts('Mug', 'Pan');
		const { code, output } = await program.type('run products.csv --only 3 --set objective=Sell');
		expect(code).toBe(2);
		expect(listCommands(output)).toEqual([
			'brief-batch run products.csv --only 3',
			'brief-batch run products.csv --only 3 --set objective=Sell --allow options-changed',
		]);
	});

	test('keep --use-brief next to the confirmation that it needs', async () => {
		const program = await runOnce('Mug');
		program.writeProducts('Mug', 'Pan');
		const words = `run products.csv --use-brief 3=${program.created[0]?.id}`;
		const { output } = await program.type(words);
		expect(listCommands(output)).toContain(`brief-batch ${words} --allow other-product`);
	});

	test('of a changed row keep its brief or order a new brief', async () => {
		const program = await runOnce('Mug');
		program.write('products.csv', 'Product Name,Audience', 'Mug,Cooks');
		const { code, output } = await program.type('run products.csv');
		expect(code).toBe(1);
		expect(output).toContain('audience: was empty, now “Cooks”');
		expect(listCommands(output)).toEqual([
			'brief-batch run products.csv --accept-edits 2 --max 0',
			'brief-batch run products.csv --only 2 --reorder 2',
		]);
	});
});

describe('a suggested command that pays', () => {
	test('orders the row that it names, whatever the --max of the run was', async () => {
		const program = await runOnce('Mug');
		program.write('products.csv', 'Product Name,Audience', 'Pan,', 'Mug,Cooks');
		await program.type('run products.csv --max 0');
		const { output } = await program.type('plan products.csv --max 1');
		const reorder = 'run products.csv --only 3 --reorder 3';
		expect(listCommands(output)).toContain(`brief-batch ${reorder}`);
		await program.type(reorder, { env: { CREATOR_BRIEFING_YES: 'true' } });
		const audiences = program.created.map(({ input }) => input.audience);
		expect(audiences).toEqual([undefined, 'Cooks']);
	});

	test('does not repeat --max 0, which would order nothing', async () => {
		const program = new TestProgram(['Mug']);
		const { output } = await program.type('run products.csv --max 0');
		expect(listCommands(output)).toContain('brief-batch run products.csv');
	});
});

test('rows in which the same field was edited are on one line', async () => {
	const names = listProducts(12);
	const program = await runOnce(...names);
	const edited = names.map((name, index) => `${name},Audience ${index}`);
	program.write('products.csv', 'Product Name,Audience', ...edited);
	const { output } = await program.type('plan products.csv');
	const lines = output.split('\n').filter((line) => line.includes('Audience '));
	expect(lines).toEqual([
		'      Edited: audience (rows 2, 3, 4, 5, 6, 7, 8, 9 and 4 more). For example, row 2: audience: was empty, now “Audience 0”',
	]);
});

test('rows that are no longer in the CSV, and replaced briefs, are shown', async () => {
	const program = await runOnce('Mug', 'Pan', 'Cup');
	await program.clock.pass(2 * 86_400_000);
	program.writeProducts('Mug', 'Pan');
	const { output } = await program.type('run products.csv --reorder 2');
	expect(output).toMatch(/1 no longer in the CSV\n +– +Cup/);
	expect(output).toContain('1 replaced by other orders');
	const page = program.readFile('report.html');
	expect(page.match(/results\/mug-/g)).toHaveLength(2);
	expect(page).toContain('results/cup-');
});

test('a brief that --use-brief gave to a second row is shown once when the first row is removed', async () => {
	const program = await runOnce('Mug');
	program.writeProducts('Mug', 'Big mug');
	const use = `--use-brief 3=${program.created[0]?.id}`;
	await program.type(`run products.csv ${use} --allow other-product`);
	program.writeProducts('Big mug');
	const { code, output } = await program.type('status');
	expect([code, program.created.length]).toEqual([0, 1]);
	expect(output).toContain('1 ready');
	expect(output).not.toContain('no longer in the CSV');
});
