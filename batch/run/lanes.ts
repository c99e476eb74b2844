import { SLOTS } from '../../service/api/limits';
import { failureOf } from '../failure';
import type { Ordering } from '../order/ordering';
import type { RowOrder } from '../order/row-order';

/** Briefs of earlier runs that are looked after at the same time: hundreds at once would meet the rate limit. */
const LOOKS_AT_ONCE = 8;

/** How many rows are carried side by side, and which of them are on their way. */
export class Lanes {
	private readonly active = new Set<Promise<void>>();
	private readonly unsettled: RowOrder[] = [];

	private constructor(
		private readonly slots: Limit,
		private readonly looks: Limit,
		private readonly ordering: Ordering,
	) {}

	static async open(leaveSlots: number, ordering: Ordering): Promise<Lanes> {
		const { default: pLimit } = await import('p-limit');
		return new Lanes(pLimit(SLOTS - leaveSlots), pLimit(LOOKS_AT_ONCE), ordering);
	}

	/** Finds out something about each of these rows. Gives those for which it holds. */
	async those(
		rows: readonly RowOrder[],
		holds: (row: RowOrder) => Promise<boolean>,
	): Promise<RowOrder[]> {
		const looks = rows.map((row) => this.looks(async () => ((await holds(row)) ? [row] : [])));
		return (await Promise.all(looks)).flat();
	}

	/** A row that holds a slot until its brief has ended. Its files are written while the next one has the slot. */
	inTurn(row: RowOrder): void {
		this.track(this.slots(() => this.place(row)).then((isEnded) => this.collect(row, isEnded)));
	}

	/** A row whose brief holds a slot already, or none any more. */
	beside(row: RowOrder): void {
		const collect = (isEnded: boolean) => this.looks(() => this.collect(row, isEnded));
		this.track(this.place(row).then(collect));
	}

	/** The same for rows that are to be recovered first. Nothing waits for that. */
	recoverBeside(rows: readonly RowOrder[]): void {
		for (const row of rows)
			this.track(
				this.looks(() => row.recover()).then((isThere) => {
					if (isThere) this.beside(row);
				}),
			);
	}

	/** Work for briefs of earlier runs that holds no slot. It never throws. */
	aside(work: () => Promise<void>): void {
		this.track(this.looks(work));
	}

	/** Waits until a row could start at once, or `isOver` holds. */
	async whenFree(isOver: () => boolean): Promise<void> {
		while (this.slots.pendingCount > 0 && !isOver()) await Promise.race(this.active);
	}

	/** Waits until no row is on its way. */
	async whenEmpty(): Promise<void> {
		while (this.active.size > 0) await Promise.race(this.active);
	}

	/** Decides about the orders that stayed without an answer. */
	async settle(): Promise<void> {
		for (const row of this.unsettled) await row.settle();
	}

	private async place(row: RowOrder): Promise<boolean> {
		const isEnded = await row.place();
		if (row.isUnsettled) this.unsettled.push(row);
		return isEnded;
	}

	private async collect(row: RowOrder, isEnded: boolean): Promise<void> {
		if (isEnded) await row.collect();
	}

	/** A fault of this program in one row ends the run, and not the process. */
	private track(work: Promise<void>): void {
		const tracked: Promise<void> = work
			.catch((error: unknown) => this.ordering.fail(failureOf(error), true))
			.finally(() => this.active.delete(tracked));
		this.active.add(tracked);
	}
}

/** A limiter of p-limit, which comes as an ES module and is loaded when a run begins. */
interface Limit {
	<T>(work: () => Promise<T>): Promise<T>;
	readonly pendingCount: number;
}
