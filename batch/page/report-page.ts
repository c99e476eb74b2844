import type { Brief } from '../../service/api/resources';
import type { Column } from '../csv/columns';
import { dayInWords, monthInWords, nextMonthStart } from '../../service/list/month';
import { shorten } from '../../service/shortened-text';
import { isBriefFileName } from '../folder/brief-files';
import { briefNumbers, paidByMonth } from '../folder/journal/paid';
import { LISTED_STATUSES, ROW_STATUSES, type RowStatus } from '../folder/journal/row-status';
import { endedAs, type Order, type Records } from '../folder/records';
import { countLeft, countNeedy, type BatchOutcome } from '../results/batch-outcome';
import { nextStepFor } from '../results/next-steps';
import type { RowResult } from '../results/row-result';
import type { Place } from '../command-text';
import { count, formatNumber } from '../text';
import { durationToTheSecond, type DateFormatter } from './dates';
import { Html, markup, safeWebAddress, visibleLine, visibleText, webLink } from './html';
import { renderMarkdown } from './markdown';
import { COPYING, SCRIPT_SOURCES, SEARCHING } from './script';
import { STATUS_WORDS, STYLE } from './style';

/** What report.html shows of a batch. */
interface Report {
	/** The client's name. */
	name: string;
	records: Records;
	/** Every try of every row, oldest first. */
	tries: readonly Order[];
	outcome: BatchOutcome;
	/** All rows with what became of them: those of results.csv, or those that the journal knows. */
	results: readonly RowResult[];
	/** True if the rows are those of results.csv. The journal knows only those that were tried. */
	isWhole: boolean;
	/** The rows to list, in the order of the CSV, and then the briefs that are not in it. */
	rows: readonly ReportRow[];
	/** The CSV's own columns that the list shows. */
	columns: readonly Column[];
	/** What commands are for. */
	place: Place;
	dates: DateFormatter;
	now: number;
	/** Reads a brief by the name of its files. */
	read: (name: string) => Promise<Brief | null>;
}

export interface ReportRow extends RowResult {
	/** Its order, if there is a brief. */
	record: Order | undefined;
	/** True if the brief itself is on the page. */
	isReadable: boolean;
}

/** Makes report.html. The briefs are read one at a time. */
export async function reportPage(report: Report): Promise<Html> {
	const { records, tries, rows, dates, now } = report;
	const { batch, baseUrl, isUnderWay, lastRun } = records;
	const end = Date.parse(lastRun?.at ?? '');
	const bars = lanesOf(tries, isUnderWay || Number.isNaN(end) ? now : end);
	const anchors = anchorsOf(rows);
	const sections = [
		{ anchor: 'attention', name: 'What to do next', html: whatToDo(report) },
		{ anchor: 'allowance', name: 'Allowance', html: allowanceSection(report) },
		{ anchor: 'slots', name: 'Slots over time', html: timeline(bars, dates, anchors) },
		{ anchor: 'briefs', name: 'Briefs', html: await rowList(report, anchors) },
	].filter(({ html }) => html !== null);
	const links = sections.map(
		({ anchor, name }) => markup`<li><a href="#${anchor}">${name}</a></li>
`,
	);
	return markup`${head(batch ?? 'Batch')}<nav aria-label="On this page">
<ul>
<li><a href="#top">At a glance</a></li>
${links}</ul>
${contents(anchors)}
</nav>
<main>
${glance(report, bars)}${sections.map(({ html }) => html)}<footer class="soft">
<p>Made by brief-batch on ${dates.dateTime(now)}${
		baseUrl === null ? null : markup`, with the service at ${visibleLine(baseUrl, 200)}`
	}. Every row and what came of it: <a href="results.csv">results.csv</a>.</p>
</footer>
</main>
${tail(rows.length > 1 ? [SEARCHING, COPYING] : [COPYING])}`;
}

/** Makes a page of the finished briefs to pass on: without rows that failed, allowance, commands, and what lies in this folder. */
export function sharePage({
	title,
	texts,
	dates,
	now,
}: {
	title: string;
	/** The finished briefs, by their rows. */
	texts: ReadonlyMap<ReportRow, Brief>;
	dates: DateFormatter;
	now: number;
}): Html {
	const rows = [...texts.keys()];
	const anchors = anchorsOf(rows);
	const briefs = [...anchors].map(([row, anchor]) => {
		const name = visibleLine(row.product, 180);
		const heading = visibleLine(row.title, 200) || name;
		const about = markup`<bdi>${name}</bdi>`;
		const body = briefBody(texts.get(row) ?? null, heading, Infinity);
		const isOpen = rows.length === 1;
		return article({ anchor, status: 'ready', title: heading, isOpen, about, above: null, body });
	});
	return markup`${head(title)}<nav aria-label="On this page">
${contents(anchors)}
</nav>
<main>
<header id="top">
<p class="eyebrow">Creator briefs</p>
<h1><bdi>${visibleLine(title, 120)}</bdi></h1>
<p class="lead">${count(rows.length, 'brief')}, ${dates.date(now)}</p>
</header>
<section id="briefs" class="print-all" aria-labelledby="briefs-title">
<h2 id="briefs-title" class="unseen">Briefs</h2>
${rows.length < 2 ? null : searchBox('Search: product or title')}<div id="rows">
${briefs}</div>
</section>
</main>
${tail(rows.length > 1 ? [SEARCHING] : [])}`;
}

/** Nothing is loaded, and nothing runs but searching and copying, even if a brief got markup into the page. */
const POLICY = `default-src 'none'; style-src 'unsafe-inline'; script-src ${SCRIPT_SOURCES}; img-src data:`;

/** Makes all that is above what is read. */
function head(title: string): Html {
	return markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${new Html(POLICY)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${visibleLine(title, 120)} · creator briefs</title>
<style>${new Html(STYLE)}</style>
</head>
<body>
`;
}

/** Makes all that is below it. */
function tail(scripts: readonly string[]): Html {
	return markup`${scripts.map((script) => markup`<script>${new Html(script)}</script>`)}
</body>
</html>
`;
}

/** Gives the anchor on the page of each row whose brief is there. */
function anchorsOf(rows: readonly ReportRow[]): Map<ReportRow, string> {
	const readable = rows.filter(({ isReadable }) => isReadable);
	return new Map(readable.map((row, index) => [row, `brief-${index + 1}`]));
}

/** Lists links to the briefs. */
function contents(anchors: ReadonlyMap<ReportRow, string>): Html | null {
	if (anchors.size < 2) return null;
	const items = [...anchors].map(
		([{ product }, anchor]) =>
			markup`<li><a href="#${anchor}"><bdi>${visibleLine(product, 80)}</bdi></a></li>
`,
	);
	return markup`<ol>
${items}</ol>`;
}

/** Makes the top of the page: what happened, in a few numbers. */
function glance(report: Report, bars: readonly Bar[]): Html {
	const { name, records, outcome } = report;
	const { counts } = outcome;
	const statuses = LISTED_STATUSES.filter((status) => status === 'ready' || counts[status] > 0);
	const tiles = statuses.map((status) => {
		const { word, sign, means } = STATUS_WORDS[status];
		return markup`<li class="${status}"><b>${formatNumber(counts[status])}</b>
<span class="word"><span aria-hidden="true">${sign}</span> ${word}</span>
<span class="soft">${means}</span></li>
`;
	});
	const shares = statuses
		.filter((status) => counts[status] > 0 && statuses.length > 1)
		.map((status) => markup`<span class="${status}" style="flex-grow:${counts[status]}"></span>`);
	return markup`<header id="top">
<p class="eyebrow"><bdi>Creator briefs · ${visibleLine(name, 80)}</bdi></p>
<h1><bdi>${visibleLine(records.batch ?? 'Batch', 120)}</bdi></h1>
<p class="lead">${headline(outcome)}</p>
<ul class="counts">
${tiles}</ul>
${shares.length === 0 ? null : markup`<div class="stack" aria-hidden="true">${shares}</div>`}
${facts(report, bars)}
${notes(report)}
</header>
`;
}

function totalOf({ counts }: BatchOutcome): number {
	return LISTED_STATUSES.reduce((sum, status) => sum + counts[status], 0);
}

function headline(outcome: BatchOutcome): string {
	const { ready } = outcome.counts;
	const total = totalOf(outcome);
	const later = countLeft(outcome.counts);
	const needy = countNeedy(outcome);
	if (total === 0) return 'Nothing has been ordered yet.';
	if (total === 1) {
		if (ready === 1) return 'The brief is ready.';
		return `The brief is not ready: it ${needy > 0 ? 'needs you' : 'comes later'}.`;
	}
	if (ready === total) return `All ${formatNumber(total)} products have their brief.`;
	return [
		`${formatNumber(ready)} of ${formatNumber(total)} products ${ready === 1 ? 'has its' : 'have their'} brief.`,
		...(needy > 0 ? [`${formatNumber(needy)} ${needy === 1 ? 'needs' : 'need'} you.`] : []),
		...(later > 0 ? [`${formatNumber(later)} ${later === 1 ? 'comes' : 'come'} later.`] : []),
	].join(' ');
}

function facts({ records, tries, dates }: Report, bars: readonly Bar[]): Html | null {
	const { lastRun } = records;
	const from = Date.parse(tries[0]?.at ?? '');
	if (Number.isNaN(from)) return null;
	const to = bars.reduce((last, bar) => Math.max(last, bar.to), from);
	const times = bars.filter(({ hasNoEnd }) => !hasNoEnd).map((bar) => bar.to - bar.from);
	const usual = times.sort((a, b) => a - b)[Math.floor(times.length / 2)];
	const { paid, taken_over, fetched } = briefNumbers(tries);
	const others = taken_over > 0 ? `, ${formatNumber(taken_over)} taken over` : '';
	return markup`<dl class="facts">
${fact('Briefs', `${formatNumber(paid)} paid${others}, ${formatNumber(fetched)} fetched`)}
${fact('When', dates.span(from, to))}
${stretchOf(bars) === null ? null : fact('How long', durationToTheSecond(to - from))}
${usual === undefined ? null : fact('One brief took', markup`${durationToTheSecond(usual)} <span class="soft">usually</span>`)}
${lastRun === null ? null : fact('Last run ended', dates.dateTime(Date.parse(lastRun.at)))}
</dl>`;
}

function fact(name: string, value: Html | string): Html {
	return markup`<div><dt>${name}</dt><dd>${value}</dd></div>`;
}

function notes({ isWhole, records }: Report): Html | null {
	const { lastRun, isUnderWay } = records;
	const texts = [
		!isWhole
			? 'The CSV could not be read when this page was made, so it has only the rows that were sent.'
			: '',
		isUnderWay
			? 'A run was going on when this page was made, or the last one has no end on record. While it goes on the page is made again after each brief, or less often if there are many rows.'
			: '',
		lastRun === null && !isUnderWay
			? 'No run has come to its end yet; these are the facts so far.'
			: '',
	].filter((text) => text !== '');
	return texts.length === 0 ? null : markup`<p class="note">${texts.join(' ')}</p>`;
}

/** The report says what happened to this many rows of a status, and results.csv to all. */
const MOST_EXPLAINED = 200;

/** The longest text about a row, in characters. */
const LONGEST = 1200;

/** What is left for later needs nobody. */
const LATER = {
	deferred:
		'left for the next allowance. Nothing was spent on them, and deferred.csv holds the same rows.',
	pending:
		'waiting for their turn, not asked for, or being written. If no run is at work, run the same command again: it goes on where the last one stopped, and pays for nothing twice.',
} as const;

const NEXT = ['parked', 'changed', 'failed', 'invalid', 'deferred', 'pending'] as const;

/** Shows the rows that somebody must look at, and what to do about them; null if there are none. */
function whatToDo({ outcome: { counts }, results, place }: Report): Html | null {
	const statuses = NEXT.filter((status) => counts[status] > 0);
	if (statuses.length === 0) return null;
	const groups = statuses.map((status) => {
		const rows = results.filter((row) => row.status === status);
		const shownRows = status === 'pending' ? [] : rows.slice(0, MOST_EXPLAINED);
		const others = shownRows.length === 0 ? 0 : counts[status] - shownRows.length;
		const changedRows = rows.flatMap(({ number, own_number: ownNumber }) =>
			number === undefined ? [] : [{ number, ownNumber }],
		);
		const { text, command } =
			status === 'deferred' || status === 'pending'
				? { text: LATER[status], command: undefined }
				: nextStepFor({ status, count: counts[status], changedRows, areShown: true }, place);
		return markup`<div class="group">
<h3>${badge(status)} ${count(counts[status], 'row')}</h3>
<p>${asSentence(text)}</p>
${command === undefined ? null : commandBox(command)}${rowsTable(shownRows)}
${others > 0 ? markup`<p class="more">And ${formatNumber(others)} more, all listed in <a href="results.csv">results.csv</a>.</p>` : null}
</div>
`;
	});
	return markup`<section id="attention" aria-labelledby="attention-title">
<h2 id="attention-title">What to do next</h2>
${groups}</section>
`;
}

function asSentence(text: string): string {
	return visibleLine(`${text.slice(0, 1).toUpperCase()}${text.slice(1)}`, LONGEST);
}

function rowsTable(rows: readonly RowResult[]): Html | null {
	const [first] = rows;
	if (first === undefined) return null;
	// If all rows say the same, as deferred ones do, it is said once. A command names its row.
	const isSame =
		rows.length > 1 &&
		first.error !== '' &&
		rows.every(({ error, next }) => error === first.error && next.length === 0);
	const lines = rows.map((row) => {
		const ownText = row.own_number === undefined ? '' : ` (${visibleLine(row.own_number, 40)})`;
		const name = markup`<bdi>${visibleLine(row.product, 180) || '(no name)'}${ownText}</bdi>`;
		const link = webLink(row.url, 'Open in the app');
		const about = isSame ? null : markup`</td><td>${wordsAsHtml(row)}`;
		return markup`<tr><td class="number">${row.number === undefined ? '–' : formatNumber(row.number)}</td><td>${name}${about}${link === null ? null : markup` ${link}`}</td></tr>
`;
	});
	return markup`${isSame ? markup`<p class="said">${visibleLine(first.error, LONGEST)}</p>` : null}
<table class="rows">
<thead><tr><th scope="col">Row</th><th scope="col">Product</th>${isSame ? null : markup`<th scope="col">What happened</th>`}</tr></thead>
<tbody>
${lines}</tbody>
</table>`;
}

/** Says what happened to a row and what to do about it, each command in its box. */
function wordsAsHtml({ error, next }: RowResult): Html {
	const steps = next.map(
		({ text, command }) =>
			markup`${prose(text)}${command === undefined ? null : commandBox(command)}`,
	);
	return markup`${prose(shorten(visibleText(error), LONGEST))} ${steps}`;
}

function prose(text: string): Html | null {
	return text === '' ? null : markup`<bdi>${text}</bdi>`;
}

/** Shows a command on a line of its own, with a button that copies it; the button is hidden until its script runs. */
function commandBox(command: string): Html {
	return markup`<div class="command"><code tabindex="0">${command}</code><button type="button" hidden>Copy</button></div>
`;
}

function badge(status: RowStatus): Html {
	const { word, sign } = STATUS_WORDS[status];
	return markup`<span class="badge ${status}"><span aria-hidden="true">${sign}</span> ${word}</span>`;
}

/** Shows the month's allowance after the last run. Null while no run has ended: then none is on record. */
function allowanceSection({ records, tries, now }: Report): Html | null {
	const { lastRun } = records;
	if (lastRun === null) return null;
	const asOf = Date.parse(lastRun.at);
	const used = Math.max(0, lastRun.used);
	const allowance = lastRun.allowance ?? 0;
	const [title, end] = [
		markup`<section id="allowance" aria-labelledby="allowance-title">
<h2 id="allowance-title">Allowance of ${monthInWords(asOf)}</h2>
`,
		markup`</section>
`,
	];
	if (allowance <= 0)
		return markup`${title}<p class="soft">Not known. The workspace used at least ${count(used, 'brief')}.</p>
${end}`;
	const month = new Date(asOf).toISOString().slice(0, 7);
	const ofMonth = paidByMonth(tries).find((one) => one.month === month);
	const byBatch = Math.min(ofMonth?.paid ?? 0, used);
	const parts = [
		{ kind: 'others', n: used - byBatch, text: 'used before or by others' },
		{ kind: 'batch', n: byBatch, text: 'used by this batch' },
		{ kind: 'left', n: Math.max(0, allowance - used), text: 'left' },
	];
	const next = dayInWords(nextMonthStart(asOf));
	const resets =
		nextMonthStart(asOf) <= now
			? `That month is over: a new allowance began on ${next} (UTC).`
			: `It resets on ${next}, 00:00 UTC.`;
	const shares = parts
		.filter(({ n }) => n > 0)
		.map(({ kind, n }) => markup`<span class="${kind}" style="flex-grow:${n}"></span>`);
	const legend = parts.map(
		({ kind, n, text }) =>
			markup`<span><i class="swatch ${kind}"></i> <b>${formatNumber(n)}</b> ${text}</span>
`,
	);
	return markup`${title}<div class="stack tall" role="img" aria-label="${formatNumber(used)} of ${formatNumber(allowance)} used">${shares}</div>
<p class="legend">${legend}</p>
<p class="soft">${count(allowance, 'brief')} a month, counted for the whole workspace. ${resets}</p>
${end}`;
}

/** The time for which a brief held a slot, in the lane that it is drawn in. */
interface Bar {
	record: Order;
	from: number;
	to: number;
	/** True if its end is not in the journal: it is being written, late or parked. */
	hasNoEnd: boolean;
	lane: 0 | 1;
}

/** The length of a bar without a known end: the usual --timeout. */
const OPEN_LENGTH = 30 * 60_000;

/** In a chart of more time than this a brief of four minutes could not be seen. */
const LONGEST_CHART = 14 * 60 * 60_000;

/**
 * Puts the briefs that the service took into two lanes, oldest first. The service does not name its slots, so a brief
 * goes into the first that is free. Other people's briefs are not on record.
 * @param until the time of the last run in the journal
 */
function lanesOf(tries: readonly Order[], until: number): Bar[] {
	const freeFrom: [number, number] = [-Infinity, -Infinity];
	const spans = tries.flatMap((record) => {
		const from = Date.parse(record.accepted_at ?? '');
		const end = Date.parse(record.ended_at ?? '');
		const hasNoEnd = Number.isNaN(end);
		// The clock may have been set back in between.
		const to = Math.max(from, hasNoEnd ? Math.min(until, from + OPEN_LENGTH) : end);
		return Number.isNaN(from) ? [] : [{ record, from, to, hasNoEnd }];
	});
	return spans
		.sort((a, b) => a.from - b.from)
		.map((span) => {
			// If both are taken (a brief found late, or one without an end), the bars overlap visibly.
			const lane =
				freeFrom[0] <= span.from || (freeFrom[1] > span.from && freeFrom[0] <= freeFrom[1]) ? 0 : 1;
			freeFrom[lane] = Math.max(freeFrom[lane], span.to);
			return { ...span, lane };
		});
}

/** Gives the time from the first order to the last end; null if that took days, as with a list that grows every day. */
function stretchOf(bars: readonly Bar[]): { from: number; to: number } | null {
	const from = bars.reduce((least, bar) => Math.min(least, bar.from), Infinity);
	const to = bars.reduce((most, bar) => Math.max(most, bar.to), -Infinity);
	return bars.length > 0 && to - from <= LONGEST_CHART ? { from, to } : null;
}

/** Draws the two slots over time. */
function timeline(
	bars: readonly Bar[],
	dates: DateFormatter,
	anchors: ReadonlyMap<ReportRow, string>,
): Html | null {
	const stretch = stretchOf(bars);
	if (stretch === null) return null;
	const { from, to } = stretch;
	const byKey = new Map([...anchors].map(([{ record }, anchor]) => [record?.key, anchor]));
	const share = (ms: number) => `${((ms / Math.max(1, to - from)) * 100).toFixed(2)}%`;
	const drawn = (bar: Bar) => {
		const kind = bar.hasNoEnd ? 'open' : endedAs(bar.record) === 'failed' ? 'failed' : 'ready';
		// A failed brief has a sign too, for those who do not see red.
		const sign = kind === 'failed' ? `${STATUS_WORDS.failed.sign} ` : '';
		const anchor = byKey.get(bar.record.key);
		const href = anchor === undefined ? null : markup` href="#${anchor}"`;
		return markup`<a class="bar ${kind}" style="left:${share(bar.from - from)};width:${share(bar.to - bar.from)}" title="${tooltip(bar, dates)}"${href}>${sign}<bdi>${visibleLine(bar.record.product_name, 80)}</bdi></a>
`;
	};
	const lanes = [0, 1].map(
		(lane) => markup`<div class="lane">${bars.filter((bar) => bar.lane === lane).map(drawn)}</div>
`,
	);
	return markup`<section id="slots" aria-labelledby="slots-title">
<h2 id="slots-title">The two slots over time</h2>
<p class="soft">The service writes two briefs at a time. Each bar is one brief of this batch, from its order until it was seen to be finished. Other people’s briefs share the slots and are not shown.</p>
<figure class="chart">
${lanes}<figcaption class="soft"><span>${dates.time(from)}</span> <span>${dates.time(to)} ${dates.zoneName(to)}</span></figcaption>
</figure>
</section>
`;
}

function tooltip({ record, from, to, hasNoEnd }: Bar, dates: DateFormatter): string {
	const name = visibleLine(record.product_name, 120);
	const [began, ended] = [dates.timeToTheSecond(from), dates.timeToTheSecond(to)];
	if (hasNoEnd)
		return `${name}\nordered ${began} ${dates.zoneName(from)}, its end is not on record`;
	const took = durationToTheSecond(to - from);
	return `${name}\n${began}–${ended} ${dates.zoneName(to)}, ${took}, ${endedAs(record) ?? ''}`;
}

/** Up to this number, all briefs are printed, each on its own page; of more, only those that the reader has opened. */
const MOST_PRINTED = 50;

/** All texts of briefs together have so many characters at most. Longer ones are read in their files. */
const MOST_CHARACTERS = 3_000_000;

/** Shows every row with what came of it; the newest briefs are there to read. */
async function rowList(
	report: Report,
	anchors: ReadonlyMap<ReportRow, string>,
): Promise<Html | null> {
	const { rows, columns, read } = report;
	if (rows.length === 0) return null;
	let room = MOST_CHARACTERS;
	const list: Html[] = [];
	for (const row of rows) {
		const anchor = anchors.get(row);
		const { record } = row;
		if (record === undefined || anchor === undefined) {
			list.push(line(row, columns));
			continue;
		}
		const html = briefOf(report, { ...row, record, anchor }, await read(record.file ?? ''), room);
		room -= html.text.length;
		list.push(html);
	}
	const isNamed = columns.length > 0 && anchors.size <= rows.length / 2;
	const grid = `--columns:3.2rem minmax(0,2fr) ${'minmax(0,1fr) '.repeat(columns.length)}5.6rem`;
	// Briefs to read name the columns themselves.
	const heads = isNamed
		? markup`<p id="heads" style="${grid}"><span>Row</span><span>Product</span>${columns.map(({ header }) => markup`<span>${visibleLine(header, 40)}</span>`)}<span>Status</span></p>
`
		: null;
	return markup`<section id="briefs" class="${anchors.size <= MOST_PRINTED ? 'print-all' : 'print-opened'}" aria-labelledby="briefs-title">
<h2 id="briefs-title">${listHeading(report)}</h2>
${whereToRead(rows, anchors.size)}${rows.length < 2 ? null : searchBox('Search: product, title or row', statusButtons(rows))}${heads}<div id="rows" style="${grid}">
${list}</div>
</section>
`;
}

function listHeading({ rows, outcome, isWhole }: Report): string {
	const isBriefs = rows.every(({ status }) => status === 'ready');
	if (!isWhole && !isBriefs)
		return rows.length === 1 ? 'The row' : `The ${count(rows.length, 'row')}`;
	const total = Math.max(rows.length, totalOf(outcome));
	if (total > rows.length) return `${formatNumber(rows.length)} of ${count(total, 'row')}`;
	if (!isBriefs) return total === 1 ? 'The row' : `All ${count(total, 'row')}`;
	return total === 1 ? 'The brief' : `The ${count(total, 'brief')}`;
}

function whereToRead(rows: readonly ReportRow[], readable: number): Html | null {
	const elsewhere = rows.filter(({ status, isReadable }) => status === 'ready' && !isReadable);
	if (elsewhere.length === 0 || readable === 0) return null;
	return markup`<p class="soft">The newest ${count(readable, 'brief')} can be read here. The names of the others lead to their files.</p>
`;
}

/** Gives a button for each status that rows have, if there are several. */
function statusButtons(rows: readonly ReportRow[]): readonly Html[] {
	const buttons = ROW_STATUSES.flatMap((status) => {
		const n = rows.filter((row) => row.status === status).length;
		const { word, sign } = STATUS_WORDS[status];
		if (n === 0) return [];
		return markup`<button type="button" class="${status}" value="${status}" aria-pressed="false"><span aria-hidden="true">${sign}</span> ${word} <span class="soft">${formatNumber(n)}</span></button>
`;
	});
	return buttons.length < 2 ? [] : buttons;
}

/** Makes the search; hidden until its script runs. */
function searchBox(hint: string, buttons: readonly Html[] = []): Html {
	return markup`<div id="find" role="search" hidden>
<input type="search" aria-label="Search the rows" placeholder="${hint}" autocomplete="off" spellcheck="false">
${buttons}<output class="soft" aria-live="polite"></output>
</div>
`;
}

/** Shows a row whose brief is not on the page. There may be twenty thousand of these, so they are short. */
function line(row: ReportRow, columns: readonly Column[]): Html {
	const { number, product, status, title, file, url, cells } = row;
	const name = markup`<bdi>${visibleLine(product, 80) || '(no name)'}</bdi>`;
	// Names of files come from the journal, which anybody can edit.
	const fileName = /^results\/(.*)\.md$/.exec(file)?.[1] ?? '';
	const address = isBriefFileName(fileName) ? file : safeWebAddress(url);
	const link = address === null ? name : markup`<a href="${address}">${name}</a>`;
	const titleText =
		title === '' ? null : markup` <bdi class="soft">${visibleLine(title, 80)}</bdi>`;
	const values = columns.map(
		({ place }) => markup`<bdi>${visibleLine(cells[place] ?? '', 60)}</bdi>`,
	);
	return markup`<p class="${status}"><b>${number ?? '–'}</b><span>${link}${titleText}</span>${values}</p>
`;
}

/** Shows a row with its brief, to read. */
function briefOf(
	{ rows, columns, dates }: Report,
	{ record, anchor, status, number, cells }: ReportRow & { record: Order; anchor: string },
	text: Brief | null,
	room: number,
): Html {
	const product = visibleLine(record.product_name, 180);
	const title = visibleLine(record.brief?.title ?? '', 200) || product;
	const place = number === undefined ? null : markup`Row <b>${number}</b> · `;
	const values = columns.map(({ header, place: at }) => {
		const value = visibleLine(cells[at] ?? '', 60);
		return value === '' ? null : markup` · ${visibleLine(header, 40)} <bdi>${value}</bdi>`;
	});
	const end = Date.parse(record.ended_at ?? '');
	const ended = Number.isNaN(end) ? '' : ` · finished ${dates.dateTime(end)}`;
	const took = record.took_ms === null ? '' : ` · took ${durationToTheSecond(record.took_ms)}`;
	const about = markup`${place}<bdi>${product}</bdi>${values}${ended}${took}`;
	const above = linksAndWarnings(record, text);
	const body = briefBody(text, title, room);
	return article({ anchor, status, title, isOpen: rows.length === 1, about, above, body });
}

/** Shows a brief: a title to click on, and below it what can be read. */
function article({
	anchor,
	status,
	isOpen,
	title,
	about,
	above,
	body,
}: {
	anchor: string;
	status: RowStatus;
	isOpen: boolean;
	title: string;
	about: Html;
	above: Html | null;
	body: Html;
}): Html {
	return markup`<article id="${anchor}" class="${status}">
<details${isOpen ? markup` open` : null}>
<summary><h3><bdi>${title}</bdi>${status === 'ready' ? null : markup` ${badge(status)}`}</h3><p class="soft">${about}</p></summary>
${above}<div class="brief" dir="auto">
${body}</div>
<p class="back"><a href="#top">Back to the top</a></p>
</details>
</article>
`;
}

/** Links to where else it is, and shows what the service warns of. */
function linksAndWarnings({ brief, file }: Order, text: Brief | null): Html {
	// The name comes from the journal, which anybody can edit.
	const files =
		file === null || !isBriefFileName(file)
			? null
			: markup`
<a href="results/${file}.md">Markdown file</a>
<a href="results/${file}.json">All data (JSON)</a>`;
	return markup`<p class="links">${webLink(brief?.url ?? '', 'Open in the vendor’s app')}${files}</p>
${text === null ? null : warnings(text.warnings)}
`;
}

/** The form of a warning is open (docs/api.md section 2.2): a text, or an object with a `message`, is shown. */
function warnings(list: unknown[]): Html | null {
	const texts = list.flatMap((item) => {
		const text = typeof item === 'string' ? item : (item as { message?: unknown } | null)?.message;
		return typeof text === 'string' && text.trim() !== '' ? [visibleLine(text, 400)] : [];
	});
	if (texts.length === 0) return null;
	return markup`<ul class="warnings">${texts.slice(0, 20).map((text) => markup`<li><bdi>${text}</bdi></li>`)}</ul>`;
}

function briefBody(text: Brief | null, title: string, room: number): Html {
	if (text === null)
		return markup`<p>Its file is not under results/ any more, or cannot be read. The brief itself is in the vendor’s app.</p>`;
	if (text.markdown === null) return markup`<p>The service sent no text with this brief.</p>`;
	const html = renderMarkdown(text.markdown, title);
	return html.text.length <= room
		? html
		: markup`<p>There is no room for its text here. It is in the Markdown file.</p>`;
}
