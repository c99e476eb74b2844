/** The allowance is counted per calendar month in UTC (API.md section 8). All instants are milliseconds since 1970. */

/** Near the turn of a month nobody can say which month a create will count in, so none is sent (two minutes each side). */
const GUARD_BAND_MS = 120_000;

export function monthStart(instant: number): number {
	const date = new Date(instant);
	return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1);
}

export function nextMonthStart(instant: number): number {
	const date = new Date(instant);
	return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1);
}

/** How long to hold creates back at this instant: 0 outside the guard band around the turn of a month. */
export function monthTurnWait(instant: number): number {
	const start = monthStart(instant);
	if (instant - start < GUARD_BAND_MS) return start + GUARD_BAND_MS - instant;
	const next = nextMonthStart(instant);
	return next - instant <= GUARD_BAND_MS ? next + GUARD_BAND_MS - instant : 0;
}

/** "1 December 2026", in UTC and in English wherever the program runs. */
export function dayInWords(instant: number): string {
	return new Date(instant).toLocaleDateString('en-GB', {
		day: 'numeric',
		month: 'long',
		year: 'numeric',
		timeZone: 'UTC',
	});
}
