import { appendFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JournalEvent } from '../../../batch/journal/events';
import { encodeLine } from '../../../batch/journal/line';
import { startSandbox, type Sandbox, type SandboxOptions } from '../../../sandbox/sandbox';
import { Desk, FAST, products } from '../../support/batch/brief-batch';

jest.setTimeout(60_000);

let sandbox: Sandbox;
let desk: Desk;

async function given(options: SandboxOptions = {}): Promise<void> {
	const calm = { failureShare: 0, requestsPerMinute: 0 };
	sandbox = await startSandbox({ speed: 1000, seed: 'audit', ...calm, ...options });
	desk = new Desk(sandbox);
}

afterEach(async () => {
	await sandbox.close();
	desk.remove();
});

const run = (...options: string[]) => desk.run(['run', 'products.csv', ...FAST, ...options]);
const audit = (...options: string[]) => desk.run(['audit', 'products.csv', ...options]);
const inResults = () => readdirSync(join(desk.folder, 'briefs', 'results'));
const orders = () => sandbox.requests.filter(({ method }) => method !== 'GET').length;

describe('audit --repair', () => {
	test('writes what is gone and what was changed as the service has it, with GETs only, and keeps the edits', async () => {
		await given();
		desk.csv('products.csv', products(3));
		await run();
		const files = desk.results().map(({ brief_file = '' }) => join('briefs', brief_file));
		const [gone, edited, torn] = files as [string, string, string];
		const texts = files.map((file) => desk.read(file));
		const json = desk.read(torn.replace('.md', '.json'));
		rmSync(join(desk.folder, gone));
		writeFileSync(join(desk.folder, edited), '# My own words\n');
		writeFileSync(join(desk.folder, torn.replace('.md', '.json')), json.slice(0, 40));
		const [before, journal] = [orders(), desk.read('briefs/journal.jsonl')];

		expect((await audit()).code).toBe(1);
		expect(desk.read('briefs/journal.jsonl')).toBe(journal);
		const { code, out } = await audit('--repair');
		expect(code).toBe(0);
		expect(out).toMatch(/row 2 .*has its files again, as the service has them\n/);
		expect(out).toMatch(/row 3 .*; what was changed is kept as results\/\S+\.edited-\d{14}\.md\n/);
		expect(out).toMatch(
			/row 4 .*; what was changed is kept as results\/\S+\.edited-\d{14}\.json\n/,
		);
		expect(orders()).toBe(before);
		expect(files.map((file) => desk.read(file))).toEqual(texts);
		expect(desk.read(torn.replace('.md', '.json'))).toBe(json);
		const kept = inResults().find((name) => /\.edited-\d+\.md$/.test(name)) ?? '';
		expect(desk.read(join('briefs', 'results', kept))).toBe('# My own words\n');

		// Nothing is left to do, for an audit and for a run.
		expect((await audit('--repair')).out).toContain('agree on 3 orders');
		expect((await run()).code).toBe(0);
		expect(orders()).toBe(before);
	});

	test('fetches a brief that was ready after its run was killed, and says it in one document', async () => {
		await given({ speed: 100 });
		desk.csv('products.csv', products(1));
		const running = desk.start(['run', 'products.csv', ...FAST]);
		await running.said(/row 2 +ordered/);
		running.child.kill('SIGKILL');
		await running.ended;
		// At this speed six minutes take four seconds.
		await new Promise((done) => setTimeout(done, 4_500));
		const before = orders();
		const found = await audit();
		expect([found.code, found.out]).toEqual([
			1,
			expect.stringMatching(/row 2 .*which is ready, and not fetched\. It is paid for: .*--repair/),
		]);
		const { code, out } = await audit('--repair', '--json');
		expect(JSON.parse(out)).toMatchObject({
			event: 'audit',
			differences: [],
			exit_code: code,
			repaired: [{ row: 2, what: 'has its brief now', isCured: true }],
		});
		expect([code, orders(), inResults().length]).toEqual([0, before, 2]);
		expect(desk.read('briefs/report.html')).toContain('Product 1');
		expect((await desk.run(['status'])).out).toContain('1 ready');
	});

	/** A row that is parked without an answer, although the workspace has its brief. */
	async function parked(options: SandboxOptions = {}): Promise<string> {
		await given(options);
		desk.csv('products.csv', products(2));
		sandbox.faults.add({ operation: 'create_brief', kind: 'cut', times: 1 });
		const running = desk.start(['run', 'products.csv', ...FAST]);
		while (sandbox.createdCount() < 1) await new Promise((done) => setTimeout(done, 5));
		running.child.kill('SIGKILL');
		await running.ended;
		const [key = ''] = sandbox.briefs()[0]?.idempotencyKeys ?? [];
		park(key);
		return sandbox.briefs()[0]?.id ?? '';
	}

	function append(event: JournalEvent): void {
		const lines = desk.read('briefs/journal.jsonl').trimEnd().split('\n');
		const path = join(desk.folder, 'briefs', 'journal.jsonl');
		appendFileSync(path, encodeLine(lines.length + 1, event));
	}

	function park(key: string): void {
		const at = new Date().toISOString();
		append({ type: 'parked', key, why: 'Needs attention.', needs: 'person', at });
	}

	test('gives a parked row the only brief that can be its own, which audit names the command for', async () => {
		const id = await parked();
		// A quarter of an hour of the service is a second here: this one was created too late to be its own.
		await new Promise((done) => setTimeout(done, 1_000));
		sandbox.addBrief({ product_name: 'Product 1' });
		const before = orders();
		const found = await audit();
		expect(found.code).toBe(1);
		expect(found.out).toContain(
			`is parked, and brief ${id} is the only one of its product from the time of its order. Either of these takes it and costs nothing: brief-batch audit products.csv ${FAST.join(' ')} --repair or brief-batch run products.csv ${FAST.join(' ')} --adopt 2=${id}`,
		);
		const { code, out } = await audit('--repair');
		expect([code, orders()]).toEqual([0, before]);
		expect(out).toContain(`has brief ${id} now, the only one of its product`);
		expect((await run()).code).toBe(0);
		expect([desk.results()[0]?.brief_id, sandbox.createdCount()]).toEqual([id, 2]);
	});

	test('gives it none if another brief may be its own, and names the command for either', async () => {
		const id = await parked({ speed: 50 });
		const other = sandbox.addBrief({ product_name: 'Product 1' }).id;
		const { code, out } = await audit('--repair');
		expect(code).toBe(1);
		expect(out).toContain('is parked: its brief may or may not exist');
		expect(out).toContain(
			`If one is the row’s: brief-batch run products.csv ${FAST.join(' ')} --adopt "2=<brief id>"`,
		);
		expect(desk.read('briefs/journal.jsonl')).not.toContain(id);
		expect((await run('--adopt', `2=${other}`)).code).toBe(0);
		expect([desk.results()[0]?.brief_id, orders()]).toEqual([other, 2]);
	});

	test('gives it to none of two orders that can have made it', async () => {
		await parked();
		const isIntent = (line: string) => line.includes('"type":"intent"');
		const intent = desk.read('briefs/journal.jsonl').split('\n').find(isIntent) ?? '';
		const { event } = JSON.parse(intent) as { event: JournalEvent };
		append({ ...event, key: 'another', row: 'another' } as JournalEvent);
		park('another');
		const { code, out } = await audit('--repair');
		expect(code).toBe(1);
		expect(out.match(/its brief may or may not exist/g)).toHaveLength(2);
		expect(out).not.toContain('has brief');
	});

	test('leaves a folder alone on which a run is at work', async () => {
		await given({ speed: 20 });
		desk.csv('products.csv', products(3));
		await run('--max', '1');
		const running = desk.start(['run', 'products.csv', ...FAST]);
		await running.said(/row \d +ordered/);
		rmSync(join(desk.folder, 'briefs', desk.results()[0]?.brief_file ?? ''));
		expect(await audit('--repair')).toMatchObject({ code: 6 });
		running.child.kill('SIGKILL');
		await running.ended;
	});
});

describe('audit on a busy workspace', () => {
	test('blames nobody: neither others nor a run at work', async () => {
		await given({ speed: 20 });
		desk.csv('products.csv', products(3));
		const running = desk.start(['run', 'products.csv', ...FAST]);
		await running.said(/row \d +ordered/);
		sandbox.addBrief({ product_name: 'Product 1', status: 'running' });
		sandbox.addBrief({ product_name: 'Product 2', status: 'ready' });
		for (let looks = 0; looks < 5; looks += 1) {
			const { code, out } = await audit();
			expect([code, out]).toEqual([0, expect.stringMatching(/service agree on \d orders?/)]);
			expect(out).toMatch(/brief(s)? of these products (was|were) not ordered by this journal/);
		}
		running.child.kill('SIGKILL');
		await running.ended;
	});
});
