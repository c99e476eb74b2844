/** Numbers below this are seconds since 1970, not milliseconds: as milliseconds they would lie in early 1973. */
const FIRST_MILLISECONDS = 100_000_000_000;

/**
 * The instant (milliseconds since 1970) that a timestamp of the service names, or null where it names none.
 * API.md shows no format, so ISO 8601, RFC 1123, and seconds or milliseconds as a number or as digits are all read.
 * An ISO date and time without a zone is taken as UTC: the service counts in UTC (API.md section 2.1).
 */
export function instantOf(value: unknown): number | null {
	if (typeof value === 'number')
		return Number.isFinite(value) && value > 0 ? fromNumber(value) : null;
	if (typeof value !== 'string') return null;
	const text = value.trim();
	if (text === '') return null;
	if (/^\d{9,}(\.\d+)?$/.test(text)) return fromNumber(Number(text));
	// Not everything that Date.parse accepts is a date: "120" would become the year 120.
	if (!/\d{4}/.test(text) || /^\d+$/.test(text)) return null;
	const zoneless = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(:\d{2}([.,]\d+)?)?$/.test(text);
	const parsed = Date.parse(zoneless ? `${text.replace(' ', 'T').replace(',', '.')}Z` : text);
	return Number.isNaN(parsed) ? null : parsed;
}

function fromNumber(value: number): number {
	return value < FIRST_MILLISECONDS ? value * 1000 : value;
}
