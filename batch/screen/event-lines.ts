import { inspect } from 'node:util';
import type { Wait } from '../../service/order/life';
import { quote } from '../../service/shortened-text';
import { instantOf } from '../../service/api/timestamps';
import { dayInWords } from '../../service/list/month';
import { commandFor, NOWHERE, type NextStep, type Paragraph, type Place } from '../command-text';
import { causeIn, type EventOf, type Heard, type OrderName } from '../folder/events';
import { errorCodeOf, type OrderCause } from '../folder/journal/causes';
import type { Records } from '../folder/records';
import { joinWords, whatHappened, wordsFor, type ShownRow } from '../results/words';
import { count, minuteOf } from '../text';
import { slotWaitText } from '../wait-text';
import {
	allowanceUsed,
	duration,
	terminalParagraph,
	NAME_WIDTH,
	oneLine,
	productText,
	rowLabel,
	rowName,
} from './format';
import { fitWidth, padWidth } from './text-width';

type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow';
export type Paint = (style: Style, text: string) => string;

export const plainPaint: Paint = (_, text) => text;
/** Colours always: the console decides whether to use it. `styleText` of newer Node versions decides by itself. */
export const colourPaint: Paint = (style, text) => {
	const [on, off] = inspect.colors[style] ?? [0, 0];
	return `\u001b[${on}m${text}\u001b[${off}m`;
};

/** The longest stage of a brief, "researching". */
const WHAT_WIDTH = 11;
/** The rest of a line besides the name: number, stage, "1:05  ~3:00 left" and blanks. */
const BESIDE_NAME = 41;

/** Puts number, stage, name and more of a row into columns, at most so wide. */
export function rowLine(order: OrderName, what: string, more: string, width: number): string {
	const nameWidth = Math.max(8, Math.min(NAME_WIDTH, width - BESIDE_NAME));
	const name = padWidth(productText(order, nameWidth), nameWidth);
	const line = row(order.row, what, `${name}  ${more}`);
	return fitWidth(line.trimEnd(), width);
}

/** A run as its lines need it. */
export interface ShownRun {
	records: Records;
	place: Place;
}

/**
 * Gives a line as a person reads it, or null if only the live view or a machine needs it.
 * @param run null before a run has begun
 * @param width of the terminal: it gets a row's result without IDs, paths and commands. A log has the whole.
 */
export function lineFor(
	line: Heard,
	paint: Paint,
	run: ShownRun | null = null,
	width = Infinity,
): Paragraph | null {
	const isLog = width === Infinity;
	const record = 'key' in line ? run?.records.withKey(line.key) : undefined;
	const place = run?.place ?? NOWHERE;
	const order = {
		row: line.row,
		product_name: line.product_name ?? '',
		own_number: line.own_number,
		brief_id: record?.state.briefId ?? null,
	};
	const coloured = (style: Style, what: string, text: string) => {
		const at = rowLabel(line.row).length + 1;
		const end = at + what.length;
		return `${text.slice(0, at)}${paint(style, text.slice(at, end))}${text.slice(end)}`;
	};
	const rowText = (what: string, more: string) => rowLine(order, what, oneLine(more, 1000), width);
	/** Says why, on as many lines as that takes. */
	const reason = (style: Style, what: string, why: string) =>
		coloured(
			style,
			what,
			isLog
				? rowText(what, why)
				: row(line.row, what, `${productText(order)}  ${oneLine(why, 1000)}`),
		);
	const failed = (cause: OrderCause) => {
		const why = joinWords(wordsFor(cause, order, place));
		return reason('red', 'failed', (isLog ? '' : errorCodeOf(cause)) || why);
	};
	switch (line.event) {
		case 'run_started':
			return runLine(line, run?.records.batch ?? '');
		case 'row_invalid':
			return line.problems
				.map(({ column, what, cure }) => {
					const text = `${oneLine(`${column} ${what}`, 400)}. ${paint('dim', oneLine(cure, 400))}`;
					return coloured('yellow', 'invalid', row(line.row, 'invalid', text));
				})
				.join('\n');
		case 'row_changed': {
			const text = `${productText(line)}  ${oneLine(line.differences, 600)}`;
			return coloured('yellow', 'changed', row(line.row, 'changed', text));
		}
		case 'row_duplicate': {
			const text = `same content as row ${line.first_row}, made once`;
			return coloured('yellow', 'duplicate', row(line.row, 'duplicate', text));
		}
		case 'row_not_retried':
			return `${rowName(line)}  has had ${count(line.tries, 'try', 'tries')} without a brief: take it out, or correct it and add --max-tries ${line.tries + 1}`;
		// On a terminal the live view shows what is being written.
		case 'accepted': {
			const how = line.paid ? (line.found ? 'pending' : 'ordered') : 'taken over';
			return isLog ? rowText(how, `brief ${line.brief.id}`) : null;
		}
		case 'resumed':
			return isLog ? rowText('pending', `brief ${line.brief.id}`) : null;
		case 'filed': {
			const took = record?.took_ms == null ? '' : duration(record.took_ms);
			const file = `results/${line.file}.md`;
			const inLog = took === '' ? file : `${file} in ${took}`;
			return coloured('green', 'ready', rowText('ready', isLog ? inLog : took));
		}
		case 'refused':
		case 'unanswered':
		case 'ended': {
			const cause = causeIn(line);
			return cause && failed(cause);
		}
		case 'parked': {
			const { what, next } = wordsFor(line, order, place);
			const why = isLog ? joinWords({ what, next }) : whatHappened(line, order);
			return reason('red', 'parked', why);
		}
		case 'put_off': {
			const { what, next } = wordsFor(line, order, place);
			return reason('yellow', 'pending', isLog ? joinWords({ what, next }) : what);
		}
		case 'waits': {
			const what = WAITED_FOR[line.for];
			if (what === null) return null;
			return row(
				line.row,
				'pending',
				`${productText(order)}  waits ${what}, until ${minuteOf(line.until)}`,
			);
		}
		case 'waits_for_slot':
			return slotWaitLine(line);
		case 'notice':
			return terminalParagraph(line);
		case 'old_brief':
			return terminalParagraph(oldBriefText(line, order, place));
		case 'files_removed':
			return `Files of ${count(line.briefs, 'finished brief')} are gone from results/: fetched again, which costs nothing.`;
		case 'brief_gone': {
			const which = line.row === undefined ? quote(order.product_name) : `Row ${line.row}`;
			return `${which}: the files of its brief are gone, and the service has no brief ${line.brief_id} with a text any more.`;
		}
		case 'interrupted': {
			const what = paint('bold', 'Interrupted: nothing more is ordered.');
			const next = 'Run the same command again to go on';
			if (line.running === 0) return `${what} ${next}.`;
			return `${what} The service goes on writing ${count(line.running, 'brief')}. ${next} and to fetch what is ready by then.`;
		}
		case 'left_running':
			return rowText('pending', isLog ? `brief ${line.brief_id}` : '');
		case 'batch':
		case 'ordered':
		case 'intended':
		case 'sent':
		case 'withdrawn':
		case 'status':
		case 'others_running':
		case 'reported':
		case 'run_ended':
			return null;
	}
}

function runLine(
	{ rows, allowance, used, others_running }: EventOf<'run_started'>,
	batch: string,
): string {
	const { to_order, to_compare, to_resume, done, changed, invalid, duplicate } = rows;
	const parts = [
		`${to_order} to order`,
		...(to_compare > 0
			? [`${to_compare} to compare first with briefs that the workspace has`]
			: []),
		...(to_resume > 0 ? [`${to_resume} pending`] : []),
		...(done > 0 ? [`${done} ready or failed`] : []),
		...(changed > 0 ? [`${changed} changed`] : []),
		...(invalid > 0 ? [`${invalid} invalid`] : []),
		...(duplicate > 0 ? [count(duplicate, 'duplicate')] : []),
	];
	const others = others_running === 0 ? '' : ` ${count(others_running, 'other brief')} running.`;
	return `Batch “${oneLine(batch, NAME_WIDTH)}”: ${count(rows.all, 'row')}, ${parts.join(', ')}. Allowance: ${allowanceUsed({ allowance, used })}.${others}`;
}

function oldBriefText(
	{ created_at }: EventOf<'old_brief'>,
	{ row, product_name }: ShownRow,
	place: Place,
): NextStep {
	const day = dayInWords(instantOf(created_at) ?? 0);
	return {
		text: `Row ${row} (${product_name}) got the brief of ${day} that the service already had for it, and nothing was paid. For a new one:`,
		command: commandFor('run', place, '--order-again', String(row)),
	};
}

/** Texts for what a row waits for. Null if a notice says it in the service's own words (batch/screen/delays.ts). */
const WAITED_FOR: Readonly<Record<Wait, string | null>> = {
	rate_limit: null,
	retry: null,
	month_turn: 'for the new month, because a brief that is ordered now may count in either month',
	list: 'until the list of briefs shows whether it was ordered',
};

function slotWaitLine(wait: EventOf<'waits_for_slot'>): string {
	const { since, until } = wait;
	return oneLine(
		`Waiting for a slot since ${minuteOf(since)}: ${slotWaitText(wait)} The run ends if nothing can be ordered until ${minuteOf(until)}.`,
		800,
	);
}

function row(number: number | undefined, what: string, text: string): string {
	return `${rowLabel(number)} ${padWidth(what, WHAT_WIDTH)}  ${text}`;
}
