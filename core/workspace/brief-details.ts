import type { Brief } from '../api/types';
import { PARALLEL_READS, runInParallel } from '../parallel';

/** Fetches the full brief; null if the workspace has none with this ID. */
type ReadBrief = (id: string) => Promise<Brief | null>;

/**
 * The full briefs that a run, or an execution of n8n, has fetched to compare their inputs. An input never changes, so
 * each brief is fetched once, also for callers at the same time.
 */
export class BriefDetails {
	private readonly briefs = new Map<string, Brief>();
	private readonly requests = new Map<string, Promise<void>>();

	constructor(private readonly readBrief: ReadBrief) {}

	/** @throws {ServiceError} if a brief cannot be fetched for another reason than that it is unknown */
	async fetch(ids: readonly string[]): Promise<void> {
		const missing = ids.filter((id) => !this.briefs.has(id));
		await runInParallel(missing, PARALLEL_READS, async (id) => {
			const request = this.requests.get(id) ?? this.fetchBrief(id);
			this.requests.set(id, request);
			await request;
		});
	}

	/** Returns a brief as it was when it was fetched; null if it was not fetched, or is unknown to a GET. */
	get(id: string): Brief | null {
		return this.briefs.get(id) ?? null;
	}

	private async fetchBrief(id: string): Promise<void> {
		try {
			const brief = await this.readBrief(id);
			if (brief !== null) this.briefs.set(id, brief);
		} finally {
			this.requests.delete(id);
		}
	}
}
