import { spawnSync } from 'node:child_process';
import { installedNode } from '../../harness/install/node-runtime';
import { FastClock, IN_FAST_TIME } from '../support/fast-clock/fast-sandbox';
import { MINUTE } from '../support/time';

/** A process waits for a minute in each way that brief-batch has, and prints what its clocks show. */
const PROGRAM = `
	const { setTimeout: sleep } = require('node:timers/promises');
	const times = () => [Date.now(), +new Date(), performance.now(), Date.parse(new Date())];
	const all = [times()];
	setTimeout(async () => {
		all.push(times());
		await sleep(60_000);
		all.push(times());
		const beat = setInterval(() => {
			clearInterval(beat);
			console.log(JSON.stringify([...all, times(), new Date(0).toISOString()]));
		}, 60_000);
	}, 60_000);
`;

test.each([
	['of this test', process.execPath],
	['that is installed', installedNode()],
])(
	'a program on the Node %s runs fast, and shows the time of all who share the clock',
	(_, node) => {
		const clock = new FastClock(600);
		const before = clock.now();
		const env = { ...process.env, ...clock.env };
		const { stdout, stderr } = spawnSync(node, [...IN_FAST_TIME, '-e', PROGRAM], { env });
		const after = clock.now();
		expect(String(stderr)).toBe('');
		const [first, second, third, last, epoch] = JSON.parse(String(stdout)) as number[][];
		expect(epoch).toBe('1970-01-01T00:00:00.000Z');
		for (const i of [0, 1, 3]) {
			// Clocks of two processes may differ by a moment, which is some seconds here.
			expect(first![i]).toBeGreaterThan(before - 10_000);
			expect(last![i]).toBeLessThan(after + 10_000);
		}
		for (const [earlier, later] of [
			[first, second],
			[second, third],
			[third, last],
		] as const)
			for (const i of [0, 1, 2]) expect(later![i]! - earlier![i]!).toBeGreaterThan(MINUTE - 10_000);
	},
);

test('a program without its variables has the usual time', () => {
	const { stdout } = spawnSync(process.execPath, [
		...IN_FAST_TIME,
		'-p',
		'Date.now() - Date.parse(new Date())',
	]);
	expect(Number(stdout)).toBeLessThan(1000);
});
