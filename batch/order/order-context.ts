import type { SharedList } from '../../service/list/brief-list';
import type { OrderDependencies } from '../../service/order/facts';
import type { Disk } from '../folder/disk';
import type { Journal } from '../folder/journal/journal';
import type { RowSelection } from '../plan/row-selection';
import type { RowNumbers } from '../plan/row-numbers';
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
	/** The time that a brief may run before it is parked, in milliseconds. */
	timeout: number;
	/** In so many runs an order may stay without an answer before it has failed. */
	maxTries: number;
	/** The rows that are ordered even if a listed brief is their own. */
	orderAgain: RowSelection | undefined;
	/** Where the rows of orders are in the CSV. */
	rows: RowNumbers;
	budget: Budget;
	ordering: Ordering;
	/** The keys of orders in doubt of which this run has no row: they are not sent. */
	keysWithoutRow: ReadonlySet<string>;
	/** The list, for all who look for the brief of an order. */
	list: SharedList;
	/** The briefs of the list that no row has. */
	freeBriefs: FreeBriefs;
}
