// The allowance is counted per calendar month in UTC (docs/api.md 8). Instants are milliseconds since 1970.

export function monthStart(instant: number): number {
	const date = new Date(instant);
	return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1);
}

export function nextMonthStart(instant: number): number {
	const date = new Date(instant);
	return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1);
}

export const MONTHS = [
	...['January', 'February', 'March', 'April', 'May', 'June', 'July'],
	...['August', 'September', 'October', 'November', 'December'],
];

/** Returns “1 December”, in UTC. `toLocaleDateString` would load the data of all languages. */
export function formatDay(instant: number): string {
	const date = new Date(instant);
	return `${date.getUTCDate()} ${MONTHS[date.getUTCMonth()] ?? ''}`;
}
