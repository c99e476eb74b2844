import { Stop } from '../stop';
import { readText } from './text-file';

/** Nothing around a key is taken away silently, because the key may be cut off too. */
const NO_KEY = /[^\x21-\x7e]|^["'`]|["'`]$/;

export function noKey(file?: string): Stop {
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
