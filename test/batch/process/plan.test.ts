import { readdirSync } from 'node:fs';
import { deskOf, products } from '../../support/batch/brief-batch';
import { until } from '../../support/until';

jest.setTimeout(60_000);

const PLAN = 'plan products.csv';

interface Document {
	unchecked: { what: string; cure: string } | null;
	by_row: Array<{ row: number; is: string; ordered?: string; deferred_until?: string | null }>;
}

test('plan shows every row with what a run would do, in the order of the CSV', async () => {
	const first = [
		'Product Name,Product ID,Audience',
		'Brush,1729000001,parents',
		'Mug,1729000002,chefs',
		'Lamp (discontinued),1729000003,chefs',
	];
	const desk = await deskOf(first, { allowance: 5 });
	await desk.order();
	const edited = first.map((line) => line.replace('02,chefs', '02,bakers'));
	const more = Array.from({ length: 9 }, (_, i) => `Spoon ${i},17290010${i},chefs`);
	desk.csv('products.csv', [...edited, ...more, 'Brush,1729000001,parents', 'x,12,y']);
	const { code, out } = await desk.run(`${PLAN} --max 1`);
	expect(code).toBe(3);
	const shown = out.split('\n').filter((line) => /^row \d/.test(line));
	expect(shown[0]).toMatch(/^row 2 +ready {2}Brush {2}brief [0-9a-f-]{36}$/);
	expect(shown[1]).toMatch(/^row 3 +changed {2}Mug .*audience: was “chefs”, now “bakers”/);
	expect(shown[2]).toMatch(/^row 4 +failed {2}Lamp \(discontinued\) .*product_unavailable/);
	expect(shown[3]).toMatch(/^row 5 +new {2}Spoon 0 {2}takes 1 brief$/);
	expect(shown[4]).toMatch(/^row 6 +new {2}Spoon 1 {2}left for the next run \(--max\)$/);
	const months = shown.slice(5, 12).map((line) => /until 1 (\w+ \d+) \(UTC\)$/.exec(line)?.[1]);
	expect(new Set(months.slice(0, 5)).size).toBe(1);
	expect(new Set(months.slice(5)).size).toBe(1);
	expect(months[4]).not.toBe(months[5]);
	expect(shown[12]).toMatch(/^row 14 +duplicate {2}Brush {2}same content as row 2$/);
	expect(shown[13]).toMatch(
		/^row 15 +invalid {2}x {2}Product Name is too short\..* Product ID is “12”/,
	);
	expect(out).toMatch(/failed +1 .*\n +brief-batch retry products\.csv/);
});

test('plan prices a run, spends nothing and writes nothing', async () => {
	const desk = await deskOf([...products(14), 'x,12,y', 'Product 1,1729000000,z'], {
		allowance: 6,
		speed: 1,
	});
	desk.sandbox.addBrief({ status: 'ready' });
	desk.sandbox.addBrief({ status: 'running' });
	const before = readdirSync(desk.folder);
	const numbers = [
		...['rows 16', 'new 14', 'invalid 1', 'duplicates 1', 'used 2', 'left 4'],
		...['this run takes 4', 'deferred 10', 'running now 1'],
	];
	await desk.expectEnd(
		PLAN,
		3,
		/row 16 +invalid/,
		/row 17 +duplicate .*same content as row 2/,
		...numbers.map((one) => new RegExp(`^ {2}${one.replace(/ (\d+)$/, ' +$1')}\\b`, 'm')),
		/deferred +10 +can go on from 1 \w+ \d{4}, over 2 months/,
		/Nothing was ordered and nothing was written\.\nTo order 4 briefs:\n +brief-batch run products\.csv\n$/,
	);
	expect([desk.creates(), readdirSync(desk.folder)]).toEqual([0, before]);
});

test('plan --json is one document, also with invalid rows and notices', async () => {
	const more = ['x,12,y', 'Product 1,1729000000,again'];
	const desk = await deskOf([...products(2), ...more], { allowance: 1 });
	const { code, out } = await desk.run(`${PLAN} --json`);
	expect(code).toBe(3);
	const document = JSON.parse(out) as Document;
	expect(document).toMatchObject({
		event: 'plan',
		batch: 'products.csv',
		unchecked: null,
		exit_code: 3,
		rows: 4,
		new: 2,
		takes: 1,
		deferred: 1,
		invalid: 1,
		duplicates: 1,
		notices: [
			expect.stringContaining('Columns read'),
			expect.any(String),
			expect.stringContaining('--id "SKU"'),
		],
		by_row: [
			{ row: 2, is: 'new', ordered: 'now' },
			{ row: 3, is: 'new', ordered: 'deferred' },
			{ row: 4, is: 'invalid', why: expect.stringContaining('Product ID') as string },
			{ row: 5, is: 'duplicate', why: 'same content as row 2' },
		],
	});
	expect(document.by_row[1]?.deferred_until).toMatch(/^\d{4}-\d\d-01T00:00:00/);
});

describe('plan without the service', () => {
	/** Shorter intervals need an address on this machine. */
	const AS_USUAL = {
		CREATOR_BRIEFING_POLL_INTERVAL: undefined,
		CREATOR_BRIEFING_POLL_INTERVAL_MAX: undefined,
	};

	test.each([
		['CREATOR_BRIEFING_API_KEY', 'The API key is not set.'],
		['CREATOR_BRIEFING_BASE_URL', 'The address of the service is not set.'],
	])('shows the rows, and says what it could not check: no %s', async (name, what) => {
		const desk = await deskOf(2);
		const before = readdirSync(desk.folder);
		const { code, out, err } = await desk.run(PLAN, { ...AS_USUAL, [name]: undefined });
		expect([code, err]).toEqual([0, '']);
		expect(out).toMatch(/new +2\n/);
		expect(out).toMatch(/left +\? +the service was not asked/);
		expect(out).toContain('Not checked with the service: whether it accepts the key');
		expect(out).toContain(`${what} Set ${name}`);
		expect(desk.sandbox.requests).toHaveLength(0);
		expect(readdirSync(desk.folder)).toEqual(before);
	});

	test('knows what the journal knows', async () => {
		const desk = await deskOf(2);
		await desk.order();
		desk.csv('products.csv', [...products(3), 'x,12,y']);
		const document = await desk.json<Document>(PLAN, { CREATOR_BRIEFING_API_KEY: undefined });
		expect(document.by_row.map(({ is }) => is)).toEqual(['ready', 'ready', 'new', 'invalid']);
		expect(document).toMatchObject({ exit_code: 1, allowance: null, takes: 1, deferred: 0 });
		expect(document.unchecked?.cure).toContain('CREATOR_BRIEFING_API_KEY');
	});

	test('because it refuses the key shows the rows, and ends with 4', async () => {
		const desk = await deskOf(2);
		const env = { CREATOR_BRIEFING_API_KEY: 'no-such-key' };
		const { code, out, err } = await desk.run(PLAN, env);
		expect([code, out]).toEqual([4, expect.stringMatching(/new +2\n/)]);
		expect(out).toContain('Not checked with the service');
		expect(err).toContain('The API key was refused');
		expect(await desk.json(PLAN, env)).toMatchObject({
			exit_code: 4,
			unchecked: { what: expect.any(String) as string },
		});
	});
});

test('plan prices apart what orders without an answer may take, and never calls it free', async () => {
	const desk = await deskOf(2);
	const { sandbox } = desk;
	sandbox.faults.add({ operation: 'create_brief', kind: 'cut', times: 100 });
	const running = desk.start('run products.csv');
	await until(
		() => sandbox.requests.filter(({ operation }) => operation === 'create_brief').length > 0,
	);
	await running.kill();
	sandbox.faults.clear();
	const { out } = await desk.expectEnd(
		PLAN,
		0,
		/pending +1 +without an answer so far/,
		/this run takes +1 +and up to 1 more/,
		/To order 1 brief, and up to 1 more:\n +brief-batch run products\.csv/,
	);
	expect(out).not.toContain('costs nothing');
});
