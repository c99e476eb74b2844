/** No form of a date is longer. */
const MAX_LENGTH = 100;
/** Smaller numbers are seconds since 1970: as milliseconds they would be before 1973. */
const MIN_MILLISECONDS = 100_000_000_000;
/** Larger numbers are micro- or nanoseconds: as milliseconds they would be after the year 5000. */
const MIN_MICROSECONDS = 100_000_000_000_000;

const ISO =
	/^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2})?)(?:[.,](\d{1,3})\d*)?(?: ?(?:Z|UTC|GMT|([+-]\d{2})(?::?(\d{2}))?))?)?$/i;
/** All other dates name their month (RFC 1123, RFC 850, asctime) or begin with the year. */
const OTHER_DATE =
	/\b(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)|^\d{4}\/\d{1,2}\/\d{1,2}\b/i;
const ZONE = /(\b(GMT|UTC?|Z|[ECMP][SD]T)|[+-]\d{2}:?\d{2})( \([^()]*\))?$/i;

/**
 * Returns a timestamp of the service in milliseconds since 1970, or null if it cannot be read. docs/api.md shows no format,
 * so ISO 8601, RFC 1123, and seconds or milliseconds as a number or as digits are read. A time without a zone is UTC,
 * because the service counts in UTC (docs/api.md 2.1).
 */
export function parseTimestamp(value: unknown): number | null {
	if (typeof value === 'number') return toMilliseconds(value);
	if (typeof value !== 'string' || value.length > MAX_LENGTH) return null;
	const text = value.trim();
	if (/^\d{9,}(\.\d+)?$/.test(text)) return toMilliseconds(Number(text));
	const iso = ISO.exec(text);
	if (iso !== null) {
		const [, day = '', time = '00:00', fraction = '', hours = '+00', minutes = '00'] = iso;
		const seconds = time.length === 5 ? `${time}:00` : time;
		return parseDate(`${day}T${seconds}.${fraction.padEnd(3, '0')}${hours}:${minutes}`);
	}
	// Date.parse accepts more than dates: "120" would be the year 120, and "foo 2026" New Year.
	if (!OTHER_DATE.test(text)) return null;
	return parseDate(ZONE.test(text) ? text : `${text} GMT`);
}

function parseDate(text: string): number | null {
	const time = Date.parse(text);
	return Number.isNaN(time) ? null : time;
}

function toMilliseconds(value: number): number | null {
	if (!Number.isFinite(value) || value <= 0) return null;
	if (value < MIN_MILLISECONDS) return value * 1000;
	let milliseconds = value;
	while (milliseconds >= MIN_MICROSECONDS) milliseconds /= 1000;
	return milliseconds;
}
