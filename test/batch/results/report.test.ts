import { createHash } from 'node:crypto';
import { writeReport } from '../../../batch/results/report';
import type { RowResult } from '../../../batch/results/row-result';
import { said } from '../../support/batch/journal-events';
import { AT_THE_END } from '../../support/batch/result-fixtures';
import { aBrief } from '../../support/builders';
import { problemsOf } from '../../support/batch/page-check';
import { Batch, idOf, MINUTE, NOW, START, textOf } from '../../support/batch/report-fixtures';

describe('report.html at a glance', () => {
	it('says in a sentence and in numbers what became of the rows', async () => {
		const batch = new Batch();
		await batch.finish({ product_name: 'Glow Serum' });
		batch.end();
		await batch.results([
			{ cells: ['Glow Serum'], status: 'ready', brief_id: idOf(1) },
			{ cells: ['Lamp'], status: 'failed', error: 'No videos were found' },
			{ cells: ['x'], status: 'invalid', error: 'Too short' },
			{ cells: ['Mug'], status: 'deferred', error: 'The month’s allowance is used up.' },
			{ cells: ['Mat'], status: 'pending' },
		]);
		const page = await batch.report();
		expect(problemsOf(page)).toEqual([]);
		const text = textOf(page);
		expect(text).toContain('Autumn launch');
		expect(text).toContain('1 of 5 products has its brief. 2 need attention. 2 come later.');
		expect(text).toMatch(/1 ✓ Ready .* 1 ✕ Failed .* 1 ! Invalid .* 1 ↻ Deferred .* 1 … Pending/);
		expect(text).not.toContain('Parked');
		expect(text).toContain('When 20 Nov 2026, 08:59–09:04 UTC');
		expect(text).toContain('One brief took 4 min');
	});

	it('says that everything is ready', async () => {
		const batch = new Batch();
		await batch.finish();
		await batch.finish();
		await batch.results([{ status: 'ready' }, { status: 'ready' }]);
		const text = textOf(await batch.report());
		expect(text).toContain('All 2 products have their brief.');
		expect(text).not.toContain('What to do next');
	});

	it('can be made when nothing has happened yet', async () => {
		const page = await new Batch().report();
		expect(problemsOf(page)).toEqual([]);
		expect(textOf(page)).toContain('Nothing has been ordered yet.');
	});
});

describe('the rows that need a person', () => {
	it('are named with row, product, what happened and what to do next', async () => {
		const batch = new Batch();
		batch.accept('Lamp');
		await batch.results(
			[
				{ cells: ['1', 'Glow Serum'], status: 'ready' },
				{
					cells: ['2', 'x'],
					product: 'x',
					status: 'invalid',
					error: 'Product Name is too short. Give 2 characters.',
				},
				{
					cells: ['3', 'Lamp'],
					product: 'Lamp',
					status: 'parked',
					error: 'Look in the app',
					brief_id: idOf(1),
					url: 'https://app.example/3',
				},
			],
			{ columns: ['SKU', 'Product Name'] },
		);
		const page = await batch.report();
		expect(textOf(page)).toMatch(
			/Parked 1 row .* does what the row says\. .* 4 Lamp Look in the app Open in the app/,
		);
		expect(page).toContain(
			'<a href="https://app.example/3" rel="noopener noreferrer" target="_blank">',
		);
		expect(textOf(page)).toMatch(
			/Invalid 1 row .* Correct them in the CSV and run the same command again; .* 3 x Product Name is too short/,
		);
	});

	it('are among them where they are changed, with what differs and how to have them ordered', async () => {
		const batch = new Batch();
		const error = 'audience: was “parents”, now empty';
		await batch.results([{ cells: ['Mat'], status: 'changed', error }, { cells: ['Lamp'] }]);
		const page = await batch.report();
		expect(problemsOf(page)).toEqual([]);
		expect(textOf(page)).toContain('1 needs attention.');
		expect(textOf(page)).toMatch(
			/Changed 1 row .* the command that each row names, .* 2 Mat audience: was “parents”/,
		);
	});

	it('are listed up to the two hundredth, and the rest counted', async () => {
		const batch = new Batch();
		await batch.results(
			Array.from({ length: 1234 }, (_, i) => ({
				cells: [`Product ${i}`],
				status: 'invalid' as const,
				error: `Problem ${i}`,
			})),
		);
		const text = textOf(await batch.report());
		expect(text).toContain('0 of 1,234 products have their brief. 1,234 need attention.');
		expect(text).toContain('Problem 199');
		expect(text).not.toContain('Problem 200');
		expect(text).toContain('And 1,034 more, all listed in results.csv');
	});

	it('say once what all of them would say', async () => {
		const batch = new Batch();
		const error =
			'The month’s allowance is used up. Run the same command again from 1 December 2026 (UTC).';
		const rows = ['Mug', 'Mat', 'Lamp'].map((name) => ({
			cells: [name],
			status: 'deferred' as const,
			error,
		}));
		await batch.results(rows);
		const text = textOf(await batch.report());
		expect(text.split('Run the same command again from 1 December 2026')).toHaveLength(2);
		expect(text).toContain('2 Mug 3 Mat 4 Lamp');
	});

	it('show a message as it came, without the apostrophe that the CSV needs', async () => {
		const batch = new Batch();
		await batch.results([{ cells: ['Mug'], status: 'failed', error: '=nothing came' }]);
		expect(textOf(await batch.report())).toContain('=nothing came Row Product 2 Mug');
	});
});

describe('failed rows', () => {
	const failed = (product: string, facts: Partial<RowResult>) => ({
		cells: [product],
		status: 'failed' as const,
		...facts,
	});

	it('stand together by their reason, with what is worth a retry and the command for it', async () => {
		const batch = new Batch();
		batch.record(START, { type: 'run_started', csv: 'lists/spring.csv', allowance: 9, used: 0 });
		const noVideos = { error: 'No videos were found.' };
		await batch.results([
			failed('Mug', { brief_id: 'a', ...noVideos }),
			failed('Mat', { error: 'The service refused it: too long.' }),
			failed('Lamp', { brief_id: 'b', ...noVideos }),
			failed('Vase', { brief_id: 'c', tries: 2, ...noVideos }),
			failed('Rug', { brief_id: 'd', error_code: 'x' }),
			failed('Pill', { brief_id: 'e', error_code: 'policy_violation' }),
		]);
		const page = await batch.report();
		expect(problemsOf(page)).toEqual([]);
		const text = textOf(page);
		expect(text).toMatch(
			/3 rows\. Worth a retry: .*brief-batch retry spring\.csv .* 2 No videos were found\. Row Product 2 Mug 4 Lamp 1 The service could not write this brief \(x\)\. Row Product 6 Rug/,
		);
		expect(text).toMatch(
			/2 rows\. A retry is unlikely to help.* 1 No videos.* 5 Vase .*\(policy_violation\)\. Row Product 7 Pill/,
		);
		expect(text).toMatch(
			/1 row\. A retry would be refused again: correct the CSV .* too long\. Row Product 3 Mat/,
		);
		expect(text.indexOf('Worth a retry')).toBeLessThan(text.indexOf('unlikely to help'));
		expect(text.indexOf('unlikely to help')).toBeLessThan(text.indexOf('refused again'));
	});

	it('with a reason of its own each are a few groups, and no row is left uncounted', async () => {
		const batch = new Batch();
		await batch.results(
			Array.from({ length: 100 }, (_, i) => failed(`Product ${i}`, { error: `Reason ${i}` })),
		);
		const page = await batch.report();
		expect(page.match(/<details class="reason"/g)).toHaveLength(21);
		expect(textOf(page)).toMatch(/80 Other reasons .* Product 99 Reason 99/);
	});
});

describe('the list of rows', () => {
	it('has every row in the order of the CSV, each with its status, and the briefs to read among them', async () => {
		const batch = new Batch();
		const file = await batch.finish({ product_name: 'Lamp' });
		await batch.results([
			{ cells: ['Mug'], status: 'invalid', error: 'Too short' },
			{ cells: ['Lamp'], status: 'ready', brief_id: idOf(1), file: `results/${file}.md` },
			{ cells: ['Mat'], status: 'deferred' },
		]);
		const page = await batch.report();
		expect(textOf(page)).toContain('All 3 rows');
		const list = page.slice(page.indexOf('<div id="rows"'));
		expect(list).toMatch(
			/<p class="invalid"><b>2<\/b><span><bdi>Mug<\/bdi><\/span><\/p>\n<article id="brief-1" class="ready">[^]*<p class="deferred"><b>4<\/b><span><bdi>Mat/,
		);
		expect(textOf(page)).toMatch(/✓ Ready 1 ! Invalid 1 ↻ Deferred 1/);
	});

	it('has the newest two hundred briefs to read, and leads to the files of the others', async () => {
		const batch = new Batch();
		const rows: Partial<RowResult>[] = [];
		for (let i = 0; i < 210; i++) {
			const name = `Product ${i}`;
			// The first rows were finished last.
			const file = await batch.finish({ product_name: name }, START + (300 - i) * MINUTE);
			rows.push({
				cells: [name],
				status: 'ready',
				title: `Title ${i}`,
				brief_id: idOf(i + 1),
				file: `results/${file}.md`,
			});
		}
		await batch.results(rows);
		const page = await batch.report();
		expect(page.match(/<article /g)).toHaveLength(200);
		expect(page).toContain('<a href="#brief-200"><bdi>Product 199</bdi></a>');
		expect(page).toContain(
			`<p class="ready"><b>202</b><span><a href="results/product-200-${idOf(201).slice(0, 8)}.md"><bdi>Product 200</bdi></a> <bdi class="soft">Title 200</bdi></span></p>`,
		);
		expect(textOf(page)).toContain('The newest 200 briefs can be read here.');
	});

	it('shows the CSV’s own columns, and offers those of few values to choose from', async () => {
		const batch = new Batch();
		const file = await batch.finish({ product_name: 'Lamp' });
		const ready = { status: 'ready', brief_id: idOf(1), file: `results/${file}.md` } as const;
		const cells = (name: string, sku: string, owner: string) => [name, sku, owner, '', '<b>'];
		const rows = [
			{ cells: cells('Mug', 'S-1', 'Mara & Co') },
			{ cells: cells('Mat', 'S-2', 'Jonas') },
			{ cells: cells('Vase', 'S-3', 'Jonas') },
			{ cells: cells('Lamp', 'S-4', 'Mara & Co'), ...ready },
		];
		await batch.results(rows, { columns: ['product_name', 'SKU', 'Owner', 'Empty', '"Note"'] });
		const page = await batch.report();
		expect(problemsOf(page)).toEqual([]);
		expect(textOf(page)).toContain('Row Product SKU Owner "Note" Status');
		expect(page).toContain(
			'<b>2</b><span><bdi>Mug</bdi></span><bdi class="own-0">S-1</bdi><bdi class="own-1">Mara &amp; Co</bdi><bdi class="own-3">&lt;b&gt;</bdi>',
		);
		expect(textOf(page)).toMatch(
			/Row 5 · Lamp · SKU S-4 · Owner Mara & Co · "Note" <b> · finished/,
		);
		expect(page.match(/<select[^>]*>/g)).toEqual([
			'<select aria-label="Owner" data-column="own-1">',
		]);
		expect(page).toContain('<option>Jonas</option><option>Mara &amp; Co</option>');
	});

	it('is bounded, whatever the rows are: those with a brief come first', async () => {
		const batch = new Batch();
		const rows = Array.from({ length: 60_000 }, (_, i) => ({
			cells: ['x'.repeat(500)],
			error: 'y'.repeat(500),
			...(i % 6 === 5
				? { status: 'ready' as const, brief_id: `b${i}` }
				: { status: 'invalid' as const }),
		}));
		await batch.results(rows);
		const page = await batch.report();
		expect(textOf(page)).toContain('20,000 of 60,000 rows');
		expect(page.match(/<p class="ready">/g)).toHaveLength(10_000);
		expect(page.length).toBeLessThan(5_000_000);
	});

	it('stays bounded where the texts of the briefs are long', async () => {
		const batch = new Batch();
		const markdown = 'word '.repeat(20_000);
		for (let i = 0; i < 60; i++) await batch.finish({ markdown });
		const page = await batch.report();
		expect(page.length).toBeLessThan(4_000_000);
		expect(textOf(page)).toContain('There is no room for its text here.');
	});

	it('lets no name of a file in results.csv lead elsewhere', async () => {
		const batch = new Batch();
		const files = ['results/../../x.md', 'results/.md', '/etc/passwd', 'results/a b.md'];
		await batch.results(files.map((file) => ({ status: 'ready', file })));
		expect(await batch.report()).not.toMatch(/<p class="ready">.*<a /);
	});

	it('says that a run goes on', async () => {
		const batch = new Batch();
		batch.record(START, { type: 'run_started', csv: 'a.csv', allowance: 9, used: 0 });
		await batch.results([{ status: 'pending' }]);
		expect(textOf(await batch.report())).toContain('A run was going on when this page was made');
	});
});

describe('the report without results.csv', () => {
	it('tells what the journal knows, and that there is more', async () => {
		const batch = new Batch();
		await batch.finish();
		const refused = batch.intend('Lamp');
		batch.record(START, {
			type: 'refused',
			key: refused,
			kind: 'invalid_input',
			code: 'bad',
			why: 'Refused: no',
		});
		const parked = batch.accept('Mug');
		batch.record(START, {
			type: 'parked',
			key: parked,
			why: 'Ask the support',
			needs: 'person',
		});
		batch.accept('Mat');
		const counts = {
			ready: 1,
			failed: 1,
			invalid: 7,
			deferred: 3,
			parked: 1,
			changed: 0,
			pending: 1,
			duplicate: 0,
		};
		batch.end(NOW, { counts });
		const page = await batch.report();
		expect(problemsOf(page)).toEqual([]);
		const text = textOf(page);
		expect(text).toContain('1 of 14 products has its brief. 9 need attention. 4 come later.');
		expect(text).toContain('Refused: no Row Product 3 Lamp');
		expect(text).toContain('4 Mug Ask the support');
		expect(text).toContain('results.csv is not there or was changed');
		expect(text).toContain('The 4 rows');
	});

	it('counts a row that was started again once, by what became of it at last', async () => {
		const batch = new Batch();
		const key = batch.accept('Lamp');
		const ended = {
			title: null,
			url: '',
			error_code: 'x',
			created_at: 1,
			finished_at: 1,
			took_ms: 1,
		};
		batch.record(START, { type: 'ended', key, status: 'failed', ...ended });
		const again = { row: 'row-2', ordinal: 1, generation: 2, row_number: 2, product_name: 'Lamp' };
		batch.record(START + MINUTE, said.intent({ key: 'again', ...again }));
		batch.record(START + MINUTE, { type: 'accepted', key: 'again', brief_id: 'b', found: false });
		batch.record(START + MINUTE, said.parked('again'));
		const text = textOf(await batch.report());
		expect(text).toContain('The brief is not ready: it needs attention.');
	});

	it('names a disk that cannot be read instead of reporting half of the batch', async () => {
		const batch = new Batch();
		await batch.finish();
		batch.disk.fail({ at: 1, on: ({ operation }) => operation === 'read' });
		await expect(batch.report()).rejects.toThrow('ENOSPC');
	});

	it('tells of briefs that results.csv does not list', async () => {
		const batch = new Batch();
		await batch.finish();
		await batch.results([{ status: 'ready', brief_id: idOf(1) }]);
		await batch.finish({ product_name: 'Lamp' });
		const text = textOf(await batch.report());
		expect(text).toContain('1 brief of this batch is not in results.csv');
		expect(text).toContain('The 2 briefs');
	});
});

describe('the allowance', () => {
	async function allowanceText(used: number, now = NOW, at = NOW): Promise<string> {
		const batch = new Batch();
		await batch.finish({ created_at: '2026-11-20T09:00:00Z' });
		await batch.finish({ created_at: '2026-10-31T23:59:59Z' });
		await batch.finish({ created_at: 'no time' });
		batch.end(at, { allowance: 100, used });
		return textOf(await batch.report(now));
	}

	it('is shown as used before, used by this batch in this month, and left', async () => {
		const text = await allowanceText(30);
		expect(text).toContain('Allowance of November 2026');
		expect(text).toContain('28 used before or by others 2 used by this batch 70 left');
		expect(text).toContain('It resets on 1 December 2026, 00:00 UTC.');
	});

	it('never shows less than nothing, whatever the service counts', async () => {
		expect(await allowanceText(1)).toContain(
			'0 used before or by others 1 used by this batch 99 left',
		);
		expect(await allowanceText(130)).toContain(
			'128 used before or by others 2 used by this batch 0 left',
		);
	});

	it('says so when its month is over', async () => {
		const text = await allowanceText(30, Date.parse('2026-12-02T00:00:00Z'));
		expect(text).toContain('That month is over: a new allowance began on 1 December 2026 (UTC).');
	});

	it('is left out while no run has ended', async () => {
		const batch = new Batch();
		await batch.finish();
		const text = textOf(await batch.report());
		expect(text).not.toContain('Allowance');
		expect(text).toContain('No run has come to its end yet');
	});
});

describe('the briefs to read', () => {
	it('stand in the order of the CSV, each with title, product, links and its text', async () => {
		const batch = new Batch();
		await batch.finish({
			product_name: 'Glow Serum',
			title: 'The glow',
			url: 'https://app.example/1',
		});
		await batch.finish({ product_name: 'Lamp', title: null, markdown: '## Mission\n\nLight up.' });
		const page = await batch.report();
		expect(page).toMatch(/<article id="brief-1" [^]*The glow[^]*<article id="brief-2" [^]*Lamp/);
		expect(page).toContain('<a href="#brief-2"><bdi>Lamp</bdi></a>');
		expect(page).toContain(
			'<a href="https://app.example/1" rel="noopener noreferrer" target="_blank">Open in the vendor’s app</a>',
		);
		expect(page).toContain(`<a href="results/glow-serum-${idOf(1).slice(0, 8)}.md">`);
		expect(page).toContain('<h5>Mission</h5>\n<p>Light up.</p>');
	});

	it('has the only one opened', async () => {
		const batch = new Batch();
		await batch.finish();
		expect(await batch.report()).toContain('<details open>');
		await batch.finish();
		expect(await batch.report()).not.toContain('<details open>');
	});

	it('shows what the service warns of, in whatever shape', async () => {
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
	])('are listed even where a file %s', async (_, text) => {
		const batch = new Batch();
		const file = await batch.finish();
		const path = `/out/results/${file}.json`;
		if (text === null) await batch.disk.remove(path);
		else batch.disk.put(path, text);
		const page = await batch.report();
		expect(problemsOf(page)).toEqual([]);
		expect(page).toContain('The 10-second glow');
		expect(page).not.toContain('Start on the skin');
	});

	it('are read and written one after the other, never all at once', async () => {
		const batch = new Batch();
		const markdown = 'word '.repeat(10_000);
		for (let i = 0; i < 20; i++) await batch.finish({ markdown });
		batch.disk.calls.length = 0;
		await batch.report();
		const steps = batch.disk.calls
			.map(({ operation, path }) => `${operation} ${path}`)
			.filter((call) => /^read .*json|^write/.test(call));
		const readsBeforeWrite = steps
			.join('\n')
			.split(/^write.*$/m)
			.map((part) => part.match(/^read/gm)?.length ?? 0);
		expect(Math.max(...readsBeforeWrite)).toBeLessThanOrEqual(2);
	});
});

describe('a link to the vendor’s app', () => {
	it.each([
		['https://app.example/1', true],
		['HTTP://127.0.0.1:8787/x', true],
		['https://vendor.example@evil.example/', false],
		['javascript:alert(1)//https://x', false],
		['//app.example', false],
		['https://', false],
		['', false],
	])('is one to the web that shows where it leads: %s', async (url, isLink) => {
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
		const failed = batch.accept('Mug', START + 4 * MINUTE + 2000);
		const ended = {
			title: null,
			url: '',
			error_code: 'x',
			created_at: 1,
			finished_at: 1,
			took_ms: 1,
		};
		batch.record(START + 8 * MINUTE, { type: 'ended', key: failed, status: 'failed', ...ended });
		const page = await batch.report();
		expect(problemsOf(page)).toEqual([]);
		expect(page).toContain('title="Glow Serum\n09:00:00–09:04:00, 4 min, ready"');
		expect(page).toMatch(/<a class="bar ready" style="[^"]*" title="Lamp[^"]*" href="#brief-2">/);
		expect(page).toMatch(
			/<a class="bar failed" style="[^"]*" title="Mug\n09:04:02–09:08:00, 3 min 58 s, failed">✕ /,
		);
		expect(textOf(page)).toContain('09:00 09:08 UTC');
	});

	it('are left out, as is how long it took, where a list grows every day', async () => {
		const batch = new Batch();
		await batch.finish({}, START);
		await batch.finish({}, START + 26 * 60 * MINUTE);
		const page = await batch.report();
		expect(textOf(page)).toContain('When 20 Nov 2026, 08:59 – 21 Nov 2026, 11:04 UTC');
		expect(textOf(page)).not.toMatch(/slots|How long/i);
		expect(page).not.toContain('href="#slots"');
	});

	it('say where the end of a brief is not known', async () => {
		const batch = new Batch();
		batch.accept('Mug');
		expect(await batch.report()).toContain(
			'title="Mug\nordered 09:00:00, its end is not on record"',
		);
	});
});

describe('report.html as a file', () => {
	it('is whole or absent, and an older one stays, wherever the disk gives out', async () => {
		const make = async () => {
			const batch = new Batch();
			for (let i = 0; i < 3; i++) await batch.finish({ markdown: 'word '.repeat(9000) });
			await batch.results([{ status: 'ready' }]);
			batch.disk.put('/out/report.html', 'old');
			batch.disk.calls.length = 0;
			return batch;
		};
		const whole = await make();
		const page = await whole.report();
		const steps = whole.disk.calls.length;
		expect(steps).toBeGreaterThan(10);
		for (let step = 1; step <= steps; step++) {
			const { disk, records, listing } = await make();
			disk.fail({ at: step });
			const options = { ...AT_THE_END, listing, now: NOW, timeZone: 'UTC' };
			await writeReport(disk, '/out', records, options).catch((error: unknown) => {
				expect(String(error)).toContain('ENOSPC');
			});
			expect(['old', page]).toContain(disk.text('/out/report.html'));
			expect(disk.files().filter((name) => name.endsWith('.part'))).toEqual([]);
		}
	});

	it('holds everything and loads nothing: no picture, no font, no style, no script from elsewhere', async () => {
		const batch = new Batch();
		await batch.finish(aBrief());
		await batch.finish(aBrief());
		const page = await batch.report();
		const [, script = ''] = /<script>([^]*)<\/script>/.exec(page) ?? [];
		const sum = createHash('sha256').update(script).digest('base64');
		// The browser runs what has this sum, and no script that a brief brings with it.
		expect(page).toContain(
			`<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-${sum}'; img-src data:">`,
		);
		expect(page.split('<script')).toHaveLength(2);
		expect(page).not.toMatch(/<(link|img|iframe|object|base|form)|@import|url\(|\bon[a-z]+=/i);
	});
});
