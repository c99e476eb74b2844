import { entry as events } from '../../support/batch/journal-events';
import fc from 'fast-check';
import { problemsOf } from '../../support/batch/page-check';
import { Batch, START } from '../../support/batch/report-fixtures';
import { MINUTE } from '../../support/time';
import { isTorture } from '../../support/long-run';

const HOSTILE = [
	'<script>alert(1)</script>',
	'</title><script>alert(1)</script>',
	'</style></svg></details><img src=x onerror=alert(1)>',
	'"><svg onload=alert(1)>',
	"' onmouseover='alert(1)",
	'<!-- <![CDATA[ --!>',
	'&lt;script&gt;&#x3c;b&#62;',
	'javascript:alert(1)',
	'JaVaScRiPt:alert(1)',
	'java\tscript:alert(1)',
	'\u0001javascript:alert(1)',
	'data:text/html,<script>alert(1)</script>',
	'vbscript:x',
	'file:///etc/passwd',
	'//evil.example/x',
	'https://vendor.example@evil.example/',
	'https://evil.example/"onclick="alert(1)',
	'https://evil.example/</a><script>',
	'../../etc/passwd',
	'..\\..\\boot.ini',
	'/etc/passwd',
	'C:\\Windows',
	'results/../../x',
	'con',
	'\u0000',
	'a\u0000b',
	'\u202egnp.exe\u2066',
	'\u200b\ufeff\u2028\u2029',
	'Z\u0351\u036b\u0343\u036a\u0302\u036b\u033d\u034f\u0334\u0319\u0324\u031e',
	'x'.repeat(20_000),
	'=cmd|calc!A1',
	'🎬'.repeat(300),
	'',
];

const MARKDOWN = [
	'[x](javascript:alert(1))',
	'[x](JAVASCRIPT&colon;alert(1))',
	'[x](&#106;avascript:alert(1))',
	'[x](data:text/html;base64,PHNjcmlwdD4=)',
	'[x](<javascript:alert(1)>)',
	'[x](https://evil.example "t\\" onclick=\\"alert(1)")',
	'[x]: javascript:alert(1)\n[x]',
	'![x](https://evil.example/pixel.gif)',
	'![x](javascript:alert(1))',
	'![" onload="x](https://evil.example/a.png)',
	'[![x](https://evil.example/a.png)](https://evil.example)',
	'[![x](https://evil.example/a.png)](https://evil.example) ![[y](https://a.b)](https://c.d)',
	'<javascript:alert(1)>',
	'<https://evil.example/?a="b>',
	'<a href="javascript:alert(1)">x</a>',
	'<script>alert(1)</script>',
	'<style>body{display:none}</style>',
	'```<script>\n</code></pre><script>\n```',
	'```js" onclick="x\ncode\n```',
	'`</code><script>`',
	'| a | b |\n|:-:|--:|\n| <b> | </table> |',
	'# </h4><script>',
	'<!-- x --> </details> </article> </main>',
	'https://evil.example/"><script>',
	'- [ ] task\n  > quote\n    1. deep',
	'> '.repeat(150) + 'x',
	'['.repeat(3000),
	'*_'.repeat(2000),
	'\u0000\u202e[x](https://evil.example)\u2066',
	'~~gone~~ www.evil.example mail@evil.example',
];

const text = fc.oneof(
	fc.constantFrom(...HOSTILE),
	fc
		.array(fc.constantFrom(...HOSTILE.filter((piece) => piece.length < 500)), { maxLength: 3 })
		.map((pieces) => pieces.join('')),
	fc.string({ unit: 'binary', maxLength: 40 }),
);
const markdown = fc
	.array(fc.oneof(fc.constantFrom(...MARKDOWN), text), { maxLength: 5 })
	.map((pieces) => pieces.join('\n\n'));

/** Milliseconds of processor time that this process has used: a bound that holds on a busy machine too. */
function cpuTime(): number {
	const { user, system } = process.cpuUsage();
	return (user + system) / 1000;
}

describe('a hostile service or CSV', () => {
	it('can put nothing into report.html but text, and links to the web', async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.record({ id: text, product_name: text, title: text, url: text, markdown, note: text }),
				async ({ id, product_name, title, url, markdown: written, note }) => {
					const batch = new Batch();
					batch.record(START, { event: 'batch', format: 1, batch: note, base_url: url });
					const brief = { id, product_name, title, url, markdown: written };
					await batch.finish({ ...brief, warnings: [note, { message: note }] });
					const parked = batch.accept(product_name, START + MINUTE);
					const { answer } = events.refused();
					const cause = {
						reason: 'other_brief',
						answer: { ...answer, message: note },
						ids: [note],
						tried: '',
					} as const;
					batch.record(START + MINUTE, { event: 'parked', key: parked, ...cause });
					batch.end();
					const next = [{ text: note, command: note }];
					const said = { error: note, next, error_code: note };
					const row = { cells: [product_name, note], ...said, url, title };
					const statuses = ['failed', 'invalid', 'deferred', 'parked'] as const;
					const columns = ['Product', note];
					await batch.results(
						statuses.map((status) => ({ ...row, status })),
						{ columns },
					);
					expect(problemsOf(await batch.report())).toEqual([]);
				},
			),
			{ numRuns: isTorture ? 4000 : 150 },
		);
	});

	it.each(['../../../etc/passwd', '/etc/passwd', 'x/../../y', '..', 'a.b', ''])(
		'can lead neither a link nor a read astray with a name in the journal: %j',
		async (file) => {
			const batch = new Batch();
			await batch.finish();
			batch.record(START, { event: 'filed', key: 'key-1', file });
			batch.disk.calls.length = 0;
			expect(problemsOf(await batch.report())).toEqual([]);
			const read = batch.disk.calls.filter(({ operation }) => operation === 'read');
			expect(read.filter(({ path }) => /json|md|passwd/.test(path))).toEqual([]);
		},
	);

	it('cannot fill the page with one title', async () => {
		const batch = new Batch();
		await batch.finish({
			title: '🎬'.repeat(5000),
			product_name: 'x'.repeat(100_000),
			markdown: '',
		});
		const page = await batch.report();
		expect(page.length).toBeLessThan(25_000);
		expect(page).toContain(`${'🎬'.repeat(199)}…`);
	});

	it('cannot stop the report with Markdown that is hard to read', async () => {
		const hard = [
			'['.repeat(100_000),
			'> '.repeat(50_000),
			'*a **b '.repeat(30_000),
			'`'.repeat(100_000),
			'http://'.repeat(30_000),
			'|a'.repeat(50_000) + '\n' + '|-'.repeat(50_000),
			'\n- '.repeat(50_000),
			'&amp'.repeat(50_000),
			'<a '.repeat(50_000),
			'](x'.repeat(50_000),
			'![a]('.repeat(40_000),
			'[a](https://b.c) '.repeat(20_000),
			'https://a.b/('.repeat(30_000),
			`${'https://a.b/('.repeat(75)} `.repeat(400),
			'![a](https://b.c)'.repeat(20_000),
		];
		for (const written of hard) {
			const batch = new Batch();
			await batch.finish({ markdown: written });
			const began = cpuTime();
			const page = await batch.report();
			expect([written.slice(0, 8), cpuTime() - began < 4000]).toEqual([written.slice(0, 8), true]);
			expect(page).toContain('</html>');
		}
	}, 60_000);
});
