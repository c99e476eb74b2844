import { concernsAll, ServiceError } from '../../../service/api/errors';
import type { NamedBrief } from '../../../service/api/resources';
import type { UnbelievedAnswer } from '../../../service/order/later-orders';
import type { InputField } from '../../../service/input/input';
import { EXIT, type ExitCode } from '../../exit-codes';
import type { LockHolder } from '../lock/lock-file';
import { answerOf, type ServiceAnswer } from './causes';
import type { SlotWaitFacts } from './journal-events';

/** From where a run had a field that a later run has not from there. */
export type SourceBefore = { column: string; is_there: boolean } | { set: string };

/** Something that a person has to confirm before anything is ordered. */
export type Surprise =
	/** --adopt gives a row, which it names by this number, the brief of another product, or of another product ID. */
	| {
			is: 'other_product';
			row: number;
			product_name: string;
			brief: NamedBrief & { product_id?: string };
	  }
	/** The folder has orders, but none of a product in the CSV. */
	| { is: 'other_list'; folder: string; csv: string }
	/** An option names no rows, so it means all of them. */
	| { is: 'all_rows'; option: '--order-again' | '--order-changed' }
	/** The last run of the CSV had the field, and this one does not read it, although it could. */
	| { is: 'field_not_read'; field: InputField; before: SourceBefore }
	/** The folder is new, and the workspace has briefs of so many of the products. */
	| { is: 'known_products'; products: number; newest: string };

/** What the system says of a file or folder. */
interface DiskCause {
	reason: 'disk';
	/** Such as ENOSPC. */
	code: string;
	syscall: string;
	message: string;
	path?: string;
	dest?: string;
}

/** Why a run could not begin, stopped early, or could not do something. Its words are in results/stop-words.ts. */
export type StopCause =
	| { reason: 'service'; answer: ServiceAnswer }
	/** The service is not at the address. */
	| { reason: 'wrong_address'; base_url: string; status: number | null }
	/** The service knows none of these briefs of the folder. */
	| { reason: 'other_workspace'; folder: string; ids: readonly string[] }
	/** Its products were read from another column before, or given by --set. */
	| {
			reason: 'other_product_column';
			rows: number;
			column: string;
			before: SourceBefore;
	  }
	/** More rows are new than --expect-at-most allows. */
	| { reason: 'too_many_new'; rows: number; allowed: number; first: string }
	| { reason: 'surprise'; surprises: readonly Surprise[] }
	/** Nobody is there to be asked before failed rows are ordered again. */
	| { reason: 'unasked' }
	| { reason: 'no_slot'; since: string; wait: SlotWaitFacts }
	/** A new order was answered with the brief of another one. */
	| ({ reason: 'unbelieved' } & UnbelievedAnswer)
	/** The folder has none. */
	| { reason: 'no_journal'; folder: string }
	| { reason: 'journal_damaged'; path: string; line: number }
	| { reason: 'journal_format'; path: string; format: number }
	| { reason: 'journal_replaced'; path: string }
	/** Another run holds the folder, and is alive by this sign. */
	| { reason: 'in_use'; folder: string; by: LockHolder | null; sign?: 'process' | 'heart' }
	/** The lock has a form that this version does not know. */
	| { reason: 'lock_unknown'; folder: string; path: string }
	/** In its place is a link that leads nowhere. */
	| { reason: 'lock_is_link'; path: string }
	/** The lock of a run at work is not there any more. */
	| { reason: 'lock_gone'; folder: string }
	/** Another run has taken it over. */
	| { reason: 'lock_taken'; folder: string; by: LockHolder | null }
	/** The folder of the briefs is a link. */
	| { reason: 'results_are_link'; path: string }
	| DiskCause
	| { reason: 'unexpected'; message: string };

/** Ends a run, or keeps it from beginning. */
export class StopError extends Error {
	constructor(override readonly cause: StopCause) {
		super(JSON.stringify(cause));
		this.name = 'StopError';
	}
}

interface SystemError extends NodeJS.ErrnoException {
	dest?: string;
}

function isOfSystem(error: unknown): error is SystemError {
	return typeof (error as Partial<SystemError> | null)?.syscall === 'string';
}

/** Gives the cause of a stop by what was thrown. */
export function stopCauseOf(error: unknown): StopCause {
	if (error instanceof StopError) return error.cause;
	if (error instanceof ServiceError) return { reason: 'service', answer: answerOf(error) };
	if (!isOfSystem(error))
		return {
			reason: 'unexpected',
			message: error instanceof Error ? error.message : String(error),
		};
	const { code = '', syscall = '', message, path, dest } = error;
	const places = { ...(path !== undefined && { path }), ...(dest !== undefined && { dest }) };
	return { reason: 'disk', code, syscall, message, ...places };
}

/** Codes that need a person: a full disk may get room, and a network folder may come back. */
const LASTING: ReadonlySet<string> = new Set([
	...['EFBIG', 'EISDIR', 'ENOTDIR', 'EEXIST', 'ELOOP', 'ENAMETOOLONG'],
	...['EROFS', 'EACCES', 'EPERM', 'ENXIO'],
]);

/** Gives the exit code of a run that ends for a cause. */
export function stopCode(cause: StopCause): ExitCode {
	switch (cause.reason) {
		case 'service':
			return concernsAll(cause.answer.kind) ? EXIT.refused : EXIT.stoppedEarly;
		case 'disk': {
			const isLasting =
				LASTING.has(cause.code) || (cause.code === 'ENOENT' && cause.syscall === 'mkdir');
			return isLasting ? EXIT.unusable : EXIT.stoppedEarly;
		}
		case 'no_slot':
		case 'unbelieved':
		case 'lock_gone':
		case 'unexpected':
			return EXIT.stoppedEarly;
		case 'in_use':
		case 'lock_unknown':
		case 'lock_taken':
			return EXIT.inUse;
		case 'wrong_address':
		case 'other_workspace':
		case 'other_product_column':
		case 'too_many_new':
		case 'surprise':
		case 'unasked':
		case 'no_journal':
		case 'journal_damaged':
		case 'journal_format':
		case 'journal_replaced':
		case 'lock_is_link':
		case 'results_are_link':
			return EXIT.unusable;
	}
}
