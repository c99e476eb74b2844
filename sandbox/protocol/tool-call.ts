import {
	operationIds,
	parse,
	type Contract,
	type OperationId,
	type OperationRequest,
	type WireRequest,
} from '../contract';
import { isObject } from '../wire';

/** The path for AI assistants, beside the /v1 of the other requests. */
export const PROTOCOL_PATH = '/mcp';

export function operationNamed(name: unknown): OperationId | undefined {
	return operationIds.find((operation) => operation === name);
}

/** A tool call as a request to its operation, so that the same code checks and answers it. */
export function requestOf(
	contract: Contract,
	operation: OperationId,
	input: object,
	authorization: string,
): OperationRequest {
	const { method, path, body } = contract.describe(operation);
	const values = new Map<string, unknown>(Object.entries(input));
	const fullPath = path.replace(/\{(\w+)\}/g, (_whole, name: string) => {
		const value = values.get(name) ?? '';
		values.delete(name);
		return encodeURIComponent(typeof value === 'string' ? value : JSON.stringify(value));
	});
	const rest = Object.fromEntries(values);
	return {
		method,
		path: `/v1${fullPath}`,
		query: body === undefined ? rest : {},
		headers: { authorization, 'content-type': 'application/json' },
		body: body === undefined ? '' : JSON.stringify(rest),
	};
}

/** The part of a message that names its tool. */
interface Message {
	method?: unknown;
	params?: { name?: unknown; arguments?: unknown };
}

/** The operation that a message of the protocol calls, and its request; undefined for any other message. */
export function toolCallOf(
	contract: Contract,
	wire: WireRequest,
): { operation: OperationId; request: OperationRequest } | undefined {
	const message = parse(wire.body) as Message | null | undefined;
	if (message?.method !== 'tools/call') return undefined;
	const { name, arguments: input } = message.params ?? {};
	const operation = operationNamed(name);
	if (operation === undefined) return undefined;
	const authorization = wire.headers['authorization'] ?? '';
	const request = requestOf(contract, operation, isObject(input) ? input : {}, authorization);
	return { operation, request };
}
