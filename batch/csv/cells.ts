/** Whether a row is empty, as spreadsheets leave many at the end of a table. */
export function isBlank(cells: readonly string[]): boolean {
	return cells.every((cell) => cell === '' || cell.trim() === '');
}

/** The links of one cell, separated by white space, by |, or by a comma or semicolon before the next link. */
export function linksOf(cell: string): string[] {
	if (cell === '') return [];
	const links = cell.split(/[,;]?[\s|]+|[,;](?=https?:\/\/)/);
	return links.filter((link) => link !== '');
}
