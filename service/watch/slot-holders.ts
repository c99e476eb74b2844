import type { BriefSummary } from '../resources';
import { instantOf } from '../timestamps';

/** A brief that runs, as far as is known. */
export interface SlotHolder {
	id: string;
	product_name: string;
	/** When it was created; where that cannot be read, since when it is known. */
	since: number;
	isOurs: boolean;
}

/** What is known of the briefs that run, and which of them have run for too long. Times are of the service's clock. */
export class SlotHolders {
	private readonly known = new Map<string, Pick<SlotHolder, 'product_name' | 'since'>>();
	private stuck = new Set<string>();

	/** @param held how long a running brief is believed to hold a slot, in milliseconds */
	constructor(private readonly held: number) {}

	/** Takes in one that runs. A time that lies ahead, because a clock was set back, counts as now. */
	observe(
		{ id, product_name, created_at }: Pick<BriefSummary, 'id' | 'product_name' | 'created_at'>,
		now: number,
	): void {
		const since = instantOf(created_at) ?? this.known.get(id)?.since ?? now;
		this.known.set(id, { product_name, since: Math.min(since, now) });
	}

	/** Judges those that run, and forgets all others. */
	judge(running: ReadonlySet<string>, now: number): void {
		for (const id of this.known.keys()) if (!running.has(id)) this.known.delete(id);
		const isStuck = ([, { since }]: [string, { since: number }]) => now - since > this.held;
		this.stuck = new Set([...this.known].filter(isStuck).map(([id]) => id));
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
