import { isLoopback, readBaseUrl } from '../../service/api/connection';
import type { Records } from '../folder/records';
import { Stop } from '../stop';
import { readText } from './text-file';

function noAddress(): Stop {
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

/** Nothing around a key is taken away silently, because the key may be cut off too. */
const NO_KEY = /[^\x21-\x7e]|^["'`]|["'`]$/;

function noKey(file?: string): Stop {
	return new Stop(
		file === undefined ? 'The API key is not set.' : `The file ${file} holds no API key.`,
		'Set CREATOR_BRIEFING_API_KEY, or name a file that holds it with --api-key-file.',
	);
}

/** Reads the API key from the file of --api-key-file or the environment. No message shows it. */
export function readApiKey(file: string | undefined, env: NodeJS.ProcessEnv): string {
	const text =
		file === undefined
			? env.CREATOR_BRIEFING_API_KEY
			: readText(file, `The key file ${file}`, '--api-key-file');
	const key = text?.trim() ?? '';
	if (key === '') throw noKey(file);
	if (!NO_KEY.test(key)) return key;
	throw new Stop(
		`The API key in ${file ?? 'CREATOR_BRIEFING_API_KEY'} holds characters that no key has, such as quotation marks, spaces or line breaks.`,
		'Give the key alone, as the vendor’s web app shows it. Files that docker reads (--env-file) keep quotation marks as a part of the value.',
	);
}

/** Names what must be set before the service can be asked; null if nothing is missing. */
export function missingForService({
	baseUrl,
	apiKey,
}: {
	baseUrl: string;
	apiKey: string;
}): Stop | null {
	if (baseUrl === '') return noAddress();
	return apiKey === '' ? noKey() : null;
}
