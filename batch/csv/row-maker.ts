import { checkInput, INPUT_FIELDS, type InputField } from '../../service/input';
import { roundedDigits, roundedProblem } from '../../service/rounded-id';
import { truncate } from '../text';
import { isBarcode } from './barcodes';
import type { FieldColumns } from './columns';
import { columnLetters, columnName } from './headers';
import { isBlank } from './records';
import { rowId, type Row, type RowProblem } from './row';
import { delimiterName, quoted, QUOTED_MAX } from './wording';

/** What is known of a record besides its cells. */
export interface RecordFacts {
	/** How many lines the record takes, if it has an unclosed quotation mark in a cell. */
	brokenLines: number | undefined;
	/** Whether it is among the lines of a template that describe the columns. */
	isAmongTemplate: boolean;
}

/** What applies to all rows of a CSV. */
export interface RowRules {
	fieldColumns: FieldColumns;
	/** Values for rows that have none. */
	set: Readonly<Partial<Record<InputField, string>>>;
	delimiter: string;
	/** What to do about a lost character; null if the text has none. */
	damageCure: string | null;
	/** Whether the product IDs show together that a spreadsheet has rounded them. */
	idsAreRounded: boolean;
	/** Whether the column of product IDs was not named by a person, so that it may hold barcodes. */
	mayBeBarcodes: boolean;
}

/** Turns the records of a CSV into the rows of a table. */
export class RowMaker {
	private readonly names: string[];
	/** The columns that hold a field, from left to right. */
	private readonly serving: ReadonlyArray<{ index: number; field: InputField }>;
	private readonly neededCells: number;

	constructor(
		private readonly headers: readonly string[],
		private readonly rules: RowRules,
	) {
		this.names = headers.map(columnName);
		this.serving = INPUT_FIELDS.flatMap((field) => {
			const index = rules.fieldColumns[field];
			return index === undefined ? [] : [{ index, field }];
		}).sort((a, b) => a.index - b.index);
		this.neededCells = (this.serving.at(-1)?.index ?? -1) + 1;
	}

	make(number: number, record: string[], facts: RecordFacts): Row {
		const cells = this.fitted(record);
		const { input, problems: found } = checkInput({
			product_name: this.value('product_name', cells),
			product_id: this.value('product_id', cells),
			audience: this.value('audience', cells),
			objective: this.value('objective', cells),
			approved_facts: this.value('approved_facts', cells),
			campaign_terms: this.value('campaign_terms', cells),
			creative_direction: this.value('creative_direction', cells),
			reference_urls: this.value('reference_urls', cells),
		});
		// If the cells are not in their columns, other problems would only mislead.
		const shape = this.shapeProblem(record, facts);
		if (shape !== null) return { number, cells, input, problems: [shape], id: '' };
		const problems = this.damaged(cells);
		for (const { field, what, cure } of found) {
			problems.push({ column: this.columnOf(field), what, cure });
		}
		const { product_id = '' } = input;
		if (this.rules.idsAreRounded && roundedDigits(product_id) > 0) {
			problems.push({ column: this.columnOf('product_id'), ...roundedProblem(product_id) });
		}
		return { number, cells, input, problems, id: problems.length === 0 ? rowId(input) : '' };
	}

	/** One cell per column. */
	private fitted(record: string[]): string[] {
		if (record.length === this.headers.length) return record;
		const cells = record.slice(0, this.headers.length);
		while (cells.length < this.headers.length) cells.push('');
		return cells;
	}

	private value(field: InputField, cells: readonly string[]): string {
		const { fieldColumns, set, mayBeBarcodes } = this.rules;
		const index = fieldColumns[field];
		let cell = index === undefined ? '' : (cells[index] ?? '');
		if (field === 'product_id' && mayBeBarcodes && isBarcode(cell.trim())) cell = '';
		const otherwise = set[field];
		return otherwise !== undefined && cell.trim() === '' ? otherwise : cell;
	}

	private columnOf(field: InputField): string {
		const index = this.rules.fieldColumns[field];
		return index === undefined ? field : (this.names[index] ?? field);
	}

	private shapeProblem(
		record: readonly string[],
		{ brokenLines, isAmongTemplate }: RecordFacts,
	): RowProblem | null {
		const columns = this.headers.length;
		if (brokenLines !== undefined) {
			const index = record.findIndex((cell) => cell.startsWith('"'));
			const reach = brokenLines > 1 ? `: the row reaches over ${brokenLines} lines` : '';
			return {
				column: this.names[index] ?? columnLetters(index),
				what: `opens a quotation mark (") that is not closed at the end of a cell${reach}`,
				cure: 'Close or remove it. Inside a quoted cell a quotation mark is written twice ("").',
			};
		}
		if (isAmongTemplate) {
			return {
				column: this.columnOf('product_name'),
				what: 'is above lines of a template that describe the columns',
				cure: 'Remove the row if it is one of them. If it is a product, remove those lines.',
			};
		}
		if (record.length > columns && !isBlank(record.slice(columns))) {
			const name = delimiterName(this.rules.delimiter);
			return {
				column: columnLetters(columns),
				what: `has no header: the row has ${record.length} cells, the header ${columns}`,
				cure: `If the ${name} belongs to the text, put the whole cell in quotation marks${this.example(record)}. If it is a column of its own, write a header above it.`,
			};
		}
		if (record.length < this.neededCells) {
			const missing = this.serving.find(({ index }) => index >= record.length);
			return {
				column: this.names[missing?.index ?? 0] ?? '',
				what: `is cut off: the row has ${record.length} of ${columns} cells`,
				cure:
					'Put a cell that holds a line break in quotation marks; ' +
					'if the rest is to be empty, write its delimiters.',
			};
		}
		return null;
	}

	/** A cell that was probably cut in two: in prose, a space follows the delimiter. */
	private example(record: readonly string[]): string {
		const at = record.findIndex((cell, index) => index > 0 && /^ \S/.test(cell));
		if (at === -1) return '';
		return `: "${truncate(`${record[at - 1] ?? ''}${this.rules.delimiter}${record[at] ?? ''}`, QUOTED_MAX)}"`;
	}

	/** A character that another program has lost has become U+FFFD, and would be sent as that. */
	private damaged(cells: readonly string[]): RowProblem[] {
		const { damageCure: cure } = this.rules;
		if (cure === null) return [];
		return this.serving
			.filter(({ index }) => cells[index]?.includes('\ufffd'))
			.map(({ index }) => {
				const what = `has damaged characters: ${quoted((cells[index] ?? '').trim())}`;
				return { column: this.names[index] ?? '', what, cure };
			});
	}
}
