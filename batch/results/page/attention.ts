import { count, formatNumber } from '../../text';
import { whatOf, WORTH, type FailedGroup } from '../failed-groups';
import { ATTENTION, type AttentionStatus, type ListedRow } from '../report-rows';
import type { ReportData } from '../report-data';
import { markup, type Html } from './html';
import { safeWebAddress } from './web-address';
import { badge } from './statuses';
import { shortened } from './visible-text';

const MOST_CHARACTERS = 1200;

/** What to do about the rows of each status. Each row says itself what happened to it. */
const NEXT: Record<AttentionStatus, string> = {
	parked:
		'The batch set these aside, for going on by itself could pay twice or lose a brief. Nothing happens to them until somebody does what the row says.',
	changed:
		'The product of these was ordered before, with other content. They keep the brief that they have, and nothing was spent on them. Put back what differs, such as a forgotten --set, or order them again with the command that each row names, for one brief of the allowance each.',
	failed: 'These rows have no finished brief.',
	invalid:
		'These were not sent and nothing was spent. Correct them in the CSV and run the same command again; what is finished stays as it is.',
	deferred:
		'These are left for the next allowance; nothing was spent on them. deferred.csv holds the same rows.',
};

/** The rows that somebody must look at, and what to do about them. */
export function* attention(data: ReportData): Generator<Html> {
	const { counts } = data.listing;
	const statuses = ATTENTION.filter((status) => counts[status] > 0);
	const { pending } = counts;
	if (statuses.length === 0 && pending === 0) return;
	yield markup`<section id="attention" aria-labelledby="attention-title">
<h2 id="attention-title">What to do next</h2>
`;
	for (const status of statuses) yield group(status, data);
	if (pending > 0) yield pendingGroup(pending, data.isUnderWay);
	yield markup`</section>
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

function group(status: AttentionStatus, data: ReportData): Html {
	const rows = data.listing.explained[status];
	const total = data.listing.counts[status];
	return markup`<div class="group">
<h3>${badge(status)} ${count(total, 'row')}</h3>
<p>${NEXT[status]}</p>
${status === 'failed' ? failed(data) : table(rows)}
${rows.length > 0 && total > rows.length ? more(total - rows.length) : null}
</div>
`;
}

/** Failed rows by their reason, with what is worth doing about each. */
function failed({ listing, retry }: ReportData): Html {
	const groups = listing.failed.all();
	const cures = [...new Set(groups.map(({ cure }) => cure))];
	return markup`${cures.map((cure) => {
		const same = groups.filter((one) => one.cure === cure);
		const n = same.reduce((sum, { total }) => sum + total, 0);
		return markup`<div class="cure">
<p>${cures.length > 1 ? markup`<b>${count(n, 'row')}.</b> ` : null}${WORTH[cure]}</p>
${cure === 'retry' ? markup`<p>This orders all failed rows again; for some of them, add --only with their numbers: <code>${retry}</code></p>` : null}
${same.map((one) => reason(one, listing.explained.failed))}</div>
`;
	})}`;
}

function reason(group: FailedGroup, explained: readonly ListedRow[]): Html {
	const rows = explained.filter((row) => row.group === group);
	const said = rows.every((row) => whatOf(row) === group.why);
	return markup`<details class="reason"${group.total <= MOST_OPEN ? markup` open` : null}>
<summary><b>${formatNumber(group.total)}</b> <bdi>${shortened(group.why, MOST_CHARACTERS) || 'No reason was given.'}</bdi></summary>
${rows.length > 0 ? rowsTable(rows, !said) : null}
</details>
`;
}

/** Rows of more than this many with the same reason are shown when they are asked for. */
const MOST_OPEN = 8;

function more(n: number): Html {
	return markup`<p class="more">And ${formatNumber(n)} more, all listed in <a href="results.csv">results.csv</a>.</p>`;
}

function table(rows: readonly ListedRow[]): Html | null {
	const [first] = rows;
	if (first === undefined) return null;
	// If all rows say the same, as deferred ones do, it is said once.
	const what = whatOf(first);
	const isSame = rows.length > 1 && what !== '' && rows.every((row) => whatOf(row) === what);
	return markup`${isSame ? markup`<p class="said">${shortened(what, MOST_CHARACTERS)}</p>` : null}
${rowsTable(rows, !isSame)}`;
}

function rowsTable(rows: readonly ListedRow[], hasWhat: boolean): Html {
	const what = hasWhat ? markup`<th scope="col">What happened</th>` : null;
	return markup`<table class="rows">
<thead><tr><th scope="col">Row</th><th scope="col">Product</th>${what}</tr></thead>
<tbody>
${rows.map((row) => tableRow(row, hasWhat))}</tbody>
</table>`;
}

function tableRow(row: ListedRow, hasWhat: boolean): Html {
	const address = safeWebAddress(row.url);
	const link =
		address === null
			? null
			: markup` <a href="${address}" rel="noopener noreferrer" target="_blank">Open in the app</a>`;
	const name = markup`<bdi>${shortened(row.product, 180) || '(no name)'}</bdi>`;
	const cells = hasWhat
		? markup`<td>${name}</td><td><bdi>${shortened(whatOf(row), MOST_CHARACTERS)}</bdi>${link}</td>`
		: markup`<td>${name}${link}</td>`;
	return markup`<tr><td class="number">${formatNumber(row.number)}</td>${cells}</tr>
`;
}
