import { addressToTry } from '../../service/api/connection';
import { explain, wayOf } from '../../service/api/explain';
import { LOOKED_BACK_DAYS } from '../../service/assumptions';
import type { InputField } from '../../service/input/input';
import { dayInWords } from '../../service/list/month';
import { unbelievedText } from '../../service/order/later-orders';
import { quote } from '../../service/shortened-text';
import { Failure } from '../failure';
import { errorOf } from '../folder/journal/causes';
import { JOURNAL_FORMAT } from '../folder/journal/journal-events';
import {
	stopCauseOf,
	stopCode,
	type SourceBefore,
	type StopCause,
	type Surprise,
} from '../folder/journal/stop-causes';
import { nameOf } from '../folder/lock/holder';
import { count, minuteOf } from '../text';
import { slotWaitText } from '../wait-text';

type Because<Reason extends StopCause['reason']> = Extract<StopCause, { reason: Reason }>;

/** What happened to a run, and what to do next. */
export interface StopWords {
	what: string;
	cure: string;
}

/**
 * Puts what ends a command into words.
 * @param now by the service's clock, if there is one
 */
export function failureOf(error: unknown, now = Date.now()): Failure {
	if (error instanceof Failure) return error;
	const cause = stopCauseOf(error);
	const { what, cure } = stopWords(cause, now);
	return new Failure(what, cure, stopCode(cause), cause.reason);
}

/**
 * Puts the cause of a stop into words.
 * @param at when it happened, in milliseconds
 */
export function stopWords(cause: StopCause, at: number): StopWords {
	switch (cause.reason) {
		case 'service': {
			const error = errorOf(cause.answer);
			const { what, cure } = explain(error, at);
			if (cause.answer.kind !== 'in_doubt') return { what, cure };
			// The next run looks for the brief by itself, with the key on record.
			const again = 'Run the same command again: it finds out, and pays for nothing twice.';
			return { what, cure: `${again} ${wayOf(error)}`.trimEnd() };
		}
		case 'wrong_address':
			return {
				what: `The service is not at ${cause.base_url}: that address answers “${cause.status === 405 ? 'not allowed' : 'not found'}” (${cause.status}).`,
				cure: addressToTry(cause.base_url),
			};
		case 'other_workspace':
			return {
				what: `The API key seems to be of another workspace: the service does not know the briefs in the folder ${cause.folder} (${cause.ids.join(', ')}).`,
				cure: 'Nothing was ordered: use the key of their workspace, or another --out. If the briefs were deleted, take the finished rows out of the CSV and run the others with another --out.',
			};
		case 'other_product_column':
			return otherColumn(cause);
		case 'too_many_new':
			return {
				what: `${count(cause.rows, 'row')} are new, from ${quote(cause.first.replace(/\s+/g, ' '))} on, and --expect-at-most allows ${cause.allowed}. Nothing was ordered.`,
				cure: 'Check that this is the right CSV. If it is, raise --expect-at-most.',
			};
		case 'surprise':
			return {
				what: `${cause.surprises.map(surpriseText).join(' ')} Nothing was ordered.`,
				cure: 'If that is right, add --yes.',
			};
		case 'unasked':
			return {
				what: 'Nothing was ordered.',
				cure: 'There is no terminal to ask on: add --yes to go on without a question.',
			};
		case 'no_slot':
			return {
				what: `Nothing could be ordered since ${minuteOf(cause.since)}: ${slotWaitText(cause.wait)}`,
				cure: 'Run the same command again: rows that were not ordered are pending. If a running brief never ends, ask the vendor’s support about it.',
			};
		case 'unbelieved':
			return unbelievedText(cause);
		case 'no_journal':
			return {
				what: `No run is on record in ${cause.folder}.`,
				cure: 'Is it another client’s folder? Name it with --out or --env-file.',
			};
		case 'journal_damaged':
			return {
				what: `The journal ${cause.path} is damaged at line ${cause.line}: it is not what was written there.`,
				cure: `Restore the file from a backup. Without one, move it away: the next run takes back the briefs in results/ and those of the last ${LOOKED_BACK_DAYS} days in the workspace, and parks rows that may have one.`,
			};
		case 'journal_format':
			return {
				what: `The journal ${cause.path} is in a format that this version of brief-batch does not know (${cause.format}, it reads ${JOURNAL_FORMAT}).`,
				cure: 'Use the version that wrote it, or another --out.',
			};
		case 'journal_replaced':
			return {
				what: `The journal ${cause.path} was removed or replaced while this run was writing it.`,
				cure: 'Bring the original back, then run the same command again. Without it, the next run takes over the briefs of the same content that the workspace lists.',
			};
		case 'in_use': {
			const who = cause.by === null ? 'another run' : nameOf(cause.by);
			const alive = cause.sign === undefined ? '' : `That run is alive: ${SIGNS[cause.sign]}. `;
			return {
				what: `The folder ${cause.folder} is in use by ${who}.`,
				cure: `${alive}Wait until it is done. Once it has ended or was killed, the same command takes the folder over by itself.`,
			};
		}
		case 'lock_unknown':
			return {
				what: `The folder ${cause.folder} has a lock in a form that this version of brief-batch does not know.`,
				cure: `If no run works on the folder, remove the file ${cause.path}. Otherwise wait until that run is done.`,
			};
		case 'lock_is_link':
			return {
				what: `${cause.path} is a link that leads nowhere, and no lock.`,
				cure: 'Remove it, or name another folder with --out.',
			};
		case 'lock_gone':
			return {
				what: `The lock of the folder ${cause.folder} is gone: another run has taken it over and ended since, or somebody removed the lock or the folder.`,
				cure: 'Nothing more was written or ordered here. If the folder was moved, bring it back. Then run the same command again.',
			};
		case 'lock_taken': {
			const who = cause.by === null ? '' : ` (${nameOf(cause.by)})`;
			return {
				what: `This run was paused too long, so another run${who} has taken over the folder ${cause.folder}.`,
				cure: 'Nothing more was written or ordered here. What this run had ordered is on record, and the other run goes on with it.',
			};
		}
		case 'results_are_link':
			return {
				what: `${cause.path} is a link, so the briefs would be written to where it leads. Nothing was ordered.`,
				cure: 'Remove the link, or name another folder with --out.',
			};
		case 'disk': {
			const { what, cure } = diskWords(cause);
			return {
				what,
				cure: `${cure} Then run the same command again: everything that was paid for is on record.`,
			};
		}
		case 'unexpected':
			return {
				what: `Unexpected error: ${cause.message}`,
				cure: 'Nothing is lost: what was ordered is in the journal. Run the same command again.',
			};
	}
}

const SIGNS = { process: 'its process is at work', heart: 'its heart beats' } as const;

function otherColumn({ rows, column, before }: Because<'other_product_column'>): StopWords {
	const asBefore =
		'set' in before || before.is_there
			? `: ${optionAsBefore('product_name', before)}.`
			: `, put the column ${quote(before.column)} back.`;
	return {
		what: `The products are read from the column ${quote(column)}, and were ${sourceText('product_name', before)} in the last run. So ${count(rows, 'row')} would be ordered and paid for, perhaps again. Nothing was ordered.`,
		cure: `To go on as before${asBefore} If these are other products, say so: --map "${column}=product_name".`,
	};
}

function sourceText(field: InputField, before: SourceBefore): string {
	return 'set' in before
		? `given by --set ${field}=${quote(before.set)}`
		: `read from the column ${quote(before.column)}`;
}

/** Gives the option with which a field comes from there again. */
function optionAsBefore(field: InputField, before: SourceBefore): string {
	return 'set' in before ? `--set "${field}=${before.set}"` : `--map "${before.column}=${field}"`;
}

/** Says what a person has to confirm before anything is ordered. */
export function surpriseText(surprise: Surprise): string {
	switch (surprise.is) {
		case 'other_product': {
			const { row, product_name, brief } = surprise;
			const { id, product_id } = brief;
			const other =
				product_id === undefined
					? `is a brief of “${brief.product_name}”`
					: `has another product ID, ${product_id}`;
			return `--adopt gives row ${row} (“${product_name}”) brief ${id}, which ${other}.`;
		}
		case 'other_list':
			return `The folder ${surprise.folder} has orders, but none of a product in ${surprise.csv}.`;
		case 'all_rows':
			return `${surprise.option} names no rows, so it means all of them.`;
		case 'field_not_read': {
			const { field, before } = surprise;
			return `${field} was ${sourceText(field, before)} in the last run, and this one has none. To have it again: ${optionAsBefore(field, before)}.`;
		}
		case 'known_products':
			return `The workspace has briefs of ${knownProducts(surprise)}, with other content or older than ${LOOKED_BACK_DAYS} days. This folder knows no order of them.`;
	}
}

/** Gives "2 products in this list, the newest of 3 November 2026". */
export function knownProducts({ products, newest }: { products: number; newest: string }): string {
	return `${count(products, 'product')} in this list, the newest of ${dayInWords(Date.parse(newest))}`;
}

function diskWords({ code, syscall, message, path = '', dest }: Because<'disk'>): StopWords {
	const place = path === '' ? 'the folder of --out' : path;
	const OTHER_OUT = 'choose another --out.';
	switch (code) {
		case 'ENOSPC':
		case 'EDQUOT':
			return { what: `The disk is full, so ${place} could not be written.`, cure: 'Make room.' };
		case 'EFBIG':
			return {
				what: `A file may not become so large here, so ${place} could not be written (EFBIG).`,
				cure: 'Raise the limit (ulimit -f), or choose a --out on another disk.',
			};
		case 'EISDIR':
			return {
				what: `${dest ?? place} is a folder where a file is needed (EISDIR).`,
				cure: `Move it away, or ${OTHER_OUT}`,
			};
		case 'ENOTDIR':
		case 'EEXIST':
			return {
				what: `${place} is a file where a folder is needed, or a link that leads nowhere (${code}).`,
				cure: `Move it away, or ${OTHER_OUT}`,
			};
		case 'ENXIO':
			return {
				what: `${place} is no file but a pipe, a socket or a device.`,
				cure: 'Remove it, or name another folder with --out.',
			};
		case 'ELOOP':
		case 'ENAMETOOLONG':
			return {
				what: `${place} cannot be used as a path: ${code === 'ELOOP' ? 'its links lead in a circle' : 'it is too long'} (${code}).`,
				cure: 'Choose another --out.',
			};
		case 'EROFS':
			return {
				what: `${place} could not be written: what it lies on can only be read (EROFS).`,
				cure: 'Choose another --out.',
			};
		case 'EACCES':
		case 'EPERM':
			return {
				what: `There is no permission to ${syscall === 'scandir' ? 'read' : 'write'} ${place} (${code}).`,
				cure: `Give the user who runs brief-batch that permission, or ${OTHER_OUT}`,
			};
		case 'ENOENT':
			return syscall === 'mkdir'
				? { what: `No folder can be made at ${place} (ENOENT).`, cure: 'Choose another --out.' }
				: { what: `${place} is gone.`, cure: 'Bring it back.' };
		default:
			return {
				what: `The run stopped: ${message}.`,
				cure: 'Make sure that the folder of --out can be written.',
			};
	}
}
