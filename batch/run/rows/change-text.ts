import type { InputField } from '../../../service/input';
import { dayInWords } from '../../../service/month';
import type { TableOptions } from '../../csv/table';
import type { OrderedText } from '../../journal/content';
import type { BriefRecord } from '../../journal/records';
import { truncate } from '../../text';
import { differingFields, type Change } from './changed-rows';
import type { RunEvent } from '../events';

/** How much of a text stands in a sentence. */
const SHOWN = 60;

/**
 * What differs between a changed row and what was ordered: "campaign_terms: was “10 % off” (from --set of the run of
 * 3 November 2026), now empty".
 * @param set what this run's --set gives
 */
export function differencesText(change: Change, set: TableOptions['set']): string {
	const fields = differingFields(change);
	if (fields === null || fields.length === 0) return 'its content, which is not on record';
	return fields.map((field) => differenceText(field, change, set)).join('; ');
}

export function changeEvent(
	change: Change,
	set: TableOptions['set'],
): Extract<RunEvent, { event: 'row_changed' }> {
	const { number: row, product_name } = change.row;
	const { brief_id } = change.order;
	const [fields, differences] = [differingFields(change), differencesText(change, set)];
	return { event: 'row_changed', row, product_name, brief_id, fields, differences };
}

/** The same with what becomes of the row. */
export function changeText(change: Change, set: TableOptions['set']): string {
	const { order } = change;
	const day = dayInWords(Date.parse(order.first_tried));
	return `Not what was ordered on ${day}: ${differencesText(change, set)}. ${earlierText(order)} Put it back as it was, or have the row ordered anew, as another brief: --order-changed.`;
}

function differenceText(
	field: InputField,
	{ order: { content, run }, row }: Change,
	set: TableOptions['set'],
): string {
	const [was, now] = [content?.[field], row.content[field]];
	const [before, after] = [shown(was), shown(now)];
	const then =
		run !== undefined && isGiven(run.set[field], was)
			? ` (from --set of the run of ${dayInWords(Date.parse(run.at))})`
			: '';
	const here = isGiven(set[field], now) ? ' (from --set of this run)' : '';
	if (before === after)
		return `${field}: was ${before}${then}, now another text that starts alike${here}`;
	return `${field}: was ${before}${then}, now ${after}${here}`;
}

/** Whether a text is what --set gave. Where a cell held the same words, nobody can tell them apart. */
function isGiven(given: string | undefined, text: OrderedText | undefined): boolean {
	if (given === undefined || text === undefined) return false;
	const plain = given.replace(/\r\n?/g, '\n').trim();
	return typeof text === 'string' ? plain === text : plain.startsWith(text.start);
}

function shown(text: OrderedText | undefined): string {
	if (text === undefined) return 'empty';
	const start = typeof text === 'string' ? text : `${text.start}…`;
	return `“${truncate(start.replace(/\s+/g, ' '), SHOWN)}”`;
}

function earlierText({ state, error }: BriefRecord): string {
	if (state === 'in_doubt') return 'Nobody knows yet whether that order has a brief.';
	if (state === 'parked') return `That order is parked: ${error ?? ''}`;
	return 'It keeps the brief of that order.';
}
