import { SendFailure, type Send } from './ports';

const IN_ITS_PLACE = '[API key]';

/**
 * Blanks the API key in everything that a request brings back (P8): a service or a proxy that repeats what it was sent
 * would otherwise have it written into errors, files and logs.
 */
export function withoutSecret(send: Send, secret: string): Send {
	if (secret === '') return send;
	const inJson = JSON.stringify(secret).slice(1, -1);
	const blank = (text: string) =>
		text.replaceAll(secret, IN_ITS_PLACE).replaceAll(inJson, IN_ITS_PLACE);
	return (request, signal) =>
		send(request, signal).then(
			({ status, headers, body }) => {
				const blanked = Object.entries(headers).map(([name, value]) => [name, blank(value)]);
				return {
					status,
					headers: Object.fromEntries(blanked) as Record<string, string>,
					body: blank(body),
				};
			},
			(failure: unknown) => {
				if (!(failure instanceof SendFailure)) throw failure;
				throw new SendFailure(blank(failure.message), failure.sent);
			},
		);
}
