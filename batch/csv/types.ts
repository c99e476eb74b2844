import type { BriefInput } from '../../core/api/types';
import type { Finding, NextStep } from '../../core/finding';
import type { InputField } from '../../core/input/input-fields';

/**
 * The CSV as the rest of brief-batch sees it. `readTable` reads the table once per command; nothing changes it afterwards.
 *
 *     products.csv          Product Name,SKU,Audience
 *     row 2                 Mug,A1,Bakers
 *
 *     { number: 2, cells: ['Mug', 'A1', 'Bakers'], input: { product_name: 'Mug', audience: 'Bakers' },
 *       rowId: 'A1', contentId: '52ce…', problems: [], warnings: [], isSkipped: false }
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

export interface Row {
	/** Row number as a spreadsheet shows it: the header is row 1. */
	readonly number: number;
	/** All cells, in the sequence of `Table.headers`. */
	readonly cells: readonly string[];
	/** Only meaningful without problems. */
	readonly input: BriefInput;
	/** Reasons why the service would refuse this row, as full sentences. A row with problems is never ordered. */
	readonly problems: readonly string[];
	/** Damage that a program might have done to the row. The row is ordered if the user confirms `damaged-rows`. */
	readonly warnings: readonly string[];
	/** Value of the column that `CsvOptions.id` names, null if the row has none. */
	readonly rowId: string | null;
	/** `toContentId(input)`: equal for rows that ask for the same brief. Empty if the row has problems. */
	readonly contentId: string;
	/** True if a condition of `CsvOptions.where` skips the row. */
	readonly isSkipped: boolean;
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
