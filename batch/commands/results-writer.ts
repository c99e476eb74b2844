import type { Clock } from '../../core/api/ports';

/** The whole report is made for each write, so writing after each of a thousand reused rows would take a minute. */
const INTERVAL_MS = 10_000;

/**
 * Writes the results while a run is in progress: at once, and again at most every ten seconds. The end of the run writes them
 * once more.
 *
 *     request   1          2  3                        4
 *     write     ├──1──┤ … 10 s ├──2+3──┤ … 10 s        ├──4──┤
 */
export class ResultsWriter {
	/** The newest write that was requested and has not begun. */
	private requested: (() => Promise<unknown>) | null = null;
	private writing: Promise<void> | null = null;
	private readonly end = new AbortController();

	constructor(private readonly clock: Clock) {}

	request(write: () => Promise<unknown>): void {
		this.requested = write;
		this.writing ??= this.writeWhileRequested();
	}

	/** Waits for a write that is in progress. Results that were requested after it are left to the end of the run. */
	async finish(): Promise<void> {
		this.end.abort();
		await this.writing;
	}

	private async writeWhileRequested(): Promise<void> {
		const { signal } = this.end;
		while (this.requested !== null && !signal.aborted) {
			const write = this.requested;
			this.requested = null;
			// A failure must not stop the orders. The end of the run writes the results again.
			await write().catch(() => undefined);
			await this.clock.sleep(INTERVAL_MS, signal).catch(() => undefined);
		}
		this.writing = null;
	}
}
