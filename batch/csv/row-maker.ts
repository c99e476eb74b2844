import { checkInput, INPUT_FIELDS, type InputField } from '../../service/input';
import { roundedDigits, roundedProblem } from '../../service/rounded-id';
import { truncate } from '../text';
import { isBlank } from './cells';
import type { FieldColumns } from './columns';
import { columnLetters, columnName } from './headers';
import { rowId } from './row-id';
import type { Row, RowProblem } from './row';
import { delimiterName, quoted, QUOTED_MAX } from './wording';

/** What is known of the bytes of a record. */
export interface RecordSource {
	/** How many lines the record takes, where it has a quotation mark that is not closed in its cell. */
	brokenLines: number | undefined;
	/** Whether all bytes are ASCII, so that no character can be damaged. */
	ascii: boolean;
	/** Whether it stands among lines of a template that describe the columns. */
	isAmongTemplate: boolean;
	/** How the record reads in the encoding that the file seems to have, where it is damaged in this one. */
	otherwise: { encoding: string; cells: readonly string[] } | undefined;
}

/** Turns the records of a CSV into the rows of a table. */
export class RowMaker {
	private readonly names: string[];
	/** The columns that hold a field, from left to right. */
	private readonly serving: ReadonlyArray<{ index: number; field: InputField }>;
	private readonly neededCells: number;
	/** Whether the product IDs show together that a spreadsheet has rounded them. */
	idsAreRounded = false;

	constructor(
		private readonly headers: readonly string[],
		private readonly fieldColumns: FieldColumns,
		private readonly set: Readonly<Partial<Record<InputField, string>>>,
		private readonly delimiter: string,
		private readonly damageCure: string,
	) {
		this.names = headers.map(columnName);
		this.serving = INPUT_FIELDS.flatMap((field) => {
			const index = fieldColumns[field];
			return index === undefined ? [] : [{ index, field }];
		}).sort((a, b) => a.index - b.index);
		this.neededCells = (this.serving.at(-1)?.index ?? -1) + 1;
	}

	make(number: number, record: string[], source: RecordSource): Row {
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
		// Where the cells are not in their columns, other problems would only mislead.
		const shape = this.shapeProblem(record, source);
		if (shape !== null) return { number, cells, input, problems: [shape], id: '' };
		const problems = source.ascii ? [] : this.damaged(cells, source.otherwise);
		for (const { field, what, cure } of found) {
			problems.push({ column: this.columnOf(field), what, cure });
		}
		const { product_id = '' } = input;
		if (this.idsAreRounded && roundedDigits(product_id) > 0) {
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
		const index = this.fieldColumns[field];
		const cell = index === undefined ? '' : (cells[index] ?? '');
		const otherwise = this.set[field];
		return otherwise !== undefined && cell.trim() === '' ? otherwise : cell;
	}

	private columnOf(field: InputField): string {
		const index = this.fieldColumns[field];
		return index === undefined ? field : (this.names[index] ?? field);
	}

	private shapeProblem(
		record: readonly string[],
		{ brokenLines, isAmongTemplate }: RecordSource,
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
				what: 'stands above lines of a template that describe the columns',
				cure: 'Remove the row if it is one of them. If it is a product, remove those lines.',
			};
		}
		if (record.length > columns && !isBlank(record.slice(columns))) {
			const name = delimiterName(this.delimiter);
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
		return `: "${truncate(`${record[at - 1] ?? ''}${this.delimiter}${record[at] ?? ''}`, QUOTED_MAX)}"`;
	}

	/** A character that could not be decoded has become U+FFFD, and would be sent as that. */
	private damaged(cells: readonly string[], otherwise: RecordSource['otherwise']): RowProblem[] {
		const problems: RowProblem[] = [];
		for (const { index } of this.serving) {
			const cell = cells[index] ?? '';
			if (!cell.includes('\ufffd')) continue;
			const reading =
				otherwise === undefined
					? ''
					: `, which reads as ${otherwise.encoding}: ${quoted((otherwise.cells[index] ?? '').trim())}`;
			const what = `has damaged characters: ${quoted(cell.trim())}${reading}`;
			problems.push({ column: this.names[index] ?? '', what, cure: this.damageCure });
		}
		return problems;
	}
}
