import type { Row } from '../csv/table';
import type { OrderName } from '../folder/events';
import type { Plan } from './plan';
import { tryOfPlanned } from './plan';
import { ownNumberField } from './try';

/** Where the rows of orders are in the CSV of this command. Nothing keeps the number of a row, because a CSV changes. */
export class RowNumbers {
	/** By the ID of its content, also of the content that a changed row was ordered with. */
	private readonly byContent = new Map<string, Row>();
	private tries: ReadonlyMap<string, Row> | undefined;

	constructor(private readonly plan: Plan) {
		const { rows, csv = rows, changes, records } = plan.source;
		for (const row of csv)
			if (!this.byContent.has(row.contentId)) this.byContent.set(row.contentId, row);
		for (const [content, key] of changes) {
			const row = this.byContent.get(content);
			const orderedId = records.withKey(key)?.content_id ?? content;
			if (row !== undefined && !this.byContent.has(orderedId)) this.byContent.set(orderedId, row);
		}
	}

	/** Gives the row of an order; undefined if it is not in the CSV. */
	of(key: string): Row | undefined {
		const record = this.plan.source.records.withKey(key);
		if (record !== undefined) return this.byContent.get(record.content_id);
		this.tries ??= this.triesOfPlan();
		return this.tries.get(key);
	}

	/** Gives the keys of orders that are not on record yet. */
	private triesOfPlan(): ReadonlyMap<string, Row> {
		const { rows, source } = this.plan;
		const toDo = rows.filter(({ todo, sameAs }) => todo !== 'nothing' && sameAs === undefined);
		return new Map(
			toDo.map((plannedRow) => [tryOfPlanned(plannedRow, source.batch).key, plannedRow.row]),
		);
	}

	/** Names an order as lines do: by where its row is in the CSV now, by its product, and by its own number. */
	nameOf(key: string): OrderName | undefined {
		const row = this.of(key);
		const order = this.plan.source.records.withKey(key);
		if (row === undefined && order === undefined) return undefined;
		return {
			...(row !== undefined && { row: row.number }),
			product_name: order?.product_name ?? row?.input.product_name ?? '',
			...ownNumberField(row?.ownNumber ?? order?.own_number),
		};
	}
}
