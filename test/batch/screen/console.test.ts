import type { PassThrough } from 'node:stream';
import type { RunEvent } from '../../../batch/events';
import { openConsole } from '../../../batch/screen/console';
import type { ConsoleOptions } from '../../../batch/settings/options';
import { reported } from '../../support/batch/run-events';
import { streamsOf } from '../../support/batch/streams';

describe('what a run says', () => {
	const events = [reported.accepted(2, 'A'), reported.failed(3, 'B', 'No')];

	async function said(
		options: ConsoleOptions,
		env: NodeJS.ProcessEnv = {},
		columns?: number,
		given = events,
	) {
		const { streams, text } = streamsOf(env, columns);
		const console = openConsole(streams, options);
		for (const event of given) console.events.emit(event);
		console.say('Done.');
		console.json({ event: 'done' });
		console.close();
		await new Promise(setImmediate);
		return text.out;
	}

	test.each([
		[undefined, '12 minutes'],
		['1', '24 minutes'],
	])(
		'on a terminal with the time left, for the slots it may use: --leave-slots %s',
		async (leaveSlots, left) => {
			const started = reported.started({ rows: 9, to_create: 9, to_resume: 0, done: 0 });
			const given = [started, ...[2, 3, 4].map((row) => reported.ready(row))];
			expect(await said({ leaveSlots }, {}, 160, given)).toContain(`about ${left} left`);
		},
	);

	test('into a log as lines with the time and its zone', async () => {
		const out = await said({});
		expect(out).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ {2}row 2 +ordered +A/);
		expect(out).toMatch(/^Done\.$/m);
		expect(out).not.toContain('\u001b');
	});

	test('with --json of an order that the service took, and of none that it refused', async () => {
		const ordered = (row: number): RunEvent => ({
			event: 'brief_ordered',
			row,
			product_name: 'A',
			key: `k${row}`,
		});
		const adopted = { ...reported.accepted(4, 'A', true), taken_over: true } as RunEvent;
		const given = [
			...[ordered(2), ordered(3), reported.failed(2), reported.accepted(3)],
			...[ordered(4), adopted, ordered(5)],
		];
		const lines = (await said({ json: true }, {}, undefined, given)).trimEnd().split('\n');
		const events = lines.map((line) => JSON.parse(line) as { event: string; row?: number });
		expect(events.map(({ event, row }) => `${event} ${row}`)).toEqual([
			...['row_failed 2', 'brief_ordered 3', 'brief_accepted 3', 'brief_accepted 4'],
			'done undefined',
		]);
	});

	test('onto a terminal in colours, unless it is asked for none', async () => {
		const red = '\u001b[31m';
		expect(await said({}, {}, 80)).toContain(red);
		expect(await said({}, { NO_COLOR: '1' }, 80)).not.toContain(red);
		expect(await said({ color: false }, {}, 80)).not.toContain(red);
		expect(await said({}, { NO_COLOR: '' }, 80)).toContain(red);
		expect(await said({}, { TERM: 'dumb' }, 80)).not.toContain('\u001b');
	});
});

describe('a question on a terminal', () => {
	async function answer(keys: string, controller = new AbortController()) {
		const { streams } = streamsOf({}, 80);
		Object.assign(streams.in, { isTTY: true });
		const { signal: interruption } = controller;
		const console = openConsole({ ...streams, interruption }, { quiet: true });
		const onInterrupt = () => controller.abort();
		process.once('SIGINT', onInterrupt);
		const asked = console.confirm('Go on?');
		(streams.in as unknown as PassThrough).write(keys);
		return await asked.finally(() => process.off('SIGINT', onInterrupt));
	}

	test.each([
		['y\n', true],
		['Yes\n', true],
		['n\n', false],
		['\n', false],
		['\u0004', false],
	])('answered with %j is %s', async (keys, is) => {
		expect(await answer(keys)).toBe(is);
	});

	test('is interrupted by Ctrl-C, and by a signal', async () => {
		await expect(answer('\u0003')).rejects.toMatchObject({ name: 'AbortError' });
		const controller = new AbortController();
		setImmediate(() => controller.abort());
		await expect(answer('', controller)).rejects.toMatchObject({ name: 'AbortError' });
	});
});
