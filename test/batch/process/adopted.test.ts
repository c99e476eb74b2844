import { chmodSync, copyFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
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

const ROWS = 2;
const journal = () => join(desk.folder, 'briefs', 'journal.jsonl');
const results = () => join(desk.folder, 'briefs', 'results');

async function ordered(): Promise<string> {
	const csv = desk.csv('products.csv', products(ROWS));
	expect((await desk.run(['run', csv, ...FAST])).code).toBe(0);
	return csv;
}

function expectTakenOver({ code, out, err }: Ended, said: string): void {
	expect(out + err).toContain(said);
	expect(out + err).toContain('--order-again');
	expect(code).toBe(0);
	expect(sandbox.createdCount()).toBe(ROWS);
}

test('a run without its journal takes over the briefs that it had ordered, and says so', async () => {
	await given();
	const csv = await ordered();
	rmSync(journal());
	expectTakenOver(await desk.run(['run', csv, ...FAST]), '2 briefs were taken back from results/');
	expect(desk.results().every(({ brief_status }) => brief_status === 'ready')).toBe(true);
	expect((await desk.run(['status'])).out).toContain('2 of them taken over, not ordered here');
});

describe('what lies in results/ is not paid for again', () => {
	const MONTHS = 70 * 24 * 3_600_000;
	/** The plan and the run of a list whose journal is gone and whose briefs the list does not show any more. */
	async function expectTakenBack(csv: string, service = sandbox): Promise<void> {
		const requests = service.requests.length;
		const env = { CREATOR_BRIEFING_BASE_URL: service.url };
		const plan = await desk.run(['plan', csv], env);
		expect(plan.out).toContain(`A run takes ${ROWS} briefs back from results/`);
		expect(plan.out).toMatch(/new +0/);
		const { code, out } = await desk.run(['run', csv, ...FAST], env);
		expect(out).toContain(`${ROWS} briefs were taken back from results/`);
		expect(out).toContain(`brief-batch run ${csv} ${FAST.join(' ')} --order-again 2-3`);
		expect(code).toBe(0);
		expect(service.requests.slice(requests).some(({ method }) => method === 'POST')).toBe(false);
		for (const { brief_file: file = '' } of desk.results())
			expect(desk.read(join('briefs', file))).toMatch(/\S\n$/);
	}

	test('months later, without a journal', async () => {
		await given();
		const csv = await ordered();
		rmSync(journal());
		sandbox.advance(MONTHS);
		await expectTakenBack(csv);
		const again = await desk.run(['run', csv, ...FAST]);
		expect(again.code).toBe(0);
		expect(again.out).not.toContain('taken back');
	});

	test('also if the service does not know them any more', async () => {
		await given();
		const csv = await ordered();
		const [{ brief_file: file = '' } = {}] = desk.results();
		const before = desk.read(join('briefs', file));
		rmSync(journal());
		const other = await startSandbox({ speed: 1000, requestsPerMinute: 0 });
		await expectTakenBack(csv, other).finally(() => other.close());
		expect(desk.read(join('briefs', file))).toBe(before);
	});

	test('also if they do not show what they were made from, but results.csv does', async () => {
		await given({ inputShape: 'empty' });
		const csv = await ordered();
		rmSync(journal());
		sandbox.advance(MONTHS);
		await expectTakenBack(csv);
	});

	test('after a damaged journal was moved away, as its message says', async () => {
		await given();
		const csv = await ordered();
		sandbox.advance(MONTHS);
		writeFileSync(journal(), desk.read('briefs/journal.jsonl').replace('Product 1', 'Product 9'));
		const { code, err } = await desk.run(['run', csv, ...FAST]);
		expect(code).toBe(2);
		expect(err).toContain('move it away: the next run takes back the briefs in results/');
		renameSync(journal(), join(desk.folder, 'moved-away.jsonl'));
		await expectTakenBack(csv);
	});

	test('and another file there is left alone', async () => {
		await given();
		const csv = await ordered();
		rmSync(journal());
		sandbox.advance(MONTHS);
		for (const text of ['{"status":"ready"}', 'no JSON', '[]'])
			writeFileSync(join(results(), `${text.length}.json`), text);
		await expectTakenBack(csv);
		const { code, out } = await desk.run(['run', csv, ...FAST]);
		expect(out).toContain('3 files in results/ are left alone');
		expect(code).toBe(0);
	});

	test('so nothing is ordered if results/ cannot be read', async () => {
		await given();
		const csv = await ordered();
		rmSync(journal());
		const asAnybody =
			process.getuid?.() === 0 ? ['setpriv', '--bounding-set=-dac_override,-dac_read_search'] : [];
		chmodSync(results(), 0o300);
		for (const command of ['plan', 'run']) {
			const { code, err } = await desk.run([command, csv], {}, asAnybody);
			expect([command, code]).toEqual([command, 2]);
			expect(err).toContain('results may not be read (EACCES).\nAllow it');
		}
		chmodSync(results(), 0o700);
		expect(sandbox.createdCount()).toBe(ROWS);
	});
});

test('plan and run say that the list has older briefs of these products, and order them', async () => {
	await given();
	const csv = await ordered();
	sandbox.advance(40 * 24 * 3_600_000);
	const message = 'The workspace has older briefs of 2 products in this list, the newest of ';
	expect((await desk.run(['plan', csv, '--out', 'new'])).out).toContain(message);
	const { out } = await desk.run(['run', csv, '--out', 'new', ...FAST]);
	expect(out).toContain(message);
	expect(sandbox.createdCount()).toBe(2 * ROWS);
});

test('so does a run with another --out', async () => {
	await given();
	const csv = await ordered();
	const ended = await desk.run(['run', csv, '--out', 'elsewhere', ...FAST]);
	expectTakenOver(ended, '2 rows were taken over');
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
	expectTakenOver(await desk.run(['run', csv, ...FAST]), '1 brief was taken back from results/');
});

test('a run that waits for a slot takes over what a run in another folder orders meanwhile', async () => {
	await given({ speed: 100 });
	const others = [1, 2].map(() => sandbox.addBrief({ durationMs: 1e10 }));
	desk.csv('products.csv', products(ROWS));
	desk.csv('list.csv', products(ROWS));
	const start = (csv: string, out: string) => desk.start(['run', csv, '--out', out, ...FAST]);
	const waiting = start('list.csv', 'elsewhere');
	await waiting.said('Waiting for a slot');
	// Stopped, so that the two never look at the list in the same moment.
	waiting.child.kill('SIGSTOP');
	const ordering = start('products.csv', 'briefs');
	await ordering.said('Waiting for a slot');
	for (const { id } of others) sandbox.finish(id);
	await ordering.said(/row 3 +ordered/);
	waiting.child.kill('SIGCONT');
	const [one, other] = await Promise.all([ordering.ended, waiting.ended]);
	expect([one.code, other.code, sandbox.createdCount()]).toEqual([0, 0, ROWS]);
	expect(other.out).toMatch(/row 2 +taken over.*[^]*row 3 +taken over/);
});

test('retry with an older copy of the journal takes over the brief of the try that the copy does not know', async () => {
	await given({ failureShare: 1 });
	const csv = desk.csv('products.csv', products(1));
	expect((await desk.run(['run', csv, ...FAST])).code).toBe(1);
	copyFileSync(journal(), join(desk.folder, 'copy'));
	sandbox.options.failureShare = 0;
	const retried = ['retry', csv, '--yes', ...FAST];
	expect((await desk.run(retried)).code).toBe(0);
	copyFileSync(join(desk.folder, 'copy'), journal());
	rmSync(join(desk.folder, 'briefs', 'results'), { recursive: true });
	expectTakenOver(await desk.run(retried), '1 row was taken over');
	expect(desk.results()[0]?.brief_id).toBe(sandbox.briefs()[1]?.id);
	// What --order-again asks for is ordered all the same.
	expect((await desk.run(['run', csv, '--order-again', '2', ...FAST])).code).toBe(0);
	expect(sandbox.createdCount()).toBe(ROWS + 1);
});

test('--order-again orders them all the same, once', async () => {
	await given();
	const csv = await ordered();
	rmSync(journal());
	const command = ['run', csv, '--order-again', '--yes', ...FAST];
	expect((await desk.run(command)).code).toBe(0);
	expect(sandbox.createdCount()).toBe(2 * ROWS);
	expect((await desk.run(command)).code).toBe(0);
	expect(sandbox.createdCount()).toBe(2 * ROWS);
	const keys = sandbox.briefs().flatMap(({ idempotencyKeys }) => idempotencyKeys);
	expect(new Set(keys).size).toBe(2 * ROWS);
});

test.each([
	['--order-again', [], '--order-again names no rows, and all of them would cost a brief each'],
	['--order-changed', [], '--order-changed names no rows'],
	['--order-again', ['9'], '--order-again names row 9, and the CSV has rows 2 to 3'],
])('%s %j costs nothing and says what to write', async (option, rows, message) => {
	await given();
	const csv = await ordered();
	const { code, err } = await desk.run(['run', csv, ...FAST, option, ...rows]);
	expect([code, sandbox.createdCount()]).toEqual([2, ROWS]);
	expect(err).toContain(message);
});

test('a file name that follows --order-again is not taken for rows', async () => {
	await given();
	const { code, err } = await desk.run(['run', '--order-again', 'products.csv', 'b.csv', ...FAST]);
	expect(code).toBe(2);
	expect(err).toContain('A file name goes before --order-again.');
});

test('where inputs are not shown the rows are parked with what to do, until --order-again', async () => {
	await given({ inputShape: 'empty' });
	const csv = await ordered();
	rmSync(journal());
	rmSync(results(), { recursive: true });
	const { code, out } = await desk.run(['run', csv, ...FAST]);
	expect(code).toBe(1);
	expect(out).toContain(`${ROWS} parked`);
	expect(sandbox.createdCount()).toBe(ROWS);
	const [first] = desk.results();
	expect(first?.brief_status).toBe('parked');
	expect(first?.brief_error).toContain(sandbox.briefs()[0]?.id);
	expect(first?.brief_error).toContain('--order-again');
	expect((await desk.run(['status'])).out).toMatch(/row 2 .*--order-again 2\n/);
	// They have not failed: a schedule that repeats this pays for none.
	const retried = await desk.run(['retry', csv, '--yes', ...FAST]);
	expect([retried.code, sandbox.createdCount()]).toEqual([1, ROWS]);
	expect((await desk.run(['run', csv, '--order-again', '2', ...FAST])).code).toBe(1);
	expect(sandbox.createdCount()).toBe(ROWS + 1);
	expect((await desk.run(['run', csv, '--order-again', '2-3', ...FAST])).code).toBe(0);
	expect(sandbox.createdCount()).toBe(2 * ROWS);
});

test('without its journal and its --set a row is parked, and the text says that the brief shows another content', async () => {
	await given();
	const csv = desk.csv('products.csv', products(1));
	await desk.run(['run', csv, '--set', 'objective=sell', ...FAST]);
	rmSync(journal());
	rmSync(results(), { recursive: true });
	expect((await desk.run(['run', csv, ...FAST])).code).toBe(1);
	expect(sandbox.createdCount()).toBe(1);
	expect(desk.results()[0]?.brief_error).toContain(
		'but not with exactly this content. A --set may be missing.',
	);
});

describe('run --adopt', () => {
	const status = (row: number) => desk.results()[row - 2];
	const posts = () => sandbox.requests.filter(({ method }) => method === 'POST').length;

	/** Rows that are parked because the workspace has briefs of their products. */
	async function parked(): Promise<string[]> {
		await given({ inputShape: 'empty' });
		const csv = await ordered();
		rmSync(journal());
		rmSync(results(), { recursive: true });
		expect((await desk.run(['run', csv, ...FAST])).code).toBe(1);
		return sandbox.briefs().map(({ id }) => id);
	}

	test('gives parked rows their briefs for nothing, by the commands that the rows name', async () => {
		const ids = await parked();
		const sent = posts();
		for (const [at, row] of desk.results().entries()) {
			const command = `brief-batch run products.csv ${FAST.join(' ')} --adopt ${at + 2}=${ids[at]}`;
			expect(row.brief_error).toContain(`costs nothing: ${command}. `);
			expect((await desk.run(['status'])).out).toContain(command);
			expect(desk.read('briefs/report.html')).toContain(command);
			const { code, out } = await desk.run(command.split(' ').slice(1));
			expect(out).toContain(`Row ${at + 2} has brief ${ids[at]} now, as --adopt asks.`);
			expect(code).toBe(at + 1 < ROWS ? 1 : 0);
			expect(status(at + 2)).toMatchObject({ brief_status: 'ready', brief_id: ids[at] });
		}
		expect(posts()).toBe(sent);
		expect((await desk.run(['run', 'products.csv', ...FAST])).code).toBe(0);
		expect((await desk.run(['audit', 'products.csv'])).code).toBe(0);
		expect(posts()).toBe(sent);
	});

	test('gives a row that was never ordered its brief, also by the variable, and orders the others', async () => {
		await given();
		const brief = sandbox.addBrief({ product_name: 'Something else', status: 'ready' });
		const csv = desk.csv('products.csv', products(2));
		const env = { CREATOR_BRIEFING_ADOPT: `3=${brief.id.toUpperCase()}` };
		const { code, out } = await desk.run(['run', csv, ...FAST], env);
		expect([code, posts()]).toEqual([0, 1]);
		expect(out).toContain(
			`Row 3 (“Product 2”) has brief ${brief.id} now, as --adopt asks, although that is a brief of “Something else”. It costs nothing.`,
		);
		expect(status(3)).toMatchObject({ brief_status: 'ready', brief_id: brief.id });
		// The variable may stay where it is.
		const again = await desk.run(['run', csv, ...FAST], env);
		expect([again.code, posts()]).toEqual([0, 1]);
		expect(again.out).not.toContain('--adopt');
	});

	test('waits for a brief that is still being written, and a later run goes on with it', async () => {
		await given({ speed: 100 });
		const brief = sandbox.addBrief({ product_name: 'Another', durationMs: 1_000_000 });
		const csv = desk.csv('products.csv', products(1));
		const command = ['run', csv, '--adopt', `2=${brief.id}`, ...FAST];
		const running = desk.start(command);
		await running.said(/row 2 +resumed/);
		running.child.kill('SIGKILL');
		await running.ended;
		expect((await desk.run(['run', csv, ...FAST])).code).toBe(0);
		expect(posts()).toBe(0);
		expect(status(2)).toMatchObject({ brief_status: 'ready', brief_id: brief.id });
	});

	test('takes the place of the order that holds a changed row back', async () => {
		const [id = ''] = await parked();
		desk.csv('products.csv', ['Product Name,Product ID,Audience', 'Product 1,1729000000,chefs']);
		const { code } = await desk.run(['run', 'products.csv', '--adopt', `2=${id}`, ...FAST]);
		expect(code).toBe(0);
		expect(status(2)).toMatchObject({ brief_status: 'ready', brief_id: id });
		expect(sandbox.createdCount()).toBe(ROWS);
	});

	test('is refused before anything is spent, and says what is wrong', async () => {
		await given();
		const lines = [...products(2), 'Product 1,1729000000,SKU-1', ',1729000009,SKU-9'];
		desk.csv('products.csv', lines);
		await desk.run(['run', 'products.csv', '--max', '1', ...FAST]);
		const [first] = sandbox.briefs();
		const own = first?.id ?? '';
		const free = sandbox.addBrief({ product_name: 'Product 2', status: 'ready' }).id;
		const before = desk.read('briefs/journal.jsonl');
		const none = '00000000-0000-4000-8000-000000000000';
		for (const [adopt, text] of [
			[[`9=${free}`], 'there is no row 9.'],
			[[`5=${free}`], 'row 5 is invalid.'],
			[[`4=${free}`], 'row 4 has the same content as row 2, and shares its brief.'],
			[[`2=${free}`], `row 2 has brief ${own} already.`],
			[[`3=${own}`], 'this is the brief of row 2 (“Product 1”).'],
			[[`3=${none}`], 'the service has no such brief (404).'],
			[['3=no-uuid'], 'the service has no such brief (400).'],
			// One that is in order does not go on record beside one that is not.
			[[`3=${free}`, `9=${none}`], 'there is no row 9.'],
		] as const) {
			const options = adopt.flatMap((one) => ['--adopt', one]);
			const { code, err } = await desk.run(['run', 'products.csv', ...options, ...FAST]);
			expect([code, err]).toEqual([2, expect.stringContaining(text)]);
			expect(desk.read('briefs/journal.jsonl')).toBe(before);
		}
		expect(sandbox.createdCount()).toBe(1);
		// The very brief that a row has is no error.
		const same = ['--adopt', `4=${own}`, '--adopt', `3=${free}`];
		const { code } = await desk.run(['run', 'products.csv', ...same, ...FAST]);
		expect([code, sandbox.createdCount()]).toEqual([1, 1]);
		expect(desk.results().map(({ brief_id }) => brief_id)).toEqual([own, free, own, '']);
	});
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
		expect(out).toMatch(/row 4 +new +Lamp/);
		expect(out).toMatch(/new +1\n +adopted +2 +the workspace or results\/ has their briefs/);
		expect(out).toMatch(/this run takes +1\n/);
		const { plan } = await planned();
		expect(plan.by_row).toEqual([
			...Array.from({ length: ROWS }, () => expect.objectContaining({ is: 'adopted' }) as object),
			{ row: 4, product_name: 'Lamp', is: 'new', ordered: 'now' },
		]);
		expect(plan).toMatchObject({ new: 1, adopted: 2, ready_to_go: 1, takes: 1 });
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
		await desk.run(['run', 'products.csv', '--order-changed', '--yes', ...FAST]);
		copyFileSync(join(desk.folder, 'copy'), journal());
		const { plan } = await planned('--order-changed');
		expect(plan).toMatchObject({ rows: 1, changed: 0, adopted: 1, takes: 0 });
	});

	test('says which rows a run would park, and what --order-again would order', async () => {
		await given({ inputShape: 'empty' });
		await ordered();
		rmSync(journal());
		rmSync(results(), { recursive: true });
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
	expect(err).toContain('refuses its own cursor (400)');
	expect(err).not.toContain('Correct what it names');
	expect(sandbox.requests.length).toBeLessThan(10);
});
