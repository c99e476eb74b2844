import { addTo } from '../collections';
import { nameRows } from '../text';
import { listNumbers, type ReportRow } from './report-row';

/** This many rows with one reason share a line: a new column, for example, changes every row. */
const MIN_SHARED = 3;

/** Rows that a list shows on one line, and what the line says about them. */
export interface ReasonLine {
	readonly rows: readonly ReportRow[];
	readonly text: string;
}

/** Returns one line per row, or per reason that several rows share. A row with its own next steps has its own line. */
export function groupByReason(rows: readonly ReportRow[]): ReasonLine[] {
	const byReason = new Map<string, ReportRow[]>();
	for (const row of rows) addTo(byReason, row.reason, row);
	return [...byReason].flatMap(([reason, members]) => {
		const isShared =
			reason !== '' &&
			members.length >= MIN_SHARED &&
			members.every(({ nextSteps }) => nextSteps.length === 0);
		if (!isShared) return members.map((row) => ({ rows: [row], text: row.message }));
		return [{ rows: members, text: describeShared(reason, members) }];
	});
}

function describeShared(reason: string, rows: readonly ReportRow[]): string {
	const [example] = rows;
	const numbers = listNumbers(rows);
	const text = numbers.length === 0 ? reason : `${reason} (${nameRows(numbers)})`;
	if (example === undefined || example.message === reason) return text;
	const { place } = example;
	const label = place.kind === 'row' ? place.number : '–';
	return `${text}. For example, row ${label}: ${example.message}`;
}
