import type { IExecuteFunctions, ILoadOptionsFunctions } from 'n8n-workflow';

/** How long an outside call waits at most: its client stops waiting after a minute, and the answer is lost. */
export const OUTSIDE_CALL_MS = 50_000;
/** Waits end before the requests do, so that the answer can say what was waited for. */
const OTHER_WORK_MS = 3_000;

/**
 * True if a client outside of n8n calls the node, as a tool of MCP Server Trigger. n8n's types do not have the caller
 * (docs/architecture.md, “AI tools”); any other caller can wait.
 */
export function isOutsideCall(context: object): boolean {
	const { parentNode } = context as { parentNode?: { type?: unknown } };
	const type = parentNode?.type;
	return typeof type === 'string' && type.endsWith('.mcpTrigger');
}

/** Returns the signal that ends all work of an execution: on Stop, and before the client of an outside call stops waiting. */
export function getEndSignal(
	context: IExecuteFunctions | ILoadOptionsFunctions,
): AbortSignal | undefined {
	const stop =
		'getExecutionCancelSignal' in context ? context.getExecutionCancelSignal() : undefined;
	if (!isOutsideCall(context)) return stop;
	const timeout = AbortSignal.timeout(OUTSIDE_CALL_MS + OTHER_WORK_MS);
	// Without a listener of its own, Node.js 20 collects the timeout as garbage, and it never passes.
	timeout.addEventListener('abort', () => undefined);
	return AbortSignal.any(stop === undefined ? [timeout] : [stop, timeout]);
}

/** True if work was ended because the client of an outside call would stop waiting. */
export function isCallTimeout(thrown: unknown): boolean {
	return (thrown as { name?: unknown } | undefined)?.name === 'TimeoutError';
}
