import { parse } from 'csv-parse/sync';
import { DAY } from '../../support/time';
import { TestProgram } from '../support/test-program';
import { startWebhook } from '../support/webhook';

const HEADER = 'SKU,Product Name,Audience,Status';

/** Returns the lines of results.csv. */
function readResults(program: TestProgram): Array<Record<string, string>> {
	return parse(program.readFile('results.csv'), { bom: true, columns: true });
}

async function start(): Promise<TestProgram> {
	const program = new TestProgram();
	program.write('products.csv', HEADER, 'A1,Mug,Bakers,new');
	await program.type('run products.csv --id SKU');
	return program;
}

test.each([
	['ready', 'A1,Mug,Bakers,new', ''],
	['changed', 'A1,Mug,Cooks,new', ''],
	['invalid', 'A1,TBD,Bakers,new', ''],
	['skipped', 'A1,Mug,Bakers,old', '--where Status=new --allow options-changed'],
])('a row keeps the columns of its brief when it is %s', async (status, line, options) => {
	const program = await start();
	program.write('products.csv', HEADER, line);
	await program.type(`run products.csv --id SKU ${options}`.trim());
	const id = program.created[0]?.id ?? '';
	expect(readResults(program)).toMatchObject([
		{
			brief_id: id,
			brief_status: status,
			brief_title: 'A title',
			brief_url: expect.stringContaining(id) as string,
			brief_file: `results/mug-${id.slice(0, 8)}.md`,
			brief_created_at: expect.stringContaining('2026-11-10T') as string,
			brief_finished_at: expect.stringContaining('2026-11-10T') as string,
		},
	]);
});

test('a brief that a newer order of its row has replaced is `replaced`, so the only ready brief is the newest', async () => {
	const program = await start();
	await program.clock.pass(2 * DAY);
	await program.type('run products.csv --id SKU --reorder 2');
	const [first, second] = program.created;
	expect(readResults(program)).toMatchObject([
		{ SKU: 'A1', brief_id: second?.id, brief_status: 'ready' },
		{ SKU: 'A1', brief_id: first?.id, brief_status: 'replaced', brief_title: 'A title' },
	]);
});

test('the warnings of briefs are the last column, and summary, report and notification count them', async () => {
	const { url, bodies } = await startWebhook();
	const program = new TestProgram(['Mug', 'Pan']);
	const warnings = [{ message: 'No source for the price' }, 'Check the name'];
	program.intercept = ({ operation }) => {
		for (const brief of program.created.slice(0, 1))
			if (operation === 'get_brief') brief.text = { ...brief.text, warnings } as typeof brief.text;
		return null;
	};
	const { output } = await program.type(`run products.csv --notify ${url}`);
	const sentence = '1 brief has warnings: read them before you hand it out.';
	expect(readResults(program).map((line) => Object.entries(line).at(-1))).toEqual([
		['brief_warnings', 'No source for the price | Check the name'],
		['brief_warnings', ''],
	]);
	expect(output).toContain(sentence);
	expect(program.readFile('report.html')).toContain(sentence);
	expect(bodies[0]?.text).toContain(sentence);
	// The next run has saved no brief.
	expect((await program.type('run products.csv')).output).not.toContain(sentence);
});
