/** Checks whether it is the reason of an aborted signal: a DOMException, which is not everywhere an Error. */
export function isAbort(thrown: unknown): boolean {
	return (thrown as { name?: unknown } | undefined)?.name === 'AbortError';
}
