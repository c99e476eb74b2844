import { SLOTS } from '../../service/api/limits';
import { inTurn } from '../../service/order/later-orders';
import type { Look } from '../../service/order/shell';
import { namesOfWritten } from '../folder/brief-files';
import { inputIn } from '../folder/journal/content';
import { orderOf, type Order } from '../folder/records';
import type { OrderContext } from '../order/order-context';
import { RowOrders, type OrderWish, type RowOrder } from '../order/row-order';
import {
	isAskedAgain,
	keysOfOrdersWithoutRow,
	toOrderNow,
	tryOfPlanned,
	type Plan,
	type PlannedRow,
	type Todo,
} from '../plan/plan';
import { count, them } from '../text';

/** Briefs of earlier runs that are looked after at the same time: hundreds at once would meet the rate limit. */
const BESIDE_AT_ONCE = 8;

/** Carries the rows of a plan on, and waits until no row is on its way. */
export async function scheduleRows(
	plan: Plan,
	leaveSlots: number,
	interruption: AbortSignal,
	run: OrderContext,
): Promise<void> {
	const { default: pLimit } = await import('p-limit');
	const schedule = new Schedule(plan, run, pLimit(SLOTS - leaveSlots), pLimit(BESIDE_AT_ONCE));
	await schedule.carryOut(interruption);
}

/** The phases of a run, in their order: what already runs is found out, and has its slots, before anything is ordered (P4). */
export const PHASES = ['recover', 'carryOn', 'takeOver', 'order'] as const;
export type Phase = (typeof PHASES)[number];

/** A limiter of p-limit, which comes as an ES module and is loaded when a run begins. */
type Limit = <T>(work: () => Promise<T>) => Promise<T>;

/** The rows that are on their way, and those whose turn will come. */
class Schedule {
	private readonly work = new Set<Promise<void>>();
	private readonly orders: RowOrders;
	private readonly rows: readonly PlannedRow[];
	private readonly source: Plan['source'];
	/** What list and results/ showed of the rows, by their number. What is out of date is taken out, and planned without. */
	private readonly looks: Map<number, Look>;
	/** What earlier runs left without an answer, once that is known, as it gets its turns. */
	private recoveredOrders: readonly RowOrder[] = [];

	constructor(
		{ rows, source }: Plan,
		private readonly run: OrderContext,
		/** A row has one from its turn until its brief has ended. There are as many as slots that this run may use. */
		private readonly lanes: Limit,
		/** Briefs of earlier runs have one while they are looked after. They hold no slot of this run. */
		private readonly besideLanes: Limit,
	) {
		this.rows = rows;
		this.looks = new Map(source.looks);
		this.source = { ...source, looks: this.looks };
		this.orders = new RowOrders(run);
	}

	/** What earlier runs began goes on first, then comes what costs nothing, then the new rows as the CSV has them. */
	async carryOut(interruption: AbortSignal): Promise<void> {
		const { ordering } = this.run;
		const stopListening = this.listenTo(interruption);
		// The end of ordering is not the end of waiting: what was ordered is fetched.
		await this.carryOutPhases().catch((error: unknown) => ordering.fail(error));
		// What ends may begin something else.
		while (this.work.size > 0) await Promise.all(this.work);
		stopListening();

		ordering.isLastCall = true;
		for (const order of this.orders.unsettled) await order.settle();
	}

	private async carryOutPhases(): Promise<void> {
		for (const phase of PHASES) await this[phase]();
	}

	// Recover: what earlier runs left. From the journal and not from the CSV: a brief is fetched even if its row was taken
	// out since.

	private async recover(): Promise<void> {
		const [toFollow, inDoubt, withoutRow] = [this.toFollow(), this.inDoubt(), this.withoutRow()];
		// Briefs of earlier runs that hold no slot.
		for (const order of toFollow) this.track(this.recoverBeside(order));
		// What already runs takes slots, so it is found out before anything is ordered (P4).
		const ordersInTurn = await this.filter(inDoubt, (order) => order.recover());
		// The new rows might be of the same product as one that was taken out of the CSV.
		const beside = await this.filter(withoutRow, (order) => order.recover());
		for (const order of beside) this.track(this.carryBeside(order));
		this.recoveredOrders = inTurn(ordersInTurn, ({ isStillToOrder }) => !isStillToOrder);
	}

	/**
	 * Gives those with a brief whose files somebody has removed, to be fetched once more. The folder is read once and no file
	 * is opened: a batch may have tens of thousands.
	 */
	private async withoutFiles(): Promise<Order[]> {
		const { journal, disk, outDir } = this.run;
		const filedOrders = journal.records
			.all()
			.filter(({ state, file }) => state.stage === 'done' && file !== null);
		if (filedOrders.length === 0) return [];
		const fileNames = await namesOfWritten(disk, outDir);
		const removedOrders = filedOrders.filter(({ file }) => !fileNames.has(file ?? ''));
		if (removedOrders.length > 0)
			journal.tell({ event: 'files_removed', briefs: removedOrders.length });
		return removedOrders;
	}

	/** Gives those that have a brief which is not fetched, and the parked ones that may have one. Nothing is sent for them. */
	private toFollow(): RowOrder[] {
		const isUnfetched = ({ state }: Order) => state.briefId !== null && state.stage !== 'done';
		const unfetchedOrders = this.run.journal.records.all().filter(isUnfetched);
		const parkedOrders = this.inPlan(
			({ state }, todo) => todo === 'look' && state.briefId === null,
		);
		return [...unfetchedOrders.map((record) => this.orderIn(record)), ...parkedOrders];
	}

	/** Gives those that were sent, or about to be, by a run that knows no answer. */
	private inDoubt(): RowOrder[] {
		return this.inPlan(({ state }, todo) => todo === 'resume' && state.stage === 'in_doubt');
	}

	/** Gives those of them that are of no row of this run. */
	private withoutRow(): RowOrder[] {
		const { rows, source } = this;
		const keys = keysOfOrdersWithoutRow({ rows, source });
		const records = source.records.all().filter(({ key }) => keys.has(key));
		return records.map((record) => this.orderIn(record, { hasNoRow: true }));
	}

	private inPlan(isMeant: (record: Order, todo: Todo) => boolean): RowOrder[] {
		return this.rows.flatMap((plannedRow) => {
			const { row, record, todo } = plannedRow;
			if (record === undefined || !isMeant(record, todo)) return [];
			const wish = { isAskedAgain: isAskedAgain(plannedRow, this.source) };
			return [this.orders.of(orderOf(record), row.input, wish)];
		});
	}

	/** Gives the order of a record, be its row in the CSV or not. */
	private orderIn(record: Order, wish: OrderWish = {}): RowOrder {
		const input = inputIn(record.content, record.product_name);
		return this.orders.of(orderOf(record), input, wish);
	}

	// Carry on: what was recovered has the first turns.

	private carryOn(): void {
		for (const order of this.recoveredOrders) this.track(this.carryInTurn(order));
	}

	// Take over: the briefs that are the rows' own. A row is parked beside one that may be.

	private async takeOver(): Promise<void> {
		const { run } = this;
		const ordersTakenOver: RowOrder[] = [];
		// Only after the first are taken do we know which briefs belong to nobody.
		for (const todo of ['take_over', 'park'] as const) {
			const rowsToDo = this.rows.filter((row) => row.todo === todo);
			const orders = rowsToDo.map((row) => this.orderOf(row));
			ordersTakenOver.push(...(await this.filter(orders, (order) => order.takeOver())));
			// What earlier runs left is known by now, and may have the brief.
			for (const row of rowsToDo)
				if (this.orderOf(row).isStillToOrder) this.looks.delete(row.row.number);
		}
		for (const order of ordersTakenOver) this.track(this.carryBeside(order));
		const back = ordersTakenOver.filter(({ briefId }) =>
			run.owners.isInResults(briefId ?? ''),
		).length;
		for (const text of takenOverTexts(back, ordersTakenOver.length - back))
			run.journal.tell({ event: 'notice', text });
	}

	// Order: a row whenever a slot is free, as the plan has it by then.

	private async order(): Promise<void> {
		const { ordering } = this.run;
		// Nothing waits for them, so they come after all that something waits for.
		const rest = (await this.withoutFiles()).values();
		for (let lane = 0; lane < BESIDE_AT_ONCE; lane += 1) this.track(this.fetchAgain(rest));
		for (const plannedRow of this.rows) {
			if (toOrderNow(plannedRow, this.source) === null) continue;
			await this.freeLane();
			if (ordering.end !== null) return;
			// Meanwhile another row may have taken its brief.
			const now = toOrderNow(plannedRow, this.source);
			if (now === null) continue;
			this.track(this.carryInTurn(this.orderOf(now)));
		}
	}

	/** Waits until the rows before have their lanes and one is free. */
	private async freeLane(): Promise<void> {
		await this.lanes(() => Promise.resolve());
	}

	private orderOf(plannedRow: PlannedRow): RowOrder {
		const { source } = this;
		const wish = { isAskedAgain: isAskedAgain(plannedRow, source) };
		return this.orders.of(tryOfPlanned(plannedRow, source.batch), plannedRow.row.input, wish);
	}

	// Their ways

	/** Finds out something about each of these orders. Gives those for which it holds. */
	private async filter(
		orders: readonly RowOrder[],
		holds: (order: RowOrder) => Promise<boolean>,
	): Promise<RowOrder[]> {
		const checks = orders.map((order) =>
			this.besideLanes(async () => ((await holds(order)) ? [order] : [])),
		);
		return (await Promise.all(checks)).flat();
	}

	/** Carries an order that holds a slot until its brief has ended. Its files are written while the next one has the slot. */
	private async carryInTurn(order: RowOrder): Promise<void> {
		if (await this.lanes(() => order.orderAndWatch())) await this.file(order);
	}

	/** Carries an order whose brief holds a slot already, or none any more. */
	private async carryBeside(order: RowOrder): Promise<void> {
		if (await order.orderAndWatch()) await this.besideLanes(() => this.file(order));
	}

	/** Carries the same if it is to be recovered first. */
	private async recoverBeside(order: RowOrder): Promise<void> {
		if (await this.besideLanes(() => order.recover())) await this.carryBeside(order);
	}

	/** Fetches briefs whose files are gone, each in one go: of tens of thousands only a few are in memory at once. */
	private async fetchAgain(records: Iterable<Order>): Promise<void> {
		for (const record of records)
			await this.besideLanes(async () => {
				const order = this.orderIn(record);
				if ((await order.recover()) && (await order.orderAndWatch())) await this.file(order);
			});
	}

	private async file(order: RowOrder): Promise<void> {
		await order.fileBrief();
		this.orders.forget(order);
	}

	/** Keeps count of work on its way. A fault of this program in one row ends the run, and not the process. */
	private track(work: Promise<void>): void {
		const tracked: Promise<void> = work
			.catch((error: unknown) => this.run.ordering.fail(error, true))
			.finally(() => this.work.delete(tracked));
		this.work.add(tracked);
	}

	/** @returns what ends the listening */
	private listenTo(interruption: AbortSignal): () => void {
		const { journal, ordering } = this.run;
		const onInterruption = () => {
			const running = journal.records.all().filter(({ state }) => state.stage === 'running');
			journal.tell({ event: 'interrupted', running: running.length });
			for (const { key, state } of running)
				journal.tell({ event: 'left_running', key, brief_id: state.briefId ?? '' });
			ordering.interrupt();
		};
		if (interruption.aborted) onInterruption();
		else interruption.addEventListener('abort', onInterruption, { once: true });
		return () => interruption.removeEventListener('abort', onInterruption);
	}
}

/** Says what was taken over from results/ and from the workspace, for nothing. */
function takenOverTexts(fromResults: number, fromList: number): string[] {
	const were = (n: number) => (n === 1 ? 'was' : 'were');
	const nothingPaid = (n: number) => `so nothing is paid for ${them(n)}.`;
	return [
		...(fromResults > 0
			? [
					`${count(fromResults, 'brief')} ${were(fromResults)} taken back from results/, ${nothingPaid(fromResults)}`,
				]
			: []),
		...(fromList > 0
			? [
					`${count(fromList, 'row')} ${were(fromList)} taken over: the workspace had a brief of the same content, ${nothingPaid(fromList)}`,
				]
			: []),
	];
}
