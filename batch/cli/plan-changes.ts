import type { Table } from '../csv/table';
import type { Records } from '../journal/records';
import { changeEvent } from '../run/change-text';
import { classifyRows } from '../run/classify-rows';
import type { Summary } from '../run/summarise';
import { count } from '../text';
import type { Console } from './console';
import { lineFor } from './event-lines';
import { oneLine, rowLabel } from './format';

/** So many rows are few enough to be told one by one. */
const FEW = 20;

/** Names the changed rows and what differs in them, and beside these the rows that are really new. */
export async function showChanges(
	table: Table,
	records: Records,
	{ allowDuplicates }: { allowDuplicates: boolean },
	{ changes, fresh }: Summary,
	console: Console,
): Promise<void> {
	if (changes.size === 0) return;
	let shown = 0;
	for (const change of changes.values()) {
		const event = changeEvent(change, table.set);
		console.json(event);
		shown += 1;
		const line = shown > FEW ? null : lineFor(event, console.paint);
		if (line !== null) console.say(line);
	}
	// A forgotten --set changes all rows alike, so that some of them are enough to see it.
	if (shown > FEW) console.say(`… and ${count(shown - FEW, 'more changed row')}.`);
	if (fresh > FEW) return;
	for await (const rows of classifyRows(table, records, { allowDuplicates, changes })) {
		for (const classified of rows) {
			if (classified.fate !== 'new' || classified.change !== undefined) continue;
			const { number, input } = classified.row;
			console.say(`${rowLabel(number)} new  ${oneLine(input.product_name, 60)}`);
		}
	}
}
