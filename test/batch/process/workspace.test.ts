import { startSandbox, type Sandbox, type SandboxOptions } from '../../../sandbox/sandbox';
import { Desk, FAST, products, type Ended } from '../../support/batch/brief-batch';

jest.setTimeout(60_000);

let sandbox: Sandbox;
let desk: Desk;

async function given(options: SandboxOptions = {}): Promise<void> {
	sandbox = await startSandbox({
		speed: 1000,
		seed: 'workspace',
		failureShare: 0,
		requestsPerMinute: 0,
		...options,
	});
	desk = new Desk(sandbox);
}

afterEach(async () => {
	await sandbox.close();
	desk.remove();
});

const DAY = 86_400_000;
const JOURNAL = 'briefs/journal.jsonl';

/** The command with the key of another workspace. */
function inAnother(args: string[]): Promise<Ended> {
	return desk.run(args, { CREATOR_BRIEFING_API_KEY: sandbox.keys.otherWorkspace });
}

function expectRefused({ code, err }: Ended): void {
	expect(err).toMatch(/The API key seems to be of another workspace than the briefs of briefs/);
	expect(err).toMatch(/another --out/);
	expect(err).not.toContain(sandbox.keys.otherWorkspace);
	expect(code).toBe(2);
}

const gets = (start: number) =>
	sandbox.requests.slice(start).filter(({ path }) => /\/briefs\/[0-9a-f-]{36}$/.test(path));

describe('the key of another workspace', () => {
	test('is refused by run, retry and plan: nothing is ordered, and the journal says only that', async () => {
		await given();
		const csv = desk.csv('products.csv', [
			...products(3),
			'Product 4 (discontinued),17290009,SKU-4',
			'Product 5,17290010,SKU-5',
		]);
		await desk.run(['run', csv, '--max', '4', ...FAST]);
		const [paid, journal] = [sandbox.createdCount(), desk.read(JOURNAL)];
		expect(paid).toBe(4);
		expectRefused(await inAnother(['run', csv, ...FAST]));
		expectRefused(await inAnother(['retry', csv, '--yes', ...FAST]));
		expectRefused(await inAnother(['plan', csv]));
		expect(sandbox.createdCount()).toBe(paid);
		const after = desk.read(JOURNAL);
		expect(after.startsWith(journal)).toBe(true);
		const added = after.slice(journal.length).trimEnd().split('\n');
		expect(added.filter((line) => !line.includes('"type":"not_begun"'))).toEqual([]);

		const { code } = await desk.run(['run', csv, ...FAST]);
		expect([code, sandbox.createdCount()]).toEqual([1, 5]);
	});

	test('is refused while an order of the first is without an answer, which is paid once', async () => {
		await given({ speed: 100 });
		const csv = desk.csv('products.csv', products(3));
		sandbox.faults.add({ operation: 'create_brief', kind: 'cut', skip: 1, times: 100 });
		const running = desk.start(['run', csv, ...FAST]);
		await running.said(/row \d +ordered/);
		while (sandbox.createdCount() < 2) await new Promise((done) => setTimeout(done, 20));
		running.child.kill('SIGKILL');
		await running.ended;
		sandbox.faults.clear();
		expectRefused(await inAnother(['run', csv, ...FAST]));
		await desk.run(['run', csv, ...FAST]);
		expect(sandbox.briefs().map(({ workspace }) => workspace)).toEqual(Array(3).fill('ws_studio'));
	});

	test('costs no request where the list shows a brief of the journal, and one GET where it does not', async () => {
		await given();
		const csv = desk.csv('products.csv', products(3));
		await desk.run(['run', csv, '--max', '1', ...FAST]);
		const start = sandbox.requests.length;
		await desk.run(['plan', csv]);
		expect(gets(start)).toHaveLength(0);
		sandbox.advance(40 * DAY);
		const month = sandbox.requests.length;
		// Newer briefs of others fill the page that is read.
		const createdAt = sandbox.now() - 39 * DAY;
		for (let i = 0; i < 100; i += 1) sandbox.addBrief({ status: 'ready', createdAt });
		const { code } = await desk.run(['plan', csv]);
		expect([code, gets(month).length]).toEqual([0, 1]);
	});
});
