import type { Clock } from '../../service/ports';
import type { PollInterval } from '../../service/schedule';
import type { BriefingService } from '../../service/service';
import type { BriefPoller } from '../../service/brief-poller';
import type { Workspace } from '../../service/workspace';
import type { Disk } from '../disk';
import type { Journal } from '../journal/journal';
import type { Budget } from './budget';
import type { Emit } from './events';

/** What the life of a row needs, made once for a run. */
export interface RunTools {
	service: BriefingService;
	poller: BriefPoller;
	workspace: Workspace;
	clock: Clock;
	interval: PollInterval;
	/** How long a brief may run before it is parked, in milliseconds. */
	timeout: number;
	budget: Budget;
	journal: Journal;
	disk: Disk;
	outDir: string;
	emit: Emit;
	/** Aborted when nothing more is to be ordered. */
	ordering: AbortSignal;
	/** Aborted when nothing more is to be waited for either. */
	waiting: AbortSignal;
}

/** What a row needs to be ordered. */
export interface Order {
	key: string;
	row: string;
	ordinal: number;
	generation: number;
	row_number: number;
	product_name: string;
}
