import { openConsole } from '../../../batch/screen/console';
import type { RawOptions } from '../../../batch/settings/options';
import { ROWS_TO_DO } from '../../support/batch/journal-events';
import { told, ToldRun } from '../../support/batch/run-events';
import { streamsOf } from '../../support/batch/streams';

describe('what a run says', () => {
	const events = [told.accepted(2, 'A'), told.failed(3, 'B', 'no')];

	async function said(
		options: Partial<RawOptions>,
		env: NodeJS.ProcessEnv = {},
		columns?: number,
		given = events,
	) {
		const { streams, text } = streamsOf(env, columns);
		const console = openConsole(streams, options);
		new ToldRun(console).tell(...given);
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
			const started = told.started({ rows: { ...ROWS_TO_DO, all: 9, to_order: 9 } });
			const given = [started, ...[2, 3, 4].flatMap((row) => told.ready(row))];
			expect(await said({ leaveSlots }, {}, 160, given)).toContain(`about ${left} left`);
		},
	);

	test('into a log as lines with the time and its zone', async () => {
		const out = await said({});
		expect(out).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ {2}row 2 +ordered +A/);
		expect(out).toMatch(/^Done\.$/m);
		expect(out).not.toContain('\u001b');
	});

	test('with --json a line each, as the journal has it, with the row and its product', async () => {
		const given = [told.accepted(3), told.failed(3)];
		const lines = (await said({ json: true }, {}, undefined, given)).trimEnd().split('\n');
		const told3 = { key: 'k3', row: 3, product_name: 'Glow Serum' };
		expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([
			{ ...told3, event: 'accepted', paid: true, brief: { id: 'b' } },
			{ ...told3, event: 'ended', brief: { status: 'failed', error_code: 'c' } },
			{ event: 'done' },
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

test('a question on a terminal ends with a signal', async () => {
	const { streams } = streamsOf({}, 80);
	Object.assign(streams.in, { isTTY: true });
	const controller = new AbortController();
	const { signal: interruption } = controller;
	const asked = openConsole({ ...streams, interruption }, { quiet: true }).confirm('Go on?');
	setImmediate(() => controller.abort());
	await expect(asked).rejects.toMatchObject({ name: 'AbortError' });
});
