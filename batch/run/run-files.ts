import type { Clock } from '../../service/api/ports';
import { isBusy, type HeldFile } from '../folder/put-in-place';
import { heldText } from '../results/words';
import type { Plan } from '../plan/plan';
import { writeReport } from '../results/report-files';
import { writeResults, type ResultTable } from '../results/results';
import type { Heard } from '../folder/events';
import type { Budget } from '../order/budget';
import type { RunEnvironment, RunRequest } from './request';
import { earlierResults, keepEarlier, keptText } from './earlier-results';
import { rowsNow, type RowsNow } from './result-table';

/** results.csv, the files beside it and report.html, as they are at one moment of a run. */
export class RunFiles {
	private readonly heldFiles = new Set<string>();
	/** The CSV whose rows results.csv lists, until those of this one are written. */
	private readonly csvBefore: string;
	private isEarlierKept = false;

	constructor(
		private readonly request: RunRequest,
		private readonly env: RunEnvironment,
		private readonly plan: Plan,
		private readonly budget: Budget,
	) {
		this.csvBefore = env.journal.records.run?.csv ?? '';
	}

	/** Writes all of them while the run goes on. */
	async refresh(): Promise<void> {
		const { table } = this.rows();
		await this.writeResults(table, false);
		await this.writeReport(table, false);
	}

	/** Keeps the results of an earlier CSV, before anything else of this one is on record. */
	async begin(): Promise<void> {
		await this.keepEarlier().catch((error: unknown) => {
			// It is tried again with each writing.
			if (!isBusy(error)) throw error;
		});
	}

	rows(): RowsNow {
		const { request, env, plan, budget } = this;
		return rowsNow(request, plan.source, budget, env.service.now());
	}

	async writeResults(table: ResultTable, isLastTry: boolean): Promise<void> {
		await this.keepEarlier();
		await writeResults(this.env.disk, this.request.outDir, table, this.whenBusy(isLastTry));
	}

	async writeReport(table: ResultTable, isLastTry: boolean): Promise<void> {
		const { disk, journal, clock } = this.env;
		const { name } = this.request;
		const options = { ...this.whenBusy(isLastTry), table, now: clock.now(), name };
		await writeReport(disk, this.request.outDir, journal.records, options);
	}

	/** Throws if it cannot be read: then nothing replaces it. */
	private async keepEarlier(): Promise<void> {
		if (this.isEarlierKept) return;
		const { table, outDir } = this.request;
		const place = { disk: this.env.disk, outDir };
		const earlier = await earlierResults(this.plan, this.csvBefore, place);
		if (earlier !== null) {
			await keepEarlier(earlier, place);
			const text = keptText(earlier, table.file, 'is');
			this.env.events.tell({ event: 'notice', text });
		}
		this.isEarlierKept = true;
	}

	private whenBusy(isLastTry: boolean) {
		const report = (file: HeldFile) => {
			// What is tried again after each brief is said once.
			const key = `${file.is} ${file.path}`;
			if (this.heldFiles.has(key)) return;
			this.heldFiles.add(key);
			this.env.events.tell({ event: 'notice', text: heldText(file) });
		};
		return { isLastTry, report };
	}
}

/** The part of the time that the files may take. */
const SHARE_OF_TIME = 0.03;

/** The lines that change a row for those who read results.csv and report.html. */
const ENDS_A_ROW: ReadonlySet<Heard['event']> = new Set([
	...(['filed', 'ended', 'refused', 'unanswered', 'parked'] as const),
]);

/**
 * Keeps the files of the results fresh while a run goes on: it writes them after each finished row, or less often if
 * that takes long.
 */
export class FreshFiles {
	private isStale = false;
	private work: Promise<void> | null = null;
	private readonly stopWaiting = new AbortController();

	/** @param write may fail: the files are written once more when the run ends, and that says what is wrong */
	constructor(
		private readonly clock: Clock,
		private readonly write: () => Promise<void>,
	) {}

	see({ event }: Heard): void {
		if (!ENDS_A_ROW.has(event) || this.stopWaiting.signal.aborted) return;
		this.isStale = true;
		this.work ??= this.keepFresh().finally(() => (this.work = null));
	}

	/** Waits for what is being written, and writes nothing more. */
	async stop(): Promise<void> {
		this.stopWaiting.abort();
		await this.work;
	}

	private async keepFresh(): Promise<void> {
		while (this.isStale && !this.stopWaiting.signal.aborted) {
			this.isStale = false;
			const began = this.clock.now();
			await this.write().catch(() => undefined);
			const rest = (this.clock.now() - began) / SHARE_OF_TIME;
			if (rest > 0) await this.clock.sleep(rest, this.stopWaiting.signal).catch(() => undefined);
		}
	}
}
