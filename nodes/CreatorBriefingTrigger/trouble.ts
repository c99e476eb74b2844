import { isTransient, type ErrorKind } from '../../service/errors';

/** So long polls may fail before somebody is told, where waiting may cure it. */
const TOLD_AFTER_MS = 900_000;

/** Polls in a row that failed. */
export interface Trouble {
	/** When the first of them failed, by this machine's clock. */
	since: number;
	/** What was told as a failure since then. */
	told: readonly ErrorKind[];
}

/**
 * Counts one more poll that failed, and says whether it is to be told. n8n makes each failure that it is told a failed
 * execution and an alarm, so each kind is told once: at once where only a person can cure it, else when it has lasted.
 * @param before null after a poll that went well
 */
export function withFailedPoll(
	before: Trouble | null,
	kind: ErrorKind,
	now: number,
): { trouble: Trouble; isTold: boolean } {
	const { since, told } = before ?? { since: now, told: [] };
	const isDue = !isTransient(kind) || now - since >= TOLD_AFTER_MS;
	const isTold = isDue && !told.includes(kind);
	return { trouble: { since, told: isTold ? [...told, kind] : told }, isTold };
}
