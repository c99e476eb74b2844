import { instantOf } from '../../service/timestamps';

/** The form of a time, in words: what it says is nobody's business here. */
export function formOfTime(value: unknown): string {
	if (value === null) return 'null';
	if (value === undefined) return 'missing';
	if (typeof value === 'number') return `a number: ${sinceEpoch(value)}`;
	if (typeof value !== 'string' || instantOf(value) === null)
		return 'nothing that can be read as a time';
	if (/^\d+(\.\d+)?$/.test(value)) return `digits: ${sinceEpoch(Number(value))}`;
	const iso = /^\d{4}-\d{2}-\d{2}([T ][\d:]+([.,]\d+)?)?(.*)$/.exec(value);
	if (iso === null) return /^[a-z]{3}, /i.test(value) ? 'RFC 1123' : 'a date in words';
	const [, time, fraction = '', zone = ''] = iso;
	if (time === undefined) return 'ISO 8601, a date alone';
	const digits = fraction === '' ? 'to the second' : `with ${fraction.length - 1} decimals`;
	return `ISO 8601, ${digits}, ${zoneIn(zone)}`;
}

function zoneIn(zone: string): string {
	if (zone === '') return 'without a zone';
	return /^ ?(z|utc|gmt)$/i.test(zone) ? 'in UTC' : `with the offset ${zone.trim()}`;
}

function sinceEpoch(value: number): string {
	const instant = instantOf(value);
	if (instant === null) return 'no time';
	if (instant === value * 1000) return 'seconds since 1970';
	return instant === value ? 'milliseconds since 1970' : 'micro- or nanoseconds since 1970';
}

/** What a value of unknown structure is made of: names of fields, and no content. */
export function formOfValue(value: unknown): string {
	if (Array.isArray(value)) {
		if (value.length === 0) return 'an empty list';
		return `a list of ${distinct(value.map(formOfValue)).join(' or ')}`;
	}
	if (value === null || value === undefined) return 'null';
	if (typeof value === 'object') {
		const names = Object.keys(value);
		return names.length === 0 ? 'an empty object' : `an object with ${listed(names)}`;
	}
	return typeof value === 'string' ? 'text' : typeof value;
}

export function distinct(texts: readonly string[]): string[] {
	return [...new Set(texts)];
}

/** Longer lists, and longer names, are no names of fields. */
const SHOWN = { names: 20, length: 40 };

export function listed(names: readonly string[]): string {
	const shown = names.slice(0, SHOWN.names).map((name) => name.slice(0, SHOWN.length));
	return names.length > SHOWN.names ? `${shown.join(', ')} and more` : shown.join(', ');
}
