import type { Clock } from '../../../service/ports';
import type { RunEvent } from '../events';

/** The files may take so large a part of the time. */
const SHARE_OF_TIME = 0.03;

/** What changes a row for those who read results.csv and report.html. */
const ENDS_A_ROW: ReadonlySet<RunEvent['event']> = new Set([
	'brief_ready',
	'row_failed',
	'row_parked',
]);

/**
 * Keeps the files of the results fresh while a run goes on: it writes them after each finished row, or less often if
 * that takes long.
 */
export class FreshFiles {
	private isStale = false;
	private isStopped = false;
	private work: Promise<void> | null = null;
	private readonly waiting = new AbortController();

	/** @param write may fail: the files are written once more when the run ends, and that says what is wrong */
	constructor(
		private readonly clock: Clock,
		private readonly write: () => Promise<void>,
	) {}

	see({ event }: RunEvent): void {
		if (!ENDS_A_ROW.has(event) || this.isStopped) return;
		this.isStale = true;
		this.work ??= this.keepFresh().finally(() => (this.work = null));
	}

	/** Waits for what is being written, and writes nothing more. */
	async stop(): Promise<void> {
		this.isStopped = true;
		this.waiting.abort();
		await this.work;
	}

	private async keepFresh(): Promise<void> {
		while (this.isStale && !this.waiting.signal.aborted) {
			this.isStale = false;
			const began = this.clock.now();
			await this.write().catch(() => undefined);
			const rest = (this.clock.now() - began) / SHARE_OF_TIME;
			if (rest > 0) await this.clock.sleep(rest, this.waiting.signal).catch(() => undefined);
		}
	}
}
