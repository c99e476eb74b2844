import { mayBeForSlots, otherBrief, type ServiceError } from '../errors';
import { explain } from '../explain';
import { outcomeOf } from '../outcome';
import type { Brief, BriefSummary } from '../resources';
import { sleepUntil } from '../sleep';
import type { FreeSlot } from '../watch/slots';
import type { Bounds } from './again';
import { isSurelyListed } from './ages';
import { apply } from './apply';
import { decide } from './decide';
import type { Step } from './steps';
import { endOfWait, factsFor, type OrderDependencies } from './facts';
import { isOwnBrief } from './likeness';
import type { OrderShell } from './shell';
import type { LastingEvent, PassingEvent } from './events';
import type { Finding, OrderState } from './states';
import { judgeRefusal } from './turned-away';

export interface CarryOptions extends Bounds {
	signal?: AbortSignal;
	/** Comes back as soon as this holds, even if something is left to do. */
	until?: (order: OrderState) => boolean;
}

/**
 * Carries an order on: decides, carries out the step, puts on record what happened, and decides anew.
 * @returns the order where nothing is left to do for it in this run, or where `until` holds
 * @throws the signal's reason, WaitTimeout where no slot came free before the deadline, and what the shell throws
 */
export async function carryOrder(
	order: OrderState,
	shell: OrderShell,
	tools: OrderDependencies,
	{ signal, until = () => false, ...bounds }: CarryOptions = {},
): Promise<OrderState> {
	const driver = new OrderDriver(order, shell, tools, bounds, signal);
	try {
		while (!until(driver.order)) {
			signal?.throwIfAborted();
			const step = decide(driver.order, factsFor(driver.order, shell, tools, bounds));
			if (step.do === 'stop') break;
			await driver.carryOut(step);
		}
		return driver.order;
	} finally {
		driver.leaveSlot();
	}
}

class OrderDriver {
	private permit: FreeSlot | null = null;

	constructor(
		public order: OrderState,
		private readonly shell: OrderShell,
		private readonly tools: OrderDependencies,
		private readonly bounds: Bounds,
		private readonly signal: AbortSignal | undefined,
	) {}

	async carryOut(step: Step): Promise<void> {
		switch (step.do) {
			case 'stop':
				return;
			case 'queue':
				return this.note({ type: 'queued' });
			case 'take_slot':
				return await this.takeSlot();
			case 'return_slot': {
				const { isStale } = step;
				const again = endOfWait('retry', this.order, this.tools, this.bounds);
				const notBefore = isStale ? this.tools.clock.now() : again;
				return this.note({ type: 'returned_slot', notBefore, isStale });
			}
			case 'wait': {
				const until = endOfWait(step.for, this.order, this.tools, this.bounds);
				this.shell.waits(step.for, until);
				await sleepUntil(this.tools.clock, until, this.signal);
				return this.note({ type: 'waited', for: step.for });
			}
			case 'look':
				return await this.look();
			case 'adopt':
				return await this.adopt(step.brief);
			case 'intend':
				return await this.record({ type: 'intended', at: this.tools.service.now() });
			case 'send':
				return await this.send();
			case 'look_at_slots':
				return this.hearOfCreate(await judgeRefusal(this.order, this.tools, this.signal));
			case 'meet_rate_limit': {
				const limit = this.tools.service.rateLimit();
				if (limit !== null) this.hear(limit.error);
				return;
			}
			case 'withdraw': {
				// For the record: what the service said, or else the rule.
				const { answer } = this.order;
				const said = answer === null ? null : explain(answer, this.tools.service.now());
				return await this.record({ type: 'withdrawn', why: said?.what ?? step.why });
			}
			case 'refuse':
				return await this.record({ type: 'refused' });
			case 'defer':
				return this.note({ type: 'deferred' });
			case 'hold_back':
				return this.note({ type: 'held_back' });
			case 'give_up':
				return this.note({ type: 'given_up' });
			case 'park': {
				const why = this.shell.parkText(step.reason, this.order);
				return await this.record({ type: 'parked', why });
			}
			case 'get':
			case 'watch':
			case 'file':
				this.order = apply(this.order, await this.shell.follow(step.do, this.order));
		}
	}

	/** Whatever ends the work: a brief that may exist keeps the slot, until the list shows it or surely would. */
	leaveSlot(): void {
		const slot = slotAfter(this.order);
		if (slot === 'until_look') this.permit?.keepUntilLook();
		else if (slot === 'in_doubt') this.permit?.keepInDoubt();
		else this.permit?.release();
	}

	private async record(event: LastingEvent): Promise<void> {
		await this.shell.record(event, this.order);
		this.order = apply(this.order, event);
	}

	/** At once, so that what was decided a moment ago still holds. */
	private note(event: PassingEvent): void {
		this.shell.note(event, this.order);
		this.order = apply(this.order, event);
	}

	private hear(error: ServiceError): void {
		this.note({ type: 'answered', at: this.tools.clock.now(), error });
	}

	private async takeSlot(): Promise<void> {
		const { poller } = this.tools;
		const { bounds, signal, order } = this;
		const returned = this.permit;
		const slot = poller.takeSlot({ ...bounds, signal, notBefore: order.notBefore });
		// Only now that it stands in the queue again: nobody may overtake it, for its own brief may have the slot.
		returned?.release();
		this.permit = null;
		const outcome = await outcomeOf(slot);
		if ('error' in outcome) return this.hear(outcome.error);
		this.permit = outcome.value;
		this.note({ type: 'got_slot', at: outcome.value.seenAt });
	}

	private async look(): Promise<void> {
		const { look, asOf } = await this.shell.find(this.order);
		// As it was when the list was read: a computer may sleep for days before the answer is looked at.
		const isCertain = isSurelyListed(this.order, asOf);
		const finding: Finding = look.is === 'found' ? look : { ...look, isCertain };
		this.note({ type: 'looked', at: this.tools.clock.now(), finding });
	}

	private async adopt(brief: BriefSummary): Promise<void> {
		const { service, workspace, clock } = this.tools;
		if (!this.shell.claim(brief)) {
			// Two orders of one product may find the same brief at the same time: only one of them gets it.
			const finding = { is: 'unclear', ids: [brief.id], isCertain: true } as const;
			return this.note({ type: 'looked', at: clock.now(), finding });
		}
		if (this.permit === null) workspace.adopt(brief, service.now());
		else this.permit.accepted(brief);
		this.permit = null;
		await this.record({ type: 'accepted', brief, found: true });
	}

	private async send(): Promise<void> {
		const { service } = this.tools;
		const { input, key } = this.shell;
		this.note({ type: 'sent' });
		const outcome = await outcomeOf(service.createBrief(input, key, this.signal));
		if ('error' in outcome) {
			const { error } = outcome;
			if (!mayBeForSlots(error)) return this.hearOfCreate(error);
			return this.note({ type: 'turned_away', error });
		}
		const brief = outcome.value;
		if (!this.isOwn(brief)) return this.hearOfCreate(otherBrief(brief));
		this.tools.poller.slotPatience?.createAnswered(null);
		this.permit?.accepted(brief);
		this.permit = null;
		await this.record({ type: 'accepted', brief, found: false });
	}

	private isOwn(brief: Brief): boolean {
		const { firstTried } = this.order;
		const knownSince = this.tools.workspace.knownSince(brief.id);
		const isOwn = isOwnBrief(brief, this.shell.input, { firstTried, knownSince });
		return isOwn && this.shell.claim(brief);
	}

	private hearOfCreate(error: ServiceError): void {
		this.tools.poller.slotPatience?.createAnswered(error);
		this.hear(error);
		this.permit?.answered();
	}
}

/** How long the slot of an order counts as taken that nobody carries on. */
export type SlotAfter = 'free' | 'in_doubt' | 'until_look';

/** A brief that was answered is in the list, whoever's it is. */
export function slotAfter({ inDoubt, stage, answer }: OrderState): SlotAfter {
	if (answer?.kind === 'other_brief') return 'until_look';
	return inDoubt || stage === 'sent' ? 'in_doubt' : 'free';
}
