import { createHash } from 'node:crypto';
import type { RowResult } from '../../../batch/results/row-result';
import { entry, intent } from '../../support/batch/journal-events';
import { problemsOf } from '../../support/batch/page-check';
import { Batch, idOf, NOW, START, textOf } from '../../support/batch/report-fixtures';
import { MINUTE } from '../../support/time';

type Rows = Array<Partial<RowResult>>;

/** The report of these rows, in a batch that may hold more already. */
async function pageOf(rows: Rows, columns = ['product_name'], batch = new Batch()) {
	await batch.results(rows, { columns });
	const page = await batch.report();
	expect(problemsOf(page)).toEqual([]);
	return page;
}

const named = (name: string, facts: Partial<RowResult> = {}) => ({ cells: [name], ...facts });
const many = (n: number, row: (i: number) => Partial<RowResult>): Rows =>
	Array.from({ length: n }, (_, i) => row(i));

const STARTED = { ...entry.started(), csv: 'lists/spring.csv', allowance: 9, used: 0 };
const FAILED = { ...entry.ended('failed'), error_code: 'x' };

const notWritten = (code: string) => `The service could not write this brief (${code}).`;

describe('report.html at a glance', () => {
	it('says in a sentence and in numbers what became of the rows', async () => {
		const batch = new Batch();
		await batch.finish({ product_name: 'Glow Serum' });
		batch.end();
		const rows: Rows = [
			named('Glow Serum', { status: 'ready', brief_id: idOf(1) }),
			named('Lamp', { status: 'failed', error: 'No videos were found' }),
			named('x', { status: 'invalid', error: 'Too short' }),
			named('Mug', { status: 'deferred', error: 'The month’s allowance is used up.' }),
			named('Mat', { status: 'pending' }),
		];
		const text = textOf(await pageOf(rows, undefined, batch));
		expect(text).toContain('Autumn launch');
		expect(text).toContain('1 of 5 products has its brief. 2 need you. 2 come later.');
		expect(text).toMatch(/1 ✓ Ready .* 1 ✕ Failed .* 1 ! Invalid .* 1 ↻ Deferred .* 1 … Pending/);
		expect(text).not.toContain('Parked');
		expect(text).toContain('When 20 Nov 2026, 08:59–09:04 UTC');
		expect(text).toContain('One brief took 4 min');
	});

	it('says that everything is ready', async () => {
		const batch = new Batch();
		await batch.finish();
		await batch.finish();
		const text = textOf(await pageOf([{ status: 'ready' }, { status: 'ready' }], undefined, batch));
		expect(text).toContain('All 2 products have their brief.');
		expect(text).not.toContain('What to do next');
	});

	it('can be made when nothing has happened yet, and while a run goes on', async () => {
		const page = await new Batch().report();
		expect(problemsOf(page)).toEqual([]);
		expect(textOf(page)).toContain('Nothing has been ordered yet.');
		const batch = new Batch();
		batch.record(START, STARTED);
		const text = textOf(await pageOf([{ status: 'pending' }], undefined, batch));
		expect(text).toContain('A run was going on when this page was made');
	});
});

describe('the rows that need a person', () => {
	it('show row, product, what happened and what to do next', async () => {
		const batch = new Batch();
		batch.accept('Lamp');
		const url = 'https://app.example/3';
		const parked = { error: 'Look in the app', brief_id: idOf(1), url };
		const rows: Rows = [
			{ cells: ['1', 'Glow Serum'], status: 'ready' },
			{ cells: ['2', 'x'], product: 'x', status: 'invalid', error: 'Product Name is too short.' },
			{ cells: ['3', 'Lamp'], product: 'Lamp', status: 'parked', ...parked },
			{ cells: ['4', 'Mat'], product: 'Mat', status: 'changed', error: 'audience: now empty' },
		];
		const page = await pageOf(rows, ['SKU', 'Product Name'], batch);
		const text = textOf(page);
		for (const seen of [
			'3 need you.',
			/Parked 1 row .* what each row says\. .* 4 Lamp Look in the app Open in the app/,
			/Invalid 1 row Not sent\. Correct it in .*, then: brief-batch run .* 3 x Product Name is too short/,
			/Changed 1 row Put back what differs; .* order it again: .* 5 Mat audience: now empty/,
		])
			expect(text).toMatch(seen);
		expect(page).toContain(`<a href="${url}" rel="noopener noreferrer" target="_blank">`);
	});

	it.each([
		['invalid', {}],
		['failed', { brief_id: 'b' }],
	] as const)(
		'are listed up to the two hundredth, and the rest counted: %s',
		async (status, facts) => {
			const one = (i: number) => named(`Product ${i}`, { status, ...facts, error: `Problem ${i}` });
			const text = textOf(await pageOf(many(1234, one)));
			expect(text).toContain('0 of 1,234 products have their brief. 1,234 need you.');
			expect(text).toContain('Problem 199');
			expect(text).not.toContain('Problem 200');
			expect(text).toContain('And 1,034 more, all listed in results.csv');
		},
	);

	it('say once what all of them would say', async () => {
		const error =
			'The month’s allowance is used up. Run the same command again from 1 December 2026 (UTC).';
		const deferred = ['Mug', 'Mat', 'Lamp'].map((name) =>
			named(name, { status: 'deferred', error }),
		);
		const text = textOf(await pageOf(deferred));
		expect(text.split('Run the same command again from 1 December 2026')).toHaveLength(2);
		expect(text).toContain('2 Mug 3 Mat 4 Lamp');
	});

	it('show a message as it came, without the apostrophe that the CSV needs', async () => {
		const text = textOf(
			await pageOf([named('Mug', { status: 'failed', error: '=nothing came' }), named('Mat')]),
		);
		expect(text).toContain('2 Mug =nothing came');
		expect(text).toContain('1 needs you.');
	});
});

test('failed rows have the command that says which of them are worth another brief', async () => {
	const batch = new Batch();
	batch.record(START, STARTED);
	const error = notWritten('x');
	const rows = ['Mug', 'Mat'].map((name) =>
		named(name, { status: 'failed', error, brief_id: 'a' }),
	);
	expect(textOf(await pageOf(rows, undefined, batch))).toMatch(
		/2 rows This says why, and asks before it orders them again: brief-batch retry \S+ --out \/out .* 2 Mug 3 Mat/,
	);
});

describe('the list of rows', () => {
	it('has every row in the order of the CSV, each with its status, and the briefs among them', async () => {
		const batch = new Batch();
		const file = await batch.finish({ product_name: 'Lamp' });
		const rows: Rows = [
			named('Mug', { status: 'invalid', error: 'Too short' }),
			named('Lamp', { status: 'ready', brief_id: idOf(1), file: `results/${file}.md` }),
			named('Mat', { status: 'deferred' }),
		];
		const page = await pageOf(rows, undefined, batch);
		expect(textOf(page)).toContain('All 3 rows');
		expect(page.slice(page.indexOf('<div id="rows"'))).toMatch(
			/<p class="invalid"><b>2<\/b><span><bdi>Mug<\/bdi><\/span><\/p>\n<article id="brief-1" class="ready">[^]*<p class="deferred"><b>4<\/b><span><bdi>Mat/,
		);
		expect(textOf(page)).toMatch(/✓ Ready 1 ! Invalid 1 ↻ Deferred 1/);
	});

	it('has the newest two hundred briefs to read, and links to the files of the others', async () => {
		const batch = new Batch();
		const rows: Rows = [];
		for (let i = 0; i < 210; i++) {
			const name = `Product ${i}`;
			// The first rows were finished last.
			const file = await batch.finish({ product_name: name }, START + (300 - i) * MINUTE);
			const ready = { title: `Title ${i}`, brief_id: idOf(i + 1), file: `results/${file}.md` };
			rows.push(named(name, { status: 'ready', ...ready }));
		}
		const page = await pageOf(rows, undefined, batch);
		expect(page.match(/<article /g)).toHaveLength(200);
		expect(page).toContain('<a href="#brief-200"><bdi>Product 199</bdi></a>');
		expect(page).toContain(
			`<p class="ready"><b>202</b><span><a href="results/product-200-${idOf(201).slice(0, 8)}.md"><bdi>Product 200</bdi></a> <bdi class="soft">Title 200</bdi></span></p>`,
		);
		expect(textOf(page)).toContain('The newest 200 briefs can be read here.');
	});

	it('shows the CSV’s own columns', async () => {
		const batch = new Batch();
		const file = await batch.finish({ product_name: 'Lamp' });
		const ready = { status: 'ready', brief_id: idOf(1), file: `results/${file}.md` } as const;
		const row = (name: string, sku: string, owner: string) => ({
			cells: [name, sku, owner, '', '<b>'],
		});
		const rows = [
			row('Mug', 'S-1', 'Mara & Co'),
			row('Mat', 'S-2', 'Jonas'),
			row('Vase', 'S-3', 'Jonas'),
			{ ...row('Lamp', 'S-4', 'Mara & Co'), ...ready },
		];
		const page = await pageOf(rows, ['product_name', 'SKU', 'Owner', 'Empty', '"Note"'], batch);
		expect(textOf(page)).toContain('Row Product SKU Owner "Note" Status');
		expect(page).toContain(
			'<b>2</b><span><bdi>Mug</bdi></span><bdi>S-1</bdi><bdi>Mara &amp; Co</bdi><bdi>&lt;b&gt;</bdi>',
		);
		expect(textOf(page)).toContain(
			'Row 5 · Lamp · SKU S-4 · Owner Mara & Co · "Note" <b> · finished',
		);
	});

	it('is bounded, whatever the rows are: those with a brief come first', async () => {
		const row = (i: number) => ({ cells: ['x'.repeat(500)], error: 'y'.repeat(500), ...is(i) });
		const is = (i: number) =>
			i % 3 === 2
				? { status: 'ready' as const, brief_id: `b${i}` }
				: { status: 'invalid' as const };
		const batch = new Batch();
		await batch.results(many(30_000, row));
		const page = await batch.report();
		expect(textOf(page)).toContain('20,000 of 30,000 rows');
		expect(page.match(/<p class="ready">/g)).toHaveLength(10_000);
		expect(page.length).toBeLessThan(5_000_000);
	});

	it('is bounded if the texts of the briefs are long', async () => {
		const batch = new Batch();
		const markdown = 'word '.repeat(20_000);
		for (let i = 0; i < 60; i++) await batch.finish({ markdown });
		const page = await batch.report();
		expect(page.length).toBeLessThan(4_000_000);
		expect(textOf(page)).toContain('There is no room for its text here.');
	});

	it('lets no name of a file in results.csv lead elsewhere', async () => {
		const files = ['results/../../x.md', 'results/.md', '/etc/passwd', 'results/a b.md'];
		const page = await pageOf(files.map((file) => ({ status: 'ready', file })));
		expect(page).not.toMatch(/<p class="ready">.*<a /);
	});
});

describe('the report without the CSV', () => {
	it('shows what the journal knows, and that there is more', async () => {
		const batch = new Batch();
		await batch.finish();
		batch.record(START, entry.refused(batch.intend('Lamp')));
		batch.record(START, entry.parked(batch.accept('Mug'), 'person'));
		batch.accept('Mat');
		const { counts } = entry.runEnded();
		const found = { ready: 1, failed: 1, invalid: 7, deferred: 3, parked: 1, pending: 1 };
		batch.end(NOW, { counts: { ...counts, ...found } });
		const page = await batch.report();
		expect(problemsOf(page)).toEqual([]);
		for (const seen of [
			'1 of 14 products has its brief. 9 need you. 4 come later.',
			/– Lamp .* It says: Not valid\./,
			'does not know it any more. Ask the vendor’s support about it',
			'The CSV could not be read',
			'The 4 rows',
		])
			expect(textOf(page)).toMatch(seen);
	});

	it('counts a row that was started again once, by what became of it at last', async () => {
		const batch = new Batch();
		batch.record(START, { ...FAILED, key: batch.accept('Lamp') });
		const again = { key: 'again', content_id: 'row-2', try: 2, product_name: 'Lamp' };
		for (const line of intent(again)) batch.record(START + MINUTE, line);
		batch.record(START + MINUTE, entry.accepted('again', 'b'));
		batch.record(START + MINUTE, entry.parked('again'));
		const text = textOf(await batch.report());
		expect(text).toContain('The brief is not ready: it needs you.');
	});

	it('names a disk that cannot be read instead of reporting half of the batch', async () => {
		const batch = new Batch();
		await batch.finish();
		batch.disk.fail({ at: 1, on: ({ operation }) => operation === 'read' });
		await expect(batch.report()).rejects.toThrow('ENOSPC');
	});
});

test('says how many briefs were paid for, taken over and fetched, and counts the paid ones as used', async () => {
	const batch = new Batch();
	for (let i = 0; i < 2; i++) await batch.finish();
	const taken = { key: 'k', content_id: 'r', try: 1, product_name: 'Mug' };
	batch.record(START, entry.ordered(taken));
	batch.record(START, { ...entry.accepted('k', 'b'), found: true, paid: false });
	batch.accept('Lamp');
	batch.end(NOW, { allowance: 100, used: 30 });
	const text = textOf(await batch.report());
	expect(text).toContain('Briefs 3 paid, 1 taken over, 2 fetched');
	expect(text).toContain('27 used before or by others 3 used by this batch 70 left');
});

describe('the allowance', () => {
	const LATER = Date.parse('2026-12-02T00:00:00Z');
	test.each([
		[30, NOW, '28 used before or by others 2 used by this batch 70 left'],
		[30, NOW, 'It resets on 1 December 2026, 00:00 UTC.'],
		[1, NOW, '0 used before or by others 1 used by this batch 99 left'],
		[130, NOW, '128 used before or by others 2 used by this batch 0 left'],
		[30, LATER, 'That month is over: a new allowance began on 1 December 2026 (UTC).'],
	])('of which %i of 100 are used: %#', async (used, now, seen) => {
		const batch = new Batch();
		for (const created_at of ['2026-11-20T09:00:00Z', '2026-10-31T23:59:59Z', 'no time'])
			await batch.finish({ created_at });
		batch.end(NOW, { allowance: 100, used });
		const text = textOf(await batch.report(now));
		expect(text).toContain('Allowance of November 2026');
		expect(text).toContain(seen);
	});

	it('is left out as long as no run has ended', async () => {
		const batch = new Batch();
		await batch.finish();
		const text = textOf(await batch.report());
		expect(text).not.toContain('Allowance');
		expect(text).toContain('No run has come to its end yet');
	});
});

describe('the briefs to read', () => {
	it('are in the order of the CSV, each with title, product, links and its text', async () => {
		const batch = new Batch();
		const url = 'https://app.example/1';
		await batch.finish({ product_name: 'Glow Serum', title: 'The glow', url });
		// The only one is open.
		expect(await batch.report()).toContain('<details open>');
		await batch.finish({ product_name: 'Lamp', title: null, markdown: '## Mission\n\nLight up.' });
		const page = await batch.report();
		expect(page).not.toContain('<details open>');
		expect(page).toMatch(/<article id="brief-1" [^]*The glow[^]*<article id="brief-2" [^]*Lamp/);
		for (const seen of [
			'<a href="#brief-2"><bdi>Lamp</bdi></a>',
			`<a href="${url}" rel="noopener noreferrer" target="_blank">Open in the vendor’s app</a>`,
			`<a href="results/glow-serum-${idOf(1).slice(0, 8)}.md">`,
			'<h4>Mission</h4>\n<p>Light up.</p>',
		])
			expect(page).toContain(seen);
	});

	it('show what the service warns of, in whatever shape', async () => {
		const batch = new Batch();
		const warnings = ['Plain', { code: 'x', message: 'In an object' }, null, 7, { message: 7 }, []];
		await batch.finish({ warnings });
		const page = await batch.report();
		expect(page).toContain('<li><bdi>Plain</bdi></li><li><bdi>In an object</bdi></li></ul>');
	});

	it.each([
		['is gone', null],
		['is no JSON', '{"markdown": "cut o'],
		['is another thing', '[1]'],
		['is nothing', 'null'],
		['has no text', '{"markdown": 7, "warnings": 7}'],
	])('are listed even if a file %s', async (_, text) => {
		const batch = new Batch();
		const path = `/out/results/${await batch.finish()}.json`;
		if (text === null) await batch.disk.remove(path);
		else batch.disk.put(path, text);
		const page = await batch.report();
		expect(problemsOf(page)).toEqual([]);
		expect(page).toContain('The 10-second glow');
		expect(page).not.toContain('Start on the skin');
	});

	it.each([
		['https://app.example/1', true],
		['HTTP://127.0.0.1:8787/x', true],
		['https://vendor.example@evil.example/', false],
		['javascript:alert(1)//https://x', false],
		['//app.example', false],
		['https://', false],
		['', false],
	])('have a link to the vendor’s app if it shows where it leads: %s', async (url, isLink) => {
		const batch = new Batch();
		await batch.finish({ url });
		expect((await batch.report()).includes('Open in the vendor’s app')).toBe(isLink);
	});
});

describe('the slots over time', () => {
	it('show who ran when, with a tooltip for each brief and a link to it', async () => {
		const batch = new Batch();
		await batch.finish({ product_name: 'Glow Serum' }, START, 4 * MINUTE);
		await batch.finish({ product_name: 'Lamp' }, START + 1000, 6 * MINUTE);
		const key = batch.accept('Mug', START + 4 * MINUTE + 2000);
		batch.record(START + 8 * MINUTE, { ...FAILED, key });
		const page = await batch.report();
		expect(problemsOf(page)).toEqual([]);
		expect(page).toContain('title="Glow Serum\n09:00:00–09:04:00 UTC, 4 min, ready"');
		expect(page).toMatch(/<a class="bar ready" style="[^"]*" title="Lamp[^"]*" href="#brief-2">/);
		expect(page).toMatch(
			/<a class="bar failed" style="[^"]*" title="Mug\n09:04:02–09:08:00 UTC, 3 min 58 s, failed">✕ /,
		);
		expect(textOf(page)).toContain('09:00 09:08 UTC');
	});

	it('are left out, as is how long it took, if a list grows every day', async () => {
		const batch = new Batch();
		await batch.finish({}, START);
		await batch.finish({}, START + 26 * 60 * MINUTE);
		const page = await batch.report();
		expect(textOf(page)).toContain('When 20 Nov 2026, 08:59 UTC – 21 Nov 2026, 11:04 UTC');
		expect(textOf(page)).not.toMatch(/slots|How long/i);
		expect(page).not.toContain('href="#slots"');
	});

	it('say if the end of a brief is not known', async () => {
		const batch = new Batch();
		batch.accept('Mug');
		const title = 'title="Mug\nordered 09:00:00 UTC, its end is not on record"';
		expect(await batch.report()).toContain(title);
	});
});

it('report.html holds everything and loads nothing: no picture, font, style or script from elsewhere', async () => {
	const batch = new Batch();
	// One brief alone needs no search.
	for (let i = 0; i < 2; i++) await batch.finish();
	const page = await batch.report();
	const scripts = [...page.matchAll(/<script>([^]*?)<\/script>/g)].map(([, script = '']) => script);
	// The browser runs what has these sums, and no script that a brief brings with it.
	const sums = scripts.map(
		(script) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`,
	);
	expect(page).toContain(
		`<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src ${sums.join(' ')}; img-src data:">`,
	);
	expect(page.split('<script')).toHaveLength(3);
	expect(page).not.toMatch(/<(link|img|iframe|object|base|form)|@import|url\(|\bon[a-z]+=/i);
});
