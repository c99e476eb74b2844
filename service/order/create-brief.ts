import type { ServiceError } from '../errors';
import type { Brief, BriefInput, BriefSummary } from '../resources';
import { carryOrder, type CarryOptions } from './driver';
import type { OrderDependencies } from './facts';
import { findBrief } from './find-brief';
import type { OrderShell } from './shell';
import { NEW_ORDER, type LastingEvent, type OrderState, type PassingEvent } from './states';

export interface CreateOptions extends Omit<CarryOptions, 'until'> {
	/** Whether a listed brief is known to belong to another order. */
	isClaimed?: (id: string) => boolean;
}

/**
 * Has one brief created. Nothing is put on record: what happens to the order is known to this process alone.
 * @throws {ServiceError} what the service answered, where it cannot be cured by waiting or was met too often
 * @throws {WaitTimeout} when no slot came free before the deadline
 */
export async function createBrief(
	tools: OrderDependencies,
	order: { input: BriefInput; key: string },
	{ isClaimed = () => false, ...options }: CreateOptions = {},
): Promise<BriefSummary | Brief> {
	const shell = new InMemoryShell(order, tools, isClaimed, options.signal);
	const { inDoubt } = await carryOrder(NEW_ORDER, shell, tools, {
		...options,
		until: ({ stage }) => stage === 'running',
	});
	if (shell.brief !== null) return shell.brief;
	if (shell.error === null) throw new Error('The order ended without a brief and without an error');
	throw inDoubt ? shell.error.asInDoubt() : shell.error;
}

/** Keeps everything in memory, and leaves it to the service how much may be ordered. */
export class InMemoryShell implements OrderShell {
	readonly input: BriefInput;
	readonly key: string;
	brief: BriefSummary | Brief | null = null;
	error: ServiceError | null = null;

	constructor(
		{ input, key }: { input: BriefInput; key: string },
		private readonly tools: Pick<OrderDependencies, 'service'>,
		private readonly isClaimed: (id: string) => boolean = () => false,
		private readonly signal?: AbortSignal,
	) {
		this.input = input;
		this.key = key;
	}

	record(event: LastingEvent): Promise<void> {
		if (event.type === 'accepted') this.brief = event.brief;
		return Promise.resolve();
	}

	note(event: PassingEvent): void {
		if (event.type === 'answered') this.error = event.error;
	}

	end(): null {
		return null;
	}

	find({ firstTried }: OrderState) {
		const { service } = this.tools;
		const order = { input: this.input, firstTried: firstTried ?? service.now() };
		return findBrief(service, order, this.isClaimed, this.signal);
	}

	claim({ id }: BriefSummary): boolean {
		return !this.isClaimed(id);
	}

	parkText(): string {
		return '';
	}

	follow(): never {
		throw new Error('Whoever ordered the brief follows it');
	}

	circumstances() {
		return { isLastCall: false, isHopeless: false, isOverdue: false };
	}
}
