import { shorten } from '../../../service/shortened-text';
import { groupBy } from '../../group-by';
import { count, formatNumber } from '../../text';
import { cureOf, CURES, WORTH } from '../cures';
import type { ReportData } from '../report-data';
import type { RowResult } from '../row-result';
import { markup, webLink, type Html } from './html';
import { badge } from './statuses';
import { visibleLine, visibleText } from './visible-text';

const MOST_CHARACTERS = 1200;

/** The report says what happened to this many rows of a status, and results.csv to all. */
const MOST_EXPLAINED = 200;

/** The statuses of rows that need attention or more allowance, the most urgent first. */
const ATTENTION = ['parked', 'changed', 'failed', 'invalid', 'deferred'] as const;
type AttentionStatus = (typeof ATTENTION)[number];

/** The cure for the rows of each status. Each row says itself what happened to it. */
const NEXT: Record<AttentionStatus, string> = {
	parked:
		'The batch set these aside, for going on by itself could pay twice or lose a brief. Nothing is ordered for them until somebody does what the row says.',
	changed:
		'These were ordered before with other content, and keep the brief of that order. Put back what differs, such as a forgotten --set, or order them again with the command that each row names, for one brief each.',
	failed: 'These rows have no finished brief.',
	invalid:
		'These were not sent and nothing was spent. Correct them in the CSV and run the same command again; what is finished stays as it is.',
	deferred:
		'These are left for the next allowance; nothing was spent on them. deferred.csv holds the same rows.',
};

/** Shows the rows that somebody must look at, and what to do about them; null if there are none. */
export function attention(data: ReportData): Html | null {
	const { counts } = data;
	const statuses = ATTENTION.filter((status) => counts[status] > 0);
	const { pending } = counts;
	if (statuses.length === 0 && pending === 0) return null;
	return markup`<section id="attention" aria-labelledby="attention-title">
<h2 id="attention-title">What to do next</h2>
${statuses.map((status) => group(status, data))}${pending > 0 ? pendingGroup(pending, data.records.isUnderWay) : null}</section>
`;
}

function pendingGroup(pending: number, isUnderWay: boolean): Html {
	const wait =
		pending === 1
			? 'It waits for its turn, was left out, or is'
			: 'They wait for their turn, were left out, or are';
	const next = isUnderWay
		? 'The run goes on with them. If none is at work any more, run the same command again:'
		: 'Run the same command again:';
	return markup`<div class="group">
<h3>${badge('pending')} ${count(pending, 'row')}</h3>
<p>${wait} being written. ${next} it goes on where it stopped and pays for nothing twice.</p>
</div>
`;
}

function group(status: AttentionStatus, { results, counts, retry }: ReportData): Html {
	const rows = results.filter((row) => row.status === status);
	const explainedRows = rows.slice(0, MOST_EXPLAINED);
	const others = counts[status] - explainedRows.length;
	return markup`<div class="group">
<h3>${badge(status)} ${count(counts[status], 'row')}</h3>
<p>${NEXT[status]}</p>
${status === 'failed' ? failedSection(rows, retry) : table(explainedRows)}
${explainedRows.length > 0 && others > 0 ? more(others) : null}
</div>
`;
}

/** Shows failed rows by what is worth doing about them. */
function failedSection(rows: readonly RowResult[], retry: string): Html {
	const explainedRows = new Set(rows.slice(0, MOST_EXPLAINED));
	const byCure = groupBy(rows, cureOf);
	const cures = CURES.filter((cure) => byCure.has(cure));
	return markup`${cures.map((cure) => {
		const its = byCure.get(cure) ?? [];
		return markup`<div class="cure">
<p>${cures.length > 1 ? markup`<b>${count(its.length, 'row')}.</b> ` : null}${WORTH[cure]}</p>
${
	cure === cures[0] && (cure === 'retry' || cure === 'send')
		? markup`<p>This orders all failed rows again; for some of them, add --only with their numbers:</p>
${commandBox(retry)}`
		: null
}
${table(its.filter((row) => explainedRows.has(row)))}</div>
`;
	})}`;
}

function more(n: number): Html {
	return markup`<p class="more">And ${formatNumber(n)} more, all listed in <a href="results.csv">results.csv</a>.</p>`;
}

function table(rows: readonly RowResult[]): Html | null {
	const [first] = rows;
	if (first === undefined) return null;
	// If all rows say the same, as deferred ones do, it is said once. A command names its row.
	const what = first.error;
	const saysSame = ({ error, next }: RowResult) => error === what && next.length === 0;
	const isSame = rows.length > 1 && what !== '' && rows.every(saysSame);
	return markup`${isSame ? markup`<p class="said">${visibleLine(what, MOST_CHARACTERS)}</p>` : null}
${rowsTable(rows, !isSame)}`;
}

function rowsTable(rows: readonly RowResult[], hasWhat: boolean): Html {
	const what = hasWhat ? markup`<th scope="col">What happened</th>` : null;
	return markup`<table class="rows">
<thead><tr><th scope="col">Row</th><th scope="col">Product</th>${what}</tr></thead>
<tbody>
${rows.map((row) => tableRow(row, hasWhat))}</tbody>
</table>`;
}

function tableRow(row: RowResult, hasWhat: boolean): Html {
	const ownText = row.own_number === undefined ? '' : ` (${visibleLine(row.own_number, 40)})`;
	const name = markup`<bdi>${visibleLine(row.product, 180) || '(no name)'}${ownText}</bdi>`;
	const link = webLink(row.url, 'Open in the app');
	const last = link === null ? null : markup` ${link}`;
	const cells = hasWhat
		? markup`<td>${name}</td><td>${whatHappened(row)}${last}</td>`
		: markup`<td>${name}${last}</td>`;
	return markup`<tr><td class="number">${shownNumber(row.number)}</td>${cells}</tr>
`;
}

function shownNumber(number: number | undefined): string {
	return number === undefined ? '–' : formatNumber(number);
}

/** Says what happened to a row and what to do about it, each command in its box. */
function whatHappened({ error, next }: RowResult): Html {
	const steps = next.map(
		({ text, command }) =>
			markup`${prose(text)}${command === undefined ? null : commandBox(command)}`,
	);
	return markup`${prose(shorten(visibleText(error), MOST_CHARACTERS))} ${steps}`;
}

/** Shows a command on a line of its own, with a button that copies it; the button is hidden until its script runs. */
function commandBox(command: string): Html {
	return markup`<div class="command"><code tabindex="0">${command}</code><button type="button" hidden>Copy</button></div>
`;
}

function prose(text: string): Html {
	return text === '' ? markup`` : markup`<bdi>${text}</bdi>`;
}
