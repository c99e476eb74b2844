import { readFileSync } from 'node:fs';
import { Failure } from '../../failure';

/** The API key, from the file of --api-key-file or the environment. No message shows it. */
export function readApiKey(file: string | undefined, env: NodeJS.ProcessEnv): string {
	const key = (file === undefined ? env.CREATOR_BRIEFING_API_KEY : readKeyFile(file))?.trim() ?? '';
	if (key === '') {
		throw new Failure(
			file === undefined ? 'The API key is not set.' : `The file ${file} holds no API key.`,
			'Set CREATOR_BRIEFING_API_KEY, or name a file that holds it with --api-key-file.',
		);
	}
	if (!/^[\x21-\x7e]+$/.test(key)) {
		throw new Failure(
			'The API key holds characters that no key has, such as spaces or line breaks.',
			'Copy it again from the vendor’s web app, without anything around it.',
		);
	}
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
