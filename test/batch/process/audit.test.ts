import { appendFileSync, readdirSync, rmSync } from 'node:fs';
import type { JournalEvent } from '../../../batch/folder/journal/events';
import { encodeLine } from '../../../batch/folder/journal/line';
import type { SandboxOptions } from '../../../sandbox/sandbox';
import { JOURNAL, deskOf, type Desk } from '../../support/batch/brief-batch';
import { until } from '../../support/until';

jest.setTimeout(60_000);

const AUDIT = 'audit products.csv';
const REPAIR = `${AUDIT} --repair`;

const inResults = (desk: Desk) => readdirSync(desk.path('briefs/results'));

test('audit names what is gone or changed, and --repair gets it again and keeps the edits', async () => {
	const desk = await deskOf(3);
	const { sandbox } = desk;
	// Older than the journal, so not even mentioned.
	sandbox.addBrief({ product_name: 'Product 1', status: 'ready' });
	await desk.order('--order-again', '--yes');
	const stranger = sandbox.addBrief({ product_name: 'Product 3', status: 'ready' });
	await desk.expectEnd(
		AUDIT,
		0,
		'agree on 3 orders',
		`1 brief of these products was ordered by somebody else in the workspace, or with another folder (${stranger.id})`,
	);

	const files = desk.results().map(({ brief_file = '' }) => `briefs/${brief_file}`);
	const [gone = '', edited = '', whole = ''] = files;
	const torn = whole.replace('.md', '.json');
	const texts = [...files, torn].map((file) => desk.read(file));
	rmSync(desk.path(gone));
	desk.write(edited, '# My own words\n');
	desk.write(torn, desk.read(torn).slice(0, 40));
	const [before, journal] = [desk.creates(), desk.read(JOURNAL)];
	await desk.expectEnd(
		AUDIT,
		1,
		/row 2 .*is gone.*--repair/,
		/row 3 .*was changed since it was written.*--repair/,
		'3 differences in 3 orders',
	);
	expect(desk.read(JOURNAL)).toBe(journal);

	const { code, out } = await desk.run(REPAIR, { CREATOR_BRIEFING_NAME: 'Acme' });
	expect(code).toBe(0);
	expect(desk.read('briefs/report.html')).toContain('Creator briefs · Acme');
	expect(out).toMatch(/row 2 .*has its files again, as the service has them\n/);
	for (const [row, type] of [
		[3, 'md'],
		[4, 'json'],
	])
		expect(out).toMatch(
			new RegExp(`row ${row} .* is kept as results/\\S+\\.edited-\\d{14}\\.${type}\n`),
		);
	expect([...files, torn].map((file) => desk.read(file))).toEqual(texts);
	const kept = inResults(desk).find((name) => /\.edited-\d+\.md$/.test(name));
	expect(desk.read(`briefs/results/${kept}`)).toBe('# My own words\n');
	expect((await desk.run(REPAIR)).out).toContain('agree on 3 orders');
	expect([(await desk.order()).code, desk.creates()]).toEqual([0, before]);
});

test('audit --repair gets a brief that was ready after its run was killed', async () => {
	const desk = await deskOf(1, { speed: 100 });
	await desk.killed(/row 2 +ordered/);
	desk.sandbox.advance(600_000);
	const before = desk.creates();
	const found = /row 2 .*which is ready, and not fetched\. It is paid for: .*--repair/;
	await desk.expectEnd(AUDIT, 1, found);
	expect(await desk.json(REPAIR)).toMatchObject({
		event: 'audit',
		differences: [],
		exit_code: 0,
		repaired: [{ row: 2, what: 'has its brief now', isCured: true }],
	});
	expect([desk.creates(), inResults(desk).length]).toEqual([before, 2]);
	expect(desk.read('briefs/report.html')).toContain('Product 1');
	expect((await desk.run('status')).out).toContain('1 ready');
});

describe('a parked row without an answer', () => {
	/** The workspace has its brief all the same. */
	async function parked(options: SandboxOptions = {}): Promise<[Desk, id: string]> {
		const desk = await deskOf(2, options);
		const { sandbox } = desk;
		sandbox.faults.add({ operation: 'create_brief', kind: 'cut', times: 1 });
		const running = desk.start('run products.csv');
		await until(() => sandbox.createdCount() > 0);
		await running.kill();
		const { id, idempotencyKeys } = sandbox.briefs()[0]!;
		park(desk, idempotencyKeys[0] ?? '');
		return [desk, id];
	}

	function append(desk: Desk, event: JournalEvent): void {
		const lines = desk.read(JOURNAL).trimEnd().split('\n');
		appendFileSync(desk.path(JOURNAL), encodeLine(lines.length + 1, event));
	}

	function park(desk: Desk, key: string): void {
		const at = new Date().toISOString();
		append(desk, { type: 'parked', key, why: 'Needs attention.', needs: 'person', at });
	}

	test('gets the only brief that can be its own', async () => {
		const [desk, id] = await parked();
		// A quarter of an hour later: too late to be its own.
		desk.sandbox.advance(900_000);
		desk.sandbox.addBrief({ product_name: 'Product 1' });
		const before = desk.creates();
		await desk.expectEnd(
			AUDIT,
			1,
			`is parked, and brief ${id} is the only one of its product from the time of its order. Either of these takes it and costs nothing: brief-batch ${REPAIR} or brief-batch run products.csv --adopt 2=${id}`,
		);
		await desk.expectEnd(REPAIR, 0, `has brief ${id} now, the only one of its product`);
		expect(desk.creates()).toBe(before);
		expect((await desk.order()).code).toBe(0);
		expect([desk.results()[0]?.brief_id, desk.sandbox.createdCount()]).toEqual([id, 2]);
	});

	test('gets none of two briefs, and the message shows how to choose', async () => {
		const [desk, id] = await parked({ speed: 50 });
		const other = desk.sandbox.addBrief({ product_name: 'Product 1' }).id;
		const choice = 'is the row’s: brief-batch run products.csv --adopt "2=<brief id>"';
		await desk.expectEnd(REPAIR, 1, 'is parked: its brief may or may not exist', choice);
		expect(desk.read(JOURNAL)).not.toContain(id);
		expect((await desk.order('--adopt', `2=${other}`)).code).toBe(0);
		expect([desk.results()[0]?.brief_id, desk.creates()]).toEqual([other, 2]);
	});

	test('gets none if another order can have made the brief', async () => {
		const [desk] = await parked();
		const lines = desk.read(JOURNAL).split('\n');
		const intent = lines.find((line) => line.includes('"type":"intent"')) ?? '';
		const { event } = JSON.parse(intent) as { event: JournalEvent };
		append(desk, { ...event, key: 'another', row: 'another' } as JournalEvent);
		park(desk, 'another');
		const { out } = await desk.expectEnd(REPAIR, 1);
		expect(out.match(/its brief may or may not exist/g)).toHaveLength(2);
		expect(out).not.toContain('has brief');
	});
});

test('audit beside a run finds nothing wrong, and --repair is refused', async () => {
	const desk = await deskOf(3, { speed: 20 });
	const { sandbox } = desk;
	const first = desk.start('run products.csv --max 1');
	await first.said(/row 2 +ordered/);
	sandbox.advance(600_000);
	await first.ended;
	const running = desk.start('run products.csv');
	await running.said(/row \d +ordered/);
	sandbox.addBrief({ product_name: 'Product 1', status: 'running' });
	sandbox.addBrief({ product_name: 'Product 2', status: 'ready' });
	for (let looks = 0; looks < 3; looks += 1) {
		const others = /briefs? of these products (was|were) ordered by somebody else/;
		await desk.expectEnd(AUDIT, 0, /service agree on \d orders?/, others);
	}
	rmSync(desk.path(`briefs/${desk.results()[0]?.brief_file}`));
	expect((await desk.run(REPAIR)).code).toBe(6);
	await running.kill();
});
