import { readFileSync } from 'node:fs';
import { Failure } from '../../failure';
import { PLACEHOLDER } from './placeholder';

/** What is found around or in the place of a key. Nothing is taken away in silence: the key may be cut off, too. */
const MISTAKES: ReadonlyArray<[RegExp, what: string, cure: string]> = [
	[
		/^["'`“”„‘’«»]|["'`“”„‘’«»]$/,
		'is in quotation marks',
		'Take them away. Files that docker reads (--env-file) keep quotation marks as a part of the value.',
	],
	[
		/^(Authorization:\s*)?Bearer\b/i,
		'begins with “Bearer”',
		'Give the key alone, without that word.',
	],
	[
		PLACEHOLDER,
		'is a placeholder and not a key',
		'Put the key itself in its place: neither cron nor systemd nor docker fills in a variable there.',
	],
	[
		/[^\x21-\x7e]/,
		'holds characters that no key has, such as spaces or line breaks',
		'Copy it again from the vendor’s web app, without anything around it.',
	],
];

/** The API key, from the file of --api-key-file or the environment. No message shows it. */
export function readApiKey(file: string | undefined, env: NodeJS.ProcessEnv): string {
	const key = (file === undefined ? env.CREATOR_BRIEFING_API_KEY : readKeyFile(file))?.trim() ?? '';
	if (key === '') {
		throw new Failure(
			file === undefined ? 'The API key is not set.' : `The file ${file} holds no API key.`,
			'Set CREATOR_BRIEFING_API_KEY, or name a file that holds it with --api-key-file.',
		);
	}
	const source = file === undefined ? 'CREATOR_BRIEFING_API_KEY' : file;
	for (const [mistake, what, cure] of MISTAKES)
		if (mistake.test(key)) throw new Failure(`The API key in ${source} ${what}.`, cure);
	return key;
}

function readKeyFile(file: string): string {
	try {
		return readFileSync(file, 'utf8');
	} catch (error) {
		const code = (error as NodeJS.ErrnoException).code ?? '';
		throw new Failure(
			`The key file ${file} cannot be read (${code}).`,
			'Check the path of --api-key-file.',
		);
	}
}
