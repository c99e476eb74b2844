import { inspect } from 'node:util';
import type { Wait } from '../../service/order/life';
import type { Paragraph } from '../command-text';
import type { NamedOrder, RunEvent } from '../events';
import { whatHappened } from '../results/words';
import { count, minuteOf } from '../text';
import { slotWaitText } from '../wait-text';
import {
	allowanceUsed,
	duration,
	terminalParagraph,
	NAME_WIDTH,
	oneLine,
	rowLabel,
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
export function rowLine(
	number: number | undefined,
	what: string,
	{ name: product, more }: { name: string; more: string },
	width: number,
): string {
	const nameWidth = Math.max(8, Math.min(NAME_WIDTH, width - BESIDE_NAME));
	const line = row(number, what, `${padWidth(oneLine(product, NAME_WIDTH), nameWidth)}  ${more}`);
	return fitWidth(line.trimEnd(), width);
}

/**
 * Gives an event as a person reads it, or null if only the live view or a machine needs it.
 * @param width of the terminal: it gets a row's result without IDs, paths and commands. A log has the whole.
 */
export function lineFor(event: RunEvent, paint: Paint, width = Infinity): Paragraph | null {
	const isLog = width === Infinity;
	const coloured = (style: Style, what: string, number: number | undefined, line: string) => {
		const at = rowLabel(number).length + 1;
		const end = at + what.length;
		return `${line.slice(0, at)}${paint(style, line.slice(at, end))}${line.slice(end)}`;
	};
	const rowText = (what: string, more: string, { row: number, product_name: name }: NamedOrder) =>
		rowLine(number, what, { name, more: oneLine(more, 1000) }, width);
	/** Says why, on as many lines as that takes. */
	const reason = (what: string, why: string, order: NamedOrder) =>
		isLog
			? rowText(what, why, order)
			: row(order.row, what, `${name(order)}  ${oneLine(why, 1000)}`);
	switch (event.event) {
		case 'run_started': {
			const parts = [
				`${event.to_create} to order`,
				...(event.to_compare === undefined
					? []
					: [`${event.to_compare} to compare first with briefs that the workspace has`]),
				...(event.to_resume > 0 ? [`${event.to_resume} under way`] : []),
				...(event.done > 0 ? [`${event.done} finished before`] : []),
				...(event.changed > 0 ? [`${event.changed} changed`] : []),
				...(event.invalid > 0 ? [`${event.invalid} invalid`] : []),
				...(event.duplicates > 0 ? [count(event.duplicates, 'duplicate')] : []),
			];
			const others =
				event.others_running === 0
					? ''
					: ` ${count(event.others_running, 'brief')} of others running.`;
			return `Batch “${oneLine(event.batch, NAME_WIDTH)}”: ${count(event.rows, 'row')}, ${parts.join(', ')}. Allowance: ${allowanceUsed(event)}.${others}`;
		}
		case 'row_invalid':
			return event.problems
				.map(({ column, what, cure }) => {
					const text = `${oneLine(`${column} ${what}`, 400)}. ${paint('dim', oneLine(cure, 400))}`;
					return coloured('yellow', 'invalid', event.row, row(event.row, 'invalid', text));
				})
				.join('\n');
		case 'row_changed': {
			const text = `${name(event)}  ${oneLine(event.differences, 600)}`;
			return coloured('yellow', 'changed', event.row, row(event.row, 'changed', text));
		}
		case 'row_duplicate': {
			const text = `same content as row ${event.first_row}, made once`;
			return coloured('yellow', 'duplicate', event.row, row(event.row, 'duplicate', text));
		}
		case 'brief_accepted':
			// On a terminal the live view shows it.
			return isLog
				? rowText(
						event.taken_over ? 'taken over' : event.found ? 'resumed' : 'ordered',
						`brief ${event.brief_id}`,
						event,
					)
				: null;
		case 'brief_ready': {
			const took = event.took_ms === null ? '' : duration(event.took_ms);
			const inLog = took === '' ? event.file : `${event.file} in ${took}`;
			return coloured('green', 'ready', event.row, rowText('ready', isLog ? inLog : took, event));
		}
		case 'row_failed': {
			const why = isLog || event.error_code === '' ? event.error : event.error_code;
			return coloured('red', 'failed', event.row, reason('failed', why, event));
		}
		case 'row_parked': {
			const why = isLog ? event.error : whatHappened(event, event);
			return coloured('red', 'parked', event.row, reason('parked', why, event));
		}
		case 'waiting': {
			const what = WAITED_FOR[event.for];
			if (what === null) return null;
			return row(event.row, 'waits', `${name(event)}  ${what}, until ${minuteOf(event.until)}`);
		}
		case 'waiting_for_slot':
			return slotWaitLine(event);
		case 'notice':
			return terminalParagraph(event);
		case 'interrupted': {
			const { running } = event;
			const goingOn =
				running.length === 0
					? ''
					: ` The service goes on writing ${count(running.length, 'brief')}:`;
			return [
				`${paint('bold', 'Interrupted: nothing more is ordered.')}${goingOn}`,
				...running.map((one) => rowText('running', isLog ? `brief ${one.brief_id}` : '', one)),
				'Run the same command again to go on and to fetch what is ready by then.',
			].join('\n');
		}
		case 'others_running':
		case 'brief_ordered':
		case 'brief_status':
		case 'allowance':
		case 'run_ended':
			return null;
	}
}

/** Texts for what a row waits for. Null if a notice says it in the service's own words (batch/screen/delays.ts). */
const WAITED_FOR: Readonly<Record<Wait, string | null>> = {
	rate_limit: null,
	retry: null,
	month_turn: 'for the new month, because a brief that is ordered now may count in either month',
	list: 'until the list of briefs shows whether it was ordered',
};

function slotWaitLine(event: Extract<RunEvent, { event: 'waiting_for_slot' }>): string {
	const { since, until } = event;
	return oneLine(
		`Waiting for a slot since ${minuteOf(since)}: ${slotWaitText(event)} The run ends if nothing can be ordered until ${minuteOf(until)}.`,
		800,
	);
}

function row(number: number | undefined, what: string, text: string): string {
	return `${rowLabel(number)} ${padWidth(what, WHAT_WIDTH)}  ${text}`;
}

function name({ product_name }: { product_name: string }): string {
	return oneLine(product_name, NAME_WIDTH);
}
