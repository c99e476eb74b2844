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

test('a pipe that is named as a file is refused, with what to write instead', async () => {
	const desk = await deskOf(1);
	const command = '"$@" run <(cat products.csv) --batch shop';
	const { code, err } = await desk.start([], {}, ['bash', '-c', command, 'bash']).ended;
	expect([code, err]).toEqual([2, expect.stringContaining('is a pipe, not a file.')]);
	expect(err).toContain('brief-batch plan - --batch NAME');
	desk.expectPaid(0);
});
