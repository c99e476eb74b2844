import { getMonthStart } from '../clock';
import { getEnd, type StoredBrief } from './brief';

/** All briefs of a sandbox, and the slots of its workspaces (docs/api.md section 8: two briefs run at a time). */
export class BriefStore {
	/** The most briefs that ever had a slot at once in a workspace. */
	mostRunning = 0;
	private readonly all: StoredBrief[] = [];
	private readonly byId = new Map<string, StoredBrief>();
	private readonly byWorkspace = new Map<string, StoredBrief[]>();

	get count(): number {
		return this.all.length;
	}

	add(brief: StoredBrief, now: number): void {
		this.all.push(brief);
		this.byId.set(brief.id, brief);
		const others = this.byWorkspace.get(brief.workspace);
		if (others === undefined) this.byWorkspace.set(brief.workspace, [brief]);
		else others.push(brief);
		this.countRunning(brief.workspace, now);
	}

	list(): readonly StoredBrief[] {
		return this.all;
	}

	find(id: string): StoredBrief | undefined {
		return this.byId.get(id.toLowerCase());
	}

	listInWorkspace(workspace: string): readonly StoredBrief[] {
		return this.byWorkspace.get(workspace) ?? [];
	}

	/** Returns how many briefs have a slot. */
	countRunning(workspace: string, now: number): number {
		const running = this.listInWorkspace(workspace).filter(
			(brief) => brief.startedAt !== null && brief.startedAt <= now && getEnd(brief) > now,
		);
		this.mostRunning = Math.max(this.mostRunning, running.length);
		return running.length;
	}

	/** Each create request uses one brief of the allowance (docs/api.md section 8), also for a brief that fails. */
	countUsedThisMonth(workspace: string, now: number): number {
		const start = getMonthStart(now);
		return this.listInWorkspace(workspace).filter(
			({ createdAt }) => createdAt >= start && createdAt <= now,
		).length;
	}

	/** Assigns free slots to the briefs that wait for a slot, oldest first. */
	assignSlots(now: number, slots: number): void {
		for (const [workspace, briefs] of this.byWorkspace) {
			for (const brief of briefs.filter(({ startedAt }) => startedAt === null)) {
				const ends = briefs
					.filter(({ startedAt }) => startedAt !== null)
					.map(getEnd)
					.sort((a, b) => b - a);
				const freeAt = Math.max(brief.createdAt, ends[slots - 1] ?? 0);
				if (freeAt > now) break;
				brief.startedAt = freeAt;
				this.countRunning(workspace, freeAt);
			}
		}
	}
}
