import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startSandbox, type Sandbox } from '../../../sandbox/sandbox';
import { Desk, FAST } from '../../support/batch/brief-batch';

jest.setTimeout(60_000);

let sandbox: Sandbox;
let desk: Desk;

const ROWS = [
	'Product Name,Product ID,Audience,Note',
	'Brush,1729000001,parents,a',
	'Mug,,chefs,b',
];
const TERMS = ['--set', 'campaign_terms=10 % off until Friday'];

beforeEach(async () => {
	const calm = { failureShare: 0, requestsPerMinute: 0 };
	sandbox = await startSandbox({ speed: 1000, seed: 'changed', ...calm });
	desk = new Desk(sandbox);
});

afterEach(async () => {
	await sandbox.close();
	desk.remove();
});

const run = (...options: string[]) => desk.run(['run', 'products.csv', ...FAST, ...options]);
const plan = (...options: string[]) => desk.run(['plan', 'products.csv', ...options]);
const edited = (from: string, to: string) => ROWS.map((row) => row.replace(from, to));
const statuses = () => desk.results().map(({ brief_status }) => brief_status);

async function ordered(...options: string[]): Promise<void> {
	desk.csv('products.csv', ROWS);
	expect(await run(...options)).toMatchObject({ code: 0 });
	expect(sandbox.createdCount()).toBe(2);
}

describe('a forgotten --set', () => {
	test('orders nothing again: every row is changed, keeps its brief, and the exit code is 1', async () => {
		await ordered(...TERMS);
		const before = desk.results();
		const { code, out } = await run();
		expect([code, sandbox.createdCount()]).toEqual([1, 2]);
		expect(out).toMatch(
			/row 3 +changed +Mug +campaign_terms: was “10 % off until Friday” \(from --set of the run of \d+ \w+ \d{4}\), now empty/,
		);
		const again = `brief-batch run products.csv ${FAST.join(' ')} --order-changed`;
		expect(out).toContain(`; to order them again: ${again} 2-3\n`);
		expect((await desk.run(['status'])).out).toContain(`${again} 2-3\n`);
		expect(statuses()).toEqual(['changed', 'changed']);
		for (const [index, row] of desk.results().entries()) {
			const { brief_id, brief_title, brief_url, brief_file } = before[index]!;
			expect(row).toMatchObject({ brief_id, brief_title, brief_url, brief_file });
			expect(row.brief_error).toContain(`${again} ${index + 2}`);
		}
		const pasted = /brief-batch (run .*)$/.exec(desk.results()[1]?.brief_error ?? '')?.[1] ?? '';
		expect(await desk.run(pasted.split(' '))).toMatchObject({ code: 1 });
		expect([sandbox.createdCount(), statuses()]).toEqual([3, ['changed', 'ready']]);
	});

	test('is seen by plan, which calls no row ready to go', async () => {
		await ordered(...TERMS);
		desk.csv('products.csv', [...ROWS, 'Spoon,,chefs,c']);
		const { code, out } = await plan();
		expect(code).toBe(1);
		expect(out).toMatch(/row 2 +changed +Brush +campaign_terms: was/);
		expect(out).toMatch(/row 4 +new +Spoon/);
		expect(out).toMatch(/new +1\n/);
		expect(out).toMatch(
			/changed +2 +ordered before with other content: put them back, .* --order-changed 2-3\n/,
		);
		expect(out).toMatch(/this run takes +1\n/);
		expect(out).not.toContain('ready to go');
		const { out: json } = await plan('--json');
		expect(JSON.parse(json)).toMatchObject({
			event: 'plan',
			new: 1,
			changed: 2,
			ready_to_go: 1,
			by_row: [{ is: 'changed' }, { is: 'changed' }, { row: 4, is: 'new' }],
		});
	});

	test('given again, all is done as before', async () => {
		await ordered(...TERMS);
		await run();
		expect(await run(...TERMS)).toMatchObject({ code: 0 });
		expect([sandbox.createdCount(), statuses()]).toEqual([2, ['ready', 'ready']]);
	});

	test('names a few of many rows in plan, and counts the others', async () => {
		const rows = Array.from({ length: 25 }, (_, i) => `Product ${i},,chefs,b`);
		desk.csv('products.csv', [ROWS[0]!, ...rows]);
		await run(...TERMS);
		const { out } = await plan();
		expect(out.match(/changed +Product/g)).toHaveLength(20);
		expect(out).toContain('… and 5 more changed rows.');
	});
});

test('a column that is given a known header changes the rows, and pays for none', async () => {
	await ordered();
	desk.csv('products.csv', edited('Note', 'Goal'));
	const { code, out } = await run();
	expect([code, sandbox.createdCount()]).toEqual([1, 2]);
	expect(out).toMatch(/row 2 +changed +Brush +objective: was empty, now “a”/);
});

test('an edited cell changes its row alone; a new row and a further audience beside it are ordered', async () => {
	await ordered();
	const rows = edited('Mug,,chefs', 'Mug,,bakers');
	desk.csv('products.csv', [...rows, 'Spoon,,chefs,c', 'Brush,1729000001,students,d']);
	const { code } = await run();
	expect([code, sandbox.createdCount()]).toEqual([1, 4]);
	expect(statuses()).toEqual(['ready', 'changed', 'ready', 'ready']);
	desk.csv('products.csv', ROWS);
	expect(await run()).toMatchObject({ code: 0 });
	expect(sandbox.createdCount()).toBe(4);
});

describe('--order-changed', () => {
	test('orders changed rows again, once; the runs after it need it no more', async () => {
		await ordered(...TERMS);
		const { out } = await plan('--order-changed');
		expect(out).toMatch(/changed +2 +ordered before with other content, and now again/);
		expect(out).toMatch(/this run takes +2\n/);
		expect(await run('--order-changed', '--yes')).toMatchObject({ code: 0 });
		expect([sandbox.createdCount(), statuses()]).toEqual([4, ['ready', 'ready']]);
		expect(await run()).toMatchObject({ code: 0 });
		expect(sandbox.createdCount()).toBe(4);
		expect(await plan()).toMatchObject({ code: 0 });
	});
});

test('failed.csv, run as it is, holds only a part: what is not in it is not gone', async () => {
	desk.csv('products.csv', [
		ROWS[0]!,
		'Brush,1729000001,parents,a',
		'Brush (discontinued),1729000001,students,b',
	]);
	expect(await run()).toMatchObject({ code: 1 });
	const failed = join('briefs', 'failed.csv');
	const file = join(desk.folder, failed);
	expect(readFileSync(file, 'utf8')).toContain('students');
	appendFileSync(file, 'Brush,1729000001,chefs,c\n');
	const { out } = await desk.run(['run', failed, ...FAST]);
	expect(out).not.toContain('changed');
	expect(sandbox.createdCount()).toBe(3);
});

test('deferred.csv, run again without its --set after its rows were ordered, orders none again', async () => {
	desk.csv('products.csv', ROWS);
	sandbox.options.allowance = 1;
	expect(await run(...TERMS)).toMatchObject({ code: 3 });
	const deferred = readFileSync(join(desk.folder, 'briefs', 'deferred.csv'), 'utf8');
	sandbox.options.allowance = 100;
	expect(await run(...TERMS)).toMatchObject({ code: 0 });
	const before = desk.results();
	desk.csv('deferred.csv', deferred.trim().split('\n'));
	const planned = await desk.run(['plan', 'deferred.csv']);
	expect(planned.code).toBe(1);
	expect(planned.out).toMatch(/changed +1 /);
	for (let times = 0; times < 2; times += 1) {
		const { code, out } = await desk.run(['run', 'deferred.csv', ...FAST]);
		expect([code, sandbox.createdCount()]).toEqual([1, 2]);
		expect(out).toMatch(/row 2 +changed +Mug +campaign_terms: was “10 % off until Friday”/);
		expect(statuses()).toEqual(['ready', 'changed']);
		expect(desk.results()[1]?.brief_id).toBe(before[1]?.brief_id);
	}
	expect(await run(...TERMS)).toMatchObject({ code: 0 });
	expect(desk.results()).toEqual(before);
});
