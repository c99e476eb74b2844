import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { startSandbox, type Sandbox, type SandboxOptions } from '../../../sandbox/sandbox';
import { Desk, FAST, products } from '../../support/batch/brief-batch';

jest.setTimeout(60_000);

let sandbox: Sandbox;
let desk: Desk;

async function given(options: SandboxOptions = {}): Promise<void> {
	const calm = { failureShare: 0, requestsPerMinute: 0 };
	sandbox = await startSandbox({ speed: 1000, seed: 'plan', ...calm, ...options });
	desk = new Desk(sandbox);
}

afterEach(async () => {
	await sandbox.close();
	desk.remove();
});

const plan = (...options: string[]) => desk.run(['plan', 'products.csv', ...options]);

interface Document {
	unchecked: { what: string; cure: string } | null;
	by_row: Array<{ row: number; is: string; ordered?: string; deferred_until?: string | null }>;
}

describe('plan, row by row', () => {
	test('tells what is new, changed, done, failed and deferred until when, in the order of the CSV', async () => {
		await given({ allowance: 5 });
		const first = [
			'Product Name,Product ID,Audience',
			'Brush,1729000001,parents',
			'Mug,1729000002,chefs',
			'Lamp (discontinued),1729000003,chefs',
		];
		desk.csv('products.csv', first);
		await desk.run(['run', 'products.csv', ...FAST]);
		const edited = first.map((line) =>
			line.replace('Mug,1729000002,chefs', 'Mug,1729000002,bakers'),
		);
		const more = Array.from({ length: 9 }, (_, i) => `Spoon ${i},17290010${i},chefs`);
		desk.csv('products.csv', [...edited, ...more, 'Brush,1729000001,parents', 'x,12,y']);
		const { code, out } = await plan('--max', '1');
		expect(code).toBe(3);
		const lines = out.split('\n').filter((line) => /^row \d/.test(line));
		const told = lines.slice(lines.findIndex((line) => line.startsWith('row 2 ')));
		expect(told[0]).toMatch(/^row 2 +done {2}Brush {2}brief [0-9a-f-]{36}$/);
		expect(told[1]).toMatch(/^row 3 +changed {2}Mug .*audience: was “chefs”, now “bakers”/);
		expect(told[2]).toMatch(/^row 4 +failed {2}Lamp \(discontinued\) .*product_unavailable/);
		expect(told[3]).toMatch(/^row 5 +new {2}Spoon 0 {2}takes 1 brief$/);
		expect(told[4]).toMatch(/^row 6 +new {2}Spoon 1 {2}left for the next run \(--max\)$/);
		const months = told.slice(5).map((line) => /until 1 (\w+ \d+) \(UTC\)$/.exec(line)?.[1]);
		expect(months).toHaveLength(7);
		expect(new Set(months.slice(0, 5)).size).toBe(1);
		expect(new Set(months.slice(5)).size).toBe(1);
		expect(months[4]).not.toBe(months[5]);
		expect(out).toMatch(/failed before +1 .*brief-batch retry products\.csv/);
	});

	test('names commands with their folder: without it they would begin another batch', async () => {
		await given();
		desk.csv('products.csv', ['Product Name', 'Lamp (discontinued)']);
		const there = ['--out', 'acme', '--set', 'audience=all of them'];
		await desk.run(['run', 'products.csv', ...there, ...FAST]);
		const { out } = await plan(...there, '--all');
		const command = 'brief-batch retry products.csv --out acme --set "audience=all of them"';
		expect(out).toContain(`a run does not order it again, this does: ${command}\n`);
		expect(out).not.toMatch(/Time\n\n/);
	});

	test('has no time to tell where nothing is to be done and nobody was asked', async () => {
		await given();
		desk.csv('products.csv', ['Product Name']);
		const { out } = await desk.run(['plan', 'products.csv'], { CREATOR_BRIEFING_API_KEY: '' });
		expect(out).not.toContain('Time');
	});

	test('names every row that costs a brief, or of more than 200 the first and last hundred', async () => {
		await given({ allowance: 1000 });
		const named = ({ out }: { out: string }) =>
			[...out.matchAll(/^row (\d+) +new /gm)].map(([, row]) => Number(row));
		const from = (first: number, n: number) => Array.from({ length: n }, (_, i) => first + i);
		desk.csv('products.csv', products(200));
		expect(named(await plan())).toEqual(from(2, 200));
		desk.csv('products.csv', products(230));
		const some = await plan();
		expect(named(some)).toEqual([...from(2, 100), ...from(132, 100)]);
		expect(some.out).toContain('… 30 rows more that cost a brief each: --all lists all of them.');
		expect(named(await plan('--all'))).toEqual(from(2, 230));
	});
});

describe('plan --json', () => {
	test('is one document, also where rows are invalid and files have notices', async () => {
		await given({ allowance: 1 });
		desk.csv('products.csv', [...products(2), 'x,12,y', 'Product 1,1729000000,again']);
		const { code, out } = await plan('--json');
		expect(code).toBe(3);
		const document = JSON.parse(out) as Document;
		expect(document).toMatchObject({
			event: 'plan',
			batch: 'products.csv',
			rows: 4,
			new: 2,
			takes: 1,
			deferred: 1,
			invalid: 1,
			duplicates: 1,
			unchecked: null,
			exit_code: 3,
			notices: [expect.stringContaining('Columns read'), expect.any(String)],
			by_row: [
				{ row: 2, is: 'new', ordered: 'now' },
				{ row: 3, is: 'new', ordered: 'deferred' },
				{ row: 4, is: 'invalid', why: expect.stringContaining('Product ID') as string },
				{ row: 5, is: 'duplicate', why: 'same content as row 2' },
			],
		});
		expect(document.by_row[1]?.deferred_until).toMatch(/^\d{4}-\d\d-01T00:00:00/);
	});
});

describe('plan without an API key or an address', () => {
	test.each([
		['CREATOR_BRIEFING_API_KEY', 'The API key is not set.'],
		['CREATOR_BRIEFING_BASE_URL', 'The address of the service is not set.'],
	])('shows the rows, and says what it could not check: no %s', async (name, what) => {
		await given();
		desk.csv('products.csv', products(2));
		const { code, out, err } = await desk.run(['plan', 'products.csv'], { [name]: undefined });
		expect([code, err]).toEqual([0, '']);
		expect(out).toMatch(/ready to go +2\n/);
		expect(out).toMatch(/left +\? +the service was not asked/);
		expect(out).toContain('Not checked with the service: whether it accepts the key');
		expect(out).toContain(`${what} Set ${name}`);
		expect(sandbox.requests).toHaveLength(0);
		expect(existsSync(join(desk.folder, 'briefs'))).toBe(false);
	});

	test('knows what the journal knows, and calls invalid rows', async () => {
		await given();
		desk.csv('products.csv', products(2));
		await desk.run(['run', 'products.csv', ...FAST]);
		desk.csv('products.csv', [...products(3), 'x,12,y']);
		const env = { CREATOR_BRIEFING_API_KEY: undefined };
		const { code, out } = await desk.run(['plan', 'products.csv', '--json'], env);
		expect(code).toBe(1);
		const document = JSON.parse(out) as Document;
		expect(document.by_row.map(({ is }) => is)).toEqual(['done', 'done', 'new', 'invalid']);
		expect(document).toMatchObject({ allowance: null, takes: 1, deferred: 0 });
		expect(document.unchecked?.cure).toContain('CREATOR_BRIEFING_API_KEY');
	});
});

test('plan with a key that is refused shows the rows, and ends with 4 and the reason', async () => {
	await given();
	desk.csv('products.csv', products(2));
	const env = { CREATOR_BRIEFING_API_KEY: 'no-such-key' };
	const { code, out, err } = await desk.run(['plan', 'products.csv'], env);
	expect([code, out]).toEqual([4, expect.stringMatching(/ready to go +2\n/)]);
	expect(out).toContain('Not checked with the service');
	expect(err).toContain('The API key was refused');
	const json = await desk.run(['plan', 'products.csv', '--json'], env);
	expect(JSON.parse(json.out)).toMatchObject({
		exit_code: 4,
		unchecked: { what: expect.any(String) as string },
	});
});
