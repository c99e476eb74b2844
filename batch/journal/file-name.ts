/** A path without its folders, as any system writes them: the journal may come from another one. */
export function fileNameOf(path: string): string {
	return path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
}
