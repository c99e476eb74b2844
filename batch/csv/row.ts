import {
	checkInput,
	INPUT_FIELDS,
	type ByField,
	type CheckedInput,
	type InputField,
} from '../../service/input/input';
import { contentText } from '../../service/input/key';
import { isNothing } from '../../service/input/unusable-text';
import type { BriefInput } from '../../service/api/resources';
import { quote, shorten } from '../../service/shortened-text';
import { sha256 } from '../sha256';
import { count, list } from '../text';
import { columnLetters, type Column, type FieldColumns } from './columns';
import { isBlank, UNCLOSED, type CsvLine } from './csv-records';

interface RowProblem {
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
	/** How many cells it has in the CSV, if not one per column. */
	cellCount?: number;
	/** Whether the name of a column stands for its product. */
	mayBeHeader?: true;
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
interface RowRules {
	fieldColumns: FieldColumns;
	/** Values for rows that have none, as --set gave them. */
	set: ByField;
	delimiter: string;
	/** Whether nobody named the column of product IDs, so that it may hold barcodes. */
	mayBeBarcodes: boolean;
}

/** Turns the records of a CSV into the rows of a table. */
export class RowMaker {
	/** How many rows have a barcode as their product ID. */
	private barcodes = 0;
	/** The words for nothing in optional fields, and how many rows have one. */
	private readonly words = new Set<string>();
	private rowsWithWord = 0;
	/** The place of each field that has a column or a value for all rows. */
	private readonly places: ReadonlyArray<readonly [InputField, number]>;

	constructor(
		private readonly columns: readonly Column[],
		private readonly rules: RowRules,
	) {
		const { fieldColumns, set } = rules;
		this.places = INPUT_FIELDS.filter(
			(field) => fieldColumns.has(field) || set[field] !== undefined,
		).map((field) => [field, fieldColumns.get(field)?.place ?? columns.length]);
	}

	make(line: CsvLine): Row {
		const { number, cells: record, mayBeHeader } = line;
		const width = this.columns.length;
		const cells = record.length === width ? record : fitted(record, width);
		const { input, problems, emptied } = checkInput(this.values(cells));
		// If the cells are not in their columns, other problems would only mislead.
		const shape = this.shapeProblem(line);
		const rowProblems = shape === null ? problems.map((one) => this.problemOf(one)) : [shape];
		const row: Row = { number, cells, input, problems: rowProblems, contentId: '' };
		if (record.length !== width) row.cellCount = record.length;
		if (mayBeHeader === true) row.mayBeHeader = true;
		if (rowProblems.length > 0) return row;
		row.contentId = contentIdOf(input);
		if (emptied.length > 0) this.rowsWithWord += 1;
		for (const field of emptied) this.words.add(this.cellOf(field, cells).trim());
		return row;
	}

	/** Sentences about values that are not sent. */
	get notices(): string[] {
		const { barcodes, words, rowsWithWord } = this;
		const column = this.columnOf('product_id');
		const are = barcodes === 1 ? 'a barcode' : 'barcodes';
		const barcodesText = `${quote(column)} holds ${are} (EAN or UPC) in ${count(barcodes, 'row')}, not a marketplace ID, and is not sent. If these are marketplace IDs, add --map "${column}=product_id".`;
		const countAs = words.size === 1 ? 'counts as an empty cell' : 'count as empty cells';
		const wordsText = `${list([...words].map(quote))} ${countAs}, in ${count(rowsWithWord, 'row')}.`;
		return [...(barcodes > 0 ? [barcodesText] : []), ...(words.size > 0 ? [wordsText] : [])];
	}

	private values(cells: readonly string[]): Partial<Record<InputField, string>> {
		const { set, mayBeBarcodes } = this.rules;
		const values: Partial<Record<InputField, string>> = {};
		for (const [field, place] of this.places) {
			let cell = cells[place] ?? '';
			if (field === 'product_id' && mayBeBarcodes && isBarcode(cell.trim())) {
				this.barcodes += 1;
				cell = '';
			}
			const otherwise = set[field];
			const isEmpty = otherwise !== undefined && (cell.trim() === '' || isNothing(cell));
			values[field] = isEmpty ? otherwise : cell;
		}
		return values;
	}

	private cellOf(field: InputField, cells: readonly string[]): string {
		return cells[this.rules.fieldColumns.get(field)?.place ?? -1] ?? '';
	}

	private columnOf(field: InputField): string {
		return this.rules.fieldColumns.get(field)?.name ?? field;
	}

	/** Names the column, and says what to do if all of it holds IDs of another kind, such as Amazon's. */
	private problemOf({
		field,
		what,
		cure,
		isOtherId,
	}: CheckedInput['problems'][number]): RowProblem {
		const column = this.columnOf(field);
		const isColumn = isOtherId === true && this.rules.fieldColumns.has(field);
		const otherIds = ` If the column has other numbers, do not read it: --map "${column}=-".`;
		return { column, what, cure: isColumn ? cure + otherIds : cure };
	}

	private shapeProblem({ cells: record, brokenLines, isInTemplate }: CsvLine): RowProblem | null {
		const width = this.columns.length;
		if (brokenLines !== undefined) {
			const index = record.findIndex((cell) => cell.startsWith('"'));
			const reach = brokenLines > 1 ? `: the row reaches over ${brokenLines} lines` : '';
			const column = this.columns[index]?.name ?? columnLetters(index);
			return { column, what: `${UNCLOSED.what}${reach}`, cure: UNCLOSED.cure };
		}
		if (isInTemplate === true)
			return {
				column: this.columnOf('product_name'),
				what: 'is among the lines of a template that describe the columns',
				cure: 'If it describes the columns too, remove it. If it is a product, remove the describing lines below it.',
			};
		if (record.length <= width || isBlank(record.slice(width))) return null;
		const { delimiter } = this.rules;
		const name = { ',': 'comma', ';': 'semicolon', '\t': 'tab' }[delimiter] ?? `“${delimiter}”`;
		return {
			column: columnLetters(width),
			what: `is a column without a header: the row has ${record.length} cells, the header ${width}`,
			cure: `If the ${name} belongs to the text, put the whole cell in quotation marks${this.example(record)}. If it is a column of its own, write a header above it.`,
		};
	}

	/** Shows a cell that was probably cut in two: in prose, a space follows the delimiter. */
	private example(record: readonly string[]): string {
		const at = record.findIndex((cell, index) => index > 0 && /^ \S/.test(cell));
		if (at === -1) return '';
		return `: "${shorten(`${record[at - 1] ?? ''}${this.rules.delimiter}${record[at] ?? ''}`)}"`;
	}
}

/** Gives one cell per column. */
function fitted(record: readonly string[], width: number): string[] {
	return Array.from({ length: width }, (_, at) => record[at] ?? '');
}

/**
 * Checks if a text is an EAN, UPC or GTIN: 8, 12, 13 or 14 digits, the last of which checks the others. Shops write
 * them into a column called Product ID.
 */
function isBarcode(text: string): boolean {
	if (!/^(\d{8}|\d{12,14})$/.test(text)) return false;
	let sum = 0;
	// From the right, every second digit counts three times.
	for (let at = 0; at < text.length; at++)
		sum += Number(text[text.length - 1 - at]) * (at % 2 === 0 ? 1 : 3);
	return sum % 10 === 0;
}
