import { copyFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { startSandbox, type Sandbox, type SandboxOptions } from '../../../sandbox/sandbox';
import { Desk, FAST, products, type Ended } from '../../support/batch/brief-batch';

jest.setTimeout(120_000);

let sandbox: Sandbox;
let desk: Desk;

/** A service that has forgotten every key when the next run comes. */
async function given(options: SandboxOptions = {}): Promise<void> {
	sandbox = await startSandbox({
		...{ speed: 1000, seed: 'adopted', failureShare: 0, requestsPerMinute: 0 },
		...{ keyMemoryMs: 1, ...options },
	});
	desk = new Desk(sandbox);
}

afterEach(async () => {
	await sandbox.close();
	desk.remove();
});

const ROWS = 4;
const journal = () => join(desk.folder, 'briefs', 'journal.jsonl');

async function ordered(): Promise<string> {
	const csv = desk.csv('products.csv', products(ROWS));
	expect((await desk.run(['run', csv, ...FAST])).code).toBe(0);
	return csv;
}

function expectTakenOver({ code, out, err }: Ended, rows = ROWS): void {
	expect(out + err).toContain(rows === 1 ? '1 row was taken over' : `${rows} rows were taken over`);
	expect(out + err).toContain('--order-again');
	expect(code).toBe(0);
	expect(sandbox.createdCount()).toBe(ROWS);
}

test('a run without its journal takes over the briefs that it had ordered, and says so', async () => {
	await given();
	const csv = await ordered();
	rmSync(journal());
	expectTakenOver(await desk.run(['run', csv, ...FAST]));
	expect(desk.results().every(({ brief_status }) => brief_status === 'ready')).toBe(true);
	expect((await desk.run(['status'])).out).toContain('4 of them taken over, not ordered here');
});

test('so does a run with another --out', async () => {
	await given();
	const csv = await ordered();
	expectTakenOver(await desk.run(['run', csv, '--out', 'elsewhere', ...FAST]));
	for (const { brief_file: file = '' } of desk.results('elsewhere'))
		expect(desk.read(join('elsewhere', file))).toMatch(/\S\n$/);
});

test('a journal restored from a copy keeps its briefs, and the others are taken over', async () => {
	await given();
	const csv = desk.csv('products.csv', products(ROWS));
	expect((await desk.run(['run', csv, '--max', String(ROWS - 1), ...FAST])).code).toBe(3);
	copyFileSync(journal(), join(desk.folder, 'copy'));
	expect((await desk.run(['run', csv, ...FAST])).code).toBe(0);
	copyFileSync(join(desk.folder, 'copy'), journal());
	expectTakenOver(await desk.run(['run', csv, ...FAST]), 1);
});

test('--order-again orders them all the same, once', async () => {
	await given();
	const csv = await ordered();
	rmSync(journal());
	const command = ['run', csv, '--order-again', ...FAST];
	expect((await desk.run(command)).code).toBe(0);
	expect(sandbox.createdCount()).toBe(2 * ROWS);
	expect((await desk.run(command)).code).toBe(0);
	expect(sandbox.createdCount()).toBe(2 * ROWS);
	const keys = sandbox.briefs().flatMap(({ idempotencyKeys }) => idempotencyKeys);
	expect(new Set(keys).size).toBe(2 * ROWS);
});

test('where inputs are not shown the rows are parked with what to do, until --order-again', async () => {
	await given({ inputShape: 'empty' });
	const csv = await ordered();
	rmSync(journal());
	const { code, out } = await desk.run(['run', csv, ...FAST]);
	expect(code).toBe(1);
	expect(out).toContain(`${ROWS} parked`);
	expect(sandbox.createdCount()).toBe(ROWS);
	const [first] = desk.results();
	expect(first?.brief_status).toBe('parked');
	expect(first?.brief_error).toContain(sandbox.briefs()[0]?.id);
	expect(first?.brief_error).toContain('--order-again');
	// They have not failed: a schedule that repeats this pays for none.
	const retried = await desk.run(['retry', csv, '--yes', ...FAST]);
	expect([retried.code, sandbox.createdCount()]).toEqual([1, ROWS]);
	expect((await desk.run(['run', csv, '--order-again', ...FAST])).code).toBe(0);
	expect(sandbox.createdCount()).toBe(2 * ROWS);
});

test('a service that forgets its cursors at once ends the run with 5, and not for the CSV’s sake', async () => {
	await given({ cursorMemoryMs: 1 });
	for (let n = 0; n < 120; n += 1) sandbox.addBrief({ durationMs: 1 });
	const csv = desk.csv('products.csv', products(1));
	const { code, err } = await desk.run(['run', csv, ...FAST]);
	expect(code).toBe(5);
	expect(err).toContain('refuses a cursor of its own (400)');
	expect(err).not.toContain('Correct what it names');
	expect(sandbox.requests.length).toBeLessThan(10);
});
