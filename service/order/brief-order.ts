import { briefsDownTo, patientLister } from '../list/brief-list';
import { leavesInDoubt, ServiceError } from '../api/errors';
import type { Brief, BriefInput, BriefSummary } from '../api/resources';
import { WaitTimeout } from '../watch/wait';
import { isRead, NO_TEXT } from '../watch/whole-brief';
import { ALONE, type Circumstances } from './decide';
import { OrderDriver, type CarryOptions } from './driver';
import type { OrderDependencies } from './facts';
import { findOwn } from './find-brief';
import { isServiceMistaken } from './later-orders';
import { isOlder } from './likeness';
import { NEW_ORDER, type OrderEvent, type OrderState, type Part } from './life';
import type { GetBrief, Knowledge, ListedBriefs, WantedContent } from './listed-briefs';
import type { Look, OrderShell } from './shell';

export type WhenBriefExists = 'use' | 'useUnlessFailed' | 'orderAnother';

export interface BriefRequest {
	input: BriefInput;
	whenBriefExists: WhenBriefExists;
	/** Makes the key of its order, from the ID of the newest brief of this content that is not to be used, if any. */
	keyAfter: (unusable: string | null) => string;
	isOthers?: (id: string) => boolean;
}

/** The list as all orders of this process share it. */
export interface WorkspaceList {
	readonly briefs: ListedBriefs;
	/** Set if the list may show briefs that were not read. */
	readonly hasGap: boolean;
	/** Reads what is missing, and gives the time of the list by the service's clock. Throws ServiceError. */
	read(signal?: AbortSignal): Promise<number>;
	/** Reads the list to its end, for the briefs that are too old to be used. Throws ServiceError. */
	readToEnd(signal?: AbortSignal): Promise<void>;
	get: GetBrief;
}

/** A brief that was ordered now, or that was there; or briefs of the product that may have this content. */
export type OrderOutcome =
	{ brief: Brief; alreadyExisted: boolean } | { mayExist: readonly BriefSummary[] };

interface PlaceOptions extends CarryOptions {
	signal?: AbortSignal | undefined;
}

/**
 * The order of one brief, for a process that keeps no record: only its state knows what happens to the order, and only
 * the list what was ordered before.
 */
export class BriefOrder implements OrderShell {
	private order = NEW_ORDER;
	private brief: BriefSummary | null = null;
	private alreadyExisted = false;
	/** The newest brief of this content that is not to be used. */
	private unusable: string | null = null;
	private mayExist: readonly BriefSummary[] | null = null;
	/** The last answer to the create, or what kept it from being sent. */
	private error: ServiceError | null = null;
	private isInDoubt = false;
	/** What was known of the listed briefs when it was last compared with them. */
	private compared: Knowledge | undefined;
	private signal: AbortSignal | undefined;

	constructor(
		private readonly request: BriefRequest,
		private readonly tools: OrderDependencies,
		private readonly list?: WorkspaceList,
	) {}

	get input(): BriefInput {
		return this.request.input;
	}

	get key(): string {
		return this.request.keyAfter(this.unusable);
	}

	/** Gives the listed brief of its content. Null: it would be ordered. Orders nothing. Throws ServiceError. */
	async takeOver(signal?: AbortSignal): Promise<OrderOutcome | null> {
		await this.carryOn('take_over', { signal });
		return this.outcome;
	}

	/**
	 * Orders the brief unless it is listed by now. One that only the list shows has no text yet.
	 * @throws {ServiceError} what the service answered, if waiting cannot cure it or it came too often. It says whether
	 *   the brief may exist, whatever ended the order
	 * @throws {WaitTimeout} when no slot came free before the deadline
	 */
	async place(options: PlaceOptions): Promise<OrderOutcome> {
		await this.carryOn('order', options);
		const { outcome } = this;
		if (outcome === null) throw this.failure();
		return outcome;
	}

	/** Says whether no later order may be sent, because the service answered this one's new key with another's brief. */
	get isServiceMistaken(): boolean {
		return isServiceMistaken(this.order);
	}

	private async carryOn(part: Part, { signal, ...options }: PlaceOptions): Promise<void> {
		this.signal = signal;
		const driver = new OrderDriver(this.order, this, this.tools, options);
		await driver.carryOn(part, signal).catch((error: unknown) => {
			// That the brief may exist outweighs what kept its create from being sent again.
			const isAboutOrder = error instanceof ServiceError || error instanceof WaitTimeout;
			if (!isAboutOrder || !this.isInDoubt) throw error;
		});
		this.order = driver.order;
	}

	private get outcome(): OrderOutcome | null {
		const { brief, alreadyExisted, mayExist } = this;
		if (brief !== null)
			return { brief: isRead(brief) ? brief : { ...brief, ...NO_TEXT }, alreadyExisted };
		return mayExist === null ? null : { mayExist };
	}

	private failure(): Error {
		const { error } = this;
		if (error === null) return new Error('The order ended without a brief and without an error');
		return this.isInDoubt ? error.with({ inDoubt: true }) : error;
	}

	private isOrderedAgain({ status }: BriefSummary): boolean {
		return status === 'failed' && this.request.whenBriefExists === 'useUnlessFailed';
	}

	// What its driver asks for

	hear(event: OrderEvent, order: OrderState): void {
		if (event.event === 'accepted') {
			this.brief = event.brief;
			this.alreadyExisted = event.found ? !order.inDoubt : this.isReplay(event.brief, order);
			this.list?.briefs.see([event.brief]);
			if (!event.found && isRead(event.brief) && !this.isOfOtherValues)
				this.list?.briefs.learn(event.brief, this.input);
		}
		if (event.event === 'withdrawn') this.isInDoubt = false;
		if (event.event !== 'answered' && event.event !== 'turned_away') return;
		this.error = event.error;
		this.isInDoubt ||= leavesInDoubt(event.error);
	}

	/** An Order Key that a person typed may have been used before with other values: then the answer shows those. */
	private get isOfOtherValues(): boolean {
		return this.alreadyExisted && this.request.whenBriefExists === 'orderAnother';
	}

	/** Says whether the answer to a create is a brief that was ordered earlier, or by another process. */
	private isReplay(brief: BriefSummary, { firstTried, knownBefore, inDoubt }: OrderState): boolean {
		if (this.tools.workspace.wasKnown(brief.id, knownBefore ?? 0)) return true;
		// A new one is queued, unless the first try of an order in doubt has made it.
		return brief.status !== 'queued' && (!inDoubt || isOlder(brief, firstTried));
	}

	circumstances(): Circumstances {
		return ALONE;
	}

	mayBeListed(): boolean {
		const { list, compared } = this;
		if (list === undefined || this.request.whenBriefExists === 'orderAnother') return false;
		// The first look also finds the brief after which its key is made.
		return (
			list.hasGap || compared === undefined || list.briefs.mayHave(this.wantedContent, compared)
		);
	}

	async find(order: OrderState): Promise<{ look: Look; asOf: number }> {
		const { list } = this;
		return list === undefined || order.inDoubt
			? await this.lookForOwn(order)
			: await this.findOfContent(list);
	}

	/** Looks for a brief that was there before the order was ever sent. */
	private async findOfContent(list: WorkspaceList): Promise<{ look: Look; asOf: number }> {
		const asOf = await list.read(this.signal);
		this.compared = list.briefs.knowledge;
		const look = await list.briefs.find(this.wantedContent, list.get);
		if (look.is === 'nothing') {
			await list.readToEnd(this.signal);
			this.unusable = (await list.briefs.findOld(this.wantedContent, list.get))?.id ?? null;
		}
		if (look.is === 'found' && this.isOrderedAgain(look.brief)) {
			this.unusable = look.brief.id;
			return { look: { is: 'nothing' }, asOf };
		}
		if (look.is === 'unclear') {
			const { ids } = look;
			this.mayExist = list.briefs.ofProduct(this.input).filter(({ id }) => ids.includes(id));
		}
		return { look, asOf };
	}

	private get wantedContent(): WantedContent {
		return { input: this.input, isFree: () => true };
	}

	/** Looks for the brief that its own create without an answer may have made. */
	private async lookForOwn(order: OrderState): Promise<{ look: Look; asOf: number }> {
		const { tools, signal, input } = this;
		const lister = patientLister(tools.service, { ...tools, signal });
		const list = { downTo: (instant: number) => briefsDownTo(lister, instant, signal) };
		const isOthers = (id: string) => !this.claim({ id });
		return await findOwn(order, { ...tools, list, signal }, { input, isOthers });
	}

	claim({ id }: Pick<BriefSummary, 'id'>): boolean {
		return this.request.isOthers?.(id) !== true;
	}
}
