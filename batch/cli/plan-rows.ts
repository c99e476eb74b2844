import type { Row, Table } from '../csv/table';
import type { Records } from '../journal/records';
import { changeEvent } from '../run/change-text';
import { classifyRows } from '../run/classify-rows';
import type { Foreseen } from '../run/foresee-listed';
import type { Summary } from '../run/summarise';
import { count } from '../text';
import type { Console } from './console';
import { lineFor } from './event-lines';
import { oneLine, rowLabel } from './format';

/** So many rows are few enough to be told one by one. */
const FEW = 20;

/** Names the changed rows and what differs in them. */
export function showChanges(table: Table, { changes }: Summary, console: Console): void {
	const lines: string[] = [];
	for (const change of changes.values()) {
		const event = changeEvent(change, table.set);
		console.json(event);
		lines.push(lineFor(event, console.paint) ?? '');
	}
	// A forgotten --set changes all rows alike, so that some of them are enough to see it.
	showFew(lines, 'changed row', console);
}

/** Names the rows that a run would not order because of a brief that the workspace has. */
export function showListed({ adopted, unclear }: Foreseen, console: Console): void {
	for (const { row, brief_id } of adopted)
		console.json({ event: 'row_adopted', ...named(row), brief_id });
	for (const { row, ids } of unclear)
		console.json({ event: 'row_unclear', ...named(row), brief_ids: ids });
	const lineOf = (row: Row, what: string, text: string) =>
		`${rowLabel(row.number)} ${console.paint('yellow', what)}  ${name(row)}  ${console.paint('dim', oneLine(text, 100))}`;
	showFew(
		adopted.map(({ row, brief_id }) => lineOf(row, 'adopted', `brief ${brief_id}`)),
		'adopted row',
		console,
	);
	showFew(
		unclear.map(({ row, ids }) => lineOf(row, 'unclear', `perhaps brief ${ids.join(', ')}`)),
		'unclear row',
		console,
	);
}

/** Names the rows that are really new, where they are few. */
export async function showNew(
	table: Table,
	records: Records,
	{ allowDuplicates }: { allowDuplicates: boolean },
	{ changes, fresh }: Summary,
	{ adopted, unclear, changed }: Foreseen,
	console: Console,
): Promise<void> {
	const listed = new Set([...adopted, ...unclear].map(({ row }) => row.number));
	if (fresh - (listed.size - changed) > FEW) return;
	for await (const rows of classifyRows(table, records, { allowDuplicates, changes })) {
		for (const classified of rows) {
			if (classified.fate !== 'new' || classified.change !== undefined) continue;
			const { row } = classified;
			if (!listed.has(row.number)) console.say(`${rowLabel(row.number)} new  ${name(row)}`);
		}
	}
}

function showFew(lines: readonly string[], what: string, console: Console): void {
	for (const line of lines.slice(0, FEW)) console.say(line);
	if (lines.length > FEW) console.say(`… and ${count(lines.length - FEW, `more ${what}`)}.`);
}

function named({ number, input: { product_name } }: Row) {
	return { row: number, product_name };
}

function name({ input }: Row): string {
	return oneLine(input.product_name, 60);
}
