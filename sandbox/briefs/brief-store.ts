import { monthStart } from '../sandbox-clock';
import { endOf, type StoredBrief } from './record';

/**
 * All briefs of a sandbox and the slots of its workspaces (docs/api.md section 8: two briefs can run at a time).
 */
export class BriefStore {
	private readonly all: StoredBrief[] = [];
	private readonly byId = new Map<string, StoredBrief>();
	private readonly byWorkspace = new Map<string, StoredBrief[]>();
	private readonly highest = new Map<string, number>();

	get serial(): number {
		return this.all.length;
	}

	add(brief: StoredBrief, now: number): void {
		this.all.push(brief);
		this.byId.set(brief.id, brief);
		this.inWorkspace(brief.workspace).push(brief);
		this.noteRunning(brief.workspace, now);
	}

	list(): readonly StoredBrief[] {
		return this.all;
	}

	find(id: string): StoredBrief | undefined {
		return this.byId.get(id.toLowerCase());
	}

	inWorkspace(workspace: string): StoredBrief[] {
		let briefs = this.byWorkspace.get(workspace);
		if (briefs === undefined) this.byWorkspace.set(workspace, (briefs = []));
		return briefs;
	}

	/** Briefs that have a slot now. */
	runningIn(workspace: string, now: number): StoredBrief[] {
		return this.inWorkspace(workspace).filter(
			(brief) => brief.startedAt !== null && brief.startedAt <= now && endOf(brief) > now,
		);
	}

	private waitingIn(workspace: string): StoredBrief[] {
		return this.inWorkspace(workspace).filter(({ startedAt }) => startedAt === null);
	}

	/** Each create uses one brief of the allowance, whatever becomes of it (docs/api.md sections 3 and 8). */
	usedThisMonth(workspace: string, now: number): number {
		const start = monthStart(now);
		return this.inWorkspace(workspace).filter(
			({ createdAt }) => createdAt >= start && createdAt <= now,
		).length;
	}

	/** The most briefs that ever had a slot at once in a workspace. */
	maxRunning(workspace?: string): number {
		if (workspace !== undefined) return this.highest.get(workspace) ?? 0;
		return Math.max(0, ...this.highest.values());
	}

	/** Gives the slots that are free by now to the briefs that wait for one, oldest first. */
	advance(now: number, slots: number): void {
		for (const [workspace, briefs] of this.byWorkspace) {
			for (const brief of this.waitingIn(workspace)) {
				const ends = briefs
					.filter(({ startedAt }) => startedAt !== null)
					.map(endOf)
					.sort((one, other) => other - one);
				const free = Math.max(brief.createdAt, ends[slots - 1] ?? 0);
				if (free > now) break;
				brief.startedAt = free;
				this.noteRunning(workspace, free);
			}
		}
	}

	private noteRunning(workspace: string, at: number): void {
		const count = this.runningIn(workspace, at).length;
		if (count > (this.highest.get(workspace) ?? 0)) this.highest.set(workspace, count);
	}
}
