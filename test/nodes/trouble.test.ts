import { withFailedPoll, type Trouble } from '../../nodes/CreatorBriefingTrigger/trouble';
import { isTransient, type ErrorKind } from '../../service/errors';

const MINUTE = 60_000;

/** The minutes at which polls that fail so, one a minute, are told. */
function toldAt(kinds: readonly ErrorKind[]): number[] {
	let trouble: Trouble | null = null;
	return kinds.flatMap((kind, minute) => {
		const met = withFailedPoll(
			trouble,
			{ code: kind, mayPass: isTransient(kind) },
			minute * MINUTE,
		);
		({ trouble } = met);
		return met.isTold ? [minute] : [];
	});
}

const times = (count: number, kind: ErrorKind) => Array<ErrorKind>(count).fill(kind);

describe('polls that fail', () => {
	it('for an hour are told once, when it has lasted for a quarter of an hour', () => {
		expect(toldAt(times(60, 'service_unavailable'))).toEqual([15]);
	});

	it('for less than that are not told', () => {
		expect(toldAt(times(15, 'rate_limited'))).toEqual([]);
	});

	it('are told once more when it is of another kind, and not each time it changes', () => {
		const changing = [
			...times(20, 'service_unavailable'),
			...times(5, 'unreadable_answer'),
			...times(5, 'service_unavailable'),
			...times(5, 'unreadable_answer'),
		];
		expect(toldAt(changing)).toEqual([15, 20]);
	});

	it.each(['key_refused', 'scope_missing', 'licence_missing', 'allowance_used_up'] as const)(
		'because of what only a person can cure are told at once, and once: %s',
		(kind) => {
			expect(toldAt(times(60, kind))).toEqual([0]);
			expect(toldAt([...times(3, 'service_unavailable'), ...times(20, kind)])).toEqual([3]);
		},
	);
});
