import { makeFinding } from '../../core/finding';
import { foldText, quote } from '../../core/input/text';
import { listQuoted } from '../text';
import { getCell } from './cells';
import { getColumnName, requireColumn } from './columns';
import { CsvProblem } from './csv-problem';
import type { CsvFinding, CsvLine } from './types';

/** `Column=value` or `Column!=value`. A column whose name contains “=” is not supported. */
const CONDITION = /^([^=]*?)(!?)=(.*)$/s;

interface Condition {
	readonly column: number;
	readonly isNegated: boolean;
	/** As it was typed. */
	readonly value: string;
}

interface WhereFilter {
	readonly isSkipped: (cells: readonly string[]) => boolean;
	readonly notices: readonly CsvFinding[];
}

/**
 * Returns which rows the conditions skip. A value is compared with the whole cell, without regard to case or
 * white space.
 * @throws {CsvProblem} if the CSV does not have the column or has it twice, or if no row has the value after “!=”: a
 * misspelled value would skip nothing and order everything
 */
export function createWhereFilter(
	lines: readonly CsvLine[],
	headers: readonly string[],
	where: readonly string[],
): WhereFilter {
	const conditions = where.map((text) => parseCondition(text, headers));
	const notices = conditions.flatMap((condition) => checkValue(condition, lines, headers));
	const tests = conditions.map(({ column, isNegated, value }) => {
		const wanted = foldText(value);
		return (cells: readonly string[]) => (foldText(cells[column] ?? '') === wanted) !== isNegated;
	});
	return { isSkipped: (cells) => !tests.every((isMet) => isMet(cells)), notices };
}

function parseCondition(text: string, headers: readonly string[]): Condition {
	const [, name = '', negation = '', value = ''] = CONDITION.exec(text) ?? [];
	const column = requireColumn(headers, name, { name: 'where', value: text });
	return { column, isNegated: negation !== '', value: value.trim() };
}

/** Returns a notice if no row has the value. */
function checkValue(
	{ column, isNegated, value }: Condition,
	lines: readonly CsvLine[],
	headers: readonly string[],
): CsvFinding[] {
	const wanted = foldText(value);
	const cells = lines.map((line) => getCell(line.cells, column));
	if (value === '' || cells.some((cell) => foldText(cell) === wanted)) return [];
	const option = { name: 'where' } as const;
	const name = quote(getColumnName(headers, column));
	const message = `no row has ${quote(value)} in ${name}`;
	const values = [...new Set(cells)].filter((text) => text !== '');
	const found = `Values found: ${listQuoted(values, 8)}.`;
	if (isNegated)
		throw new CsvProblem(`${message}, so the condition would skip nothing.`, found, option);
	return [{ option, ...makeFinding(`${message}. ${found}`) }];
}
