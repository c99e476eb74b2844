import { startSandbox, type Sandbox } from '../../../sandbox/sandbox';
import { Desk, FAST, products } from '../../support/batch/brief-batch';

jest.setTimeout(120_000);

let sandbox: Sandbox;
const desks: Desk[] = [];

afterEach(async () => {
	await sandbox.close();
	for (const desk of desks.splice(0)) desk.remove();
});

function deskOf(): Desk {
	const desk = new Desk(sandbox);
	desks.push(desk);
	return desk;
}

test('two runs on two folders that start in the same moment have three briefs accepted at most', async () => {
	sandbox = await startSandbox({
		speed: 300,
		seed: 'slots',
		failureShare: 0,
		requestsPerMinute: 0,
		thirdBrief: 'queue',
	});
	let most = 0;
	const watch = setInterval(() => {
		const open = sandbox.briefs().filter(({ status }) => status !== 'ready');
		most = Math.max(most, open.length);
	}, 5);
	const ended = await Promise.all(
		['One', 'Other'].map(async (name) => {
			const desk = deskOf();
			const lines = products(4).map((line) => line.replace(/^Product (\d)/, `${name} $1`));
			return await desk.run(['run', desk.csv(`${name}.csv`, lines), ...FAST]);
		}),
	);
	clearInterval(watch);
	expect(ended.map(({ code }) => code)).toEqual([0, 0]);
	expect(sandbox.createdCount()).toBe(8);
	expect(most).toBeGreaterThan(1);
	expect(most).toBeLessThanOrEqual(3);
});

test('a run whose slots never come free says for what it waits, and ends with 5', async () => {
	sandbox = await startSandbox({
		speed: 60,
		seed: 'slots',
		failureShare: 0,
		requestsPerMinute: 0,
	});
	const blockers = [1, 2].map(() => sandbox.addBrief({ durationMs: 1e10 }));
	const desk = deskOf();
	const csv = desk.csv('products.csv', products(2));
	const { code, out } = await desk.run(['run', csv, ...FAST, '--timeout', '0.01']);
	expect(out).toContain('Waiting for a slot since');
	expect(out).toContain('Nothing could be ordered since');
	for (const { id } of blockers) expect(out).toContain(id);
	expect(code).toBe(5);
	const json = await desk.run(['run', csv, ...FAST, '--timeout', '0.01', '--json']);
	const events = json.out
		.trim()
		.split('\n')
		.map((line) => JSON.parse(line) as { event: string });
	expect(events.find(({ event }) => event === 'waiting_for_slot')).toMatchObject({
		briefs: [{ ours: false }, { ours: false }],
	});
});
