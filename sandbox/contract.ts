import { join } from 'node:path';
import { OpenAPIBackend, type ValidationResult } from 'openapi-backend';

const DOCUMENT = join(__dirname, 'openapi.yaml');

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
	/** With the prefix /v1, without the query. */
	path: string;
	query: Record<string, unknown>;
	headers: Record<string, string>;
	body: string;
}

/** A problem in a request (docs/api.md section 4.3 rule 4: details lists each problem). */
export interface Problem {
	in: 'body' | 'query' | 'path' | 'header';
	/** Name of the field, '' for the whole body. */
	field: string;
	code: string;
	message: string;
}

interface CheckedRequest {
	problems: Problem[];
	path: Record<string, unknown>;
	query: Record<string, unknown>;
	body: unknown;
}

/** An operation in the OpenAPI document. */
interface OperationDescription {
	method: string;
	/** Without the prefix /v1. */
	path: string;
	summary: string;
	description: string;
	parameters: Array<{
		name: string;
		in: string;
		description?: string;
		required?: boolean;
		schema: object;
	}>;
	/** The schema of the body; undefined if the operation takes none. */
	body: object | undefined;
}

/** The OpenAPI document, which decides which requests and answers are valid. */
export interface Contract {
	findOperation(method: string, path: string): OperationId | undefined;
	describe(operation: OperationId): OperationDescription;
	check(operation: OperationId, request: OperationRequest): CheckedRequest;
	/** Returns the problems of an answer, for tests. */
	checkAnswer(operation: OperationId, status: number, body: unknown): string[];
}

let contract: Promise<Contract> | undefined;

/** Reads the document once per process, because compiling it takes most of the time of a start. */
export function loadContract(): Promise<Contract> {
	contract ??= readDocument();
	return contract;
}

async function readDocument(): Promise<Contract> {
	const backend = new OpenAPIBackend({
		definition: DOCUMENT,
		apiRoot: '/v1',
		// Without `quick`, the library would check the document, which is OpenAPI 3.1, against 3.0.
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
	return {
		findOperation: (method, path) => {
			const id = backend.matchOperation({ method, path, headers: {} })?.operationId;
			return operationIds.find((operation) => operation === id);
		},
		describe: (operation) => describeOperation(backend, operation),
		check: (operation, request) => checkRequest(backend, operation, request),
		checkAnswer: (operation, status, body) => {
			const { errors } = backend.validateResponse(body, operation, status);
			return (errors ?? []).map((error) => `${error.instancePath} ${error.message ?? ''}`);
		},
	};
}

function describeOperation(backend: OpenAPIBackend, operation: OperationId): OperationDescription {
	const found = backend.getOperation(operation);
	if (found === undefined) throw new Error(`${operation} is not in ${DOCUMENT}`);
	const requestBody = found.requestBody as
		{ content: Record<string, { schema?: object }> } | undefined;
	return {
		method: found.method.toUpperCase(),
		path: found.path,
		summary: found.summary ?? '',
		description: found.description ?? '',
		parameters: (found.parameters ?? []) as OperationDescription['parameters'],
		body: requestBody?.content['application/json']?.schema,
	};
}

function checkRequest(
	backend: OpenAPIBackend,
	operation: OperationId,
	request: OperationRequest,
): CheckedRequest {
	const unchecked = { path: {}, query: {}, body: undefined };
	if (!isDecodable(request.path)) return { problems: [UNDECODABLE], ...unchecked };
	const bodyProblem = operation === 'create_brief' ? findBodyProblem(request) : undefined;
	if (bodyProblem !== undefined) return { problems: [bodyProblem], ...unchecked };
	const { errors, coerced } = backend.validateRequest(
		{
			...request,
			// The arguments of a tool can be of any type, which is checked here.
			query: request.query as Record<string, string | string[]>,
			body: request.body === '' ? undefined : request.body,
		},
		operation,
	) as ValidationResult<{ params?: Record<string, unknown>; query?: Record<string, unknown> }>;
	return {
		problems: (errors ?? []).map(toProblem),
		path: coerced?.params ?? {},
		query: coerced?.query ?? {},
		body: operation === 'create_brief' ? parseJson(request.body) : undefined,
	};
}

function isDecodable(path: string): boolean {
	try {
		decodeURIComponent(path);
		return true;
	} catch {
		return false;
	}
}

const UNDECODABLE: Problem = {
	in: 'path',
	field: 'id',
	code: 'format',
	message: 'The address is not properly encoded',
};

/** docs/api.md section 1: every body is JSON (`application/json`). */
function findBodyProblem({ headers, body }: OperationRequest): Problem | undefined {
	const type = (headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase();
	if (type !== 'application/json') {
		const message = 'content-type must be application/json';
		return { in: 'header', field: 'content-type', code: 'unsupported_type', message };
	}
	if (body === '' || parseJson(body) !== undefined) return undefined;
	return { in: 'body', field: '', code: 'invalid_json', message: 'The body is not valid JSON' };
}

/** Returns undefined if the text is not JSON. */
export function parseJson(text: string): unknown {
	try {
		return JSON.parse(text) as unknown;
	} catch {
		return undefined;
	}
}

/** Whether RFC 3986 permits the text. Browsers also accept spaces, quotation marks, umlauts, and brackets outside the host. */
function isUri(text: string): boolean {
	return (
		URL.canParse(text) &&
		/^[a-z][\w+.-]*:(\/\/(\[[\d:a-f]+\]|[\w.-]+)(:\d+)?)?([\w\-.~:/?#@!$&'()*+,;=]|%[\da-f]{2})*$/i.test(
			text,
		)
	);
}

type SchemaError = NonNullable<ValidationResult['errors']>[number];

const locations: Readonly<Record<string, Problem['in']>> = {
	requestBody: 'body',
	query: 'query',
	path: 'path',
	header: 'header',
};

function toProblem({ instancePath, keyword, message = '', params }: SchemaError): Problem {
	const { missingProperty, additionalProperty } = params as Record<string, string | undefined>;
	const [location = '', ...names] = instancePath.split('/').slice(1);
	const field = [...names, missingProperty ?? additionalProperty ?? []].flat().join('.');
	let text = message;
	if (missingProperty !== undefined) text = 'is required';
	if (additionalProperty !== undefined) text = 'is not known';
	return {
		in: locations[location] ?? 'body',
		field,
		code: keyword,
		message: `${field || 'The body'} ${text}`,
	};
}
