import { DAY } from '../../support/time';
import { listCommands, runOnce, type TestProgram } from '../support/test-program';

/** The row was edited, and the files of its brief were deleted. */
async function loseFiles(): Promise<TestProgram> {
	const program = await runOnce('Mug');
	await program.clock.pass(2 * DAY);
	for (const path of program.disk.files.keys())
		if (path.startsWith('briefs/results/')) program.disk.files.delete(path);
	program.write('products.csv', 'Product Name,Audience', 'Mug,Cooks');
	return program;
}

test('a brief whose files are missing is not saved yet, for plan and status, and its row shows the edit', async () => {
	const program = await loseFiles();
	for (const words of ['plan products.csv', 'status']) {
		const { output } = await program.type(words);
		expect(output).toContain('    1 not saved yet');
		expect(output).not.toContain('being written');
		expect(output).toContain('Edited since: audience: was empty, now “Cooks”.');
		expect(listCommands(output)[0]).toMatch(/^brief-batch run .+ --max 0$/);
	}
});

test('a row whose files are missing can be reordered', async () => {
	const program = await loseFiles();
	const { code, output } = await program.type('run products.csv --reorder 2');
	expect([code, program.created.length]).toEqual([0, 2]);
	expect(output).toContain('1 replaced by other orders');
});

test('the edit of a row whose files are missing can be accepted', async () => {
	const program = await loseFiles();
	const { code } = await program.type('run products.csv --accept-edits 2');
	expect([code, program.created.length]).toEqual([0, 1]);
});
