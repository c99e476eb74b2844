import { LISTED_STATUSES } from '../../folder/journal/row-status';
import { briefNumbers } from '../../folder/journal/paid';
import type { Order } from '../../folder/records';
import type { ReportData } from '../report-data';
import { formatNumber } from '../../text';
import { markup, type Html } from './html';
import { stretchOf, type Bar } from './timeline';
import { STATUS_WORDS } from './statuses';
import { visibleLine } from './visible-text';
import { durationToTheSecond, type DateFormatter } from './dates';

/** Makes the top of the page: what happened, in a few numbers. */
export function glance(data: ReportData, bars: readonly Bar[], dates: DateFormatter): Html {
	const { counts } = data;
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
<p class="eyebrow"><bdi>Creator briefs · ${visibleLine(data.name, 80)}</bdi></p>
<h1><bdi>${visibleLine(data.records.batch ?? 'Batch', 120)}</bdi></h1>
<p class="lead">${headline(data)}</p>
<ul class="counts">
${tiles}</ul>
${shares.length === 0 ? null : markup`<div class="stack" aria-hidden="true">${shares}</div>`}
${facts(data, bars, dates)}
${notes(data)}
</header>
`;
}

function headline({ counts }: ReportData): string {
	const total = Object.values(counts).reduce((sum, n) => sum + n, 0);
	if (total === 0) return 'Nothing has been ordered yet.';
	const { ready, failed, invalid, parked, changed, deferred, pending } = counts;
	const person = failed + invalid + parked + changed;
	const later = deferred + pending;
	if (total === 1) {
		if (ready === 1) return 'The brief is ready.';
		return `The brief is not ready: it ${person === 1 ? 'needs attention' : 'comes later'}.`;
	}
	if (ready === total) return `All ${formatNumber(total)} products have their brief.`;
	return [
		`${formatNumber(ready)} of ${formatNumber(total)} products ${ready === 1 ? 'has its' : 'have their'} brief.`,
		...(person > 0
			? [`${formatNumber(person)} ${person === 1 ? 'needs' : 'need'} attention.`]
			: []),
		...(later > 0 ? [`${formatNumber(later)} ${later === 1 ? 'comes' : 'come'} later.`] : []),
	].join(' ');
}

function facts(
	{ records, tries }: ReportData,
	bars: readonly Bar[],
	dates: DateFormatter,
): Html | null {
	const { lastRun } = records;
	const from = Date.parse(tries[0]?.at ?? '');
	if (Number.isNaN(from)) return null;
	const to = bars.reduce((last, bar) => Math.max(last, bar.to), from);
	const length = median(bars.filter(({ hasNoEnd }) => !hasNoEnd).map((bar) => bar.to - bar.from));
	const usual =
		length === null
			? null
			: markup`${durationToTheSecond(length)} <span class="soft">usually</span>`;
	const endTime = lastRun === null ? null : dates.dateTime(Date.parse(lastRun.at));
	return markup`<dl class="facts">
${fact('Briefs', numbers(tries))}
${fact('When', dates.span(from, to))}
${fact('How long', stretchOf(bars) === null ? null : durationToTheSecond(to - from))}
${fact('One brief took', usual)}
${fact('Last run ended', endTime)}
</dl>`;
}

/** "12 paid, 1 taken over, 13 fetched" */
function numbers(tries: readonly Order[]): string {
	const { paid, taken_over, fetched } = briefNumbers(tries);
	return [
		`${formatNumber(paid)} paid`,
		...(taken_over > 0 ? [`${formatNumber(taken_over)} taken over`] : []),
		`${formatNumber(fetched)} fetched`,
	].join(', ');
}

function fact(name: string, value: Html | string | null): Html | null {
	return value === null ? null : markup`<div><dt>${name}</dt><dd>${value}</dd></div>`;
}

function notes({ isWhole, records }: ReportData): Html | null {
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

function median(values: number[]): number | null {
	const sorted = values.sort((a, b) => a - b);
	return sorted[Math.floor(sorted.length / 2)] ?? null;
}
