import { briefsDownTo, patientLister } from '../list/brief-list';
import { ServiceError, leavesInDoubt } from '../api/errors';
import type { Brief, BriefInput, BriefSummary } from '../api/resources';
import { WaitTimeout } from '../watch/wait';
import { isRead, NO_TEXT } from '../watch/whole-brief';
import { OrderDriver, type CarryOptions } from './driver';
import type { OrderDependencies } from './facts';
import { listedSince, momentNow } from './times';
import { findBrief } from './find-brief';
import type { Look, OrderShell } from './shell';
import { type LastingEvent, type PassingEvent, NEW_ORDER, type OrderState } from './life';

export interface CreateOptions extends CarryOptions {
	signal?: AbortSignal;
	/** Checks whether a listed brief is known to belong to another order. */
	isClaimed?: (id: string) => boolean;
}

/**
 * Has one brief created, for a process that keeps no record of its orders: what happens to the order is known to its
 * state alone. A brief that only the list shows has no text yet.
 * @throws {ServiceError} what the service answered, if waiting cannot cure it or it came too often. It says whether the
 *   brief may exist, whatever ended the order
 * @throws {WaitTimeout} when no slot came free before the deadline
 */
export async function createBrief(
	tools: OrderDependencies,
	order: { input: BriefInput; key: string },
	{ isClaimed, signal, ...options }: CreateOptions,
): Promise<Brief> {
	const shell = new InMemoryShell(order, tools, isClaimed, signal);
	const driver = new OrderDriver(NEW_ORDER, shell, tools, options);
	await driver.carryOn('order', signal).catch((error: unknown) => {
		// That the brief may exist outweighs what kept its create from being sent again.
		const isAboutOrder = error instanceof ServiceError || error instanceof WaitTimeout;
		if (!isAboutOrder || !shell.isInDoubt) throw error;
	});
	const { brief } = shell;
	if (brief !== null) return isRead(brief) ? brief : { ...brief, ...NO_TEXT };
	if (shell.error === null) throw new Error('The order ended without a brief and without an error');
	throw shell.isInDoubt ? shell.error.with({ inDoubt: true }) : shell.error;
}

/** Nothing of it outlives the process, and only the service itself limits what may be ordered. */
export class InMemoryShell implements OrderShell {
	readonly input: BriefInput;
	readonly key: string;
	brief: BriefSummary | null = null;
	/** The last answer to the create, or what kept it from being sent. */
	error: ServiceError | null = null;
	isInDoubt = false;

	constructor(
		{ input, key }: { input: BriefInput; key: string },
		private readonly tools: OrderDependencies,
		private readonly isClaimed: (id: string) => boolean = () => false,
		private readonly signal?: AbortSignal,
	) {
		this.input = input;
		this.key = key;
	}

	hear(event: LastingEvent | PassingEvent): void {
		if (event.type === 'accepted') this.brief = event.brief;
		if (event.type === 'withdrawn') this.isInDoubt = false;
		if (event.type !== 'answered' && event.type !== 'turned_away') return;
		this.error = event.error;
		this.isInDoubt ||= leavesInDoubt(event.error);
	}

	async find(order: OrderState): Promise<{ look: Look; asOf: number }> {
		const { tools, signal, input } = this;
		const lister = patientLister(tools.service, { ...tools, signal });
		const listing = await briefsDownTo(lister, listedSince(order, momentNow(tools)), signal);
		const sought = { ...order, input };
		const look = await findBrief({ ...tools, signal }, sought, listing, this.isClaimed);
		return { look, asOf: listing.asOf };
	}

	claim({ id }: BriefSummary): boolean {
		return !this.isClaimed(id);
	}
}
