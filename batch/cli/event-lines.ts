import { inspect } from 'node:util';
import type { Wait } from '../../service/order/events';
import type { RunEvent } from '../run/events';
import { minuteOf, slotWaitText } from '../run/order/slot-wait';
import { count } from '../text';
import { allowanceUsed, duration, terminalText, oneLine, rowLabel } from './format';

type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow';
export type Paint = (style: Style, text: string) => string;

export const plainPaint: Paint = (_, text) => text;
/** Colours always: the console decides whether to use it. `styleText` of newer Node versions decides by itself. */
export const colourPaint: Paint = (style, text) => {
	const [on, off] = inspect.colors[style] ?? [0, 0];
	return `\u001b[${on}m${text}\u001b[${off}m`;
};

const NAME_WIDTH = 60;

/** An event as a line for a person, or null where only the live view or a machine needs it. */
export function lineFor(event: RunEvent, paint: Paint): string | null {
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
				.map(({ column, what, cure }) =>
					row(
						event.row,
						paint('yellow', 'invalid'),
						`${oneLine(`${column} ${what}`, 400)}. ${paint('dim', oneLine(cure, 400))}`,
					),
				)
				.join('\n');
		case 'row_changed':
			return row(
				event.row,
				paint('yellow', 'changed'),
				`${name(event)}  ${oneLine(event.differences, 600)}`,
			);
		case 'row_duplicate':
			return row(
				event.row,
				paint('yellow', 'duplicate'),
				`same content as row ${event.first_row}, made once`,
			);
		case 'brief_accepted':
			return row(
				event.row,
				event.adopted ? 'taken over' : event.found ? 'resumed' : 'ordered',
				`${name(event)}  ${paint('dim', `brief ${oneLine(event.brief_id, 60)}`)}`,
			);
		case 'brief_ready': {
			const took = event.took_ms === null ? '' : paint('dim', ` in ${duration(event.took_ms)}`);
			return row(event.row, paint('green', 'ready'), `${name(event)}  ${event.file}${took}`);
		}
		case 'row_failed':
			return row(event.row, paint('red', 'failed'), `${name(event)}  ${oneLine(event.error, 400)}`);
		case 'row_parked':
			return row(
				event.row,
				paint('red', 'parked'),
				`${name(event)}  ${oneLine(event.error, 1000)}`,
			);
		case 'waiting': {
			const what = WAITED_FOR[event.for];
			if (what === null) return null;
			return row(event.row, 'waits', `${name(event)}  ${what}, until ${minuteOf(event.until)}`);
		}
		case 'waiting_for_slot':
			return slotWaitLine(event);
		case 'notice':
			return terminalText(event.text);
		case 'interrupted':
			return [
				paint('bold', 'Interrupted: nothing more is ordered.'),
				...event.running.map((brief) =>
					row(
						brief.row,
						'running',
						`${name(brief)}  the service goes on writing brief ${oneLine(brief.brief_id, 60)}`,
					),
				),
				'Run the same command again to go on and to fetch what is ready by then.',
			].join('\n');
		case 'others_running':
		case 'brief_ordered':
		case 'brief_status':
		case 'allowance':
		case 'run_ended':
			return null;
	}
}

/** For what a row waits. Null where the service's own words are told as a notice (batch/cli/delays.ts). */
const WAITED_FOR: Readonly<Record<Wait, string | null>> = {
	rate_limit: null,
	retry: null,
	month_turn:
		'for the new month, because nobody can say in which month a brief counts that is ordered now',
	list: 'until the list of briefs tells for certain whether it was ordered',
};

function slotWaitLine(event: Extract<RunEvent, { event: 'waiting_for_slot' }>): string {
	const { since, until } = event;
	return oneLine(
		`Waiting for a slot since ${minuteOf(since)}: ${slotWaitText(event)} The run ends if nothing can be ordered until ${minuteOf(until)}.`,
		800,
	);
}

function row(number: number, what: string, text: string): string {
	return `${rowLabel(number)} ${what}  ${text}`;
}

function name({ product_name }: { product_name: string }): string {
	return oneLine(product_name, NAME_WIDTH);
}
