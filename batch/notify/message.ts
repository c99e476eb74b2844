import { dayInWords } from '../../service/list/month';
import { quote, shorten } from '../../service/shortened-text';
import type { EventOf, RunEnded } from '../folder/events';
import { EXIT } from '../exit-codes';
import { NEEDING_A_PERSON } from '../folder/journal/row-status';
import { whatHappened } from '../results/words';
import { count, formatNumber } from '../text';

/** The end of a run, which has no numbers if it could not begin. */
type RunEnd = EventOf<'run_ended'> & Partial<Omit<RunEnded, 'outcome'>>;

/**
 * Words the end of a run for a webhook: all that --json says of it, with a `text` for people. Slack and Mattermost show the
 * text and leave the rest aside; a workflow of n8n has it all.
 * @param run what it was about: `name` is the client's
 */
export function messageOf(
	end: RunEnd,
	run: { name: string; csv: string; outDir: string },
	at: Date,
): object {
	const { name, csv, outDir: out } = run;
	const facts = { name, csv, out, new: end.fetched ?? 0, new_briefs: [], new_parked: [] };
	return { text: summaryText(end, name), ...facts, ...end, at: at.toISOString() };
}

/** Gives what `doctor` posts. */
export function testMessage(name: string, out: string, at: Date): object {
	const text = withoutCommands(`${name}: a test message of brief-batch doctor.`);
	return { text, event: 'doctor', name, out, at: at.toISOString() };
}

function summaryText(end: RunEnd, name: string): string {
	const { stop, fetched = 0, new_briefs = [], new_parked = [] } = end;
	const news = [...briefsOf(end), ...rowTexts(end)];
	const sentences = news.map((text) => `${text}.`);
	if (stop === undefined && sentences.length === 0)
		sentences.push(ENDED[end.exit_code] ?? 'The run is over.');
	const lines = [
		[`${name}:`, ...sentences, stop?.what ?? ''].join(' ').trim(),
		...(stop === undefined ? [] : [stop.cure]),
		...newBriefs(new_briefs, fetched),
		...new_parked.map(parkedLine),
	];
	return withoutCommands(lines.join('\n'));
}

/** Gives "• Row 3 (4711): Not ordered, nothing paid: the workspace has 2 briefs of “Mug”." The command for it is in `status`. */
function parkedLine(order: RunEnded['new_parked'][number]): string {
	const { row, product_name } = order;
	const ownNumber = ownNumberText(order);
	const name =
		row === undefined
			? `${quote(product_name)}${ownNumber}`
			: `Row ${formatNumber(row)}${ownNumber}`;
	return `• ${name}: ${shorten(whatHappened(order, order).replace(/\s+/g, ' '), 400)}`;
}

function ownNumberText({ own_number }: { own_number?: string | undefined }): string {
	return own_number === undefined ? '' : ` (${own_number})`;
}

/** Counts the new briefs, and says how many were paid for if these are not the same. */
function briefsOf({ fetched = 0, paid = 0, taken_over = 0 }: RunEnd): string[] {
	const others = taken_over > 0 ? `, ${formatNumber(taken_over)} taken over` : '';
	const money = fetched === paid && taken_over === 0 ? '' : `${formatNumber(paid)} paid${others}`;
	if (fetched === 0) return money === '' ? [] : [money];
	return [`${count(fetched, 'new brief')}${money === '' ? '' : ` (${money})`}`];
}

/** The end of a run of which there is nothing else to say. */
const ENDED: Readonly<Record<number, string>> = {
	[EXIT.ok]: 'All is ready.',
	[EXIT.interrupted]: 'The run was interrupted.',
};

/** Gives a line for each new brief with its title and link, and how many there are besides. */
export function newBriefs(briefs: RunEnded['new_briefs'], fetched: number): string[] {
	const more = fetched - briefs.length;
	return [
		...briefs.map(({ product_name, own_number, title, url }) => {
			const product = `${product_name}${ownNumberText({ own_number })}`;
			const name = title === null || title === '' ? product : `${product}: ${title}`;
			const link = /^https?:\/\/\S+$/.test(url ?? '') ? ` ${url ?? ''}` : '';
			return `• ${name.replace(/\s+/g, ' ')}${link}`;
		}),
		...(more > 0 ? [`and ${count(more, 'more brief')}`] : []),
	];
}

/** Says what became of the rows that have no new brief: first what nobody knows yet. */
function rowTexts({ known, resets_at, counts }: RunEnd): string[] {
	const until = resets_at === undefined ? '' : ` until ${dayInWords(Date.parse(resets_at))}`;
	const newCounts = NEEDING_A_PERSON.map(
		(status) => [(counts?.[status] ?? 0) - (known?.[status] ?? 0), status] as const,
	);
	const laterCounts = [
		[counts?.deferred ?? 0, `deferred${until}`],
		[counts?.pending ?? 0, 'pending'],
	] as const;
	const knownTexts = NEEDING_A_PERSON.map(
		(status) => [known?.[status] ?? 0, `${STILL[status]}, known`] as const,
	);
	return [
		...[...newCounts, ...laterCounts].flatMap(([n, what]) =>
			n > 0 ? [`${formatNumber(n)} ${what}`] : [],
		),
		...knownTexts.flatMap(([n, what]) => (n > 0 ? [`${what}: ${formatNumber(n)}`] : [])),
	];
}

/** Rows that an earlier run has reported. */
const STILL = {
	failed: 'Still failing',
	invalid: 'Still invalid',
	parked: 'Still parked',
	changed: 'Still changed',
} as const;

/** Takes out what Slack and Mattermost would take for a link or for a call of everybody: <!channel>, @here. */
function withoutCommands(text: string): string {
	return text.replace(/[<>]/g, '’').replace(/@(?=\w)/g, '@\u200b');
}
