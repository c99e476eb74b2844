import { CLOCK_DIFFERENCE_MS } from '../api/assumptions';

// The allowance is counted per calendar month in UTC (docs/api.md 8). Instants are milliseconds since 1970.

export function monthStart(instant: number): number {
	const date = new Date(instant);
	return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1);
}

export function nextMonthStart(instant: number, months = 1): number {
	const date = new Date(instant);
	return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months, 1);
}

/**
 * Says how long to hold creates back at this instant. Near the turn of a month it is not known in which month a create
 * would count.
 */
export function monthTurnWait(instant: number): number {
	// The turn that is near, before or after this instant, or one long past.
	const turn = monthStart(instant + CLOCK_DIFFERENCE_MS);
	return Math.max(0, turn + CLOCK_DIFFERENCE_MS - instant);
}

const MONTHS = [
	...['January', 'February', 'March', 'April', 'May', 'June', 'July'],
	...['August', 'September', 'October', 'November', 'December'],
];

/**
 * Writes “1 December 2026”, in UTC and in English on any machine. `toLocaleDateString` would load the data of all
 * languages (docs/decisions.md).
 */
export function dayInWords(instant: number): string {
	return `${dayOfYear(instant)} ${new Date(instant).getUTCFullYear()}`;
}

/** Writes “1 December”. */
export function dayOfYear(instant: number): string {
	return `${new Date(instant).getUTCDate()} ${monthName(instant)}`;
}

/** Writes “December 2026”. */
export function monthInWords(instant: number): string {
	return `${monthName(instant)} ${new Date(instant).getUTCFullYear()}`;
}

function monthName(instant: number): string {
	return MONTHS[new Date(instant).getUTCMonth()] ?? '';
}
