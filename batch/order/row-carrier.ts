import { ServiceError, concernsAll } from '../../service/api/errors';
import { carryOrder } from '../../service/order/driver';
import { forOthers } from '../../service/order/for-others';
import type { OrderState } from '../../service/order/states';
import type { BriefInput } from '../../service/api/resources';
import type { Run } from '../run/prepare';
import { EXIT, Failure, failureOf } from '../failure';
import { orderStateOf } from './order-state';
import type { RowOrder } from '../plan/row-order';
import { RowShell } from './row-shell';
import { serviceFailure } from '../run/service-failure';
import { noSlotFailure } from './slot-wait';

/**
 * Carries one row of the batch from where the journal left it as far as this run can, part by part. No part throws: each
 * says whether the next one follows, and an error is kept for the end of the run.
 */
export class RowCarrier {
	private state: OrderState;
	private readonly wasInDoubt: boolean;
	private readonly shell: RowShell;

	constructor(
		readonly rowOrder: RowOrder,
		input: BriefInput,
		private readonly run: Run,
		given: Partial<OrderState> = {},
	) {
		const record = run.journal.records.of(rowOrder.row, rowOrder.ordinal);
		const isSame = record?.key === rowOrder.key;
		this.state = { ...orderStateOf(isSame ? record : undefined, run.tools), ...given };
		this.wasInDoubt = this.state.inDoubt;
		this.shell = new RowShell(rowOrder, input, run);
	}

	/** Finds out about an order that an earlier run left: whether its brief exists, and whether that has ended. */
	async recover(): Promise<boolean> {
		const { stage: start, isGone } = this.state;
		const { ordering } = this.run;
		const isKnown = ({ stage, isSeen }: OrderState) => stage !== start || isSeen;
		// If a paid brief cannot be fetched now, others are still ordered: the next run fetches it.
		const isToBeOrdered = start === 'in_doubt' && !isGone;
		const isThere = isToBeOrdered
			? await this.carry(isKnown, 'ends', ordering.signal)
			: await this.carry(isKnown, 'goes on', ordering.waiting);
		if (!isThere) this.updateOrdering();
		return isThere;
	}

	/**
	 * Takes over the brief that was there before the row was ordered. Orders nothing, and needs no slot.
	 * @param orPark parks the row if it is not clear whether such a brief is its own
	 */
	async takeOver({ orPark }: { orPark: boolean }): Promise<boolean> {
		const isSettled = ({ stage, finding }: OrderState) =>
			stage !== 'to_order' || finding?.is === 'nothing' || (finding?.is === 'unclear' && !orPark);
		await this.carry(isSettled, 'ends', this.run.ordering.waiting);
		return this.state.stage === 'running';
	}

	/** Orders the brief, unless ordering has ended, and waits until it has ended. Meanwhile it holds a slot. */
	async order(): Promise<boolean> {
		const { ordering } = this.run;
		const isRunning = ({ stage }: OrderState) => stage === 'running';
		if (!(await this.carry(isRunning, 'ends', ordering.signal))) {
			this.updateOrdering();
			return false;
		}
		return await this.carry(({ stage }) => stage === 'ended', 'ends', ordering.waiting);
	}

	/** Whether it stayed without an answer: it is decided about when all other rows are through. */
	get isUnsettled(): boolean {
		return this.state.stage === 'in_doubt' && forOthers(this.state) === 'unclear';
	}

	/** Fetches the brief that has ended, and puts it into its files. */
	async file(): Promise<void> {
		await this.carry(({ stage }) => stage === 'done', 'goes on', this.run.ordering.waiting);
	}

	/** Parks an order without an answer if the service took others meanwhile; else the service is at fault. */
	async settle(): Promise<void> {
		const isParked = ({ stage }: OrderState) => stage === 'parked';
		const { ordering, tools } = this.run;
		if (await this.carry(isParked, 'ends')) return;
		const { answer } = this.state;
		// An interrupted run leaves it to the next one.
		if (answer === null || ordering.waiting.aborted) return;
		ordering.fail(serviceFailure(answer, tools.service.now()));
	}

	/**
	 * @param otherwise whether the other rows go on when this part fails: a paid brief that cannot be fetched now is
	 *   fetched by the next run, and is no reason to order nothing
	 * @returns whether it came as far as `until`
	 */
	private async carry(
		until: (state: OrderState) => boolean,
		otherwise: 'goes on' | 'ends',
		signal?: AbortSignal,
	): Promise<boolean> {
		const { run, shell } = this;
		try {
			this.state = await carryOrder(this.state, shell, run.tools, { signal, until });
		} catch (error) {
			shell.leave({ inDoubt: false });
			this.handleError(error, otherwise);
			return false;
		}
		if (until(this.state)) return true;
		shell.leave(this.state);
		return false;
	}

	/** What the end of this order means for the rows after it. */
	private updateOrdering(): void {
		const { ordering, budget, tools } = this.run;
		const { service } = tools;
		const { answer } = this.state;
		const { reason } = ordering.unbelieved;
		if (reason !== null)
			return ordering.fail(new Failure(reason.what, reason.cure, EXIT.stoppedEarly));
		switch (forOthers(this.state)) {
			case 'nothing':
				return;
			case 'ordering_ends':
				return ordering.close(budget.end(service.now()) ?? 'allowance');
			case 'all_fail':
				if (answer !== null) ordering.fail(this.failureFor(answer));
				return;
			case 'unclear':
				if (answer !== null && ordering.giveUp(this.wasInDoubt))
					ordering.fail(serviceFailure(answer, service.now()));
		}
	}

	private failureFor(answer: ServiceError): Failure {
		const { poller, service } = this.run.tools;
		const { slotPatience } = poller;
		if (answer.kind === 'slots_busy' && slotPatience?.isOver === true)
			return noSlotFailure(slotPatience.report());
		return serviceFailure(answer, service.now());
	}

	private handleError(error: unknown, otherwise: 'goes on' | 'ends'): void {
		const { ordering, tools } = this.run;
		if (ordering.waiting.aborted || (ordering.signal.aborted && isAbort(error))) return;
		if (!(error instanceof ServiceError)) return ordering.fail(failureOf(error), true);
		const failure = serviceFailure(error, tools.service.now());
		const isPointless = concernsAll(error.kind);
		if (otherwise === 'goes on' && !isPointless) ordering.keepFailure(failure);
		else ordering.fail(failure, isPointless);
	}
}

function isAbort(error: unknown): boolean {
	return error instanceof Error && error.name === 'AbortError';
}
