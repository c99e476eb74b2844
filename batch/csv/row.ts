import { checkInput, INPUT_FIELDS, type ByField, type InputField } from '../../service/input/input';
import { contentText } from '../../service/input/key';
import type { BriefInput } from '../../service/api/resources';
import { quote, shorten } from '../../service/shortened-text';
import { sha256 } from '../sha256';
import { columnLetters, type Column, type FieldColumns } from './column-names';
import { isBlank, UNCLOSED } from './csv-records';

export interface RowProblem {
	/** The header as in the CSV, or the field's name if it has no column. */
	column: string;
	/** The problem, to follow the column's name in a sentence. */
	what: string;
	/** The way out, as a sentence. */
	cure: string;
}

export interface Row {
	/** Counted as in a spreadsheet: a header on the first line is row 1. */
	number: number;
	/** As in the CSV, one per column. */
	cells: string[];
	/** The brief to order. Only meaningful without problems. */
	input: BriefInput;
	problems: RowProblem[];
	/** Identifies the row by its content in any spelling (P7): 32 hex digits of a SHA-256; '' for a row with problems. */
	contentId: string;
	/** Its own number, from the column that --id names. No part of a key. */
	ownNumber?: string | undefined;
	/** A condition of --where leaves it out: it is no row of this list. */
	isLeftOut?: true;
}

/** Identifies a row in the journal by its content alone, not by its place or by how the CSV is written (P7). */
export function contentIdOf(input: BriefInput): string {
	return sha256(contentText(input)).slice(0, 32);
}

/** Says what is wrong with a row, and what to do about it. */
export function problemsText({ problems }: Row): string {
	return problems.map(({ column, what, cure }) => `${column} ${what}. ${cure}`).join(' ');
}

/** Rules for all rows of a CSV. */
export interface RowRules {
	fieldColumns: FieldColumns;
	/** Values for rows that have none, as --set gave them. */
	set: ByField;
	delimiter: string;
	/** The way out of a lost character; null if the text has none. */
	damageCure: string | null;
}

/** Turns the records of a CSV into the rows of a table. */
export class RowMaker {
	/** The columns that hold a field, from left to right. */
	private readonly serving: readonly Column[];
	private readonly neededCells: number;

	/**
	 * @param mayBeBarcodes whether nobody named the column of product IDs, so that it may hold barcodes
	 */
	constructor(
		private readonly columns: readonly Column[],
		private readonly rules: RowRules,
		private readonly mayBeBarcodes: boolean,
	) {
		this.serving = [...rules.fieldColumns.values()].sort((a, b) => a.place - b.place);
		this.neededCells = (this.serving.at(-1)?.place ?? -1) + 1;
	}

	/**
	 * @param brokenLines the number of lines that the record takes, if it has an unclosed quotation mark in a cell
	 * @param isAmongTemplate whether it is among the lines of a template that describe the columns
	 */
	make(
		number: number,
		record: string[],
		brokenLines: number | undefined,
		isAmongTemplate: boolean,
	): Row {
		const cells = this.fitted(record);
		const values: Partial<Record<InputField, string>> = {};
		for (const field of INPUT_FIELDS) values[field] = this.value(field, cells);
		const { input, problems: inputProblems } = checkInput(values);
		// If the cells are not in their columns, other problems would only mislead.
		const shape = this.shapeProblem(record, brokenLines, isAmongTemplate);
		if (shape !== null) return { number, cells, input, problems: [shape], contentId: '' };
		const problems = this.damaged(cells);
		for (const { field, what, cure } of inputProblems) {
			problems.push({ column: this.columnOf(field), what, cure });
		}
		return {
			number,
			cells,
			input,
			problems,
			contentId: problems.length === 0 ? contentIdOf(input) : '',
		};
	}

	/** Gives one cell per column. */
	private fitted(record: string[]): string[] {
		if (record.length === this.columns.length) return record;
		const cells = record.slice(0, this.columns.length);
		while (cells.length < this.columns.length) cells.push('');
		return cells;
	}

	private value(field: InputField, cells: readonly string[]): string {
		const { fieldColumns, set } = this.rules;
		let cell = cells[fieldColumns.get(field)?.place ?? -1] ?? '';
		if (field === 'product_id' && this.mayBeBarcodes && isBarcode(cell.trim())) cell = '';
		const otherwise = set[field];
		return otherwise !== undefined && cell.trim() === '' ? otherwise : cell;
	}

	private columnOf(field: InputField): string {
		return this.rules.fieldColumns.get(field)?.name ?? field;
	}

	private shapeProblem(
		record: readonly string[],
		brokenLines: number | undefined,
		isAmongTemplate: boolean,
	): RowProblem | null {
		const columns = this.columns.length;
		if (brokenLines !== undefined) {
			const index = record.findIndex((cell) => cell.startsWith('"'));
			const reach = brokenLines > 1 ? `: the row reaches over ${brokenLines} lines` : '';
			return {
				column: this.columns[index]?.name ?? columnLetters(index),
				what: `${UNCLOSED.what}${reach}`,
				cure: UNCLOSED.cure,
			};
		}
		if (isAmongTemplate) {
			return {
				column: this.columnOf('product_name'),
				what: 'is among the lines of a template that describe the columns',
				cure: 'If it describes the columns too, remove it. If it is a product, remove the describing lines below it.',
			};
		}
		if (record.length > columns && !isBlank(record.slice(columns))) {
			const name = delimiterName(this.rules.delimiter);
			return {
				column: columnLetters(columns),
				what: `is a column without a header: the row has ${record.length} cells, the header ${columns}`,
				cure: `If the ${name} belongs to the text, put the whole cell in quotation marks${this.example(record)}. If it is a column of its own, write a header above it.`,
			};
		}
		if (record.length < this.neededCells) {
			const columnBeyond = this.serving.find(({ place }) => place >= record.length);
			return {
				column: columnBeyond?.name ?? '',
				what: `is cut off: the row has ${record.length} of ${columns} cells`,
				cure:
					'Put a cell that contains a line break in quotation marks. ' +
					'If the other cells are empty, write their delimiters.',
			};
		}
		return null;
	}

	/** Shows a cell that was probably cut in two: in prose, a space follows the delimiter. */
	private example(record: readonly string[]): string {
		const at = record.findIndex((cell, index) => index > 0 && /^ \S/.test(cell));
		if (at === -1) return '';
		return `: "${shorten(`${record[at - 1] ?? ''}${this.rules.delimiter}${record[at] ?? ''}`)}"`;
	}

	/** Finds characters that another program has lost: U+FFFD, which would be sent. */
	private damaged(cells: readonly string[]): RowProblem[] {
		const { damageCure: cure } = this.rules;
		if (cure === null) return [];
		return this.serving
			.filter(({ place }) => cells[place]?.includes('\ufffd'))
			.map(({ place, name }) => {
				const what = `has damaged characters: ${quote((cells[place] ?? '').trim())}`;
				return { column: name, what, cure };
			});
	}
}

/**
 * Checks if a text is an EAN, UPC or GTIN: 8, 12, 13 or 14 digits, the last of which checks the others. Shops write
 * them into a column called Product ID.
 */
export function isBarcode(text: string): boolean {
	if (!/^(\d{8}|\d{12,14})$/.test(text)) return false;
	let sum = 0;
	// From the right, every second digit counts three times.
	for (let at = 0; at < text.length; at++)
		sum += Number(text[text.length - 1 - at]) * (at % 2 === 0 ? 1 : 3);
	return sum % 10 === 0;
}

/** Names a delimiter in the middle of a sentence. */
function delimiterName(delimiter: string): string {
	const name = { ',': 'comma', ';': 'semicolon', '\t': 'tab' }[delimiter];
	return name ?? `“${delimiter}”`;
}
