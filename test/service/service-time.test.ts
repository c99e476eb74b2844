import { createdByOurClock } from '../../service/service-time';

const NOW = Date.UTC(2026, 10, 10, 12);
const clock = (now: number) => ({ now: () => now });

describe('when a brief was created, by this machine’s clock', () => {
	const created = (created_at: unknown, ahead = 0) =>
		createdByOurClock({ created_at }, clock(NOW + ahead), clock(NOW));

	test.each([0, 3_600_000, -3_600_000])(
		'counts from the service’s clock, which is %i ms ahead of this machine’s',
		(ahead) => {
			const at = new Date(NOW + ahead - 60_000).toISOString();
			expect(created(at, ahead)).toBe(NOW - 60_000);
		},
	);

	test('is never in the future, and not known where it cannot be read', () => {
		expect(created(NOW + 5000)).toBe(NOW);
		expect(created('a moment ago')).toBeNull();
		expect(created(undefined)).toBeNull();
	});
});
