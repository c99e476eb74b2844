import { randomUUID } from 'node:crypto';

export class N8nApiError extends Error {
	constructor(
		method: string,
		path: string,
		readonly status: number,
		body: unknown,
	) {
		const message = (body as { message?: unknown } | undefined)?.message ?? body;
		const text = typeof message === 'string' ? message : JSON.stringify(message);
		super(`n8n answered ${status} to ${method} ${path}: ${text.slice(0, 1000)}`);
	}
}

/**
 * Calls the REST interface of n8n's editor, with a cookie and the matching browser-id header. The session remains valid when
 * n8n restarts in the same folder, because the folder contains the key that signs the cookie.
 */
export class ApiSession {
	private cookie = '';
	readonly browserId = randomUUID();

	constructor(readonly baseUrl: string) {}

	get authCookie(): { name: string; value: string } {
		const split = this.cookie.indexOf('=');
		return { name: this.cookie.slice(0, split), value: this.cookie.slice(split + 1) };
	}

	get<T>(path: string, query: Record<string, string> = {}): Promise<T> {
		return this.request<T>('GET', `${path}?${new URLSearchParams(query).toString()}`);
	}

	post<T>(path: string, body: unknown = {}): Promise<T> {
		return this.request<T>('POST', path, body);
	}

	async request<T>(method: string, path: string, body?: unknown): Promise<T> {
		const response = await fetch(this.baseUrl + path, {
			method,
			headers: {
				accept: 'application/json',
				'content-type': 'application/json',
				'browser-id': this.browserId,
				cookie: this.cookie,
			},
			...(body === undefined ? {} : { body: JSON.stringify(body) }),
		});
		for (const header of response.headers.getSetCookie()) {
			const [pair] = header.split(';');
			if (pair?.startsWith('n8n-auth=')) this.cookie = pair;
		}
		const answer = await readBody(method, path, response);
		// Most answers are in `data`. A list of types is not, and a page of data has `data` with a count.
		const wrapped = answer as { data?: T; count?: number } | null;
		const isWrapped = wrapped?.data !== undefined && wrapped.count === undefined;
		return isWrapped ? (wrapped.data as T) : (answer as T);
	}
}

/** Returns the JSON or text of an answer, or throws if it is an error. */
export async function readBody(method: string, path: string, response: Response): Promise<unknown> {
	const text = await response.text();
	let body: unknown = text;
	try {
		body = JSON.parse(text);
	} catch {
		// A webhook answers with text or nothing.
	}
	if (!response.ok) throw new N8nApiError(method, path, response.status, body);
	return body;
}
