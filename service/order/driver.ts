/*
 * Carries one order on: asks `decide` for the next step, carries the step out, puts on record what happened, and asks
 * again, until a step of a later part of its way is due. Both shells use it; what they do differently is in OrderShell.
 *
 * An example. `carryOn('order')` with a row that was never ordered, where a journal is kept:
 *   queue       happened: queued
 *   take_slot   waits until the poller gives a slot. happened: got_slot
 *   intend      recorded: intended. A process that dies from here on leaves an order in doubt
 *   send        happened: sent; then recorded: accepted, with the brief, to which the slot is given
 *   watch       is of the next part, so `carryOn` returns true; the next call goes on from here
 */

import { mayBeForSlots, otherBrief, type ServiceError, leavesInDoubt } from '../api/errors';
import { explain } from '../api/explain';
import { outcomeOf } from '../api/outcome';
import type { Brief, BriefSummary } from '../api/resources';
import { sleepUntil } from '../api/sleep';
import type { FreeSlot } from '../watch/slots';
import { type SendBounds, endOfWait, factsFor, type OrderDependencies } from './facts';
import { isSurelyListed, momentAt, momentNow, momentText } from './times';
import { apply } from './apply';
import { decide, type Facts } from './decide';
import {
	isBeyond,
	type Finding,
	type LastingEvent,
	type OrderEvent,
	type OrderState,
	type Part,
	type Step,
	type Wait,
} from './life';
import { isOwnBrief } from './likeness';
import type { OrderShell } from './shell';
import { READ_TRIES } from '../assumptions';
import { withRetries } from '../api/resend';

export interface CarryOptions extends SendBounds {
	/** Aborted when nothing more is to be sent. An order whose brief may exist is carried on. */
	noMore?: AbortSignal;
}

export class OrderDriver {
	private slot: FreeSlot | null = null;
	/** Ends the part of its way that is carried out now. */
	private signal: AbortSignal | undefined;

	constructor(
		public order: OrderState,
		private readonly shell: OrderShell,
		private readonly tools: OrderDependencies,
		private readonly options: CarryOptions = {},
	) {}

	/**
	 * @param last the last part of its way that is carried out now
	 * @returns whether another part follows. If not, nothing is left to do for it in this run
	 * @throws a signal's reason, WaitTimeout if no slot came free before the deadline, and what its parts throw
	 */
	async carryOn(last: Part, signal?: AbortSignal): Promise<boolean> {
		this.signal = signal;
		try {
			for (;;) {
				const step = decide(this.order, this.facts());
				if (step.do !== 'stop' && isBeyond(last, this.order, step)) return true;
				signal?.throwIfAborted();
				if (!mayHaveBrief(this.order)) this.options.noMore?.throwIfAborted();
				if (step.do === 'stop') return false;
				await this.carryOut(step);
			}
		} finally {
			this.leaveSlot();
		}
	}

	private facts(): Facts {
		return factsFor(this.order, this.shell, this.tools, this.options);
	}

	private async carryOut(step: Step): Promise<void> {
		switch (step.do) {
			case 'stop':
				return;
			case 'queue':
				return this.happened({ event: 'queued' });
			case 'take_slot':
				return await this.takeSlot();
			case 'return_slot':
				return this.returnSlot(step.isStale);
			case 'wait':
				return await this.wait(step.for);
			case 'look':
				return await this.look();
			case 'take_over':
				return await this.takeOver(step.brief);
			case 'intend':
				return await this.intend();
			case 'send':
				return await this.send();
			case 'look_at_slots':
				return this.hearOfCreate(await this.judgeRefusal());
			case 'meet_rate_limit':
				return this.meetRateLimit();
			case 'withdraw':
				return await this.withdraw(step.why);
			case 'refuse':
				return await this.record({ event: 'refused' });
			case 'fail':
				return await this.record({ event: 'unanswered' });
			case 'defer':
				return this.happened({ event: 'deferred' });
			case 'give_up':
				return this.happened({ event: 'given_up' });
			case 'park':
				return await this.record({ event: 'parked', reason: step.reason });
			case 'get':
			case 'watch':
			case 'file':
				return await this.follow(step.do);
		}
	}

	/**
	 * Gives the slot back, whatever ends the work. A brief that may exist keeps it until the list shows it or surely
	 * would.
	 */
	private leaveSlot(): void {
		const after = slotAfter(this.order);
		if (after === 'uncertain_until_look') this.slot?.keepUncertainUntilLook(this.shell.key);
		else if (after === 'uncertain') this.slot?.keepUncertain(this.shell.key);
		else this.slot?.release();
		this.slot = null;
	}

	private async record(event: LastingEvent): Promise<void> {
		await this.shell.keep?.(event, this.order);
		this.happened(event);
	}

	/** Applies an event at once, so that what was decided a moment ago still holds. */
	private happened(event: OrderEvent): void {
		this.shell.hear(event, this.order);
		if (event.event === 'accepted' || event.event === 'withdrawn')
			this.tools.workspace.settle(this.shell.key);
		this.order = apply(this.order, event);
	}

	private async takeSlot(): Promise<void> {
		const returned = this.slot;
		const { notBefore } = this.order;
		const slot = this.tools.poller.takeSlot({
			...this.options,
			signal: this.endOfSlotWait,
			notBefore,
		});
		// Only now that it is in the queue again: no other may overtake it, because its own brief may have the slot.
		returned?.release();
		this.slot = null;
		const outcome = await outcomeOf(slot);
		if ('error' in outcome) return this.hearAnswer(outcome.error);
		this.slot = outcome.value;
		this.happened({ event: 'got_slot', at: outcome.value.seenAt });
	}

	private get endOfSlotWait(): AbortSignal | undefined {
		const { signal } = this;
		const { noMore } = this.options;
		if (noMore === undefined || mayHaveBrief(this.order)) return signal;
		return AbortSignal.any(signal === undefined ? [noMore] : [signal, noMore]);
	}

	private returnSlot(isStale: boolean): void {
		const notBefore = isStale ? this.tools.clock.now() : this.endOf('retry');
		this.happened({ event: 'returned_slot', notBefore, isStale });
	}

	private async intend(): Promise<void> {
		const { briefsKnown } = this.tools.workspace;
		const moment = momentText(momentNow(this.tools));
		await this.record({ event: 'intended', ...moment, briefs_known: briefsKnown });
	}

	private async wait(what: Wait): Promise<void> {
		const until = this.endOf(what);
		this.shell.waits?.(what, until);
		await sleepUntil(this.tools.clock, until, this.signal);
		this.happened({ event: 'waited', for: what, at: momentNow(this.tools) });
	}

	private endOf(wait: Wait): number {
		return endOfWait(wait, this.order, this.tools, this.options);
	}

	private async look(): Promise<void> {
		const { look, asOf } = await this.shell.find(this.order);
		// As it was when the list was read: a computer may sleep for days before the answer is looked at.
		const isCertain = isSurelyListed(this.order, momentAt(asOf, this.tools));
		const finding: Finding = look.is === 'found' ? look : { ...look, isCertain };
		this.happened({ event: 'looked', at: this.tools.clock.now(), finding });
	}

	private async takeOver(brief: BriefSummary): Promise<void> {
		const { service, workspace, clock } = this.tools;
		if (!this.shell.claim(brief)) {
			// Two orders of one product may find the same brief at the same time: only one of them gets it.
			const finding = { is: 'unclear', ids: [brief.id], isCertain: true } as const;
			return this.happened({ event: 'looked', at: clock.now(), finding });
		}
		await this.record({ event: 'accepted', brief, found: true });
		if (this.slot === null) workspace.addOwn(brief, service.now());
		else this.slot.giveTo(brief);
		this.slot = null;
	}

	private async send(): Promise<void> {
		const { service } = this.tools;
		const { input, key } = this.shell;
		this.happened({ event: 'sent' });
		const outcome = await outcomeOf(service.createBrief(input, key, this.signal));
		if ('error' in outcome) {
			const { error } = outcome;
			if (!mayBeForSlots(error)) return this.hearOfCreate(error);
			return this.happened({ event: 'turned_away', error });
		}
		const brief = outcome.value;
		if (!this.isOwn(brief)) return this.hearOfCreate(otherBrief(brief));
		this.tools.poller.slotPatience?.createAnswered(null);
		// Whoever counts what is left of the allowance has heard of it by then, and does not count it twice.
		await this.record({ event: 'accepted', brief, found: false });
		this.slot?.giveTo(brief);
		this.slot = null;
	}

	/**
	 * Finds out whether a refusal was for want of a slot. If both slots are taken it was, whatever the service called it.
	 * If the look fails it is not known, so the order is not refused for good.
	 */
	private async judgeRefusal(): Promise<ServiceError> {
		const { unjudgedRefusal: refusal } = this.order;
		if (refusal === null) throw new Error('Only a refusal can be for want of a slot');
		const { poller, service, clock } = this.tools;
		const { signal } = this;
		const refusedAt = service.now();
		const retrying = { clock, limits: READ_TRIES, signal };
		const look = await outcomeOf(
			withRetries(() => poller.wereSlotsTaken(refusedAt, signal), retrying),
		);
		if ('value' in look) return look.value ? refusal.with({ kind: 'slots_busy' }) : refusal;
		return leavesInDoubt(refusal) ? refusal : look.error;
	}

	private isOwn(brief: Brief): boolean {
		const { firstTried, knownBefore } = this.order;
		const wasKnown = this.tools.workspace.wasKnown(brief.id, knownBefore ?? 0);
		const isOwn = isOwnBrief(brief, this.shell.input, { firstTried, wasKnown });
		return isOwn && this.shell.claim(brief);
	}

	/** Puts on record what the service said, or else the rule. */
	private async withdraw(rule: string): Promise<void> {
		const { answer } = this.order;
		const explanation = answer === null ? null : explain(answer, this.tools.service.now());
		await this.record({ event: 'withdrawn', why: explanation?.what ?? rule });
	}

	private async follow(step: 'get' | 'watch' | 'file'): Promise<void> {
		const done = this.shell[step]?.();
		if (done === undefined) throw new Error('Whoever ordered the brief follows it');
		this.happened(await done);
	}

	private meetRateLimit(): void {
		const limit = this.tools.service.rateLimit();
		if (limit !== null) this.hearAnswer(limit.error);
	}

	private hearAnswer(error: ServiceError): void {
		this.happened({ event: 'answered', at: this.tools.clock.now(), error });
	}

	private hearOfCreate(error: ServiceError): void {
		this.tools.poller.slotPatience?.createAnswered(error);
		this.hearAnswer(error);
		this.slot?.noteAnswer();
	}
}

function mayHaveBrief({ inDoubt, stage }: OrderState): boolean {
	return inDoubt || stage === 'sent';
}

/** The time for which the slot of an abandoned order counts as taken. */
type SlotAfter = 'free' | 'uncertain' | 'uncertain_until_look';

/** Says what may hold a slot for an order on record: its brief, one that it may have as it is parked, or nothing. */
export function slotOnRecord({ stage, briefId }: OrderState): 'brief' | 'uncertain' | 'none' {
	if (stage !== 'running' && stage !== 'parked') return 'none';
	return briefId === null ? 'uncertain' : 'brief';
}

/** Says how long the slot stays taken. A brief that was answered is in the list, whoever's it is. */
export function slotAfter(order: OrderState): SlotAfter {
	if (order.answer?.kind === 'other_brief') return 'uncertain_until_look';
	return mayHaveBrief(order) ? 'uncertain' : 'free';
}
