import type { InputField } from '../../service/input/input';
import { dayInWords } from '../../service/list/month';
import { shorten } from '../../service/shortened-text';
import type { Row, TableOptions } from '../csv/table';
import { orderedContent, type OrderedContent, type OrderedText } from '../folder/journal/content';
import type { Order } from '../folder/records';
import { differingFields } from './changes';

/** The length of a text in a sentence. */
const SHOWN = 60;

/**
 * Gives what differs between a changed row and what was ordered: "campaign_terms: was “10 % off” (from --set of the run
 * of 3 November 2026), now empty".
 * @param heldBy the order that holds it back
 * @param set the values of this run's --set
 */
export function differencesText(row: Row, heldBy: Order, set: TableOptions['set']): string {
	const now = orderedContent(row.input);
	return differingFields(row, heldBy)
		.map((field) => differenceText(field, heldBy, now, set))
		.join('; ');
}

function differenceText(
	field: InputField,
	{ content, run }: Order,
	current: OrderedContent,
	set: TableOptions['set'],
): string {
	const [was, now] = [content[field], current[field]];
	const [before, after] = [textOf(was), textOf(now)];
	const then =
		run !== undefined && isGiven(run.set?.[field], was)
			? ` (from --set of the run of ${dayInWords(Date.parse(run.at))})`
			: '';
	const here = isGiven(set[field], now) ? ' (from --set of this run)' : '';
	if (before === after)
		return `${field}: was ${before}${then}, now another text that starts alike${here}`;
	return `${field}: was ${before}${then}, now ${after}${here}`;
}

/** Says whether a text is what --set gave. A cell with the same words looks the same. */
function isGiven(value: string | undefined, text: OrderedText | undefined): boolean {
	if (value === undefined || text === undefined) return false;
	const plain = value.replace(/\r\n?/g, '\n').trim();
	return typeof text === 'string' ? plain === text : plain.startsWith(text.start);
}

function textOf(text: OrderedText | undefined): string {
	if (text === undefined) return 'empty';
	const start = typeof text === 'string' ? text : `${text.start}…`;
	return `“${shorten(start.replace(/\s+/g, ' '), SHOWN)}”`;
}
