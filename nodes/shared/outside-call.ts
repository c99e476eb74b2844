import type { IExecuteFunctions, ILoadOptionsFunctions } from 'n8n-workflow';

/** The longest that such a call may wait: its client gives up after a minute, and the answer is lost. */
export const OUTSIDE_CALL_MS = 50_000;
/** Waits end by themselves before this, and say what they have waited for. */
const OTHER_WORK_MS = 3_000;

/**
 * Checks whether a client outside of n8n calls the node, as a tool of MCP Server Trigger. n8n's types do not have the
 * caller (docs/n8n-behaviour.md, “A tool is called by its parent node”); one that is not known may wait.
 */
export function isOutsideCall(context: object): boolean {
	const { parentNode } = context as { parentNode?: { type?: unknown } };
	const type = parentNode?.type;
	return typeof type === 'string' && type.endsWith('.mcpTrigger');
}

/** Makes the signal by which all work of an execution ends: aborted by Stop, and if the client would give up. */
export function endSignal(
	context: IExecuteFunctions | ILoadOptionsFunctions,
): AbortSignal | undefined {
	const stop =
		'getExecutionCancelSignal' in context ? context.getExecutionCancelSignal() : undefined;
	if (!isOutsideCall(context)) return stop;
	const tooLong = AbortSignal.timeout(OUTSIDE_CALL_MS + OTHER_WORK_MS);
	return AbortSignal.any(stop === undefined ? [tooLong] : [stop, tooLong]);
}

/** Checks whether work was ended because the client of an outside call would give up. */
export function isCallOver(thrown: unknown): boolean {
	return (thrown as { name?: unknown } | undefined)?.name === 'TimeoutError';
}
