import type { Clock } from '../../service/ports';
import type { PollInterval } from '../../service/poll-interval';
import type { BriefingService } from '../../service/service';
import type { Table } from '../csv/table';
import type { Disk } from '../disk';
import type { Journal } from '../journal/journal';
import type { Emit } from './events';

export interface RunRequest {
	table: Table;
	batch: string;
	outDir: string;
	max: number;
	keep: number;
	leaveSlots: number;
	/** Milliseconds. */
	timeout: number;
	interval: PollInterval;
	allowDuplicates: boolean;
}

export interface RunEnvironment {
	service: BriefingService;
	clock: Clock;
	disk: Disk;
	journal: Journal;
	emit: Emit;
	interruption: AbortSignal;
}
