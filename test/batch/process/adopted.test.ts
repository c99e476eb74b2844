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
		speed: 1000,
		seed: 'adopted',
		failureShare: 0,
		requestsPerMinute: 0,
		keyMemoryMs: 1,
		...options,
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
	expect((await desk.run(['status'])).out).toMatch(/row 2 .*--order-again\.\n/);
	// They have not failed: a schedule that repeats this pays for none.
	const retried = await desk.run(['retry', csv, '--yes', ...FAST]);
	expect([retried.code, sandbox.createdCount()]).toEqual([1, ROWS]);
	expect((await desk.run(['run', csv, '--order-again', ...FAST])).code).toBe(0);
	expect(sandbox.createdCount()).toBe(2 * ROWS);
});

test('without its journal and its --set a row is parked, and the text claims nothing of what the service shows', async () => {
	await given();
	const csv = desk.csv('products.csv', products(1));
	await desk.run(['run', csv, '--set', 'objective=sell', ...FAST]);
	rmSync(journal());
	expect((await desk.run(['run', csv, ...FAST])).code).toBe(1);
	expect(sandbox.createdCount()).toBe(1);
	expect(desk.results()[0]?.brief_error).toContain(
		'does not tell whether it was made from this row',
	);
});

describe('plan', () => {
	const planned = async (...args: string[]) => {
		const { code, out } = await desk.run(['plan', 'products.csv', ...args, '--json']);
		return { code, plan: JSON.parse(out) as { by_row: object[] } };
	};
	const NEW = 'Lamp,17290009,SKU-9';

	test('shows the rows that a run would take over apart from the new ones, and prices only these', async () => {
		await given();
		await ordered();
		rmSync(journal());
		desk.csv('products.csv', [...products(ROWS), NEW]);
		const { code, out } = await desk.run(['plan', 'products.csv']);
		expect(code).toBe(0);
		const [first] = sandbox.briefs();
		expect(out).toContain(`row 2     adopted  Product 1  brief ${first?.id ?? ''}`);
		expect(out).toMatch(/row 6 +new +Lamp/);
		expect(out).toMatch(/new +1\n +adopted +4 +the workspace has their briefs/);
		expect(out).toMatch(/this run takes +1\n/);
		const { plan } = await planned();
		expect(plan.by_row).toEqual([
			...Array.from({ length: ROWS }, () => expect.objectContaining({ is: 'adopted' }) as object),
			{ row: 6, product_name: 'Lamp', is: 'new', ordered: 'now' },
		]);
		expect(plan).toMatchObject({ new: 1, adopted: 4, ready_to_go: 1, takes: 1 });
		expect((await desk.run(['run', 'products.csv', ...FAST])).code).toBe(0);
		expect(sandbox.createdCount()).toBe(ROWS + 1);
	});

	test('defers no row that costs nothing', async () => {
		await given({ allowance: ROWS });
		await ordered();
		rmSync(journal());
		const { code, plan } = await planned();
		expect(code).toBe(0);
		expect(plan).toMatchObject({ adopted: ROWS, takes: 0, deferred: 0 });
	});

	test('counts a changed row whose brief is listed once, as adopted', async () => {
		await given();
		await ordered();
		copyFileSync(journal(), join(desk.folder, 'copy'));
		desk.csv('products.csv', ['Product Name,Product ID,Audience', 'Product 1,1729000000,chefs']);
		await desk.run(['run', 'products.csv', '--order-changed', ...FAST]);
		copyFileSync(join(desk.folder, 'copy'), journal());
		const { plan } = await planned('--order-changed');
		expect(plan).toMatchObject({ rows: 1, changed: 0, adopted: 1, takes: 0 });
	});

	test('says which rows a run would park, and what --order-again would order', async () => {
		await given({ inputShape: 'empty' });
		await ordered();
		rmSync(journal());
		const before = await planned();
		expect(before.code).toBe(1);
		expect(before.plan).toMatchObject({ new: 0, unclear: ROWS, takes: 0 });
		const { out } = await desk.run(['plan', 'products.csv']);
		expect(out).toMatch(/row 2 +unclear +Product 1 +perhaps brief /);
		await desk.run(['run', 'products.csv', ...FAST]);
		expect((await planned()).plan).toMatchObject({ unclear: 0, parked: ROWS, takes: 0 });
		const again = await planned('--order-again');
		expect(again.code).toBe(0);
		expect(again.plan).toMatchObject({ again: ROWS, parked: 0, takes: ROWS });
	});
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
