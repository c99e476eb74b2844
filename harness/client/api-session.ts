import { randomUUID } from 'node:crypto';
import { isRecord } from '../is-record';

export class N8nApiError extends Error {
	constructor(
		readonly method: string,
		readonly path: string,
		readonly status: number,
		readonly body: unknown,
	) {
		super(`n8n answered ${status} to ${method} ${path}: ${messageOf(body)}`);
	}
}

/**
 * Calls n8n's own REST interface, the one of its editor: with a cookie, and the browser-id header that the cookie is
 * tied to. Survives restarts of n8n on the same folder, since the key the cookie is signed with is kept there.
 */
export class ApiSession {
	private cookie = '';
	readonly browserId = randomUUID();

	constructor(readonly baseUrl: string) {}

	get authCookie(): { name: string; value: string } {
		const split = this.cookie.indexOf('=');
		return { name: this.cookie.slice(0, split), value: this.cookie.slice(split + 1) };
	}

	get<T>(path: string, query: Record<string, string | number | undefined> = {}): Promise<T> {
		const search = new URLSearchParams();
		for (const [name, value] of Object.entries(query)) {
			if (value !== undefined) search.set(name, String(value));
		}
		const text = search.toString();
		return this.request<T>('GET', text ? `${path}?${text}` : path);
	}

	post<T>(path: string, body: unknown = {}): Promise<T> {
		return this.request<T>('POST', path, body);
	}

	async request<T>(method: string, path: string, body?: unknown): Promise<T> {
		const response = await this.send(method, path, body);
		const text = await response.text();
		const json = parse(text);
		if (!response.ok) throw new N8nApiError(method, path, response.status, json);
		// Most answers are wrapped in `data`, some (type lists, static files) are not.
		const isWrapped = isRecord(json) && 'data' in json && !('count' in json);
		return (isWrapped ? json['data'] : json) as T;
	}

	private async send(method: string, path: string, body?: unknown): Promise<Response> {
		const response = await fetch(this.baseUrl + path, {
			method,
			headers: {
				accept: 'application/json',
				'browser-id': this.browserId,
				...(this.cookie ? { cookie: this.cookie } : {}),
				...(body === undefined ? {} : { 'content-type': 'application/json' }),
			},
			...(body === undefined ? {} : { body: JSON.stringify(body) }),
		});
		this.keepCookie(response);
		return response;
	}

	private keepCookie(response: Response): void {
		for (const header of response.headers.getSetCookie()) {
			const [pair] = header.split(';');
			if (pair?.startsWith('n8n-auth=')) this.cookie = pair;
		}
	}
}

function parse(text: string): unknown {
	try {
		return JSON.parse(text) as unknown;
	} catch {
		return text;
	}
}

function messageOf(body: unknown): string {
	if (isRecord(body) && typeof body['message'] === 'string') return body['message'];
	return typeof body === 'string' ? body.slice(0, 300) : JSON.stringify(body);
}
