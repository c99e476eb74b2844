import { join } from 'node:path';
import { OpenAPIBackend, type ValidationResult } from 'openapi-backend';
import { problemOf, type Problem } from './problems';

const documentPath = join(__dirname, 'openapi.yaml');

export const operationIds = [
	'list_licences',
	'list_briefs',
	'create_brief',
	'get_brief',
	'list_hooks',
] as const;

export type OperationId = (typeof operationIds)[number];

/** A request to an operation, over HTTP or as a tool call. */
export interface OperationRequest {
	method: string;
	/** With the /v1 prefix, without the query. */
	path: string;
	query: Record<string, unknown>;
	headers: Record<string, string>;
	body: string;
}

/** A request as it came over the wire. */
export interface WireRequest extends OperationRequest {
	query: Record<string, string | string[]>;
}

/** What the OpenAPI document says about an operation. */
interface Described {
	method: string;
	/** Without the /v1 prefix. */
	path: string;
	summary: string;
	description: string;
	/** Of path and query. */
	parameters: { name: string; description?: string; required?: boolean; schema: object }[];
	/** The schema of the body; undefined if the operation takes none. */
	body: object | undefined;
}

interface CheckedRequest {
	problems: Problem[];
	path: Record<string, unknown>;
	query: Record<string, unknown>;
	body: unknown;
}

/** The OpenAPI document, as a judge of requests and answers. */
export interface Contract {
	operationOf(method: string, path: string): OperationId | undefined;
	describe(operation: OperationId): Described;
	check(operation: OperationId, request: OperationRequest): CheckedRequest;
	/** What is wrong with an answer, for tests. */
	answerProblems(operation: OperationId, status: number, body: unknown): string[];
}

let loading: Promise<Contract> | undefined;

/** The document is read once in a process, because compiling it takes most of a start. */
export function loadContract(): Promise<Contract> {
	loading ??= load();
	return loading;
}

async function load(): Promise<Contract> {
	const backend = new OpenAPIBackend({
		definition: documentPath,
		apiRoot: '/v1',
		// Without these two the library checks the document against OpenAPI 3.0, and each schema of it again. A test checks
		// it as 3.1.
		quick: true,
		strict: true,
		coerceTypes: true,
		ignoreTrailingSlashes: false,
		ajvOpts: { allErrors: true, validateSchema: false },
		customizeAjv: (ajv) => {
			ajv.addFormat('uuid', /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i);
			ajv.addFormat('uri', { type: 'string', validate: isUri });
			return ajv;
		},
	});
	await backend.init();

	function operationOf(method: string, path: string): OperationId | undefined {
		const id = backend.matchOperation({ method, path, headers: {} })?.operationId;
		return operationIds.find((operation) => operation === id);
	}

	function describe(operation: OperationId): Described {
		const definition = backend.getOperation(operation);
		if (definition === undefined) throw new Error(`${operation} is not in ${documentPath}`);
		const { parameters = [], requestBody } = definition;
		return {
			method: definition.method.toUpperCase(),
			path: definition.path,
			summary: definition.summary ?? '',
			description: definition.description ?? '',
			parameters: (parameters as (Described['parameters'][number] & { in: string })[])
				.filter((parameter) => parameter.in !== 'header')
				.map(({ name, description, required, schema }) => ({
					name,
					description,
					required,
					schema,
				})),
			body: (requestBody as { content: Record<string, { schema?: object }> } | undefined)?.content[
				'application/json'
			]?.schema,
		};
	}

	function check(operation: OperationId, request: OperationRequest): CheckedRequest {
		if (!isDecodable(request.path))
			return { problems: [undecodable], path: {}, query: {}, body: '' };
		const unreadable = operation === 'create_brief' ? bodyProblem(request) : undefined;
		const { errors, coerced } = backend.validateRequest(
			{
				...request,
				// The arguments of a tool may be of any type, which is what is checked here.
				query: request.query as WireRequest['query'],
				body: request.body === '' ? undefined : request.body,
			},
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

	return { operationOf, describe, check, answerProblems };
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

/** docs/api.md section 4: all bodies are JSON (`application/json`). */
function bodyProblem(request: OperationRequest): Problem | undefined {
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

/** undefined if the text is not JSON. */
export function parse(text: string): unknown {
	try {
		return JSON.parse(text) as unknown;
	} catch {
		return undefined;
	}
}

/**
 * RFC 3986 has no blanks, quotation marks or umlauts, which a browser accepts in a link, and brackets only in a host.
 */
function isUri(text: string): boolean {
	return (
		URL.canParse(text) &&
		/^[a-z][\w+.-]*:(\/\/(\[[\d:a-f]+\]|[\w.-]+)(:\d+)?)?([\w\-.~:/?#@!$&'()*+,;=]|%[\da-f]{2})*$/i.test(
			text,
		)
	);
}
