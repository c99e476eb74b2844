import type { SharedList } from '../../service/list/brief-list';
import type { OrderDependencies } from '../../service/order/facts';
import type { Disk } from '../folder/disk';
import type { Journal } from '../folder/journal/journal';
import type { BriefOwners } from './brief-owners';
import type { Budget } from './budget';
import type { FreeBriefs } from './free-briefs';
import type { Ordering } from './ordering';

/** All that the orders of a run share. */
export interface OrderContext extends OrderDependencies {
	journal: Journal;
	disk: Disk;
	outDir: string;
	/** Whose each brief is, and which lie in results/. */
	owners: BriefOwners;
	/** The time after which a running brief is left to the next run, in milliseconds. */
	timeout: number;
	/** In so many runs an order may stay without an answer before it has failed. */
	maxTries: number;
	budget: Budget;
	ordering: Ordering;
	/** The list, for all who look for the brief of an order. */
	list: SharedList;
	/** The briefs of the list that no row has. */
	freeBriefs: FreeBriefs;
}
