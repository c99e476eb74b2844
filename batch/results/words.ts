import { explain } from '../../service/api/explain';
import { quote } from '../../service/shortened-text';
import { commandFor, NOWHERE, type NextStep, type Place } from '../command-text';
import {
	errorOf,
	isFailure,
	isForLater,
	type CauseOf,
	type FailureCause,
	type OrderCause,
} from '../folder/journal/causes';
import type { Order } from '../folder/records';
import { differencesText } from '../plan/change-text';
import type { DeferralCause, OrderName } from '../folder/events';
import { rowsInCommand, type RowName } from '../plan/row-selection';
import type { Row, TableOptions } from '../csv/table';
import { dayInWords } from '../../service/list/month';
import { count, list } from '../text';

/** What happened to a row, and what to do about it. */
export interface Words {
	what: string;
	next: readonly NextStep[];
}

/** A row as its commands name it. */
export interface ShownRow extends OrderName {
	brief_id: string | null;
}

/** Puts words one behind the other, for a cell or a line. */
export function joinWords({ what, next }: Words): string {
	const steps = next.map(({ text, command }) => (command ? `${text} ${command}` : text));
	return [what, steps.join('. ')].filter((text) => text !== '').join(' ');
}

/** Gives the words for why a row is parked or has failed. */
export function wordsFor(cause: OrderCause, row: ShownRow, place: Place): Words {
	const { what, next } = plainWords(cause, row, place);
	if (isFailure(cause) || isForLater(cause)) return { what, next };
	return { what: `Needs you. ${what}`, next };
}

/** Says what happened to a row, and not what to do about it. */
export function whatHappened(cause: OrderCause, row: ShownRow): string {
	return plainWords(cause, row, NOWHERE).what;
}

/** Gives the words for why a row is parked or has failed, without what parked rows have in common. */
function plainWords(cause: OrderCause, row: ShownRow, place: Place): Words {
	switch (cause.reason) {
		case 'refused':
		case 'unanswered':
		case 'not_written':
			return { what: failureText(cause), next: [] };
		case 'listed':
			return listedWords(cause, row, place);
		case 'unclear':
			return row.row === undefined && cause.ids.length > 0
				? withoutRowWords(cause)
				: { what: noAnswer(cause), next: lookFirst(cause, row, place) };
		case 'other_brief': {
			const what = cause.answer === undefined ? '' : explain(errorOf(cause.answer), 0).what;
			return { what, next: lookFirst(cause, row, place) };
		}
		case 'unknown_brief':
			return {
				what: `The service accepted brief ${row.brief_id ?? ''} but does not know it any more.`,
				next: [
					{
						text: 'Ask the vendor’s support about it; brief-batch run looks for it again each time.',
					},
				],
			};
		case 'late':
			return lateWords(cause, row);
		case 'without_text':
			return {
				what: `The service calls brief ${row.brief_id ?? ''} ${cause.status}, but gives no text for it.`,
				next: [{ text: 'It is paid for, and the next brief-batch run asks for it again.' }],
			};
		case 'wrong_brief': {
			const { what, cure } = explain(errorOf(cause.answer), 0);
			return { what, next: [{ text: cure }] };
		}
	}
}

function failureText(cause: FailureCause): string {
	switch (cause.reason) {
		case 'refused':
			return explain(errorOf(cause.answer), 0).what;
		case 'unanswered':
			return `The service answered no order of this row in ${count(cause.runs, 'run')}, and lists no brief of it.`;
		case 'not_written':
			return `The service could not write this brief (${cause.error_code ?? 'no reason given'}).`;
	}
}

/** Says why an order has failed; nothing if it has not. */
export function whyFailed({ cause }: Pick<Order, 'cause'>): string {
	return cause !== null && isFailure(cause) ? failureText(cause) : '';
}

function listedWords(cause: CauseOf<'listed'>, order: ShownRow, place: Place): Words {
	const what = `Not ordered, nothing paid: ${listedText(cause, order)}.`;
	const name = rowNameOf(order);
	if (name === undefined) return { what, next: PUT_BACK };
	const again = commandFor('run', place, '--order-again', rowsInCommand([name]));
	return {
		what,
		next: [
			{
				text: 'If it is this row’s brief, take it, which costs nothing:',
				command: adoptCommand(name, cause.candidate, place),
			},
			{ text: 'If not, order the row, for one brief:', command: again },
		],
	};
}

/** Names the briefs that the workspace has of the product, and says what differs. */
function listedText({ ids, created_at, fields }: CauseOf<'listed'>, order: ShownRow): string {
	const product = quote(order.product_name);
	if (ids.length !== 1)
		return `the workspace has ${count(ids.length, 'brief')} of ${product} (${ids.join(', ')}), and one may be this row’s`;
	const day = created_at === undefined ? '' : ` of ${dayInWords(Date.parse(created_at))}`;
	const brief = `the workspace has brief ${ids.join()}${day} of ${product}`;
	return fields == null || fields.length === 0
		? `${brief}, which does not show what it was made from`
		: `${brief}, which differs in ${list(fields)}: a --set may be missing`;
}

/** Gives a row as a command names it; undefined if it is not in the CSV. */
function rowNameOf({ row, own_number: ownNumber }: ShownRow): RowName | undefined {
	return row === undefined ? undefined : { number: row, ownNumber };
}

function noAnswer({ tried, ids }: CauseOf<'unclear'>): string {
	const unlisted = ids.length === 0 ? ', and the service does not list its briefs to the end' : '';
	return `No answer to its order of ${tried} is on record${unlisted}.`;
}

function withoutRowWords({ tried, ids }: CauseOf<'unclear'>): Words {
	return {
		what: `No answer to its order of ${tried} is on record, its row is no longer in the CSV, and ${ids.join(' or ')} may be its brief.`,
		next: [{ text: `If so, it is paid for and lies in the vendor’s web app. ${PUT_BACK[0].text}` }],
	};
}

const PUT_BACK = [
	{ text: 'To have the brief here, put the row back into the CSV as it was, and run again.' },
] as const;

/** Only a person can see in the vendor's web app whether its brief exists. */
function lookFirst(
	{ ids, candidate, tried }: CauseOf<'unclear' | 'other_brief'>,
	order: ShownRow,
	place: Place,
): NextStep[] {
	const name = rowNameOf(order);
	const shows =
		ids.length === 0
			? `a brief of this product created around ${tried}`
			: `that ${ids.join(' or ')} is its brief`;
	if (name === undefined) return [...PUT_BACK];
	return [
		{
			text: `If the vendor’s web app shows ${shows}, take it, which costs nothing:`,
			command: adoptCommand(name, candidate, place),
		},
		{
			text: 'If not, retry the row, which may cost a brief:',
			command: commandFor('retry', place, '--only', rowsInCommand([name])),
		},
	];
}

function lateWords(
	{ status, waited_ms, unseen_ms }: CauseOf<'late'>,
	{ brief_id }: ShownRow,
): Words {
	const minutes = (ms: number) => count(Math.round(ms / 60_000), 'minute');
	const what =
		unseen_ms === 0
			? `The brief was still ${status} after ${minutes(waited_ms)}`
			: `The brief could not be looked at for ${minutes(unseen_ms)}, and was ${status} before that`;
	return {
		what: `${what}: it is paid for, and the next brief-batch run fetches it.`,
		next: [{ text: `If it never ends, ask the vendor’s support about brief ${brief_id ?? ''}.` }],
	};
}

/** Says why rows are deferred, to follow “Not ordered:”. */
export function deferralText(cause: DeferralCause): string {
	switch (cause.reason) {
		case 'used_up':
			return 'the allowance is used up';
		case 'too_little':
			return 'the allowance does not reach so far';
		case 'kept':
			return `the rest of the allowance is kept (--keep ${cause.keep})`;
	}
}

/** Gives the words for a row with other content than it was ordered with. */
export function changeWords(
	row: Row,
	heldBy: Order,
	set: TableOptions['set'],
	place: Place,
): Words {
	const day = dayInWords(Date.parse(heldBy.at));
	return {
		what: `Not what was ordered on ${day} (${earlierText(heldBy)}): ${differencesText(row, heldBy, set)}.`,
		next: [
			{
				text: 'Put it back as it was, or order the row again, for another brief:',
				command: commandFor('run', place, '--order-changed', rowsInCommand([row])),
			},
		],
	};
}

function earlierText({ state: { stage } }: Order): string {
	if (stage === 'in_doubt') return 'that order may or may not have a brief yet';
	if (stage === 'parked') return 'that order is parked: brief-batch status says why';
	return 'the row keeps the brief of that order';
}

/** Gives the command that gives a row its brief, with a placeholder if nobody knows which. */
function adoptCommand(row: RowName, briefId = '<brief id>', place: Place): string {
	return commandFor('run', place, '--adopt', `${rowsInCommand([row])}=${briefId}`);
}
