import { makeFinding, type Finding } from '../finding';
import { anyOf } from '../input/text';
import { UUID } from './uuid';

// Checks of the base URL and the API key before anything is sent.

/** Texts that the user or a script should have replaced with the key. The service would only call the key wrong. */
const PLACEHOLDER_KEY = new RegExp(
	`^${anyOf(
		'<.*>', // <YOUR_API_KEY>
		String.raw`[[{(].*[\])}]`,
		String.raw`\$[({]?\w+[)}]?`, // $API_KEY, ${API_KEY}
		'%.*%', // %API_KEY%
		String.raw`.*\*{3,}.*`, // cbk_****cdef
		String.raw`.*(?:…|\.{3}).*`, // sk-...
		'(?:your|my|paste|insert|enter)[-_ ].*', // paste-the-key-here
		'api[-_ ]?key',
		'x{3,}',
		'changeme|todo|secret',
		String.raw`\w*api_key=.*`, // the whole line
	)}$`,
	'i',
);

/** The address of a secret, which a secret store should have replaced with the key. */
const SECRET_REFERENCE = /^(?:op:\/\/|arn:|vault:)/i;

const INVALID_KEY = /[^\x21-\x7e]|^["'`]|["'`]$/;

/** Returns why a text cannot be an API key, as a clause after the key's source, or null. Never repeats the text. */
export function findApiKeyProblem(key: string): Finding | null {
	if (PLACEHOLDER_KEY.test(key))
		return makeFinding('is a placeholder, not an API key.', {
			text: 'Copy the key from the web app. If a script sets it, check that the script fills it in.',
		});
	if (SECRET_REFERENCE.test(key))
		return makeFinding('is a reference to a secret store, not an API key.', {
			text: 'Let the secret store fill in the key before the program starts, for example with: op run -- COMMAND',
		});
	if (INVALID_KEY.test(key))
		return makeFinding(
			'contains characters that no API key has, such as spaces or quotation marks.',
			{ text: 'Copy the key again from the web app.' },
		);
	return null;
}

const LOOPBACK = /^https?:\/\/(localhost|127(\.\d+){3}|\[::1\])(:\d+)?(\/|$)/i;

/** True for an address on this machine, where no one can read the key on its way. */
export function isLoopback(address: string): boolean {
	return LOOPBACK.test(address);
}

/** The path of an operation (docs/api.md 4) right after the version. Elsewhere such a word is part of the address. */
const OPERATION = new RegExp(`(?<=/v\\d+)/(briefs(/${UUID})?|licences|content-iq(/hooks)?)$`, 'i');

/**
 * Returns the base URL without a slash at the end, or what is wrong with it. Only this machine can be called without
 * encryption; a container or the local network needs https, too.
 */
export function readBaseUrl(text: string): { baseUrl: string } | Finding {
	const baseUrl = text.trim().replace(/(?<!\/)\/+$/, '');
	const url = URL.canParse(baseUrl) ? new URL(baseUrl) : null;
	if (url !== null && (url.username !== '' || url.password !== ''))
		return makeFinding('The address contains a user name or a password.', {
			text: 'Remove them: the service takes an API key only.',
		});
	const withScheme = addMissingScheme(baseUrl);
	if (withScheme !== null)
		return makeFinding('It does not start with https://.', {
			text: `Put https:// in front: ${withScheme}.`,
		});
	if (url === null || !/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '')
		// Not repeated, because the user might have pasted the API key.
		return makeFinding('It is not the address of a service.', {
			text: 'Enter an address such as https://host/v1, with nothing after it.',
		});
	const [operation] = OPERATION.exec(baseUrl) ?? [];
	if (operation !== undefined)
		return makeFinding(`“${baseUrl}” is the address of one operation, not of the service.`, {
			text: `Use ${baseUrl.slice(0, -operation.length)}, without “${operation}”.`,
		});
	if (url.protocol === 'http:' && !isLoopback(baseUrl))
		return makeFinding(`${url.origin} would receive the API key without encryption.`, {
			text: 'Use https:// (http:// is for addresses on this machine only).',
		});
	return { baseUrl };
}

/** Returns an address that lacks only https://, with it; null for every other text, which could be an API key. */
function addMissingScheme(text: string): string | null {
	const address = `https://${text}`;
	if (!URL.canParse(address)) return null;
	const { hostname, origin, pathname, href } = new URL(address);
	const isBaseUrl = hostname.includes('.') && /\/v\d+$/.test(pathname);
	return isBaseUrl && href === origin + pathname ? href : null;
}
