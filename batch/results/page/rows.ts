import { ROW_STATUSES } from '../../folder/journal/row-status';
import { count, formatNumber } from '../../text';
import { isBriefFileName } from '../../folder/brief-files';
import type { ReportData, ReportRow } from '../report-data';
import type { ShownColumn } from '../result-columns';
import {
	anchorsOf,
	article,
	briefBody,
	finishText,
	linksAndWarnings,
	type ReadBrief,
} from './briefs';
import type { DateFormatter } from './dates';
import { markup, safeWebAddress, type Html } from './html';
import { STATUS_WORDS } from './statuses';
import { visibleLine } from './visible-text';

/** Up to this number, all briefs are printed, each on its own page; of more, only those that the reader has opened. */
const MOST_PRINTED = 50;

/** All texts of briefs together have so many characters at most. Longer ones are read in their files. */
const MOST_CHARACTERS = 3_000_000;

/** Shows every row with what came of it; the newest briefs are there to read. They are read from disk one at a time. */
export async function rowList(
	data: ReportData,
	read: ReadBrief,
	dates: DateFormatter,
): Promise<Html | null> {
	const { rows, columns } = data;
	if (rows.length === 0) return null;
	const anchors = anchorsOf(rows);
	const kind = anchors.size <= MOST_PRINTED ? 'print-all' : 'print-opened';
	let room = MOST_CHARACTERS;
	const list: Html[] = [];
	for (const row of rows) {
		const anchor = anchors.get(row);
		const { record, status, number } = row;
		if (record === undefined || anchor === undefined) {
			list.push(line(row, columns));
			continue;
		}
		const text = await read(record.file ?? '');
		const product = visibleLine(record.product_name, 180);
		const title = visibleLine(record.brief?.title ?? '', 200) || product;
		const place = number === undefined ? null : markup`Row <b>${number}</b> · `;
		const about = markup`${place}<bdi>${product}</bdi>${ownCells(row, columns)}${finishText(record, dates)}`;
		const html = article({ anchor, status, title, isOpen: rows.length === 1 }, about, {
			above: linksAndWarnings(record, text),
			body: briefBody(text, title, room),
		});
		room -= html.text.length;
		list.push(html);
	}
	return markup`<section id="briefs" class="${kind}" aria-labelledby="briefs-title">
<h2 id="briefs-title">${heading(data)}</h2>
${note(data, anchors.size)}${tools(data)}${heads(data, anchors.size)}<div id="rows" style="${grid(columns.length)}">
${list}</div>
</section>
`;
}

function heading({ rows, counts, isWhole }: ReportData): string {
	const isBriefs = rows.every(({ status }) => status === 'ready');
	if (!isWhole && !isBriefs)
		return rows.length === 1 ? 'The row' : `The ${count(rows.length, 'row')}`;
	const total = Math.max(
		rows.length,
		Object.values(counts).reduce((sum, n) => sum + n, 0),
	);
	if (total > rows.length) return `${formatNumber(rows.length)} of ${count(total, 'row')}`;
	if (!isBriefs) return total === 1 ? 'The row' : `All ${count(total, 'row')}`;
	return total === 1 ? 'The brief' : `The ${count(total, 'brief')}`;
}

function note({ rows }: ReportData, readable: number): Html | null {
	const elsewhere = rows.filter(({ status, isReadable }) => status === 'ready' && !isReadable);
	if (elsewhere.length === 0 || readable === 0) return null;
	return markup`<p class="soft">The newest ${count(readable, 'brief')} can be read here. The names of the others lead to their files.</p>
`;
}

function tools({ rows }: ReportData): Html | null {
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
	const kinds = statuses.length < 2 ? [] : buttons;
	return searchBox('Search: product, title or row', kinds);
}

/** Makes the search; hidden until its script runs. */
export function searchBox(hint: string, buttons: readonly Html[] = []): Html {
	return markup`<div id="find" role="search" hidden>
<input type="search" aria-label="Search the rows" placeholder="${hint}" autocomplete="off" spellcheck="false">
${buttons}<output class="soft" aria-live="polite"></output>
</div>
`;
}

function cellOf({ cells }: ReportRow, at: number): string {
	return visibleLine(cells[at] ?? '', 60);
}

/** Gives the widths of the list's columns: number, product and title, the CSV's own, status. */
function grid(ownColumns: number): string {
	return `--columns:3.2rem minmax(0,2fr) ${'minmax(0,1fr) '.repeat(ownColumns)}5.6rem`;
}

/** Names the columns above rows whose briefs are elsewhere. Briefs to read name them themselves. */
function heads({ rows, columns }: ReportData, readable: number): Html | null {
	if (columns.length === 0 || readable > rows.length / 2) return null;
	return markup`<p id="heads" style="${grid(columns.length)}"><span>Row</span><span>Product</span>${columns.map(({ header }) => markup`<span>${visibleLine(header, 40)}</span>`)}<span>Status</span></p>
`;
}

/** Shows the CSV's own cells of a brief, each with the name of its column. */
function ownCells(row: ReportRow, columns: readonly ShownColumn[]): Html {
	const cells = columns.map(({ header, at }) => {
		const value = cellOf(row, at);
		return value === '' ? null : markup` · ${visibleLine(header, 40)} <bdi>${value}</bdi>`;
	});
	return markup`${cells}`;
}

/** Shows a row whose brief is not in the report. There may be twenty thousand of these, so they are short. */
function line(row: ReportRow, columns: readonly ShownColumn[]): Html {
	const { number, product, status, title, file, url } = row;
	const name = markup`<bdi>${visibleLine(product, 80) || '(no name)'}</bdi>`;
	// Names of files come from the journal or from results.csv, which anybody can edit.
	const fileName = /^results\/(.*)\.md$/.exec(file)?.[1] ?? '';
	const address = isBriefFileName(fileName) ? file : safeWebAddress(url);
	const link = address === null ? name : markup`<a href="${address}">${name}</a>`;
	const titleText =
		title === '' ? null : markup` <bdi class="soft">${visibleLine(title, 80)}</bdi>`;
	const cells = columns.map(({ at }) => markup`<bdi>${cellOf(row, at)}</bdi>`);
	return markup`<p class="${status}"><b>${number ?? '–'}</b><span>${link}${titleText}</span>${cells}</p>
`;
}
