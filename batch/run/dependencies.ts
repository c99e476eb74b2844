import type { SharedList } from '../../service/brief-list';
import type { OrderDependencies } from '../../service/order/facts';
import type { Disk } from '../disk';
import type { Journal } from '../journal/journal';
import type { Budget } from './order/budget';
import type { Claims } from './order/claims';
import type { Emit } from './events';
import type { ListedBriefs } from './listed/listed-briefs';
import type { Ordering } from './ordering';

/** What the life of a row depends on, made once for a run. */
export interface Dependencies extends OrderDependencies {
	/** How long a brief may run before it is parked, in milliseconds. */
	timeout: number;
	budget: Budget;
	journal: Journal;
	disk: Disk;
	outDir: string;
	emit: Emit;
	ordering: Ordering;
	claims: Claims;
	/** The list, for all who look for the brief of an order. */
	list: SharedList;
	/** Briefs that were there when the run began, and that no row has. */
	listed: ListedBriefs;
	/** Aborted when nothing more is to be waited for. */
	waiting: AbortSignal;
}
