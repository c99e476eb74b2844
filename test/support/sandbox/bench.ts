import { loadContract } from '../../../sandbox/contract';
import type { KeyName, Sandbox, SandboxOptions } from '../../../sandbox/sandbox';
import { openSandbox } from './open';

/** A Monday in the middle of a month. */
export const START = Date.UTC(2026, 0, 12, 10, 0, 0);

interface Reply {
	status: number;
	headers: Headers;
	body: Body;
	text: string;
}

/** Every field that an answer may have; a test asks for the ones it expects. */
export interface Body {
	id: string;
	status: string;
	title: string | null;
	product_name: string;
	created_at: string;
	updated_at: string;
	finished_at: string | null;
	input: Record<string, unknown>;
	markdown: string | null;
	document: Record<string, unknown> | null;
	sources: { type: string; url: string }[];
	warnings: { code: string }[];
	error_code: string | null;
	data: Record<string, unknown>[];
	next_cursor: string | null;
	refreshed_at: string | null;
	error: { code: string; message: string; details?: unknown; request_id: string };
}

export interface Ask {
	key?: KeyName | null;
	body?: unknown;
	rawBody?: string;
	headers?: Record<string, string>;
	/** For switches that leave the specification on purpose. */
	unchecked?: boolean;
}

/** A sandbox on a clock that the test moves. */
export async function startBench(options: SandboxOptions = {}): Promise<Bench> {
	const clock = { time: START };
	const sandbox = await openSandbox({ clock: { now: () => clock.time }, ...options });
	return new Bench(sandbox, clock);
}

export class Bench {
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

	get now(): number {
		return this.clock.time;
	}

	/** Sends a request, and holds the answer against the OpenAPI document. */
	async ask(method: string, path: string, ask: Ask = {}): Promise<Reply> {
		const { key = 'allScopes', headers = {}, unchecked = false } = ask;
		const body = ask.rawBody ?? (ask.body === undefined ? undefined : JSON.stringify(ask.body));
		const response = await fetch(this.sandbox.url + path, {
			method,
			redirect: 'manual',
			headers: {
				...(key === null ? {} : { Authorization: `Bearer ${this.sandbox.keys[key]}` }),
				...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
				...headers,
			},
			...(body === undefined ? {} : { body }),
		});
		const text = await response.text();
		const answer = { status: response.status, headers: response.headers, text };
		if (unchecked) return { ...answer, body: asJson(text) };
		const json = JSON.parse(text) as Body;
		await this.check(method, path, response.status, json);
		return { ...answer, body: json };
	}

	get(path: string, ask?: Ask): Promise<Reply> {
		return this.ask('GET', path, ask);
	}

	create(input: object | string = 'Travel Sneakers', ask: Ask = {}): Promise<Reply> {
		const body = typeof input === 'string' ? { product_name: input } : input;
		return this.ask('POST', '/briefs', { body, ...ask });
	}

	private async check(method: string, path: string, status: number, body: Body): Promise<void> {
		const contract = await loadContract();
		const operation = contract.operationOf(method, `/v1${path.split('?')[0] ?? ''}`);
		if (operation === undefined) throw new Error(`No operation: ${method} ${path}`);
		expect(contract.answerProblems(operation, status, body)).toEqual([]);
	}
}

function asJson(text: string): Body {
	try {
		return JSON.parse(text) as Body;
	} catch {
		return {} as Body;
	}
}

/** The status of an answer, with the code of its error. */
export function codeOf({ status, body }: Reply): string {
	return status < 400 ? String(status) : `${status} ${body.error.code}`;
}

export function uuidOf(number: number): string {
	return `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
}
