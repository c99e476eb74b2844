import { withFailedPoll, type Trouble } from '../../nodes/CreatorBriefingTrigger/trouble';
import { isTransient, type ErrorKind } from '../../service/api/errors';
import { MINUTE } from '../support/time';

/** The minutes at which polls that fail so, one a minute, are reported. */
function reportedAt(kinds: readonly ErrorKind[]): number[] {
	let trouble: Trouble | null = null;
	return kinds.flatMap((kind, minute) => {
		const met = withFailedPoll(
			trouble,
			{ code: kind, mayPass: isTransient(kind) },
			minute * MINUTE,
		);
		({ trouble } = met);
		return met.isReported ? [minute] : [];
	});
}

const times = (count: number, kind: ErrorKind) => Array<ErrorKind>(count).fill(kind);

describe('polls that fail', () => {
	const [down, odd]: ErrorKind[] = ['service_unavailable', 'unreadable_answer'];

	it.each([
		['for a quarter of an hour are reported once', times(60, down!), [15]],
		['for less than that are not reported', times(15, down!), []],
		[
			'in another way are reported once more, and not each time it changes',
			[...times(20, down!), ...times(5, odd!), ...times(5, down!), ...times(5, odd!)],
			[15, 20],
		],
	])('%s', (_, kinds, reported) => {
		expect(reportedAt(kinds)).toEqual(reported);
	});

	it.each(['key_refused', 'scope_missing', 'licence_missing', 'allowance_used_up'] as const)(
		'because of what only a person can cure are reported at once, and once: %s',
		(kind) => {
			expect(reportedAt(times(60, kind))).toEqual([0]);
			expect(reportedAt([...times(3, 'service_unavailable'), ...times(20, kind)])).toEqual([3]);
		},
	);
});
