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
 * Random edits of a CSV, with and without --id. The oracle knows which row is which: a row has the order of its content, else
 * the order that it had last. Without --id, a row is edited once between two runs: a second edit makes it a new product.
 */

jest.setTimeout(isTorture ? 1_200_000 : 30_000);

/** The kind decides which of the other values count. */
const action = fc.record({
	kind: fc.constantFrom(
		...([
			'set',
			'set',
			'set',
			'undo',
			'reset',
			'rename',
			'copy',
			'add',
			'remove',
			'restore',
		] as const),
		...(['reverse', 'reorder', 'run', 'run', 'run'] as const),
	),
	line: fc.nat(9),
	other: fc.nat(9),
	field: fc.constantFrom('audience', 'objective', 'campaign_terms', 'creative_direction'),
});
type Action = typeof action extends fc.Arbitrary<infer Value> ? Value : never;

interface Line {
	readonly rowId: string;
	/** The inputs that the row had, the first input first and the present input last. */
	readonly inputs: BriefInput[];
	isRemoved: boolean;
	isEdited: boolean;
	/** The order that the row had last; null before its first run. */
	orderId: number | null;
}

class Sheet {
	private readonly orders = new StoredOrders();
	private lines: Line[] = [];
	private values = 0;
	private runs = 0;

	constructor(private readonly hasRowIds: boolean) {
		for (const name of ['Mug', 'Mug', 'Mug', 'Pan']) this.add(name);
	}

	act({ kind, line: index, other, field }: Action): void {
		if (kind === 'run') return this.run(null);
		if (kind === 'add') return this.add(`Product ${this.lines.length}`);
		if (kind === 'reverse') this.lines = this.lines.toReversed();
		if (kind === 'restore') for (const each of this.lines) each.isRemoved = false;
		const line = this.present[index % this.present.length];
		const source = this.present[other % this.present.length];
		if (line === undefined || source === undefined || line.orderId === null) return;
		if (kind === 'reorder') return this.run(line);
		if (line.isEdited && !this.hasRowIds) return;
		const input = line.inputs.at(-1)!;
		if (kind === 'remove') line.isRemoved = true;
		if (kind === 'set') this.edit(line, { ...input, [field]: this.makeValue() });
		if (kind === 'rename') this.edit(line, { ...input, product_name: `${input.product_name} XL` });
		if (kind === 'undo') this.edit(line, line.inputs.at(-2) ?? input);
		if (kind === 'reset') this.edit(line, ...line.inputs.splice(0, Infinity).slice(0, 1));
		// Without --id, no one can tell which row was copied.
		const canCopy = this.hasRowIds && source.orderId !== null;
		if (kind === 'copy' && canCopy) this.edit(line, source.inputs.at(-1)!);
	}

	/** Orders new rows, and one edited row if the user asks for it. */
	run(reordered: Line | null): void {
		const lines = this.present;
		const rows = lines.map(({ rowId, inputs }, index) =>
			makeRow(index + 2, inputs.at(-1)!, { rowId: this.hasRowIds ? rowId : null }),
		);
		const matches = this.match(rows);
		for (const [index, row] of rows.entries()) {
			const line = lines[index]!;
			const sameContent = this.orders.findByContent(row.contentId).at(-1);
			expect([row, getOrderId(matches, row)]).toEqual([row, sameContent?.id ?? line.orderId]);
		}
		for (const [index, row] of rows.entries()) {
			const isWanted = matches.get(row).kind === 'new' || lines[index] === reordered;
			const isOrdered = this.orders.findByContent(row.contentId).length > 0;
			if (isWanted && !isOrdered) this.order(row, matches);
		}
		const after = this.match(rows);
		for (const [index, row] of rows.entries())
			Object.assign(lines[index]!, { orderId: getOrderId(after, row), isEdited: false });
		this.runs += 1;
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

	private add(product_name: string): void {
		const [audience, objective, campaign_terms] = [1, 2, 3].map(() => this.makeValue());
		const input = { product_name, audience, objective, campaign_terms } as BriefInput;
		const rowId = `S${this.lines.length}`;
		const state = { isRemoved: false, isEdited: false, orderId: null };
		this.lines.push({ rowId, inputs: [input], ...state });
	}

	private edit(line: Line, ...inputs: readonly BriefInput[]): void {
		line.inputs.push(...inputs);
		line.isEdited = true;
	}

	private makeValue(): string {
		return `Value ${this.values++}`;
	}
}

function getOrderId(matches: RowMatches, row: Row): number | null {
	const match = matches.get(row);
	return match.kind === 'new' ? null : match.order.id;
}

test.each([
	['with', true],
	['without', false],
])('%s --id, each row keeps its order in any sequence of edits', (_, hasRowIds) => {
	const property = fc.property(fc.array(action, { minLength: 3, maxLength: 25 }), (actions) => {
		const sheet = new Sheet(hasRowIds);
		sheet.run(null);
		for (const next of actions) sheet.act(next);
		sheet.run(null);
	});
	fc.assert(property, getPropertySettings(isTorture ? 20_000 : 500, 20261129));
});
