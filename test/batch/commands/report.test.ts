import { runProducts, TestProgram } from '../support/test-program';

test('writes results.csv and report.html again', async () => {
	const program = await runProducts('Mug', 'Pan');
	const before = program.readFile('results.csv');
	program.disk.files.delete('briefs/results.csv');
	program.disk.files.delete('briefs/report.html');
	const { code, output } = await program.run('report');
	expect([code, output]).toEqual([0, 'Saved: briefs/results.csv, briefs/report.html\n']);
	expect(program.readFile('results.csv')).toBe(before);
	expect(program.readFile('report.html')).toContain('Mug');
});

test('does not change results.csv if the CSV cannot be read', async () => {
	const program = await runProducts('Mug', 'Pan');
	const before = program.readFile('results.csv');
	program.removeCsv('products.csv');
	program.disk.files.delete('briefs/report.html');
	const { code, output } = await program.run('report');
	expect(code).toBe(0);
	expect(output).toContain('results.csv stays as it is');
	expect(output).toContain('Saved: briefs/report.html');
	expect(program.readFile('results.csv')).toBe(before);
	expect(program.readFile('report.html')).toContain('Mug');
});

test('ends with 2 for a folder without a run, and writes nothing', async () => {
	const program = new TestProgram();
	expect((await program.run('report --out elsewhere')).code).toBe(2);
	expect(program.disk.files.size).toBe(0);
});
