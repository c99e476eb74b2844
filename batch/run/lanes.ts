import { SLOTS } from '../../service/api/limits';
import type { RowCarrier } from '../order/row-carrier';

/** Briefs of earlier runs that are looked after at the same time: hundreds at once would meet the rate limit. */
const LOOKS_AT_ONCE = 8;

/** How many rows are carried side by side, and which of them are on their way. */
export class Lanes {
	private readonly active = new Set<Promise<void>>();
	private readonly unsettled: RowCarrier[] = [];

	private constructor(
		private readonly slots: Limit,
		private readonly looks: Limit,
	) {}

	static async open(leaveSlots: number): Promise<Lanes> {
		const { default: pLimit } = await import('p-limit');
		return new Lanes(pLimit(SLOTS - leaveSlots), pLimit(LOOKS_AT_ONCE));
	}

	/** Finds out something about each of these rows. Gives those for which it holds. */
	async those(
		rows: readonly RowCarrier[],
		holds: (row: RowCarrier) => Promise<boolean>,
	): Promise<RowCarrier[]> {
		const looks = rows.map((row) => this.looks(async () => ((await holds(row)) ? [row] : [])));
		return (await Promise.all(looks)).flat();
	}

	/** A row that holds a slot until its brief has ended. Its files are written while the next one has the slot. */
	inTurn(row: RowCarrier): void {
		this.track(this.slots(() => this.order(row)).then((isEnded) => this.file(row, isEnded)));
	}

	/** A row whose brief holds a slot already, or none any more. */
	beside(row: RowCarrier): void {
		const file = (isEnded: boolean) => this.looks(() => this.file(row, isEnded));
		this.track(this.order(row).then(file));
	}

	/** The same for rows that are to be recovered first. Nothing waits for that. */
	recoverBeside(rows: readonly RowCarrier[]): void {
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

	private async order(row: RowCarrier): Promise<boolean> {
		const isEnded = await row.order();
		if (row.isUnsettled) this.unsettled.push(row);
		return isEnded;
	}

	private async file(row: RowCarrier, isEnded: boolean): Promise<void> {
		if (isEnded) await row.file();
	}

	private track(work: Promise<void>): void {
		this.active.add(work);
		void work.finally(() => this.active.delete(work));
	}
}

/** A limiter of p-limit, which comes as an ES module and is loaded when a run begins. */
interface Limit {
	<T>(work: () => Promise<T>): Promise<T>;
	readonly pendingCount: number;
}
