import { formatDay } from './dates';

// Parts of messages that both front ends use.

/** Returns 1,204. `toLocaleString` would load the data of all languages, which takes longer than a short command. */
export function formatNumber(n: number): string {
	return String(n).replace(/\B(?=(?:\d{3}){1,5}$)/g, ',');
}

/** Returns “1 row” or “1,204 rows”. */
export function formatCount(n: number, noun: string, nouns = `${noun}s`): string {
	return `${formatNumber(n)} ${n === 1 ? noun : nouns}`;
}

/** Returns the first eight characters of a brief's ID. Two briefs can share them. */
export function toShortId(briefId: string): string {
	return briefId.slice(0, 8);
}

/** @param end when the licence renews or ends */
export function describeLicenceEnd(end: number): string {
	return `The licence renews or ends on ${formatDay(end)} ${new Date(end).getUTCFullYear()} (UTC).`;
}

/** Returns the sentence if the licence renews or ends within this time, and an empty text otherwise. */
export function describeNearLicenceEnd(end: number | null, now: number, withinMs: number): string {
	return end !== null && end >= now && end - now <= withinMs ? describeLicenceEnd(end) : '';
}
