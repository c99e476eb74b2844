import fc from 'fast-check';
import type { BriefInput } from '../../../core/api/types';
import { matchRows, type RowMatches } from '../../../batch/orders/match-rows';
import { makeDraft, NOTHING } from '../../../core/orders/order';
import { makeFirstLine } from '../../../batch/orders/order';
import { StoredOrders } from '../../../batch/orders/orders';
import type { Row, UsableRow } from '../../../batch/csv/types';
import { getPropertySettings, isTorture } from '../../support/long-run';
import { makeRow, START, STATES } from '../support/order-builder';

/*
 * Random edits of a CSV. The oracle knows which row is which: a row has the order of its content, else the order that it had
 * last. Without --id, a row is edited once between two runs: a second edit makes it a new product.
 *
 * In a table of variants, fields are empty, cells of several rows are equal, rows change their names and share orders.
 * Without --id, no one can then tell which of two edited rows is which. But a row that was not edited since the last run
 * keeps its order unless another row has that order's content, no row gets an order whose rows are all unchanged, and a
 * product that has no more rows than before has no new row.
 */

jest.setTimeout(isTorture ? 1_200_000 : 30_000);

const FIELDS = ['audience', 'objective', 'campaign_terms', 'creative_direction'] as const;
type Field = (typeof FIELDS)[number];

/** The kind decides which of the other values count. */
const action = fc.record({
	kind: fc.constantFrom(
		...(['set', 'set', 'set', 'undo', 'reset', 'rename', 'swap names', 'copy'] as const),
		...(['add', 'remove', 'restore', 'reverse', 'sort', 'reorder', 'run', 'run', 'run'] as const),
	),
	line: fc.nat(9),
	other: fc.nat(9),
	field: fc.constantFrom(...FIELDS),
});
type Action = typeof action extends fc.Arbitrary<infer Value> ? Value : never;

interface Table {
	readonly hasRowIds: boolean;
	/** Whether values occur in several cells. Otherwise each value is in one row only. */
	readonly hasVariants: boolean;
}

interface Line {
	readonly rowId: string;
	/** The inputs that the row had, the first input first and the present input last. */
	readonly inputs: BriefInput[];
	isRemoved: boolean;
	isEdited: boolean;
	/** The order that the row had last; null before its first run. */
	orderId: number | null;
	/** The name that the row had in the last run; null if it was not in the CSV. */
	lastName: string | null;
}

const VARIANTS: readonly BriefInput[] = [
	{ product_name: 'Mug', audience: 'Bakers' },
	{ product_name: 'Mug', audience: 'Bakers' },
	{ product_name: 'Mug', audience: 'Cooks', objective: 'Sell' },
	{ product_name: 'Pan', audience: 'Bakers' },
	{ product_name: 'Pan' },
];
const VARIANT_VALUES = ['', 'Bakers', 'Cooks', 'Sell'];

class Sheet {
	private readonly orders = new StoredOrders();
	private lines: Line[] = [];
	private values = 0;
	private runs = 0;

	constructor(private readonly table: Table) {
		if (table.hasVariants) for (const input of VARIANTS) this.add(input);
		else for (const product_name of ['Mug', 'Mug', 'Mug', 'Pan']) this.add({ product_name });
	}

	act(next: Action): void {
		const { hasRowIds, hasVariants } = this.table;
		const { kind, line: index, other, field } = next;
		if (kind === 'run') return this.run(null);
		if (kind === 'add') return this.add(this.makeInput(next));
		if (kind === 'reverse') this.lines = this.lines.toReversed();
		if (kind === 'sort') this.sort(field);
		if (kind === 'restore') for (const each of this.lines) each.isRemoved = false;
		const line = this.present[index % this.present.length];
		const source = this.present[other % this.present.length];
		if (line === undefined || source === undefined || line.orderId === null) return;
		if (kind === 'reorder') return this.run(line);
		if (line.isEdited && !hasRowIds) return;
		const input = line.inputs.at(-1)!;
		if (kind === 'remove') line.isRemoved = true;
		if (kind === 'set') this.edit(line, { ...input, [field]: this.makeValue(other) });
		if (kind === 'undo') this.edit(line, line.inputs.at(-2) ?? input);
		if (kind === 'reset') this.edit(line, ...line.inputs.splice(0, Infinity).slice(0, 1));
		// Without --id, a variant with another name can be another product.
		if (kind === 'rename' && (hasRowIds || !hasVariants))
			this.edit(line, { ...input, product_name: `${input.product_name} XL` });
		if (source.orderId === null) return;
		// Without --id, a row of its own values that gets the values or the name of another is another row.
		if (kind === 'copy' && (hasRowIds || hasVariants)) this.edit(line, source.inputs.at(-1)!);
		if (kind === 'swap names' && (hasRowIds || (hasVariants && !source.isEdited)))
			this.swapNames(line, source);
	}

	/** Orders new rows, and one edited row if the user asks for it. */
	run(reordered: Line | null): void {
		const lines = this.present;
		const rows = lines.map(({ rowId, inputs }, index) =>
			makeRow(index + 2, inputs.at(-1)!, { rowId: this.table.hasRowIds ? rowId : null }),
		);
		const matches = this.match(rows);
		const { hasRowIds, hasVariants } = this.table;
		if (hasRowIds || !hasVariants) this.expectOwnOrders(lines, rows, matches);
		else this.expectPossibleOrders(lines, rows, matches);
		for (const [index, row] of rows.entries()) {
			const isWanted = matches.get(row).kind === 'new' || lines[index] === reordered;
			const isOrdered = this.orders.findByContent(row.contentId).length > 0;
			if (isWanted && !isOrdered) this.order(row, matches);
		}
		const after = this.match(rows);
		for (const line of this.lines) line.lastName = null;
		for (const [index, row] of rows.entries()) {
			const { product_name: lastName } = row.input;
			Object.assign(lines[index]!, { orderId: getOrderId(after, row), isEdited: false, lastName });
		}
		this.runs += 1;
	}

	private expectOwnOrders(
		lines: readonly Line[],
		rows: readonly UsableRow[],
		matches: RowMatches,
	): void {
		for (const [index, row] of rows.entries()) {
			const own = this.findByContent(row) ?? lines[index]!.orderId;
			const twins = listTwinOrders(row, rows, lines);
			const possible = own === null && twins.length > 0 ? twins : [own];
			const found = getOrderId(matches, row);
			expect([row, possible]).toEqual([row, expect.arrayContaining([found])]);
		}
	}

	private expectPossibleOrders(
		lines: readonly Line[],
		rows: readonly UsableRow[],
		matches: RowMatches,
	): void {
		const before = this.lines.filter(({ lastName }) => lastName !== null);
		const changed = before.filter(({ isRemoved, isEdited }) => isRemoved || isEdited);
		const lost = new Set(changed.map(({ orderId }) => orderId));
		const complete = before.flatMap(({ orderId }) => (lost.has(orderId) ? [] : [orderId]));
		const byContent = rows.map((row) => this.findByContent(row));
		for (const [index, row] of rows.entries()) {
			const { orderId, isEdited, lastName } = lines[index]!;
			const found = getOrderId(matches, row);
			const isUnchanged = !isEdited && lastName !== null && !byContent.includes(orderId);
			const own = byContent[index] ?? (isUnchanged ? orderId : null);
			if (own !== null) expect([row, found]).toEqual([row, own]);
			else if (found !== null && !listTwinOrders(row, rows, lines).includes(found))
				expect([row, complete]).toEqual([row, expect.not.arrayContaining([found])]);
		}
		for (const name of new Set(lines.map(getName))) {
			const ofProduct = rows.filter(({ input }) => input.product_name === name);
			const gained = ofProduct.length - before.filter(({ lastName }) => lastName === name).length;
			const created = ofProduct.filter((row) => matches.get(row).kind === 'new');
			expect(created.slice(Math.max(0, gained))).toEqual([]);
		}
	}

	private findByContent({ contentId }: UsableRow): number | null {
		return this.orders.findByContent(contentId).at(-1)?.id ?? null;
	}

	private get present(): Line[] {
		return this.lines.filter(({ isRemoved }) => !isRemoved);
	}

	private match(rows: readonly Row[]): RowMatches {
		const matches = matchRows(rows, this.orders, START);
		for (const change of matches.findChanges(this.runs)) this.orders.apply(change);
		return matches;
	}

	private order(row: UsableRow, matches: RowMatches): void {
		const { nextId } = this.orders;
		const draft = makeDraft(row, NOTHING, []);
		const rows = matches.getOrderRows(row, this.runs);
		this.orders.apply(makeFirstLine(nextId, draft, rows, STATES.ready(`B${nextId}`)));
	}

	/** Adds a row. Without variants, it gets values that no other row has. */
	private add(input: BriefInput): void {
		const { hasVariants } = this.table;
		const values = ['audience', 'objective', 'campaign_terms'].map((field) => [
			field,
			this.makeValue(0),
		]);
		const full = hasVariants ? input : { ...input, ...(Object.fromEntries(values) as BriefInput) };
		const rowId = `S${this.lines.length}`;
		const state = { isRemoved: false, isEdited: false, orderId: null, lastName: null };
		this.lines.push({ rowId, inputs: [full], ...state });
	}

	private makeInput({ line, other, field }: Action): BriefInput {
		if (!this.table.hasVariants) return { product_name: `Product ${this.lines.length}` };
		return { product_name: line < 5 ? 'Mug' : 'Pan', [field]: this.makeValue(other) };
	}

	private makeValue(choice: number): string {
		if (!this.table.hasVariants) return `Value ${this.values++}`;
		return VARIANT_VALUES[choice % VARIANT_VALUES.length]!;
	}

	private sort(field: Field): void {
		const getCell = ({ inputs }: Line) => inputs.at(-1)![field] ?? '';
		this.lines = this.lines.toSorted((a, b) => (getCell(a) < getCell(b) ? -1 : 1));
	}

	private swapNames(line: Line, other: Line): void {
		const [input, source] = [line.inputs.at(-1)!, other.inputs.at(-1)!];
		this.edit(line, { ...input, product_name: source.product_name });
		this.edit(other, { ...source, product_name: input.product_name });
	}

	private edit(line: Line, ...inputs: readonly BriefInput[]): void {
		line.inputs.push(...inputs);
		line.isEdited = true;
	}
}

/** Returns the orders that the rows with the same content had last. Such rows were edited together. */
function listTwinOrders(
	{ contentId }: UsableRow,
	rows: readonly UsableRow[],
	lines: readonly Line[],
): number[] {
	const twins = lines.filter((_, index) => rows[index]!.contentId === contentId);
	return twins.flatMap(({ orderId }) => orderId ?? []);
}

function getName({ inputs }: Line): string {
	return inputs.at(-1)!.product_name;
}

function getOrderId(matches: RowMatches, row: Row): number | null {
	const match = matches.get(row);
	return match.kind === 'new' ? null : match.order.id;
}

test.each([
	['with --id, each row keeps its order', true, false],
	['with --id, each variant keeps its order', true, true],
	['without --id, each row keeps its order', false, false],
	['without --id, each variant has a possible order', false, true],
])('%s in any sequence of edits', (_, hasRowIds, hasVariants) => {
	const property = fc.property(fc.array(action, { minLength: 3, maxLength: 25 }), (actions) => {
		const sheet = new Sheet({ hasRowIds, hasVariants });
		sheet.run(null);
		for (const next of actions) sheet.act(next);
		sheet.run(null);
	});
	fc.assert(property, getPropertySettings(isTorture ? 20_000 : 500, 20261129));
});
