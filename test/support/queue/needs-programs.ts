import { findQueuePrograms } from '../../../harness/queue/programs';

/** Before the first test: if Redis or PostgreSQL is not installed, that is said once and not by each test. */
export default function needsPrograms(): void {
	findQueuePrograms();
}
