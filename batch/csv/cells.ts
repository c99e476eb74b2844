/** Rows that hold nothing, as spreadsheets leave them behind at the end of a table. */
export function isBlank(cells: readonly string[]): boolean {
	return cells.every((cell) => cell === '' || cell.trim() === '');
}

/** The links of one cell: apart by white space or |, and by a comma or semicolon that a link follows. */
export function linksOf(cell: string): string[] {
	if (cell === '') return [];
	const links = cell.split(/[,;]?[\s|]+|[,;](?=https?:\/\/)/);
	return links.filter((link) => link !== '');
}
