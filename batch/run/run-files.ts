import type { Clock } from '../../service/api/ports';
import { planOfList, type Plan } from '../plan/plan';
import { batchOutcome, type BatchOutcome } from '../results/batch-outcome';
import { writeReport } from '../page/report-files';
import { resultTable, type ResultTable } from '../results/result-table';
import { writeResults } from '../results/results';
import type { Heard } from '../folder/events';
import type { Budget } from '../order/budget';
import type { RunEnvironment, RunRequest } from './request';

/** results.csv, the files beside it and report.html, as they are at one moment of a run. */
export class RunFiles {
	private readonly textsSaid = new Set<string>();

	constructor(
		private readonly request: RunRequest,
		private readonly env: RunEnvironment,
		private readonly plan: Plan,
		private readonly budget: Budget,
	) {}

	/** Writes all of them while the run goes on. */
	async refresh(): Promise<void> {
		const list = this.list();
		const outcome = batchOutcome(this.env.journal.records, list);
		const table = this.tableOf(list, outcome);
		await this.writeResults(table, false);
		await this.writeReport(table, outcome, false);
	}

	/** Gives the list as the journal has it now. Of the rows that were not ordered, those beyond the budget are deferred. */
	list(): Plan {
		const now = this.env.service.now();
		const rest = this.budget.remaining(now);
		return planOfList(this.plan.source, { rest, max: Infinity, perMonth: null, now });
	}

	tableOf(list: Plan, outcome: BatchOutcome): ResultTable {
		const { request, budget, env } = this;
		const now = env.service.now();
		const place = { outDir: request.outDir, lastCommand: env.journal.records };
		return resultTable(list, outcome, request.table, {
			place,
			deferral: budget.whyDeferred(now),
			now,
		});
	}

	async writeResults(table: ResultTable, isLastTry: boolean): Promise<void> {
		await writeResults(this.env.disk, this.request.outDir, table, this.whenBusy(isLastTry));
	}

	async writeReport(table: ResultTable, outcome: BatchOutcome, isLastTry: boolean): Promise<void> {
		const { disk, journal, clock } = this.env;
		const { name } = this.request;
		const options = { ...this.whenBusy(isLastTry), table, outcome, now: clock.now(), name };
		await writeReport(disk, this.request.outDir, journal.records, options);
	}

	private whenBusy(isLastTry: boolean) {
		const report = (text: string) => {
			// What is tried again after each brief is said once.
			if (this.textsSaid.has(text)) return;
			this.textsSaid.add(text);
			this.env.events.tell({ event: 'notice', text });
		};
		return { isLastTry, report };
	}
}

/** The part of the time that the files may take. */
const SHARE_OF_TIME = 0.03;

/** The lines that change a row for those who read results.csv and report.html. */
const ENDS_A_ROW: ReadonlySet<Heard['event']> = new Set([
	...(['filed', 'ended', 'refused', 'unanswered', 'parked', 'put_off'] as const),
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
