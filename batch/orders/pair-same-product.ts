import { INPUT_FIELDS, type InputField } from '../../core/input/input-fields';
import { addCount, groupBy } from '../collections';
import type { LiveOrder } from './order';
import {
	isFree,
	pairInGroups,
	pairInSteps,
	type Candidate,
	type ComparableFields,
	type EditedRows,
	type Pair,
	type PairingRule,
	type Unpaired,
} from './pairing';

/**
 * Pairs the edited rows of a product with its orders. A row gets the order with which it has the most values in common, so
 * that editing two rows does not swap their briefs. Empty fields are no evidence; in a tie, a row gets the next order:
 *
 *     order 1   Mug, Bakers, Give   row 2   Mug, Cooks, Sell    order 2: the audience
 *     order 2   Mug, Cooks, Give    row 3   Mug, Bakers, Sell   order 1
 *                                   row 4   Mug                 none
 *
 * Comparing each row with each order would take minutes for thousands of rows of one product. Instead, rows and orders are
 * looked up by the values of a set of fields: first of all fields, then of all fields but one, down to one field.
 */
export function pairByEvidence(identity: InputField): PairingRule {
	return pairProducts(identity, (product) => {
		const sets = listFieldSets(findCommonFields(product, identity));
		return pairInSteps(sets.map((fields) => [product, (left) => pairEqual(left, fields)]));
	});
}

/**
 * Pairs the rows that were edited before the last run, and not since, with their orders. Such a row keeps its order however
 * many rows are copies of it.
 */
export function pairUnchanged({ rows, candidates }: Unpaired): Pair[] {
	const getInput = ({ fields }: EditedRows | Candidate) => JSON.stringify(fields);
	const byInput = groupBy(candidates, getInput);
	return rows.flatMap((row) => {
		const [first] = byInput.get(getInput(row)) ?? [];
		return first === undefined ? [] : [[row, first.order]];
	});
}

/** Pairs the edited rows of a product with its orders, although nothing else is the same. */
export function pairInSequence(identity: InputField): PairingRule {
	return pairProducts(identity, (product) => pairEqual(product, []));
}

function pairProducts(identity: InputField, rule: PairingRule): PairingRule {
	return (unpaired) => pairInGroups(unpaired, ({ fields }) => fields[identity] || null, rule);
}

/** Returns the fields other than the identity that have values on both sides. */
function findCommonFields({ rows, candidates }: Unpaired, identity: InputField): InputField[] {
	return INPUT_FIELDS.filter((field) => {
		const hasValue = ({ fields }: EditedRows | Candidate) => fields[field] !== '';
		return field !== identity && rows.some(hasValue) && candidates.some(hasValue);
	});
}

/** Returns all subsets of the fields but the empty set, the largest first. */
function listFieldSets(fields: readonly InputField[]): InputField[][] {
	const sets = fields.reduce<InputField[][]>(
		(smaller, field) => [...smaller.map((set) => [...set, field]), ...smaller],
		[[]],
	);
	return sets.filter((set) => set.length > 0).sort((a, b) => b.length - a.length);
}

/** Pairs the rows and orders that have the same values in these fields. */
function pairEqual({ rows, candidates }: Unpaired, fields: readonly InputField[]): Pair[] {
	const queues = groupBy(candidates, (each) => joinValues(each.fields, fields));
	const gained = new Map<LiveOrder, number>();
	return rows.flatMap((row) => {
		const queue = queues.get(joinValues(row.fields, fields) ?? '') ?? [];
		while (queue[0] !== undefined && !isFree(queue[0], gained)) queue.shift();
		const [first] = queue;
		if (first === undefined) return [];
		addCount(gained, first.order, row.rows.length);
		return [[row, first.order]];
	});
}

/** Returns null if one of the fields is empty. */
function joinValues(values: ComparableFields, fields: readonly InputField[]): string | null {
	const joined = fields.map((field) => values[field]);
	return joined.includes('') ? null : JSON.stringify(joined);
}
