import { spelling } from '../../service/spelling';
import type { Row, Table } from '../csv/table';
import { Failure } from '../failure';
import { isAsked } from '../plan/asked-rows';
import { count } from '../text';
import type { Settings } from './settings/settings';
import type { Condition } from './settings/where';

/**
 * The rows that --only and --where choose; undefined if nobody chooses.
 * @throws {Failure} if a condition names a column that the CSV does not have
 */
export function chosenRows(
	{ columns, rows }: Pick<Table, 'columns' | 'rows'>,
	{ only, where }: Pick<Settings, 'only' | 'where'>,
): Row[] | undefined {
	if (only === false && where.length === 0) return undefined;
	const conditions = where.map((condition) => ({
		...condition,
		place: placeOf(condition, columns),
	}));
	const chosen = rows.filter(({ number, cells }) => {
		if (only !== false && !isAsked(only, number)) return false;
		return conditions.every(
			({ place, text, isNot }) => (spelling(cells[place] ?? '') === spelling(text)) !== isNot,
		);
	});
	if (chosen.length > 0) return chosen;
	throw new Failure(
		'--only and --where leave no row.',
		'Look at the values of the column: plan shows those that speak of a state.',
	);
}

/** How many rows are left out, for a person. */
export function leftOutText(rows: readonly Row[], chosen: readonly Row[] | undefined): string[] {
	const n = rows.length - (chosen ?? rows).length;
	return n === 0 ? [] : [`${count(n, 'row')} left out by --only or --where.`];
}

function placeOf({ column }: Condition, columns: readonly string[]): number {
	const place = columns.findIndex((header) => spelling(header) === spelling(column));
	if (place !== -1) return place;
	const [nearest] = [...columns].sort((a, b) => distance(a, column) - distance(b, column));
	throw new Failure(
		`--where names the column “${column}”, which the CSV does not have.`,
		nearest === undefined ? 'Name one of its columns.' : `The nearest is “${nearest}”.`,
	);
}

/** How many letters differ, by Levenshtein. */
function distance(one: string, other: string): number {
	const [a, b] = [spelling(one), spelling(other)];
	let row = Array.from({ length: b.length + 1 }, (_, at) => at);
	for (let i = 0; i < a.length; i += 1) {
		const next = [i + 1];
		for (let j = 0; j < b.length; j += 1) {
			const changed = (row[j] ?? 0) + (a[i] === b[j] ? 0 : 1);
			next.push(Math.min(changed, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
		}
		row = next;
	}
	return row[b.length] ?? 0;
}
