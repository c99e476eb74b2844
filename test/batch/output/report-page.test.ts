import { renderReport } from '../../../batch/output/report-page';
import { TestProgram } from '../support/test-program';

const MINUTE = 60_000;

/** Returns report.html of a run over rows of most statuses. */
async function makeReport(): Promise<{ page: string; output: string }> {
	const program = new TestProgram({ failed: (index) => index === 1 });
	program.write(
		'products.csv',
		'Product Name,SKU',
		'<b>Mug</b>,A-1',
		'Pan,A-2',
		'n/a,A-3',
		'Cup,A-4',
	);
	const words = 'run products.csv --id SKU --max 2 --allow damaged-rows --name Acme&Sons';
	const { output } = await program.run(words);
	return { page: program.readFile('report.html'), output };
}

test('report.html shows counts, next steps and rows as the terminal does', async () => {
	const { page, output } = await makeReport();
	for (const [count, name] of [
		[1, 'failed'],
		[1, 'invalid'],
		[1, 'not ordered yet'],
		[1, 'ready'],
	]) {
		expect(output).toContain(`${count} ${name}`);
		expect(page).toContain(`<b>${count}</b><span>${name}</span>`);
	}
	const commands = [...page.matchAll(/<code>(.*?)<\/code>/g)].map(([, command]) => command);
	expect(commands).toContain(
		'brief-batch retry products.csv --max 2 --id SKU --name &#39;Acme&amp;Sons&#39;',
	);
	expect(page).toContain('<td>2</td><td>&lt;b&gt;Mug&lt;/b&gt;<p class="soft">A-1</p></td>');
	expect(page).toMatch(/<a href="results\/b-mug-b-[0-9a-f]{8}\.md">A title<\/a>/);
});

test('report.html loads nothing, runs nothing, and escapes names', async () => {
	const { page } = await makeReport();
	expect(page).toContain(`content="default-src 'none'; style-src 'unsafe-inline'"`);
	expect(page).not.toMatch(/<script|<img|<link|@import|url\(/);
	expect(page).not.toContain('<b>Mug');
	expect(page).toContain('<h1>Acme&amp;Sons</h1>');
});

test('a link that is not on the web, or hides its host, is shown as text', () => {
	const overview = (url: string) => ({
		groups: [],
		counts: {},
		paidByMonth: new Map(),
		exitCode: 0,
		rows: [
			{
				number: 2,
				name: 'Mug',
				rowId: null,
				group: 'ready',
				message: '',
				nextSteps: [],
				file: null,
				brief: { url },
			},
		],
	});
	const subject = { name: 'Acme', csv: 'a.csv', folder: 'briefs', resetsAt: 0 };
	const render = (url: string) =>
		renderReport(subject, overview(url) as never, 20 * MINUTE).toString();
	expect(render('https://app.test/b/1')).toContain('href="https://app.test/b/1"');
	for (const url of ['javascript:alert(1)', 'https://vendor.com@evil.test/', 'file:///etc/passwd'])
		expect(render(url)).not.toContain('href="' + url);
});
