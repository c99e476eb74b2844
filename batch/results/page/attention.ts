import { count, formatNumber } from '../../text';
import {
	ATTENTION,
	type AttentionRow,
	type AttentionStatus,
	type ReportData,
} from '../report-data';
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
		'The product of these was ordered before, with other content. They keep the brief that they have, and nothing was spent on them. Put back what differs, such as a forgotten --set, or have them ordered anew with --order-changed: each for one brief of the allowance.',
	failed:
		'No brief came of these. Correct in the CSV what can be corrected; “brief-batch retry” then starts every failed row anew, each for one brief of the allowance. failed.csv holds the same rows.',
	invalid:
		'These were not sent and nothing was spent. Correct them in the CSV and run the same command again; what is finished stays as it is.',
	deferred:
		'These are left for the next allowance; nothing was spent on them. deferred.csv holds the same rows.',
};

/** The rows that somebody must look at, and what to do about them. */
export function* attention(data: ReportData): Generator<Html> {
	const statuses = ATTENTION.filter((status) => data.counts[status] > 0);
	const { pending } = data.counts;
	if (statuses.length === 0 && pending === 0) return;
	yield markup`<section id="attention" aria-labelledby="attention-title">
<h2 id="attention-title">What to do next</h2>
`;
	for (const status of statuses) yield group(status, data);
	if (pending > 0) {
		const wait = pending === 1 ? 'It waits for its turn or is' : 'They wait for their turn or are';
		yield markup`<div class="group">
<h3>${badge('pending')} ${count(pending, 'row')}</h3>
<p>${wait} being written. Run the same command again: it goes on where it stopped and pays for nothing twice.</p>
</div>
`;
	}
	yield markup`</section>
`;
}

function group(status: AttentionStatus, data: ReportData): Html {
	const rows = data.attention[status];
	const total = data.counts[status];
	const [first] = rows;
	// Where all rows say the same, as deferred ones do, it is said once.
	const said = rows.length > 1 && rows.every(({ what }) => what === first?.what) ? first?.what : '';
	return markup`<div class="group">
<h3>${badge(status)} ${count(total, 'row')}</h3>
<p>${NEXT[status]}</p>
${said ? markup`<p class="said">${shortened(said, MOST_CHARACTERS)}</p>` : null}
${rows.length > 0 ? table(rows, !said) : null}
${rows.length > 0 && total > rows.length ? more(total - rows.length) : null}
</div>
`;
}

function more(n: number): Html {
	return markup`<p class="more">And ${formatNumber(n)} more, all listed in <a href="results.csv">results.csv</a>.</p>`;
}

function table(rows: AttentionRow[], hasWhat: boolean): Html {
	const what = hasWhat ? markup`<th scope="col">What happened</th>` : null;
	return markup`<table class="rows">
<thead><tr><th scope="col">Row</th><th scope="col">Product</th>${what}</tr></thead>
<tbody>
${rows.map((row) => tableRow(row, hasWhat))}</tbody>
</table>`;
}

function tableRow({ number: row, product, what, url }: AttentionRow, hasWhat: boolean): Html {
	const address = safeWebAddress(url);
	const link =
		address === null
			? null
			: markup` <a href="${address}" rel="noopener noreferrer" target="_blank">Open in the app</a>`;
	const name = markup`<bdi>${shortened(product, 180) || '(no name)'}</bdi>`;
	const cells = hasWhat
		? markup`<td>${name}</td><td><bdi>${shortened(what, MOST_CHARACTERS)}</bdi>${link}</td>`
		: markup`<td>${name}${link}</td>`;
	return markup`<tr><td class="number">${formatNumber(row)}</td>${cells}</tr>
`;
}
