import { SendFailure, type Send } from './ports';

const IN_ITS_PLACE = '[API key]';

/**
 * Blanks the API key in everything that a request brings back (P8): otherwise a service or proxy that repeats its
 * request would bring the key into errors, files and logs.
 */
export function withoutKey(send: Send, key: string): Send {
	if (key === '') return send;
	const pattern = anyFormOf(key);
	const blank = (text: string) => text.replace(pattern, IN_ITS_PLACE);
	return (request, signal) =>
		send(request, signal).then(
			(response) => {
				const { headers, body } = response;
				const blanked = Object.entries(headers).map(([name, value]) => [name, blank(value)]);
				return {
					...response,
					headers: Object.fromEntries(blanked) as Record<string, string>,
					body: blank(body),
				};
			},
			(failure: unknown) => {
				if (!(failure instanceof SendFailure)) throw failure;
				throw new SendFailure(blank(failure.message), failure.mayHaveArrived, failure.code);
			},
		);
}

/**
 * Matches the key as it is, in upper or lower case, and with any characters as JSON, a URL or HTML may write them, because
 * some encoders escape a slash and some escape everything. Repetitions are bounded, so that no answer takes long.
 */
function anyFormOf(key: string): RegExp {
	const characters = key.split('').map((character) => {
		const code = character.charCodeAt(0);
		const hex = code.toString(16);
		const literal = `\\\\{0,8}${character.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')}`;
		const forms = [
			literal,
			`\\\\{1,8}u${hex.padStart(4, '0')}`,
			`&#(?:0{0,8}${code}|x0{0,8}${hex});`,
			`%(?:25){0,8}${hex.padStart(2, '0')}`,
		];
		return `(?:${forms.join('|')})`;
	});
	return new RegExp(characters.join(''), 'gi');
}
