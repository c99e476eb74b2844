import type { BriefInput } from '../../core/api/types';
import type { Finding, NextStep } from '../../core/finding';
import type { InputField } from '../../core/input/input-fields';

/**
 * The CSV as the rest of brief-batch sees it. `readTable` reads the table once per command; nothing changes it afterwards.
 *
 *     products.csv          Product Name,SKU,Audience
 *     row 2                 Mug,A1,Bakers
 *
 *     { kind: 'usable', number: 2, cells: ['Mug', 'A1', 'Bakers'], rowId: 'A1',
 *       input: { product_name: 'Mug', audience: 'Bakers' }, contentId: '52ce…', warnings: [] }
 */
export interface Table {
	/** As the user typed it. */
	readonly file: string;
	readonly headers: readonly string[];
	readonly rows: readonly Row[];
	/** How the CSV was read. Stored in the journal; other options are the confirmation `options-changed`. */
	readonly options: CsvOptions;
	/** The header of each field that was found, to show to the user. */
	readonly columns: Readonly<Partial<Record<InputField, string>>>;
	/** Used again for results.csv. */
	readonly delimiter: string;
	/** Which columns are sent, as sentences. Only `plan` prints them. */
	readonly columnNotices: readonly string[];
	/** What was skipped or read in an unusual way. `plan` and `run` print them. */
	readonly notices: readonly CsvFinding[];
}

export type Row = UsableRow | InvalidRow | SkippedRow;

interface RowBase {
	/** Row number as a spreadsheet shows it: the header is row 1. */
	readonly number: number;
	/** All cells, in the sequence of `Table.headers`. */
	readonly cells: readonly string[];
	/** Value of the column that `CsvOptions.id` names, null if the row has none. */
	readonly rowId: string | null;
	/** The values of an invalid row can be incomplete. */
	readonly input: BriefInput;
}

/** A row that can be ordered. */
export interface UsableRow extends RowBase {
	readonly kind: 'usable';
	/** `toContentId(input)`: equal for rows that ask for the same brief. */
	readonly contentId: string;
	/** Damage that a program might have done to the row. The row is ordered if the user permits `damaged-rows`. */
	readonly warnings: readonly string[];
}

/** A row that the service would refuse. It is never ordered, and keeps the order that it had. */
interface InvalidRow extends RowBase {
	readonly kind: 'invalid';
	/** The reasons, as full sentences. */
	readonly problems: readonly string[];
}

/** A row that a condition of `CsvOptions.where` skips, valid or not. It keeps the order that it had. */
interface SkippedRow extends RowBase {
	readonly kind: 'skipped';
	/** Null if the row is invalid as well. */
	readonly contentId: string | null;
}

export function isUsable(row: Row): row is UsableRow {
	return row.kind === 'usable';
}

/** Returns the content by which a row is matched with orders; null if the row is invalid. */
export function getContentId(row: Row): string | null {
	return row.kind === 'invalid' ? null : row.contentId;
}

/** A line of the CSV before its columns are known. */
export interface CsvLine {
	/** Row number as a spreadsheet shows it. */
	readonly number: number;
	readonly cells: readonly string[];
}

/** The options that decide how the CSV is read. */
export interface CsvOptions {
	/** From header to field; `-` for a header that is to be ignored. */
	readonly map: Readonly<Record<string, InputField | '-'>>;
	/** Default values, for empty cells. */
	readonly set: Readonly<Partial<Record<InputField, string>>>;
	/** Conditions for rows to be used, each `Column=value` or `Column!=value`. */
	readonly where: readonly string[];
	/** The header of the column with the row IDs. */
	readonly id: string | null;
	/** Null for UTF-8 or UTF-16 by byte-order mark. */
	readonly encoding: string | null;
}

export const DEFAULT_CSV_OPTIONS: CsvOptions = {
	map: {},
	set: {},
	where: [],
	id: null,
	encoding: null,
};

/**
 * What the user is told about the CSV. Options are data, because only cli/ knows their names:
 *
 *     { option: { name: 'id', value: 'SKU' }, message: 'the CSV has no column “SKU”.', … }
 *     { message: 'Several columns could be audience: …', nextSteps: [{ text: …, options: { map: { Group: 'audience' } } }] }
 */
export interface CsvFinding extends Finding {
	/** The option that the message is about. */
	readonly option?: UsedOption;
	readonly nextSteps: readonly CsvStep[];
}

export interface UsedOption {
	readonly name: keyof CsvOptions;
	/** As the user typed it; missing if the message names the value. */
	readonly value?: string;
}

export interface CsvStep extends NextStep {
	/** The options to add to the command. */
	readonly options?: Partial<CsvOptions>;
}
