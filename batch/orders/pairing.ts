import type { BriefInput } from '../../core/api/types';
import { normalizeField } from '../../core/input/content';
import { INPUT_FIELDS, type InputField } from '../../core/input/input-fields';
import { addCount, groupBy } from '../collections';
import type { Row } from '../csv/types';
import type { LiveOrder } from './order';

/*
 * Pairs edited rows with the orders that have lost rows. A rule takes what is unpaired and returns pairs; the next rule gets
 * what is left. A row gets one order, and an order gets as many rows as it has lost.
 */

/** Rows with the same content: they were edited together. */
export interface EditedRows {
	readonly rows: readonly Row[];
	readonly fields: ComparableFields;
}

/** An order that has fewer rows than before, with its own input or that of a row that was edited earlier. */
export interface Candidate {
	readonly order: LiveOrder;
	readonly fields: ComparableFields;
	readonly lostRows: number;
}

export interface Unpaired {
	readonly rows: readonly EditedRows[];
	readonly candidates: readonly Candidate[];
}

export type Pair = readonly [edited: EditedRows, order: LiveOrder];

export type PairingRule = (unpaired: Unpaired) => readonly Pair[];

/** Applies the rules in sequence, each to what the rules before it have left of its rows and candidates. */
export function pairInSteps(
	steps: ReadonlyArray<readonly [unpaired: Unpaired, rule: PairingRule]>,
): Pair[] {
	const pairs = new Map<EditedRows, LiveOrder>();
	const gained = new Map<LiveOrder, number>();
	for (const [{ rows, candidates }, rule] of steps) {
		const unpaired = rows.filter((each) => !pairs.has(each));
		const free = candidates.flatMap((each) => {
			const lostRows = each.lostRows - (gained.get(each.order) ?? 0);
			return lostRows > 0 ? [{ ...each, lostRows }] : [];
		});
		if (unpaired.length === 0 || free.length === 0) continue;
		for (const [edited, order] of rule({ rows: unpaired, candidates: free })) {
			pairs.set(edited, order);
			addCount(gained, order, edited.rows.length);
		}
	}
	return [...pairs];
}

/** Applies a rule to each group of rows, with the candidates of the same group. */
export function pairInGroups(
	{ rows, candidates }: Unpaired,
	getGroup: (each: EditedRows | Candidate) => string | null,
	rule: PairingRule,
): Pair[] {
	const groups = groupBy<Candidate>(candidates, getGroup);
	return pairInSteps(
		[...groupBy<EditedRows>(rows, getGroup)].map(([group, unpaired]) => {
			return [{ rows: unpaired, candidates: groups.get(group) ?? [] }, rule] as const;
		}),
	);
}

/** @param gained how many rows each order has got */
export function isFree(
	{ order, lostRows }: Candidate,
	gained: ReadonlyMap<LiveOrder, number>,
): boolean {
	return (gained.get(order) ?? 0) < lostRows;
}

export type ComparableFields = Readonly<Record<InputField, string>>;

/** Returns the fields of an input in the form in which they are compared; a missing field is empty. */
export function getComparableFields(input: BriefInput): ComparableFields {
	const entries = INPUT_FIELDS.map((field) => [field, normalizeField(field, input[field])]);
	return Object.fromEntries(entries) as ComparableFields;
}
