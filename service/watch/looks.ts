import { anotherBrief, isTransient } from '../errors';
import { outcomeOf } from '../outcome';
import { isCursorRefused } from '../pages';
import type { PollInterval } from '../poll-interval';
import type { Clock } from '../ports';
import { isRunning, type BriefPage, type BriefSummary } from '../resources';
import type { BriefingService } from '../service';
import type { BriefWait } from './brief-wait';
import type { LookTimes, Waiters } from './look-times';
import type { SlotPatience } from './slot-patience';
import { slotsBusy, type FreeSlot } from './slot-wait';
import { failedFor, foundOn, idsOf, isPageWorthReading, mayBeTooNew } from './watched-briefs';
import type { Workspace } from './workspace';

export interface LooksOptions {
	interval: PollInterval;
	/** How long looks may fail, all of them or those at one brief, before those who wait get the error (milliseconds). */
	patience: number;
	/** Called after each look that shows the whole workspace. */
	onLook?: () => void;
	/** How long slots are waited for. Without it, only as long as each who waits says himself. */
	slotPatience?: SlotPatience;
}

/** The looks at the workspace: which requests show what those who wait need to know, and who gets which answer. */
export class Looks {
	constructor(
		private readonly service: BriefingService,
		private readonly clock: Clock,
		private readonly workspace: Workspace,
		private readonly waiters: Waiters,
		private readonly times: LookTimes,
		private readonly options: LooksOptions,
	) {}

	/** @param age how long ago the page was asked for, in milliseconds */
	observePage(newestPage: readonly BriefSummary[], age = 0): void {
		this.takeIn(newestPage, this.clock.now() - Math.max(0, age));
	}

	private takeIn(newestPage: readonly BriefSummary[], at: number, askedAt = at): void {
		this.times.listRead(at, askedAt);
		this.workspace.observePage(newestPage, this.service.now());
	}

	/** Once its create is answered, the next in the queue may be served by the same look. */
	permit(): FreeSlot {
		const onAnswer = () => {
			if (this.times.isListFresh()) this.serveSlots();
		};
		const permit = this.workspace.permit(() => this.service.now(), onAnswer);
		return { ...permit, seenAt: this.times.listAskedAt };
	}

	/** A single list call that serves all, or a single get where one brief is all there is to see. */
	async look(signal: AbortSignal): Promise<void> {
		const { briefs, slots } = this.waiters;
		const only = briefs.only();
		if (only !== undefined && slots.all.length === 0) await this.lookAt(only.brief.id, signal);
		else await this.lookAtList(signal);
	}

	/** Reads the newest page, whenever the last one was read. */
	async lookAtNewest(signal?: AbortSignal): Promise<BriefPage> {
		// The page is as old as its request, and not as a rate limit that is waited out before.
		await this.service.passGate(signal);
		const askedAt = this.clock.now();
		const page = await this.service.briefs({}, signal);
		this.takeIn(page.data, this.clock.now(), askedAt);
		this.options.onLook?.();
		return page;
	}

	private async lookAtList(signal: AbortSignal): Promise<void> {
		const { briefs, slots } = this.waiters;
		const missing = new Set(briefs.all);
		let page = await this.lookAtNewest(signal);
		for (let olderPages = 0; ; olderPages += 1) {
			for (const [wait, brief] of foundOn(page.data, missing)) {
				if (wait.isItself?.(brief) === false) continue;
				missing.delete(wait);
				this.observe(wait, brief);
			}
			const isWorthIt = isPageWorthReading(idsOf(missing).size, olderPages);
			if (!isWorthIt || page.next_cursor === null) break;
			const cursor = page.next_cursor;
			const older = await outcomeOf(this.service.briefs({ cursor }, signal));
			if ('value' in older) page = older.value;
			// Those that are missing are got one by one.
			else if (isCursorRefused(older.error, cursor)) break;
			else throw older.error;
		}
		this.serveSlots();
		for (const id of idsOf(missing)) {
			if (briefs.waitsFor(id).length > 0) await this.lookAtMissing(id, signal);
		}
		if (slots.all.length > 0) await this.lookAtUnlisted(signal);
		this.serveSlots();
		this.bearSlotWait();
	}

	private async lookAt(id: string, signal: AbortSignal): Promise<void> {
		const outcome = await outcomeOf(this.service.brief(id, signal));
		const now = this.clock.now();
		this.times.briefRead();
		const waits = this.waiters.briefs.waitsFor(id);
		if ('value' in outcome) {
			const brief = outcome.value;
			const others = waits.filter(({ isItself }) => isItself?.(brief) === false);
			if (others.length > 0 && others.length === waits.length) throw anotherBrief(brief);
			this.workspace.observe(brief, this.service.now());
			for (const wait of waits) if (!others.includes(wait)) this.observe(wait, brief);
			return;
		}
		const { error } = outcome;
		if (error.kind === 'invalid_input') {
			// What the service has against one ID says nothing about the others.
			for (const { waiting } of waits) waiting.reject(error);
			return;
		}
		if (error.kind !== 'not_found') throw error;
		for (const { waiting } of waits.filter(({ since }) => !mayBeTooNew(since, now))) {
			this.workspace.forget(id);
			waiting.reject(error);
		}
	}

	/** The list answers, so a brief that cannot be got is a failure of that brief alone. */
	private async lookAtMissing(id: string, signal: AbortSignal): Promise<void> {
		const outcome = await outcomeOf(this.lookAt(id, signal));
		if ('value' in outcome) return;
		const { error } = outcome;
		if (!isTransient(error.kind) || error.kind === 'rate_limited') throw error;
		for (const wait of this.waiters.briefs.waitsFor(id)) {
			if (failedFor(wait, this.clock.now()) >= this.options.patience) wait.waiting.reject(error);
		}
	}

	/**
	 * This process's briefs for which nobody waits, and which the list should show by now, must not hold a slot for ever.
	 */
	private async lookAtUnlisted(signal: AbortSignal): Promise<void> {
		const watched = idsOf(this.waiters.briefs.all);
		for (const [id, since] of this.workspace.unlisted()) {
			if (watched.has(id) || mayBeTooNew(since, this.service.now())) continue;
			const outcome = await outcomeOf(this.service.brief(id, signal));
			if ('value' in outcome) this.workspace.observe(outcome.value, this.service.now());
			else if (outcome.error.kind === 'not_found') this.workspace.forget(id);
			else if (!isTransient(outcome.error.kind)) throw outcome.error;
		}
	}

	private observe(wait: BriefWait, brief: BriefSummary): void {
		this.workspace.observe(brief, this.service.now());
		// Whoever gave up during the look wants to hear no more.
		if (!this.waiters.briefs.all.has(wait)) return;
		const hasChanged = brief.status !== wait.brief.status;
		this.waiters.briefs.observe(wait, brief, this.clock.now());
		if (hasChanged) wait.onStatus?.(brief);
		if (!isRunning(brief)) wait.waiting.resolve(brief);
	}

	private serveSlots(): void {
		const [free, toGive] = [this.workspace.freeSlots(), this.workspace.slotsToGive()];
		const { granted, refused } = this.waiters.slots.serve(free, this.clock.now(), toGive);
		for (const { waiting } of granted) waiting.resolve(this.permit());
		for (const { waiting } of refused) waiting.reject(slotsBusy());
	}

	/** Whoever begins to wait hears of it at once, not only when the next look is due; unless that is due now. */
	tellSlotWait(): void {
		if (this.workspace.freeSlots() <= 0 && this.times.next() > this.clock.now())
			this.options.slotPatience?.sawNone();
	}

	/** A slot that may not be given yet, because the last brief is not listed, is waited for in another way. */
	private bearSlotWait(): void {
		const { slots } = this.waiters;
		const { slotPatience } = this.options;
		if (slotPatience === undefined || slots.all.length === 0) return;
		if (this.workspace.freeSlots() <= 0) slotPatience.sawNone();
		if (!slotPatience.isOver) return;
		for (const { waiting } of [...slots.all]) waiting.reject(slotsBusy());
	}
}
