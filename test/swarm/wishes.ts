import type { BriefInput } from '../../core/api/types';
import { monthStart } from '../../core/dates';
import { HOUR, MINUTE } from '../support/time';
import { COLLEAGUE, type CreatedBrief } from '../support/virtual-service';
import { toContent } from './contents';
import type { SwarmService } from './history';

/** The part of a command of an actor that can cost money. */
export interface Command {
	readonly actor: string;
	/** The contents of the rows or items that the command may order. */
	readonly selected: ReadonlySet<string>;
	/** Contents that the user wants once. */
	readonly wanted: ReadonlySet<string>;
	/** Contents of which the user wants one more brief than there is. */
	readonly again: ReadonlySet<string>;
	/** Why the user wants it: `--reorder`, `retry`, or an execution of n8n. */
	readonly reason: 'explicit' | 'failed' | 'execution';
	/** --max, or Max Briefs per Run */
	readonly max: number | null;
}

/** What the world knows about a brief. */
interface BriefTraits {
	/** True if every process can tell the content of the brief. */
	readonly isComparable: (brief: CreatedBrief) => boolean;
	/** Undefined for a colleague. */
	readonly findPayer: (brief: CreatedBrief) => string | undefined;
	/** True if the brief shows nothing of its input. */
	readonly isHidden: (brief: CreatedBrief) => boolean;
	readonly isRunning: (brief: CreatedBrief, at?: number) => boolean;
	/** Whether an order of the folder has the brief: not if the journal was lost, or the disk was full at its answer. */
	readonly isInJournal: (brief: CreatedBrief, folder: string) => boolean;
}

interface Payment {
	readonly content: string;
	readonly at: number;
}

/** `--reorder` uses a ready brief that is less than 24 hours old. A run can wait four hours before it decides. */
const SURELY_RECENT_MS = 20 * HOUR;
/** A page of the list is less than a minute old when the request leaves, which takes up to a minute. */
const PAGE_MS = 2 * MINUTE;
/** An order without an answer is sent again for this long, whatever else is listed. */
const YOUNG_MS = 58 * MINUTE;
const MAX_FAILED = 3;
const SLOTS = 2;
const MAX_FAILED_IN_ROW = 5;

/**
 * Knows from the history how many briefs of each content might be paid for, and compares that with what the service
 * creates. It does not ask the program, and shares no code with the rules. Where the documents accept a second brief, it
 * permits the brief.
 *
 *     A runs Mug             one brief of Mug
 *     the brief fails
 *     A retries, is killed   one more
 *     B retries              still one more, because the wish of A was not fulfilled
 */
export class Wishes {
	readonly breaches: string[] = [];
	private readonly permitted = new Map<string, number>();
	private readonly wantedAgain = new Set<string>();
	private readonly paid = new Map<string, number>();
	private readonly firstCommands = new Map<string, Command>();
	/** How often each key was sent. */
	private readonly sendings = new Map<string, number>();
	private readonly firstSentAt = new Map<string, number>();
	/** When each program, such as n8n, first sent each key. */
	private readonly programSentAt = new Map<string, number>();
	private readonly begun = new Set<string>();
	/** What each command has paid for, and when. */
	private readonly paidBy = new Map<Command, Payment[]>();
	/** When the last command of each actor ended. */
	private readonly endedAt = new Map<string, number>();
	private readonly newBriefs = new Map<Command, number>();
	/** The commands that have read the licence. */
	readonly licenceReaders = new Set<Command>();
	/** The contents of which the service has refused an order, per actor. */
	private readonly refused = new Set<string>();
	/** The briefs that the answers to each actor have shown. */
	private readonly answered = new Set<string>();
	/** When the journal of a folder was lost or replaced. */
	private readonly forgottenAt = new Map<string, number>();

	constructor(
		private readonly service: SwarmService,
		private readonly created: readonly CreatedBrief[],
		private readonly traits: BriefTraits,
	) {}

	begin(command: Command, now: number): void {
		for (const content of command.wanted) this.permit(command, content, 1);
		this.permitAgain(command, command.again, now);
	}

	/** The journal of a folder was lost or replaced by a copy. */
	forget(folder: string, now: number): void {
		this.forgottenAt.set(folder, now);
	}

	recordRefusal({ actor }: Command, content: string): void {
		this.refused.add(`${actor}: ${content}`);
	}

	/** A command was answered with a brief. */
	recordAnswer({ actor }: Command, briefId: string): void {
		this.answered.add(`${actor}: ${briefId}`);
	}

	/** A new process of n8n knows no answer of the process before. */
	restartN8n(): void {
		for (const name of this.answered) if (name.startsWith('n8n ')) this.answered.delete(name);
	}

	/** The command was killed or stopped. The orders that it has begun do not count for --max when they are sent. */
	interrupt({ actor, selected }: Command): void {
		for (const content of selected) this.begun.add(`${actor}: ${content}`);
	}

	end({ actor }: Command, now: number): void {
		this.endedAt.set(actor, now);
	}

	/** A process sends a create request. It can die before the request arrives. */
	recordSending(key: string): void {
		this.sendings.set(key, (this.sendings.get(key) ?? 0) + 1);
	}

	/** A create request arrives at the service. */
	judgeRequest(command: Command, key: string, content: string, now: number): void {
		if (!this.firstCommands.has(key)) {
			this.firstCommands.set(key, command);
			this.firstSentAt.set(key, now);
		}
		const sent = `${getProgram(command)}: ${key}`;
		this.programSentAt.set(sent, this.programSentAt.get(sent) ?? now);
		// An order that was begun before might have its brief. Without the licence, no limit is known.
		const isNew = this.sendings.get(key) === 1 && !this.isBegun(command, content);
		if (isNew && this.licenceReaders.has(command)) this.judgeAllowance(command, content, now);
		if (!command.selected.has(content))
			this.breaches.push(`${command.actor} sent ${content}, which is not a selected row`);
	}

	private judgeAllowance({ actor }: Command, content: string, now: number): void {
		const listed = this.countMonth(now, (brief) => this.isListed(brief, now));
		if (listed >= this.service.allowance)
			this.breaches.push(`P5: ${actor} sent ${content} beyond the allowance`);
	}

	/** The service creates a brief. It is not in `created` yet. */
	judgeBrief(command: Command, key: string, input: BriefInput, now: number): void {
		const content = toContent(input);
		const name = this.getName(command, content);
		// A brief can fail while the command waits.
		const payments = this.paidBy.get(command) ?? [];
		const hasPaid = payments.some((each) => each.content === content);
		if (command.again.has(content) && !hasPaid) this.permitAgain(command, new Set([content]), now);
		const paid = this.countPaid(command, content) + 1;
		if (this.isSecondAccepted(command, key, input, now)) this.permit(command, content, paid);
		const permitted = this.permitted.get(name) ?? 0;
		this.paid.set(name, paid);
		if (paid > permitted)
			this.breaches.push(`${command.actor} paid for ${content}: ${paid}, permitted ${permitted}`);
		if (this.hasColleaguesBrief(content, now) && !this.wantedAgain.has(content))
			this.breaches.push(`${command.actor} paid for ${content}, which a colleague had ordered`);
		if (command.reason === 'execution' && hasPaid)
			this.breaches.push(`${command.actor} paid for ${content} twice in one execution`);
		this.judgeMax(command, key, content);
		this.judgeSlots(command, now);
		this.judgeFailuresInRow(command, payments);
		this.paidBy.set(command, [...payments, { content, at: now }]);
	}

	/** Returns the contents that a command has paid for. */
	listPaid(command: Command): string[] {
		return (this.paidBy.get(command) ?? []).map(({ content }) => content);
	}

	/** Returns how many briefs of the month there are. */
	countMonth(now: number, isCounted: (brief: CreatedBrief) => boolean = () => true): number {
		const start = monthStart(now);
		const ofMonth = this.created.filter(({ createdAt }) => createdAt >= start);
		return ofMonth.filter(isCounted).length;
	}

	/** True if an earlier command was killed or stopped, and might have begun an order of the content. */
	private isBegun({ actor }: Command, content: string): boolean {
		return this.begun.has(`${actor}: ${content}`);
	}

	/** What an earlier command has begun or sent does not count. */
	private judgeMax(command: Command, key: string, content: string): void {
		if (this.isBegun(command, content) || this.firstCommands.get(key) !== command) return;
		const count = (this.newBriefs.get(command) ?? 0) + 1;
		this.newBriefs.set(command, count);
		if (command.max !== null && count > command.max)
			this.breaches.push(`${command.actor} paid for ${count} new briefs with --max ${command.max}`);
	}

	/** P4. A brief counts if an answer to the command or the newest page has shown it. */
	private judgeSlots({ actor }: Command, now: number): void {
		const running = this.created.filter((brief) => this.traits.isRunning(brief));
		// A page of two briefs that are not the newest cannot show all that are running.
		const isPageWhole = this.service.pageSize > SLOTS || !this.service.isDisordered;
		const shown = running.filter(
			(brief) =>
				this.answered.has(`${actor}: ${brief.id}`) || (isPageWhole && this.isListed(brief, now)),
		);
		if (shown.length >= SLOTS) this.breaches.push(`P4: ${actor} ran a third brief`);
	}

	/** P13. If every brief fails, a run that knows of five failures orders one brief. In n8n, this is no promise. */
	private judgeFailuresInRow({ actor, reason }: Command, payments: readonly Payment[]): void {
		const last = payments.at(-1);
		if (last === undefined || this.service.failing !== 'all' || reason === 'execution') return;
		const known = this.created.filter(
			(brief) =>
				this.traits.findPayer(brief) === actor &&
				this.answered.has(`${actor}: ${brief.id}`) &&
				this.traits.isInJournal(brief, actor) &&
				brief.createdAt > this.getForgottenAt(actor) &&
				this.isListed(brief, last.at) &&
				!this.traits.isRunning(brief, last.at - PAGE_MS),
		);
		if (known.length >= MAX_FAILED_IN_ROW)
			this.breaches.push(`P13: ${actor} ordered again after ${known.length} failures`);
	}

	/** True if docs/reliability.md (P10, Limits) accepts a second brief of the content at this moment. */
	private isSecondAccepted(command: Command, key: string, input: BriefInput, now: number): boolean {
		const { actor } = command;
		const content = toContent(input);
		const isYoung = this.isYoung(command, key, now) || this.isBegun(command, content);
		return this.created.some((brief) => {
			const payer = this.traits.findPayer(brief);
			if (toContent(brief.input) !== content || payer === undefined) return false;
			const isUnclear = isDoomed(brief) || !this.traits.isComparable(brief);
			// Young keys: the order might have a good brief that is not listed yet.
			if (payer !== actor && isYoung && isUnclear) return true;
			if (this.isListed(brief, now)) return false;
			// Other programs: another spelling has another key, and so has the --reorder of an order that was refused.
			const isRefused = [actor, payer].some((each) => this.refused.has(`${each}: ${content}`));
			const hasOtherBody = JSON.stringify(brief.input) !== JSON.stringify(input);
			if (payer !== actor)
				return hasOtherBody || this.isKeyForgotten(key, now) || (isRefused && brief.key !== key);
			// P10: the list has to show what a lost journal had known, if the key is forgotten or another key has paid for it.
			const isForgotten = brief.createdAt <= this.getForgottenAt(actor);
			return isForgotten && (this.service.keys !== 'for ever' || brief.key !== key);
		});
	}

	/** True if the program has sent the key before, less than 58 minutes ago. */
	private isYoung(command: Command, key: string, now: number): boolean {
		const age = now - (this.programSentAt.get(`${getProgram(command)}: ${key}`) ?? now);
		return age > 0 && age < YOUNG_MS;
	}

	/** True if the service forgets the key, although its brief can be younger than an hour. */
	private isKeyForgotten(key: string, now: number): boolean {
		return this.service.keys === 'an hour from the first request' && this.getAge(key, now) >= HOUR;
	}

	private getAge(key: string, now: number): number {
		return now - (this.firstSentAt.get(key) ?? now);
	}

	private permitAgain(command: Command, contents: ReadonlySet<string>, now: number): void {
		for (const content of contents) {
			if (!this.hasReason(command, content, now)) continue;
			this.wantedAgain.add(content);
			this.permit(command, content, this.countPaid(command, content) + 1);
		}
	}

	private hasReason({ actor, reason }: Command, content: string, now: number): boolean {
		const all = this.created.filter((brief) => toContent(brief.input) === content);
		const visible = all.filter(
			(brief) => this.traits.isComparable(brief) && this.isListed(brief, now),
		);
		const good = visible.filter((brief) => !isDoomed(brief));
		if (reason === 'explicit')
			return !(
				good.some((brief) => this.isRecent(brief, actor, now)) ||
				this.created.some((brief) => this.isUnseen(brief, content, actor, now))
			);
		if (visible.length - good.length >= MAX_FAILED) return false;
		const lastFailed = all.findLast(isDoomed);
		if (lastFailed === undefined) return false;
		// An order that failed does not go back to the good brief that it was to replace.
		if (reason === 'failed') return good.every(({ createdAt }) => createdAt < lastFailed.createdAt);
		return good.length === 0;
	}

	/** Rule 9. A time that cannot be read says nothing, but the journal knows when an order was sent. */
	private isRecent(brief: CreatedBrief, actor: string, now: number): boolean {
		if (this.traits.isRunning(brief)) return true;
		const isKnown =
			this.traits.findPayer(brief) === actor && brief.createdAt > this.getForgottenAt(actor);
		const isDated = this.service.times !== 'unreadable' || isKnown;
		return isDated && now - brief.createdAt <= SURELY_RECENT_MS;
	}

	/** Rule 8. A brief that might have the content has to be named first, and no command has ended since it was created. */
	private isUnseen(brief: CreatedBrief, content: string, actor: string, now: number): boolean {
		const isOfProduct = content.startsWith(brief.input.product_name.trim().toLowerCase());
		const isNew = brief.createdAt > (this.endedAt.get(actor) ?? -Infinity);
		const isOther = this.traits.findPayer(brief) !== actor;
		return (
			isOfProduct && isNew && isOther && this.traits.isHidden(brief) && this.isListed(brief, now)
		);
	}

	private hasColleaguesBrief(content: string, now: number): boolean {
		return this.created.some(
			(brief) =>
				brief.key === COLLEAGUE &&
				toContent(brief.input) === content &&
				this.traits.isComparable(brief) &&
				this.isListed(brief, now) &&
				!isDoomed(brief),
		);
	}

	private isListed({ createdAt }: CreatedBrief, now: number): boolean {
		return createdAt + this.service.lagMs + PAGE_MS < now;
	}

	private getForgottenAt(actor: string): number {
		return this.forgottenAt.get(actor) ?? -Infinity;
	}

	private permit(command: Command, content: string, count: number): void {
		const name = this.getName(command, content);
		this.permitted.set(name, Math.max(count, this.permitted.get(name) ?? 0));
	}

	private countPaid(command: Command, content: string): number {
		return this.paid.get(this.getName(command, content)) ?? 0;
	}

	/**
	 * A rewritten input is other content for other processes, so each of them might pay. A folder that has lost its journal
	 * is another process.
	 */
	private getName({ actor }: Command, content: string): string {
		if (this.service.inputs !== 'rewritten') return content;
		return `${actor} since ${this.getForgottenAt(actor)}: ${content}`;
	}
}

/** All executions of n8n share what it knows of a key. */
function getProgram({ actor }: Command): string {
	return actor.split(' ')[0] ?? actor;
}

/** True if the brief fails in the end. */
export function isDoomed({ plan }: CreatedBrief): boolean {
	return plan.errorCode !== null;
}
