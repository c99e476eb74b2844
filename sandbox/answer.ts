/** An answer before it goes over the wire. */
export interface Answer {
	status: number;
	headers: Record<string, string>;
	body: object;
}

export function success(body: object, status = 200): Answer {
	return { status, headers: {}, body };
}
