import { count, formatNumber } from '../../text';
import { isBriefFileName } from '../names';
import type { ReportData, ReportRow } from '../report-data';
import { ROW_STATUSES } from '../row-result';
import { anchorsOf, article, type ReadBrief } from './briefs';
import type { DateFormatter } from './dates';
import { Html, markup } from './html';
import { STATUS_WORDS } from './statuses';
import { shortened } from './visible-text';
import { safeWebAddress } from './web-address';

/** Up to this number, all briefs are printed, each on its own page; of more, only those that the reader has opened. */
const MOST_PRINTED = 50;

/** All texts of briefs together have so many characters at most. Longer ones are read in their files. */
const MOST_CHARACTERS = 3_000_000;

/** Every row with what came of it; the newest briefs are there to read. They are read from disk one at a time. */
export async function* rowList(
	data: ReportData,
	read: ReadBrief,
	dates: DateFormatter,
): AsyncGenerator<Html> {
	const { rows } = data;
	if (rows.length === 0) return;
	const anchors = anchorsOf(rows);
	const kind = anchors.size <= MOST_PRINTED ? 'print-all' : 'print-opened';
	yield markup`<section id="briefs" class="${kind}" aria-labelledby="briefs-title">
<h2 id="briefs-title">${heading(data)}</h2>
${note(data, anchors.size)}${tools(rows)}<div id="rows">
`;
	let room = MOST_CHARACTERS;
	for (const row of rows) {
		const anchor = row.isReadable ? anchors.get(row) : undefined;
		if (row.record === undefined || anchor === undefined) {
			yield line(row);
			continue;
		}
		const { file } = row.record;
		const text = file === null ? null : await read(file);
		const { record, status, number } = row;
		const brief = { row: number, record, status, anchor, isOpen: rows.length === 1 };
		const html = article(brief, text, dates, room);
		room -= html.text.length;
		yield html;
	}
	yield markup`</div>
</section>
`;
}

function heading({ rows, listing, isWhole, unlisted }: ReportData): string {
	const isBriefs = rows.every(({ status }) => status === 'ready');
	if (!isWhole && !isBriefs)
		return rows.length === 1 ? 'The row' : `The ${count(rows.length, 'row')}`;
	const { ready } = listing.counts;
	const total = Object.values(listing.counts).reduce((sum, n) => sum + n, 0) + unlisted;
	if (total > rows.length) return `${formatNumber(rows.length)} of ${count(total, 'row')}`;
	if (ready + unlisted < total) return total === 1 ? 'The row' : `All ${count(total, 'row')}`;
	return total === 1 ? 'The brief' : `The ${count(total, 'brief')}`;
}

function note({ rows }: ReportData, readable: number): Html | null {
	const elsewhere = rows.filter(({ status, isReadable }) => status === 'ready' && !isReadable);
	if (elsewhere.length === 0 || readable === 0) return null;
	return markup`<p class="soft">The newest ${count(readable, 'brief')} can be read here. The names of the others lead to their files.</p>
`;
}

/** The search; hidden until its script runs. */
function tools(rows: readonly ReportRow[]): Html | null {
	if (rows.length < 2) return null;
	const statuses = ROW_STATUSES.map((status) => ({
		status,
		n: rows.filter((row) => row.status === status).length,
	})).filter(({ n }) => n > 0);
	const buttons = statuses.map(({ status, n }) => {
		const { word, sign } = STATUS_WORDS[status];
		return markup`<button type="button" class="${status}" value="${status}" aria-pressed="false"><span aria-hidden="true">${sign}</span> ${word} <span class="soft">${formatNumber(n)}</span></button>
`;
	});
	return markup`<div id="find" role="search" hidden>
<input type="search" aria-label="Search the rows" placeholder="Search: product, title or row" autocomplete="off" spellcheck="false">
${statuses.length < 2 ? null : buttons}<output class="soft" aria-live="polite"></output>
</div>
`;
}

/** A row whose brief is not in the report. There may be twenty thousand of these, so they are short. */
function line({ number, product, status, file, url }: ReportRow): Html {
	const name = markup`<bdi>${shortened(product, 80) || '(no name)'}</bdi>`;
	// Names of files come from the journal or from results.csv, which anybody can edit.
	const own = /^results\/(.*)\.md$/.exec(file)?.[1] ?? '';
	const address = isBriefFileName(own) ? file : safeWebAddress(url);
	const link = address === null ? name : markup`<a href="${address}">${name}</a>`;
	return markup`<p class="${status}"><b>${number}</b> ${link}</p>
`;
}
