import type { ExitCode } from '../../exit-codes';
import type { EventOf } from '../../folder/events';
import type { Records } from '../../folder/records';
import type { AtWork } from '../../folder/lock/holder';
import type { Plan } from '../../plan/plan';
import type { BatchOutcome } from '../../results/batch-outcome';
import type { Stop } from '../../stop';

/** The knowledge of `status` about one folder. */
export interface BatchStatus {
	/** The client that it is for. */
	name: string;
	outDir: string;
	records: Records;
	outcome: BatchOutcome;
	/** The list as it is now; null if the CSV cannot be read. */
	list: Plan | null;
	atWork: AtWork;
	isAtWork: boolean;
	/** The wait of the run at work; null if it does not wait. */
	longWait: EventOf<'waits' | 'waits_for_slot'> | null;
	exitCode: ExitCode;
}

/** A folder of several that could not be read. */
export interface Unreadable {
	name: string;
	failure: Stop;
}
