import type { Answer } from './answer';

/** An answer as it goes over the wire. */
export interface Reply {
	status: number;
	headers: Record<string, string>;
	text: string;
}

export function jsonReply({ status, headers, body }: Answer): Reply {
	return {
		status,
		headers: { 'Content-Type': 'application/json; charset=utf-8', ...headers },
		text: JSON.stringify(body),
	};
}
