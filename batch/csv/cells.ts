/** Whether a row is empty, as spreadsheets leave many at the end of a table. */
export function isBlank(cells: readonly string[]): boolean {
	return cells.every((cell) => cell === '' || cell.trim() === '');
}
