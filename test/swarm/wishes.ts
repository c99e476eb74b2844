import type { BriefInput } from '../../core/api/types';
import { HOUR, MINUTE } from '../support/time';
import { COLLEAGUE, type CreatedBrief } from '../support/virtual-service';
import type { SwarmService } from './history';

/** A command of an actor, as far as it can cost money. */
export interface Command {
	readonly actor: string;
	/** The contents of the rows or items that the command may order. */
	readonly selected: ReadonlySet<string>;
	/** Contents that the user wants once. */
	readonly wanted: ReadonlySet<string>;
	/** Contents of which the user wants one more brief than there is, and why. */
	readonly again: ReadonlySet<string>;
	readonly reason: 'failed' | 'failed and no good brief' | 'explicit';
	/** --max */
	readonly max: number | null;
}

/** The end of the time in which `--reorder` uses a ready brief, less the longest wait of a run. */
const SURELY_RECENT_MS = 20 * HOUR;
/** A page of the list is less than a minute old when the request leaves, which takes up to a minute. */
const PAGE_MS = 2 * MINUTE;
const MAX_FAILED = 3;

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
	private readonly begun = new Set<string>();
	private readonly newBriefs = new Map<Command, number>();

	constructor(
		private readonly service: SwarmService,
		private readonly created: readonly CreatedBrief[],
		private readonly isDoomed: (brief: CreatedBrief) => boolean,
	) {}

	begin(command: Command, now: number): void {
		for (const content of command.wanted) this.permit(command, content, 1);
		for (const content of command.again) {
			if (!this.hasReason(command, content, now)) continue;
			this.wantedAgain.add(content);
			this.permit(command, content, this.countPaid(command, content) + 1);
		}
	}

	/** A create request arrives at the service. */
	judgeRequest(command: Command, key: string, content: string): void {
		if (!this.firstCommands.has(key)) this.firstCommands.set(key, command);
		if (!command.selected.has(content))
			this.breaches.push(`${command.actor} sent ${content}, which is not a selected row`);
	}

	/** The service creates a brief. It is not in `created` yet. */
	judgeBrief(command: Command, key: string, content: string, now: number): void {
		const paid = this.countPaid(command, content) + 1;
		const permitted = this.permitted.get(this.getName(command, content)) ?? 0;
		this.paid.set(this.getName(command, content), paid);
		if (paid > permitted)
			this.breaches.push(`${command.actor} paid for ${content}: ${paid}, permitted ${permitted}`);
		if (this.hasColleaguesBrief(content, now) && !this.wantedAgain.has(content))
			this.breaches.push(`${command.actor} paid for ${content}, which a colleague had ordered`);
		this.judgeMax(command, key, content);
	}

	/** The command was killed or stopped. The orders that it has begun do not count for --max when they are sent. */
	interrupt({ actor, selected }: Command): void {
		for (const content of selected) this.begun.add(`${actor}: ${content}`);
	}

	/** What an earlier command has begun or sent does not count. */
	private judgeMax(command: Command, key: string, content: string): void {
		const isBegun = this.begun.has(`${command.actor}: ${content}`);
		if (isBegun || this.firstCommands.get(key) !== command) return;
		const count = (this.newBriefs.get(command) ?? 0) + 1;
		this.newBriefs.set(command, count);
		if (command.max !== null && count > command.max)
			this.breaches.push(`${command.actor} paid for ${count} new briefs with --max ${command.max}`);
	}

	private hasReason({ reason }: Command, content: string, now: number): boolean {
		const all = this.created.filter((brief) => toContent(brief.input) === content);
		const visible = this.isComparable ? all.filter((brief) => this.isListed(brief, now)) : [];
		const good = visible.filter((brief) => !this.isDoomed(brief));
		if (reason === 'explicit')
			return good.every(({ createdAt }) => now - createdAt > SURELY_RECENT_MS);
		if (visible.length - good.length >= MAX_FAILED) return false;
		const lastFailed = all.findLast(this.isDoomed);
		if (lastFailed === undefined) return false;
		// An order that failed does not go back to the good brief that it was to replace.
		if (reason === 'failed') return good.every(({ createdAt }) => createdAt < lastFailed.createdAt);
		return good.length === 0;
	}

	private hasColleaguesBrief(content: string, now: number): boolean {
		return this.created.some(
			(brief) =>
				brief.key === COLLEAGUE &&
				toContent(brief.input) === content &&
				this.isComparable &&
				this.isListed(brief, now) &&
				!this.isDoomed(brief),
		);
	}

	private isListed({ createdAt }: CreatedBrief, now: number): boolean {
		return createdAt + this.service.lagMs + PAGE_MS < now;
	}

	private get isComparable(): boolean {
		return this.service.inputs === 'shown';
	}

	private permit(command: Command, content: string, count: number): void {
		const name = this.getName(command, content);
		this.permitted.set(name, Math.max(count, this.permitted.get(name) ?? 0));
	}

	private countPaid(command: Command, content: string): number {
		return this.paid.get(this.getName(command, content)) ?? 0;
	}

	/** A rewritten input is other content for other processes, so each of them might pay. */
	private getName({ actor }: Command, content: string): string {
		return this.service.inputs === 'rewritten' ? `${actor}: ${content}` : content;
	}
}

export function toContent(input: BriefInput): string {
	return JSON.stringify(input);
}
