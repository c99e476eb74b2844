import { join } from 'node:path';
import { OpenAPIBackend, type ValidationResult } from 'openapi-backend';
import { problemOf, type Problem } from './problems';

export const documentPath = join(__dirname, 'openapi.yaml');

/** docs/service.md section 4. */
export const operationIds = [
	'list_licences',
	'list_briefs',
	'create_brief',
	'get_brief',
	'list_hooks',
] as const;

export type OperationId = (typeof operationIds)[number];

/** A request as it came over the wire. */
export interface WireRequest {
	method: string;
	/** With the /v1 prefix, without the query. */
	path: string;
	query: Record<string, string | string[]>;
	headers: Record<string, string>;
	body: string;
}

export interface Checked {
	problems: Problem[];
	path: Record<string, unknown>;
	query: Record<string, unknown>;
	body: unknown;
}

/** The OpenAPI document, as a judge of requests and answers. */
export interface Contract {
	operationOf(method: string, path: string): OperationId | undefined;
	check(operation: OperationId, request: WireRequest): Checked;
	/** What is wrong with an answer, for tests. */
	answerProblems(operation: OperationId, status: number, body: unknown): string[];
}

let loading: Promise<Contract> | undefined;

/** The document is read once in a process: it never changes, and compiling it takes most of a start. */
export function loadContract(): Promise<Contract> {
	loading ??= load();
	return loading;
}

async function load(): Promise<Contract> {
	const backend = new OpenAPIBackend({
		definition: documentPath,
		apiRoot: '/v1',
		// Without `quick` the library holds the document against the schema of OpenAPI 3.0. A test lints it as 3.1.
		quick: true,
		strict: true,
		coerceTypes: true,
		ignoreTrailingSlashes: false,
		ajvOpts: { allErrors: true },
		customizeAjv: (ajv) => {
			ajv.addFormat('uuid', /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i);
			ajv.addFormat('uri', { type: 'string', validate: (text: string) => URL.canParse(text) });
			return ajv;
		},
	});
	await backend.init();

	function operationOf(method: string, path: string): OperationId | undefined {
		const id = backend.matchOperation({ method, path, headers: {} })?.operationId;
		return operationIds.find((known) => known === id);
	}

	function check(operation: OperationId, request: WireRequest): Checked {
		if (!isDecodable(request.path))
			return { problems: [undecodable], path: {}, query: {}, body: '' };
		const unreadable = operation === 'create_brief' ? bodyProblem(request) : undefined;
		const { errors, coerced } = backend.validateRequest(
			{ ...request, body: request.body === '' ? undefined : request.body },
			operation,
		) as ValidationResult<{ params?: Record<string, unknown>; query?: Record<string, unknown> }>;
		const problems = (errors ?? []).map(problemOf);
		return {
			problems: unreadable
				? [unreadable, ...problems.filter((problem) => problem.in !== 'body')]
				: problems,
			path: coerced?.params ?? {},
			query: coerced?.query ?? {},
			body: operation === 'create_brief' && !unreadable ? parse(request.body) : undefined,
		};
	}

	function answerProblems(operation: OperationId, status: number, body: unknown): string[] {
		const { errors } = backend.validateResponse(body, operation, status);
		return (errors ?? []).map((error) => `${error.instancePath} ${error.message ?? ''}`);
	}

	return { operationOf, check, answerProblems };
}

function isDecodable(path: string): boolean {
	try {
		decodeURIComponent(path);
		return true;
	} catch {
		return false;
	}
}

const undecodable: Problem = {
	in: 'path',
	field: 'id',
	code: 'wrong_format',
	message: 'The address is not properly encoded',
};

/** docs/service.md section 4: all bodies are JSON (`application/json`). */
function bodyProblem(request: WireRequest): Problem | undefined {
	const type = (request.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase();
	if (type !== 'application/json') {
		return {
			in: 'header',
			field: 'content-type',
			code: 'unsupported_type',
			message: 'content-type must be application/json',
		};
	}
	if (request.body === '' || parse(request.body) !== undefined) return undefined;
	return { in: 'body', field: '', code: 'invalid_json', message: 'The body is not valid JSON' };
}

/** undefined where the text is not JSON. */
export function parse(text: string): unknown {
	try {
		return JSON.parse(text) as unknown;
	} catch {
		return undefined;
	}
}
