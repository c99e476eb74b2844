import { dayInWords, nextMonthStart } from '../../../service/month';
import { isBusy } from '../../disk';
import type { Counts, RowCounts } from '../../journal/events';
import { countRows, type Plan } from '../../plan/plan';
import type { ReportRows } from '../../results/report-rows';
import { writeReport } from '../../results/report';
import { writeResults, type ResultTable } from '../../results/results';
import { noRows } from '../../results/row-result';
import type { Budget } from '../order/budget';
import { earlierResults, keepEarlier, keptText, type EarlierResults } from './earlier-results';
import type { ReportedRows } from '../reported';
import type { RunEnvironment, RunRequest } from '../request';
import { resultTable } from './result-table';

/** How many rows there are of each status: of the CSV, and of those that only results.csv has. */
interface Counted {
	counts: Counts;
	rest: RowCounts;
}

/** results.csv, the files beside it and report.html, as they are at one moment of a run. */
export class RunFiles {
	private readonly said = new Set<string>();
	/** What is still to be kept. */
	private earlier: EarlierResults | null = null;

	constructor(
		private readonly request: RunRequest,
		private readonly env: RunEnvironment,
		private readonly facts: { plan: Plan; budget: Budget; reported: ReportedRows },
	) {}

	/** Writes all of them while the run goes on. */
	async refresh(): Promise<void> {
		const listing = await this.writeResults({ isLastTry: false });
		await this.writeReport(listing, { isLastTry: false });
	}

	/** Keeps the results of another CSV, before anything else of this one is on record. */
	async begin(): Promise<void> {
		const { request, env, facts } = this;
		this.earlier = await earlierResults(request, facts.plan, env.disk);
		await this.keepEarlier().catch((error: unknown) => {
			// It is tried again with each writing.
			if (!isBusy(error)) throw error;
		});
	}

	/** @param counted is set as the rows go by */
	async writeResults(
		how: { isLastTry: boolean },
		counted: Counted = { counts: countRows([]), rest: noRows() },
	): Promise<ReportRows> {
		const { request, env } = this;
		await this.keepEarlier();
		const table = this.table(counted);
		// The rows to be run again are wanted when the run is over.
		const leavesFilesToRun = !how.isLastTry;
		const whole = { ...table, leavesFilesToRun };
		return await writeResults(env.disk, request.outDir, whole, this.whenBusy(how));
	}

	/** Sets the same counts, and writes nothing. */
	countRows(counted: Counted): void {
		this.table(counted).rows();
	}

	private table(counted: Counted): ResultTable {
		const { plan, budget, reported } = this.facts;
		const now = this.env.service.now();
		const outcome = {
			bounds: { left: budget.remaining(now), max: Infinity, perMonth: null, now },
			resetsOn: dayInWords(nextMonthStart(now)),
			deferredBecause: budget.whyDeferred(now),
			reported,
		};
		return resultTable(this.request, plan.source, outcome, counted);
	}

	async writeReport(listing: ReportRows, how: { isLastTry: boolean }): Promise<void> {
		const { disk, journal, clock } = this.env;
		const { name } = this.request;
		const options = { ...this.whenBusy(how), listing, now: clock.now(), name };
		await writeReport(disk, this.request.outDir, journal.records, options);
	}

	/** Throws if they cannot be read: then nothing replaces them. */
	private async keepEarlier(): Promise<void> {
		const { earlier } = this;
		if (earlier === null) return;
		const { outDir, table } = this.request;
		const kept = await keepEarlier(earlier, outDir, this.env.disk);
		this.earlier = null;
		this.env.emit({ event: 'notice', text: keptText(kept, table.file, 'is') });
	}

	private whenBusy({ isLastTry }: { isLastTry: boolean }) {
		const say = (text: string) => {
			// What is tried again after each brief is said once.
			if (this.said.has(text)) return;
			this.said.add(text);
			this.env.emit({ event: 'notice', text });
		};
		return { isLastTry, say, csv: this.request.table.file };
	}
}
