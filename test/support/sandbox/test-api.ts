import { loadContract } from '../../../sandbox/contract';
import type { Sandbox, SandboxOptions } from '../../../sandbox/sandbox';
import { openSandbox } from './open';

/** A Monday in the middle of a month. */
export const START = Date.UTC(2026, 0, 12, 10, 0, 0);

/** Every field that an answer can have. */
export interface Body {
	id: string;
	status: string;
	title: string | null;
	created_at: string;
	updated_at: string;
	finished_at: string | null;
	markdown: string | null;
	document: Record<string, unknown> | null;
	data: Array<Record<string, unknown>>;
	next_cursor: string | null;
	refreshed_at: string | null;
	error: { code: string; message: string; details?: unknown; request_id: string };
}

interface Reply {
	status: number;
	headers: Headers;
	body: Body;
}

export interface RequestOptions {
	key?: keyof Sandbox['keys'] | null;
	body?: string;
	headers?: Record<string, string>;
}

/**
 * Starts a sandbox whose clock only the test advances.
 *
 *     const api = await startTestApi({ allowance: 2 });
 *     const { status, body } = await api.create('Travel Sneakers');
 *     api.pass(6 * MINUTE);
 */
export async function startTestApi(options: SandboxOptions = {}): Promise<TestApi> {
	const clock = { time: START };
	const sandbox = await openSandbox({ clock: { now: () => clock.time }, ...options });
	return new TestApi(sandbox, clock);
}

export class TestApi {
	constructor(
		readonly sandbox: Sandbox,
		private readonly clock: { time: number },
	) {}

	pass(ms: number): void {
		this.clock.time += ms;
	}

	setTime(ms: number): void {
		this.clock.time = ms;
	}

	/** Sends a request, and expects the answer to match the OpenAPI document. */
	async send(method: string, path: string, options: RequestOptions = {}): Promise<Reply> {
		const { key = 'allScopes', headers = {}, body } = options;
		const response = await fetch(this.sandbox.url + path, {
			method,
			headers: {
				...(key === null ? {} : { Authorization: `Bearer ${this.sandbox.keys[key]}` }),
				...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
				...headers,
			},
			body,
		});
		const answer = (await response.json()) as Body;
		const contract = await loadContract();
		const operation = contract.findOperation(method, `/v1${path.split('?')[0] ?? ''}`);
		if (operation === undefined) throw new Error(`No operation: ${method} ${path}`);
		expect(contract.checkAnswer(operation, response.status, answer)).toEqual([]);
		return { status: response.status, headers: response.headers, body: answer };
	}

	get(path: string, options?: RequestOptions): Promise<Reply> {
		return this.send('GET', path, options);
	}

	create(input: object | string = 'Travel Sneakers', options: RequestOptions = {}): Promise<Reply> {
		const fields = typeof input === 'string' ? { product_name: input } : input;
		return this.send('POST', '/briefs', { body: JSON.stringify(fields), ...options });
	}

	/** Orders these products in sequence, and returns the status of each order, with the code of its error. */
	async order(names: string[], options?: RequestOptions): Promise<string[]> {
		const codes: string[] = [];
		for (const name of names) codes.push(describeReply(await this.create(name, options)));
		return codes;
	}
}

/** Returns the status of an answer, with the code of its error. */
export function describeReply({ status, body }: Reply): string {
	return status < 400 ? String(status) : `${status} ${body.error.code}`;
}

export function makeUuid(number: number): string {
	return `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
}
