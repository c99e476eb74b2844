import { startSandbox, type Sandbox } from '../../../sandbox/sandbox';
import { Desk, FAST, products } from '../../support/batch/brief-batch';

jest.setTimeout(60_000);

let sandbox: Sandbox;
let desk: Desk;

beforeEach(async () => {
	sandbox = await startSandbox({
		speed: 1000,
		seed: 'piped',
		failureShare: 0,
		requestsPerMinute: 0,
		allowance: 100,
	});
	desk = new Desk(sandbox);
});

afterEach(async () => {
	await sandbox.close();
	desk.remove();
});

const piped = (file: string, args: string[]) =>
	desk.run(args, {}, ['sh', '-c', `cat ${file} | "$@"`, 'sh']);

const NAMED = ['--batch', 'shop', ...FAST];

test('a CSV that is piped in is planned and run, and piped in again it is paid for once', async () => {
	const csv = desk.csv('products.csv', products(3));
	const plan = await piped(csv, ['plan', '-', ...NAMED]);
	expect([plan.code, plan.err]).toEqual([0, '']);
	expect(plan.out).toContain('batch “shop”');
	expect((await piped(csv, ['run', '-', '--max', '2', ...NAMED])).code).toBe(3);
	const again = await piped(csv, ['run', '-', ...NAMED]);
	expect([again.code, again.err]).toEqual([0, '']);
	expect(sandbox.createdCount()).toBe(3);
	expect(desk.results().map(({ brief_status: status }) => status)).toEqual(
		Array<string>(3).fill('ready'),
	);
	// Its keys come from the name of the batch, so that the CSV may be named as a file as well.
	expect((await desk.run(['run', csv, ...FAST])).code).toBe(0);
	expect(sandbox.createdCount()).toBe(3);
});

test('the deferred rows of a folder can be piped in too, without a name for their batch', async () => {
	sandbox.options.allowance = 1;
	const csv = desk.csv('products.csv', products(3));
	expect((await desk.run(['run', csv, ...FAST])).code).toBe(3);
	sandbox.options.allowance = 100;
	expect((await piped('briefs/deferred.csv', ['run', '-', ...FAST])).code).toBe(0);
	expect(sandbox.createdCount()).toBe(3);
});

test('without --batch, and without anything piped in, it ends with 2', async () => {
	const csv = desk.csv('products.csv', products(1));
	const unnamed = await piped(csv, ['run', '-', ...FAST]);
	expect(unnamed.code).toBe(2);
	expect(unnamed.err).toContain('Give it one with --batch');
	expect((await desk.run(['plan', '-', ...NAMED])).err).toContain('Standard input is empty');
	expect(desk.exists('briefs')).toBe(false);
});

test('a header without rows ends with 0, for plan and for run', async () => {
	const csv = desk.csv('products.csv', ['Product Name,SKU']);
	const plan = await desk.run(['plan', csv, ...FAST]);
	expect([plan.code, plan.out]).toEqual([0, expect.stringContaining('nothing to order')]);
	const run = await desk.run(['run', csv, ...FAST]);
	expect([run.code, run.out]).toEqual([0, expect.stringContaining('nothing to order')]);
	expect(desk.results()).toEqual([]);
});
