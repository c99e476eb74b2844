import { monthStart } from '../clock';
import { endOf, type StoredBrief } from './brief';

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

	inWorkspace(workspace: string): readonly StoredBrief[] {
		return this.byWorkspace.get(workspace) ?? [];
	}

	/** Returns how many briefs have a slot. */
	countRunning(workspace: string, now: number): number {
		const running = this.inWorkspace(workspace).filter(
			(brief) => brief.startedAt !== null && brief.startedAt <= now && endOf(brief) > now,
		);
		this.mostRunning = Math.max(this.mostRunning, running.length);
		return running.length;
	}

	/** Each create request uses one brief of the allowance (docs/api.md section 8), also for a brief that fails. */
	usedThisMonth(workspace: string, now: number): number {
		const start = monthStart(now);
		return this.inWorkspace(workspace).filter(
			({ createdAt }) => createdAt >= start && createdAt <= now,
		).length;
	}

	/** Gives free slots to the briefs that wait for a slot, oldest first. */
	advance(now: number, slots: number): void {
		for (const [workspace, briefs] of this.byWorkspace) {
			for (const brief of briefs.filter(({ startedAt }) => startedAt === null)) {
				const ends = briefs
					.filter(({ startedAt }) => startedAt !== null)
					.map(endOf)
					.sort((one, other) => other - one);
				const freeAt = Math.max(brief.createdAt, ends[slots - 1] ?? 0);
				if (freeAt > now) break;
				brief.startedAt = freeAt;
				this.countRunning(workspace, freeAt);
			}
		}
	}
}
