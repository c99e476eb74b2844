import type { Tool } from '@modelcontextprotocol/sdk/types.js';
import { operationIds, type Contract, type OperationId } from '../contract';

/** The five operations as tools, with names, descriptions and schemas of the OpenAPI document. */
export function toolsOf(contract: Contract): Tool[] {
	return operationIds.map((operation) => {
		const { method, summary, description } = contract.describe(operation);
		return {
			name: operation,
			title: summary,
			description: description.replace(/\s+/g, ' ').trim(),
			inputSchema: inputSchema(contract, operation),
			annotations: { readOnlyHint: method === 'GET' },
		};
	});
}

/**
 * The body's schema, or that of the parameters. The header Idempotency-Key is left out, because `idempotency_key` in
 * the body means the same.
 */
function inputSchema(contract: Contract, operation: OperationId): Tool['inputSchema'] {
	const { parameters, body } = contract.describe(operation);
	if (body !== undefined) return { ...body, type: 'object' };
	const properties = parameters.map(({ name, schema, description }) => [
		name,
		{ ...schema, description },
	]);
	return {
		type: 'object',
		properties: Object.fromEntries(properties) as Record<string, object>,
		required: parameters.filter(({ required }) => required).map(({ name }) => name),
		additionalProperties: false,
	};
}
