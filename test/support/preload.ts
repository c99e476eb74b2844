/** Returns the NODE_OPTIONS of a process that runs this code before its program. */
export function preload(code: string): string {
	return `--import=data:text/javascript,${encodeURIComponent(code)}`;
}
