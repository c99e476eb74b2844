import type { Clock } from '../../service/api/ports';
import type { PollInterval } from '../../service/api/poll-interval';
import type { BriefingService } from '../../service/api/service';
import type { Row, Table } from '../csv/table';
import type { Disk } from '../folder/disk';
import type { Journal } from '../folder/journal/journal';
import type { Earlier } from '../plan/changes';
import type { PlanOptions } from '../plan/plan';
import type { FileToRun } from '../results/result-columns';
import type { Events } from '../events';
import type { Totals } from './totals';

/** The CSV holds only some rows of its batch: it is a failed.csv or deferred.csv. The rows that it lacks are not gone. */
export interface Part {
	/** The file under --out that is read, if it is one of those. */
	reads: FileToRun | undefined;
	/** The results.csv of the batch as it was when the command began; null if there is no readable one. */
	whole: Table | null;
}

export interface RunRequest extends PlanOptions {
	table: Table;
	/** The rows that a person chose, if not all of the CSV: the others are left as they are. */
	chosen?: readonly Row[] | undefined;
	batch: string;
	part?: Part | undefined;
	/** What results.csv said when the command began; undefined if nothing has to be asked of it. */
	earlier?: Earlier | undefined;
	/** Opens the results.csv under --out; null if there is no readable one. */
	openResults: () => Promise<Table | null>;
	outDir: string;
	/** What was typed besides --out. */
	typed: readonly string[];
	/** Who it is for. */
	name: string;
	baseUrl: string;
	max: number;
	keep: number;
	leaveSlots: number;
	/** How long a brief may run before it is parked, in milliseconds. */
	timeout: number;
	interval: PollInterval;
	/** Ignore failures that an earlier run already reported. */
	knownOk: boolean;
}

/** Gives the rows that a plan is made of. Those that are left out are not gone. */
export function rowsToPlan({
	table,
	chosen,
	batch,
	part,
	earlier,
}: Pick<RunRequest, 'table' | 'chosen' | 'batch' | 'part' | 'earlier'>) {
	const whole = part?.whole?.rows ?? (chosen && table.rows);
	return { batch, rows: chosen ?? table.rows, whole, earlier };
}

/** What the service is asked with. */
export interface Asking {
	service: BriefingService;
	clock: Clock;
	interruption: AbortSignal;
	/** How long an outage is waited out before the first answer, in milliseconds. Missing: as long as a person waits. */
	outage?: number;
}

/** What is around a run. */
export interface RunEnvironment extends Asking {
	disk: Disk;
	journal: Journal;
	events: Events;
	/** What the events add up to. */
	totals: Totals;
}
