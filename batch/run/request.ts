import type { Clock } from '../../service/api/ports';
import type { BriefingService } from '../../service/api/service';
import type { Row, Table } from '../csv/table';
import type { Events } from '../folder/events';
import type { Disk } from '../folder/disk';
import type { Journal } from '../folder/journal/journal';
import type { Reading } from '../folder/events';
import type { PlanOptions } from '../plan/plan';
import type { Place } from '../command-text';
import type { Settings } from '../settings/settings';

/**
 * What a run is asked to do: the settings, without the API key, which stays with what sends; and the rows of a CSV. Options
 * that name rows have become their numbers.
 */
export interface RunRequest
	extends
		Omit<Settings, 'apiKey' | 'batch' | 'adopt' | keyof PlanOptions>,
		Omit<PlanOptions, 'adoptions'> {
	table: Table;
	/** Those of this run: all of the list, or those that a person chose. The others are left as they are. */
	rows: readonly Row[];
	batch: string;
	/** How the list is read, for the runs after too. */
	reading: Reading;
	/** What of it was typed for an earlier run, and not for this one. */
	remembered: Reading;
	/** The briefs that a person gives to rows. */
	adopt: readonly Adoption[];
}

/** Counts the rows of the CSV that are not in this run, by the option that says so. */
export function countAside({ table, rows }: Pick<RunRequest, 'table' | 'rows'>): {
	byWhere: number;
	byOnly: number;
} {
	const chosenRows = new Set(rows.map(({ number }) => number));
	const aside = table.rows.filter(({ number }) => !chosenRows.has(number));
	const byWhere = aside.filter(({ isLeftOut }) => isLeftOut === true).length;
	return { byWhere, byOnly: aside.length - byWhere };
}

/** A brief that a person gives to a row. */
export interface Adoption {
	/** As a spreadsheet counts: the header is row 1. */
	rowNumber: number;
	briefId: string;
}

/** The service, and how it is asked. */
export interface Asking {
	service: BriefingService;
	clock: Clock;
	interruption: AbortSignal;
	/**
	 * The longest outage that is waited out before the first answer, in milliseconds. Missing: as long as a person waits.
	 */
	outage?: number;
}

/** The surroundings of a run. */
export interface RunEnvironment extends Asking {
	disk: Disk;
	journal: Journal;
	events: Events;
}

/** Gives the folder and the CSV that the commands of a run are for, with what was typed for each further one. */
export function placeOf({ outDir, table, typed }: RunRequest, lastOptions = typed): Place {
	return { outDir, lastCommand: { lastCsv: table.file, lastOptions } };
}
