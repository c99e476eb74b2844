import type { IExecuteFunctions, NodeExecutionHint } from 'n8n-workflow';

/**
 * Shows a notice with the node's output. Versions before 2.0 may have no such method when an AI agent runs the node as
 * its tool (docs/n8n-behaviour.md, “A tool may have no place for a hint”). There it is left out: an order that
 * was paid for must not end in an error.
 */
export function showNotice(
	context: IExecuteFunctions,
	message: string,
	type: NodeExecutionHint['type'],
): void {
	const place: Partial<Pick<IExecuteFunctions, 'addExecutionHints'>> = context;
	place.addExecutionHints?.({ message, type, location: 'outputPane' });
}
