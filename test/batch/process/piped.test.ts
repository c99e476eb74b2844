import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { deskOf, type Desk } from '../../support/batch/brief-batch';

jest.setTimeout(60_000);

const piped = (desk: Desk, file: string, args: string) =>
	desk.start(args, {}, ['sh', '-c', `cat ${file} | "$@"`, 'sh']).ended;

test('a CSV can be piped in, again and as a file, and is paid for once', async () => {
	const desk = await deskOf(3, { allowance: 2 });
	const plan = await piped(desk, 'products.csv', 'plan - --batch shop');
	expect([plan.code, plan.err]).toEqual([3, '']);
	expect(plan.out).toContain('batch “shop”');
	expect((await piped(desk, 'products.csv', 'run - --batch shop')).code).toBe(3);
	desk.sandbox.options.allowance = 100;
	expect((await desk.order()).code).toBe(0);
	desk.expectPaid(3);
	expect(desk.statuses()).toEqual(['ready', 'ready', 'ready']);
});

test.each([
	['what it prints', '"$@" 2>&1', 0],
	['its errors', '"$@" --map x 2>&1 >/dev/null', 2],
])('whoever stops reading %s changes nothing', async (_, command, code) => {
	const desk = await deskOf(1);
	const via = ['sh', '-c', `{ ${command}; echo $? > code; } | :`, 'sh'];
	await desk.start('run products.csv', {}, via).ended;
	expect(desk.read('code')).toBe(`${code}\n`);
});

describe('a pipe that is named as a file', () => {
	const substituted = (desk: Desk, args: string, options: string) =>
		desk.start([], {}, ['bash', '-c', `"$@" ${args} <(cat products.csv) ${options}`, 'bash']).ended;

	test('needs the name of its batch, and is paid for once', async () => {
		const desk = await deskOf(2);
		const unnamed = await substituted(desk, 'run', '');
		expect([unnamed.code, unnamed.err]).toEqual([2, expect.stringContaining('one with --batch')]);
		const named = () => substituted(desk, 'run', '--batch products.csv');
		expect([(await named()).code, (await named()).code]).toEqual([0, 0]);
		expect((await desk.order()).code).toBe(0);
		desk.expectPaid(2);
	});

	test('is waited for, which is said, until the command is interrupted', async () => {
		const desk = await deskOf(1);
		execFileSync('mkfifo', [desk.path('empty.csv')]);
		const waiting = desk.start('plan empty.csv --batch shop');
		while (!waiting.printed.err.includes('“empty.csv” is a pipe, and nothing has come'))
			await once(waiting.child.stderr!, 'data');
		expect((await waiting.kill('SIGINT')).code).toBe(130);
	});
});
