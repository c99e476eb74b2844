/** A part of a sheet in A1 notation, counted from 0. Open ends stay open. */
export interface SheetRange {
	sheet: string;
	top: number;
	left: number;
	bottom: number;
	right: number;
}

/** Reads `Sheet1`, `'My sheet'!A:Z`, `Sheet1!2:3`, `Sheet1!B2:C4` and `Sheet1!B2`. */
export function parseRange(notation: string): SheetRange {
	const split = notation.lastIndexOf('!');
	const sheet = (split < 0 ? notation : notation.slice(0, split)).replace(/^'(.*)'$/, '$1');
	const cells = split < 0 ? '' : notation.slice(split + 1);
	const [from = '', to = from] = cells.split(':');
	const start = parseCell(from);
	const end = parseCell(to);
	return {
		sheet,
		top: start.row ?? 0,
		left: start.column ?? 0,
		bottom: end.row ?? Infinity,
		right: end.column ?? Infinity,
	};
}

export function sheetColumnName(column: number): string {
	const last = String.fromCharCode(65 + (column % 26));
	return column < 26 ? last : sheetColumnName(Math.floor(column / 26) - 1) + last;
}

function parseCell(cell: string): { column?: number; row?: number } {
	const [, letters = '', digits = ''] = /^([A-Z]*)(\d*)$/i.exec(cell) ?? [];
	return {
		...(letters === '' ? {} : { column: columnNumber(letters.toUpperCase()) }),
		...(digits === '' ? {} : { row: Number(digits) - 1 }),
	};
}

function columnNumber(letters: string): number {
	return Array.from(letters).reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;
}
