import { answerRequest, refusedKey } from '../answer-request';
import type { WireRequest } from '../contract';
import { jsonReply, type Reply } from '../reply';
import type { Service } from '../service-state';
import { operationNamed, requestOf } from './tool-call';
import { toolsOf } from './tools';

/**
 * The answer to a message of the Model Context Protocol over streamable HTTP, without sessions: each message is
 * complete. The protocol's SDK is loaded with the first message, because it would slow the start.
 */
export async function protocolReply(
	service: Service,
	wire: WireRequest,
	about: (briefId: string) => void,
): Promise<Reply> {
	const refusal = refusedKey(service, wire);
	if (refusal !== undefined) return jsonReply(refusal);
	// A GET would open a stream for the server's own messages, and a DELETE would end a session. We have neither.
	if (wire.method !== 'POST') return { status: 405, headers: { Allow: 'POST' }, text: '' };

	const { McpServer } = await import('@modelcontextprotocol/sdk/server/mcp.js');
	const { WebStandardStreamableHTTPServerTransport: Transport } =
		await import('@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js');
	const { CallToolRequestSchema, ErrorCode, ListToolsRequestSchema, McpError } =
		await import('@modelcontextprotocol/sdk/types.js');

	// The outer layer of McpServer would make schemas from code; ours are in the OpenAPI document.
	const { server } = new McpServer({ name: 'creator-briefing-sandbox', version: '1.0.0' });
	server.registerCapabilities({ tools: {} });
	server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: toolsOf(service.contract) }));
	server.setRequestHandler(CallToolRequestSchema, ({ params }) => {
		const operation = operationNamed(params.name);
		if (operation === undefined) {
			throw new McpError(ErrorCode.InvalidParams, `There is no tool ${params.name}`);
		}
		const authorization = wire.headers['authorization'] ?? '';
		const request = requestOf(service.contract, operation, params.arguments ?? {}, authorization);
		const { status, body } = answerRequest(service, 'mcp', operation, request, about);
		return { content: [{ type: 'text', text: JSON.stringify(body) }], isError: status >= 400 };
	});
	const transport = new Transport({ enableJsonResponse: true });
	await server.connect(transport);
	const response = await transport.handleRequest(requestFrom(wire));
	const text = await response.text();
	await server.close();
	return { status: response.status, headers: Object.fromEntries(response.headers), text };
}

function requestFrom({ method, path, headers, body }: WireRequest): Request {
	return new Request(`http://sandbox${path}`, { method, headers, body });
}
