import { isLoopback, readBaseUrl } from '../../service/api/connection';
import type { Records } from '../folder/records';
import { Stop } from '../stop';

export function noAddress(): Stop {
	return new Stop(
		'The address of the service is not set.',
		'Set CREATOR_BRIEFING_BASE_URL (or --base-url) to it, with its /v1 at the end. The vendor’s documentation shows it.',
	);
}

/** Gives the address of the service, checked without a request. */
export function readAddress(text: string | undefined): string {
	if (text === undefined || text.trim() === '') throw noAddress();
	const read = readBaseUrl(text);
	if ('what' in read) throw new Stop(`--base-url: ${read.what}.`, read.cure);
	return read.baseUrl;
}

function hostOf(address: string): string {
	return URL.canParse(address) ? new URL(address).host : address;
}

/**
 * Refuses the folder of another service: rows that have a brief of a sandbox would count as done, and never get a real
 * one. The path may change: a first run with a wrong one must not spoil the folder, and a wrong workspace is found out
 * by its briefs.
 */
export function checkBaseUrl(
	baseUrl: string,
	{ baseUrl: journalUrl }: Pick<Records, 'baseUrl'>,
	outDir: string,
): void {
	if (journalUrl === null || hostOf(journalUrl) === hostOf(baseUrl)) return;
	if (isLoopback(journalUrl) && isLoopback(baseUrl)) return;
	throw new Stop(
		`The folder ${outDir} holds briefs of ${journalUrl}, not of ${baseUrl}.`,
		'Use another --out for this address.',
	);
}
