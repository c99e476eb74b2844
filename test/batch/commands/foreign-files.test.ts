import { runOnce, TestProgram } from '../support/test-program';

/** The folder briefs has a file that brief-batch has not written. */
function makeFolder(name: string, text: string): TestProgram {
	const program = new TestProgram(['Mug']);
	program.disk.files.set(`briefs/${name}`, Buffer.from(text));
	return program;
}

describe.each([
	['results.csv', 'Product Name,Price\nMug,12\n'],
	['results.csv', ''],
	['report.html', '<!doctype html><title>Sales</title>'],
])('a %s of the user', (name, text) => {
	test.each(['plan products.csv', 'run products.csv', 'retry products.csv', 'doctor'])(
		'is refused by %s, and stays as it is',
		async (words) => {
			const program = makeFolder(name, text);
			const { code, output } = await program.type(words);
			expect(code).toBe(2);
			expect(output).toContain(
				`A run would replace briefs/${name}, which brief-batch has not written.`,
			);
			expect([program.readFile(name), program.created.length]).toEqual([text, 0]);
		},
	);
});

test('the files of an earlier run are replaced', async () => {
	const program = await runOnce('Mug');
	program.writeProducts('Mug', 'Pan');
	expect((await program.type('run products.csv')).code).toBe(0);
	expect(program.readFile('results.csv')).toContain('Pan');
	expect(program.readFile('report.html')).toContain('Pan');
});

test('a results.csv that was saved with semicolons is replaced', async () => {
	const program = makeFolder('results.csv', '\ufeffProduct Name;"brief_id";"brief_status"\n');
	expect((await program.type('run products.csv')).code).toBe(0);
});
