import { resolve } from 'node:path';
import { toWebLink } from '../../../batch/report/html';
import { TestProgram } from '../support/test-program';

/** Returns report.html of a run over rows of most statuses, and what the run printed. */
async function makeReport(): Promise<{ page: string; output: string }> {
	const program = new TestProgram();
	program.shouldFail = ({ product_name }) => product_name === 'Pan';
	const rows = ['<b>Mug</b>,A-1', 'Pan,A-2', 'n/a,A-3', 'Cup,A-4'];
	program.write('products.csv', 'Product Name,SKU', ...rows);
	const words = 'run products.csv --id SKU --max 2 --allow damaged-rows --name Acme&Sons';
	const { output } = await program.type(words);
	return { page: program.readFile('report.html'), output };
}

test('report.html shows counts, next steps and rows as the terminal does', async () => {
	const { page, output } = await makeReport();
	for (const name of ['failed', 'invalid', 'not ordered yet', 'ready']) {
		expect(output).toContain(`1 ${name}`);
		expect(page).toContain(`<b>1</b><span>${name}</span>`);
	}
	// Who reads the page is in another folder than the run.
	const paths = `--out ${resolve('briefs')}`;
	expect(page).toContain(
		`<code>brief-batch retry ${resolve('products.csv')} ${paths} --max 2 --id SKU --name &#39;Acme&amp;Sons&#39;</code>`,
	);
	const terminal = "  brief-batch retry products.csv --max 2 --id SKU --name 'Acme&Sons'\n";
	expect(output).toContain(terminal);
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

test('a web address is a link', () => {
	expect(toWebLink('https://app.test/b/1', 'open').text).toContain('href="https://app.test/b/1"');
});

test.each(['javascript:alert(1)', 'https://vendor.com@evil.test/', 'file:///etc/passwd'])(
	'an address that is not on the web, or hides its host, is shown as text: %s',
	(address) => {
		expect(toWebLink(address, 'open').text).toBe('open');
	},
);
