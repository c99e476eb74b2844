import { isAbort } from '../../service/api/outcome';
import { concernsAll, ServiceError } from '../../service/api/errors';
import type { BriefInput } from '../../service/api/resources';
import { OrderDriver } from '../../service/order/driver';
import { NEW_ORDER, type OrderState, type Part } from '../../service/order/life';
import { forOthers, isLeftInDoubt, unbelievedText } from '../../service/order/later-orders';
import type { Try } from '../plan/try';
import { Stop } from '../stop';
import { minuteOf } from '../text';
import { slotWaitText } from '../wait-text';
import type { OrderContext } from './order-context';
import { RowBrief } from './row-brief';
import { RowJournal } from './row-journal';
import { RowReport } from './row-report';
import { RowShell } from './row-shell';
import { waitingForSlot } from './slot-wait';

/** The orders of a run. A key has one, however often it is asked for, as long as anything is left to do for it. */
export class RowOrders {
	private readonly byKey = new Map<string, RowOrder>();

	constructor(private readonly run: OrderContext) {}

	of(order: Try, input: BriefInput): RowOrder {
		const rowOrder = this.byKey.get(order.key) ?? new RowOrder(order, input, this.run);
		this.byKey.set(order.key, rowOrder);
		return rowOrder;
	}

	/** Lets one go that is through: a run may have thousands, and the journal knows what came of it. */
	forget({ key }: RowOrder): void {
		this.byKey.delete(key);
	}

	/** Gives those that stayed without an answer: they are settled when all others are through. */
	get unsettled(): RowOrder[] {
		return [...this.byKey.values()].filter(({ isUnsettled }) => isUnsettled);
	}
}

export type { RowOrder };

/**
 * A row's order, from where the journal left it as far as this run can carry it. `recover`, `takeOver`, `orderAndWatch`
 * and `file` carry it through the parts of its way: its driver (service/order/driver.ts) decides what is done in each, and
 * where it stops. None throws: an error is kept for the end of the run.
 */
class RowOrder {
	readonly key: string;
	private readonly driver: OrderDriver;
	private readonly wasInDoubt: boolean;

	constructor(
		private readonly order: Try,
		input: BriefInput,
		private readonly run: OrderContext,
	) {
		this.key = order.key;
		const record = run.journal.records.withKey(order.key);
		const hasNoRow = run.keysWithoutRow.has(order.key);
		const state = { ...(record?.state ?? NEW_ORDER), hasNoRow };
		const keeper = new RowBrief(order, run);
		const shell = new RowShell(order, input, run, keeper);
		const journal = new RowJournal(order, input, run);
		const listeners = [shell, keeper, new RowReport(order, run)];
		this.driver = new OrderDriver(state, { shell, journal, keeper, listeners }, run);
		this.wasInDoubt = state.inDoubt;
	}

	private get state(): OrderState {
		return this.driver.order;
	}

	/** Finds out about an order that an earlier run left: whether its brief exists, and whether that has ended. */
	async recover(): Promise<boolean> {
		const { stage, hasNoRow } = this.state;
		const { ordering } = this.run;
		// If a paid brief cannot be fetched now, others are still ordered: the next run fetches it.
		const isToBeOrdered = stage === 'in_doubt' && !hasNoRow;
		const goesOn = isToBeOrdered
			? await this.carryOn('recover', ordering.orderSignal, 'ends')
			: await this.carryOn('recover', ordering.waitSignal, 'goes_on');
		if (!goesOn) this.updateOrdering();
		return goesOn;
	}

	/** Takes over the listed brief that is its own, or parks it beside one that may be. Orders nothing. */
	async takeOver(): Promise<boolean> {
		await this.carryOn('take_over', this.run.ordering.waitSignal, 'ends');
		return this.state.stage === 'running';
	}

	/** Orders the brief, unless ordering has ended, and waits until it has ended. Meanwhile it holds a slot. */
	async orderAndWatch(): Promise<boolean> {
		const { ordering } = this.run;
		if (!(await this.carryOn('order', ordering.orderSignal, 'ends'))) {
			this.updateOrdering();
			return false;
		}
		return await this.carryOn('watch', ordering.waitSignal, 'ends');
	}

	/** Fetches the brief that has ended, and puts it into its files. */
	async file(): Promise<void> {
		await this.carryOn('file', this.run.ordering.waitSignal, 'goes_on');
	}

	get briefId(): string | null {
		return this.state.briefId;
	}

	/** Says whether nothing is known of it: no brief is listed that may be its own. */
	get isStillToOrder(): boolean {
		return this.state.stage === 'to_order';
	}

	/** Says whether it stayed without an answer. */
	get isUnsettled(): boolean {
		return isLeftInDoubt(this.state);
	}

	/** Looks for the brief of an order without an answer once more. If it is not listed, the run ends with what was answered. */
	async settle(): Promise<void> {
		const { ordering } = this.run;
		await this.carryOn('file', undefined, 'ends');
		const { answer } = this.state;
		// An interrupted run leaves it to the next one.
		if (!this.isUnsettled || answer === null || ordering.waitSignal.aborted) return;
		ordering.fail(answer);
	}

	/**
	 * @param othersThen whether the other rows go on when this part fails: a paid brief that cannot be fetched now is
	 *   fetched by the next run, and is no reason to order nothing
	 * @returns whether another part of its way follows
	 */
	private async carryOn(
		part: Part,
		signal: AbortSignal | undefined,
		othersThen: 'goes_on' | 'ends',
	): Promise<boolean> {
		const { budget } = this.run;
		try {
			if (await this.driver.carryOn(part, signal)) return true;
		} catch (error) {
			budget.free(this.key);
			this.handleError(error, othersThen);
			return false;
		}
		// The place of an order in doubt stays reserved: its brief may be paid for.
		if (!this.state.inDoubt) budget.free(this.key);
		return false;
	}

	/** Says what the end of this order means for the rows after it. */
	private updateOrdering(): void {
		const { ordering, budget, service } = this.run;
		const { answer } = this.state;
		switch (forOthers(this.state)) {
			case 'nothing':
				return;
			case 'ordering_ends':
				return ordering.close(budget.end(service.now()) ?? 'allowance');
			case 'all_fail':
				if (answer !== null) ordering.fail(this.stopFor(answer));
				return;
			case 'unclear':
				if (answer !== null && ordering.giveUp(this.wasInDoubt)) ordering.fail(answer);
		}
	}

	private stopFor(answer: ServiceError): ServiceError | Stop {
		const { slotPatience } = this.run.poller;
		const { kind, brief } = answer;
		const { product_name } = this.order;
		if (kind === 'other_brief' && brief !== undefined) {
			const { what, cure } = unbelievedText({ product_name, brief });
			return new Stop(what, cure, 'unbelieved');
		}
		if (kind !== 'slots_busy' || slotPatience?.isOver !== true) return answer;
		const { since, cause, briefs } = waitingForSlot(slotPatience.report());
		return new Stop(
			`Nothing could be ordered since ${minuteOf(since)}: ${slotWaitText({ cause, briefs })}`,
			'Run the same command again: rows that were not ordered are pending. If a running brief never ends, ask the vendor’s support about it.',
			'no_slot',
		);
	}

	private handleError(error: unknown, othersThen: 'goes_on' | 'ends'): void {
		const { ordering } = this.run;
		if (ordering.waitSignal.aborted || (ordering.orderSignal.aborted && isAbort(error))) return;
		const isPointless = !(error instanceof ServiceError) || concernsAll(error.kind);
		if (othersThen === 'goes_on' && !isPointless) ordering.keepFailure(error);
		else ordering.fail(error, isPointless);
	}
}
