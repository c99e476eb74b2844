import { SlotPatience, type SlotWaitReport } from '../../../service/watch/slots';
import { Workspace } from '../../../service/watch/workspace';
import { anError } from '../../support/builders';
import { HOUR, MINUTE } from '../../support/time';

function patience(timeout = 30 * MINUTE) {
	const clock = { time: 1e12, now: () => clock.time };
	const reported: SlotWaitReport[] = [];
	const report = (wait: SlotWaitReport) => reported.push(wait);
	const waits = new SlotPatience(new Workspace(), clock, timeout, report);
	const pass = (ms: number) => {
		for (let left = ms; left > 0; left -= 15_000) {
			clock.time += 15_000;
			waits.sawNone();
		}
	};
	return { clock, reported, waits, pass };
}

describe('a wait for a slot', () => {
	test('is over after four time-outs, and says until when from its start', () => {
		const { waits, pass, reported, clock } = patience();
		const start = clock.now();
		waits.sawNone();
		expect(reported).toEqual([
			{ since: start, until: start + 2 * HOUR, cause: 'taken', holders: [] },
		]);
		pass(2 * HOUR - 15_000);
		expect(waits.isOver).toBe(false);
		pass(15_000);
		expect(waits.isOver).toBe(true);
		expect(waits.report()).toMatchObject({ since: start, until: clock.now() });
	});

	test('that has not begun would begin now, because the slots are taken', () => {
		const { waits, clock } = patience();
		const until = clock.now() + 2 * HOUR;
		expect(waits.report()).toEqual({ since: clock.now(), until, cause: 'taken', holders: [] });
	});

	test('is reported at once, then at growing intervals, then each hour', () => {
		const { waits, pass, reported, clock } = patience(24 * HOUR);
		const start = clock.now();
		const times: number[] = [];
		waits.sawNone();
		for (let minute = 0; minute <= 200; minute += 1) {
			while (times.length < reported.length) times.push((clock.now() - start) / MINUTE);
			pass(MINUTE);
		}
		expect(times).toEqual([0, 1, 2, 5, 10, 20, 40, 60, 120, 180]);
	});

	test.each([
		['a brief', null],
		['a refusal of the input', anError('invalid_input')],
		['a refusal for the allowance', anError('allowance_used_up')],
	])('ends with an answer that says that a slot was free: %s', (_, answer) => {
		const { waits, pass, reported } = patience();
		waits.sawNone();
		pass(2 * HOUR);
		waits.createAnswered(answer);
		expect(waits.isOver).toBe(false);
		const before = reported.length;
		waits.sawNone();
		expect(reported).toHaveLength(before + 1);
	});

	test.each(['rate_limited', 'in_doubt', 'service_unavailable', 'slots_busy'] as const)(
		'goes on after an answer that says nothing of the kind: %s',
		(kind) => {
			const { waits, pass } = patience();
			waits.sawNone();
			pass(2 * HOUR);
			waits.createAnswered(anError(kind));
			expect(waits.isOver).toBe(true);
		},
	);

	test('goes on with refusals alone, and says so', () => {
		const { waits, reported, clock } = patience();
		waits.createAnswered(anError('slots_busy'));
		for (let minute = 0; minute < 120; minute += 1) {
			clock.time += MINUTE;
			waits.createAnswered(anError('slots_busy'));
		}
		expect(reported[0]?.cause).toBe('refused');
		expect(waits.isOver).toBe(true);
	});
});
