import type { Tool } from '@modelcontextprotocol/sdk/types.js';
import {
	operationIds,
	parseJson,
	type Contract,
	type OperationId,
	type OperationRequest,
} from '../contract';
import { answerRequest, refuseKey } from '../service';
import type { Service } from '../state';
import { toJsonReply, type Reply, type WireRequest } from './messages';

/*
 * docs/api.md section 4.6: AI assistants reach the five operations as tools. The sandbox speaks the Model Context
 * Protocol over streamable HTTP, without sessions. A call of a tool becomes a request to its operation, so that the
 * same code checks and answers both:
 *
 *     { "method": "tools/call", "params": { "name": "get_brief", "arguments": { "id": "70a4…" } } }
 *     GET /v1/briefs/70a4…
 */

export const TOOLS_PATH = '/mcp';

interface ToolCall {
	operation: OperationId;
	request: OperationRequest;
}

/** Returns undefined for a message that calls none of the tools. */
export function readToolCall(contract: Contract, wire: WireRequest): ToolCall | undefined {
	const message = parseJson(wire.body) as {
		method?: unknown;
		params?: { name?: unknown; arguments?: Record<string, unknown> };
	} | null;
	const operation = operationIds.find((id) => id === message?.params?.name);
	if (message?.method !== 'tools/call' || operation === undefined) return undefined;
	const { method, path, body } = contract.describe(operation);
	const values = new Map(Object.entries(message.params?.arguments ?? {}));
	const fullPath = path.replace(/\{(\w+)\}/g, (_, name: string) => {
		const value = values.get(name) ?? '';
		values.delete(name);
		return encodeURIComponent(typeof value === 'string' ? value : JSON.stringify(value));
	});
	const headers = {
		authorization: wire.headers['authorization'] ?? '',
		'content-type': 'application/json',
	};
	const rest = Object.fromEntries(values);
	const query = body === undefined ? rest : {};
	const bodyText = body === undefined ? '' : JSON.stringify(rest);
	return {
		operation,
		request: { method, path: `/v1${fullPath}`, query, headers, body: bodyText },
	};
}

/** Loads the protocol's SDK with the first message, because loading takes too long at the start. */
export async function answerToolMessage(
	service: Service,
	wire: WireRequest,
	call: ToolCall | undefined,
): Promise<Reply> {
	const refusal = refuseKey(service, wire.headers);
	if (refusal !== undefined) return toJsonReply(refusal);
	// In the protocol, a GET opens a stream of server messages and a DELETE ends a session. There are neither.
	if (wire.method !== 'POST') return { status: 405, headers: { Allow: 'POST' }, text: '' };

	const { McpServer } = await import('@modelcontextprotocol/sdk/server/mcp.js');
	const { WebStandardStreamableHTTPServerTransport: Transport } =
		await import('@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js');
	const { CallToolRequestSchema, ErrorCode, ListToolsRequestSchema, McpError } =
		await import('@modelcontextprotocol/sdk/types.js');

	// Uses the inner server, because McpServer creates schemas from code and ours are in the OpenAPI document.
	const { server } = new McpServer({ name: 'creator-briefing-sandbox', version: '1.0.0' });
	server.registerCapabilities({ tools: {} });
	server.setRequestHandler(ListToolsRequestSchema, () => ({
		tools: operationIds.map((operation) => toTool(service.contract, operation)),
	}));
	let briefId: string | undefined;
	server.setRequestHandler(CallToolRequestSchema, ({ params }) => {
		if (call === undefined) {
			throw new McpError(ErrorCode.InvalidParams, `There is no tool ${params.name}`);
		}
		const answer = answerRequest(service, call.operation, call.request);
		({ briefId } = answer);
		const content = [{ type: 'text' as const, text: JSON.stringify(answer.body) }];
		return { content, isError: answer.status >= 400 };
	});
	const transport = new Transport({ enableJsonResponse: true });
	await server.connect(transport);
	const { method, path, headers, body } = wire;
	const response = await transport.handleRequest(
		new Request(`http://sandbox${path}`, { method, headers, body }),
	);
	const text = await response.text();
	await server.close();
	return { status: response.status, headers: Object.fromEntries(response.headers), text, briefId };
}

/** Returns an operation as a tool, with the texts and schemas of the OpenAPI document. */
function toTool(contract: Contract, operation: OperationId): Tool {
	const { method, summary, description, parameters, body } = contract.describe(operation);
	// The header Idempotency-Key is omitted, because `idempotency_key` in the body means the same.
	const properties = parameters.map(({ name, schema, description: meaning }) => [
		name,
		{ ...schema, description: meaning },
	]);
	const inputSchema = body ?? {
		properties: Object.fromEntries(properties) as Record<string, object>,
		required: parameters.filter(({ required }) => required).map(({ name }) => name),
		additionalProperties: false,
	};
	return {
		name: operation,
		title: summary,
		description: description.replace(/\s+/g, ' ').trim(),
		inputSchema: { ...inputSchema, type: 'object' },
		annotations: { readOnlyHint: method === 'GET' },
	};
}
