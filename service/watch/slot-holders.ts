import { IdMap, IdSet } from '../brief-id';
import { SLOTS } from '../limits';
import type { BriefStatus, BriefSummary } from '../resources';
import { instantOf } from '../timestamps';

/** A brief that runs, as far as is known. */
export interface SlotHolder {
	id: string;
	product_name: string;
	/** When it was created; where that cannot be read, since when it is known. */
	since: number;
	isOurs: boolean;
	/** As last seen; not known of a brief that only the journal names. */
	status?: BriefStatus | undefined;
}

type Seen = Pick<BriefSummary, 'id' | 'product_name' | 'created_at'> & { status?: BriefStatus };

/** What is known of the briefs that run, and which of them have run for too long. Times are of the service's clock. */
export class SlotHolders {
	private readonly known = new IdMap<Omit<SlotHolder, 'id' | 'isOurs'>>();
	private stuck = new IdSet();
	/** How many slots those that have run for too long may hold: each other one that was listed beside them had one. */
	private mostHeldByStuck = SLOTS;

	/** @param held how long a running brief is believed to hold a slot, in milliseconds */
	constructor(private readonly held: number) {}

	/** Takes in one that runs. A time that lies ahead, because a clock was set back, counts as now. */
	observe({ id, product_name, created_at, status }: Seen, now: number): void {
		const since = instantOf(created_at) ?? this.known.get(id)?.since ?? now;
		this.known.set(id, { product_name, since: Math.min(since, now), status });
	}

	/**
	 * Judges those that run, and forgets all others.
	 * @param listed those of them that one page shows as running at the same time
	 */
	judge(running: ReadonlySet<string>, listed: ReadonlySet<string>, now: number): void {
		for (const id of this.known.keys()) if (!running.has(id)) this.known.delete(id);
		const isStuck = ([, { since }]: [string, { since: number }]) => now - since > this.held;
		const before = this.stuck;
		this.stuck = new IdSet([...this.known].filter(isStuck).map(([id]) => id));
		const isNew = [...this.stuck].some((id) => !before.has(id));
		const others = [...listed].filter((id) => this.isBelieved(id)).length;
		const most = isNew ? SLOTS : this.mostHeldByStuck;
		this.mostHeldByStuck = Math.min(most, Math.max(0, SLOTS - others));
	}

	/** How many slots those that run may hold at most. */
	mostHeld(running: ReadonlySet<string>): number {
		const believed = [...running].filter((id) => this.isBelieved(id)).length;
		return believed + Math.min(running.size - believed, this.mostHeldByStuck);
	}

	/** Whether a brief that runs is believed to hold a slot. */
	isBelieved(id: string): boolean {
		return !this.stuck.has(id);
	}

	/** Those that run, the oldest first. */
	list(isOurs: (id: string) => boolean): SlotHolder[] {
		const all = [...this.known].map(([id, facts]) => ({ id, ...facts, isOurs: isOurs(id) }));
		return all.sort((a, b) => a.since - b.since);
	}
}
