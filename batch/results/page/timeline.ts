import { count, formatNumber } from '../../text';
import { percentOf, timeRangesOf, ticksOf, type TimeRange } from './time-axis';
import { Html, markup } from './html';
import type { Bar } from './lanes';
import { STATUS_WORDS } from './statuses';
import { shortened } from './visible-text';
import { durationToTheSecond, type DateFormatter } from './dates';

const NARROWEST_BAR_PERCENT = 0.3;

/** As many as two slots can take in two days. */
const MOST_DRAWN = 1000;

/** How much of a name fits a bar on a wide screen. On a narrow one the bar cuts it off. */
const CHARACTERS_PER_PERCENT = 1.05;
const SHORTEST_LABEL = 6;
/** A label with this many characters is readable on a phone too. */
const ROOMY = 24;
const NARROWEST_SIGN_PERCENT = 2.5;

/** Tall bars have room for a name. If each day has its own chart, flat bars show only the pattern. */
const TALL = { bar: 30, gap: 8 };
const FLAT = { bar: 13, gap: 3 };

/** The two slots over time. Widths are percentages, so that the letters stay readable on a phone. */
export function* timeline(
	all: readonly Bar[],
	dates: DateFormatter,
	anchorOf: (bar: Bar) => string | null,
): Generator<Html> {
	if (all.length === 0) return;
	const bars = all.slice(-MOST_DRAWN);
	const ranges = timeRangesOf(bars, dates);
	const isByDay = ranges.length > 1;
	const zone = dates.zoneName(bars[0]?.from ?? 0);
	const lines = isByDay ? '; each day with briefs has its own line' : '';
	yield markup`<section id="slots" aria-labelledby="slots-title">
<h2 id="slots-title">The two slots over time</h2>
<p class="soft">The service writes two briefs at a time. Each bar is one brief of this batch, from its order until it was seen to be finished. Other people’s briefs share the slots and are not shown. Times are ${zone}${lines}.${
		all.length > bars.length
			? ` The newest ${formatNumber(bars.length)} of ${count(all.length, 'brief')} are drawn.`
			: null
	}</p>
<div class="charts">
`;
	let next = 0;
	for (const range of ranges) {
		// Bars and ranges are both in order; a bar that reaches past midnight is drawn in both days.
		while (next < bars.length && (bars[next]?.to ?? 0) < range.from) next += 1;
		const inside: Bar[] = [];
		for (let at = next; at < bars.length; at++) {
			const bar = bars[at];
			if (bar === undefined || bar.from >= range.to) break;
			if (bar.to >= range.from) inside.push(bar);
		}
		yield chart(range, inside, isByDay, dates, anchorOf);
	}
	yield markup`</div>
${legend(bars)}
</section>
`;
}

function chart(
	range: TimeRange,
	bars: readonly Bar[],
	isByDay: boolean,
	dates: DateFormatter,
	anchorOf: (bar: Bar) => string | null,
): Html {
	const size = isByDay ? FLAT : TALL;
	const lanes = 2 * size.bar + size.gap;
	const ticks = ticksOf(range, dates);
	const day = dates.day(range.from);
	const title = `${isByDay ? day : 'Both slots'}: ${count(bars.length, 'brief')}`;
	const caption = isByDay
		? markup`<b>${day}</b> <span class="soft">${count(bars.length, 'brief')}</span>`
		: markup`<span class="slot">Slot 1</span><span class="slot">Slot 2</span>`;
	const lines = ticks.map(
		({ percent }) =>
			markup`<line class="tick" x1="${share(percent)}" x2="${share(percent)}" y2="${lanes + 4}"/>
`,
	);
	const labels = ticks.map(
		({ percent, label }) =>
			markup`<text class="tick-label" x="${share(percent)}" y="${lanes + 17}" text-anchor="${anchor(percent)}">${label}</text>
`,
	);
	return markup`<figure class="chart ${isByDay ? 'by-day' : 'slots'}">
<figcaption>${caption}</figcaption>
<svg role="img" aria-label="${title}" width="100%" height="${lanes + 20}">
<rect class="lane" width="100%" height="${size.bar}" rx="3"/>
<rect class="lane" width="100%" height="${size.bar}" y="${size.bar + size.gap}" rx="3"/>
${lines}${bars.map((bar) => drawn(bar, range, size, dates, anchorOf(bar)))}${labels}</svg>
</figure>
`;
}

function drawn(
	bar: Bar,
	range: TimeRange,
	size: typeof TALL,
	dates: DateFormatter,
	link: string | null,
): Html {
	const from = percentOf(bar.from, range);
	const width = Math.max(NARROWEST_BAR_PERCENT, percentOf(bar.to, range) - from);
	const y = bar.lane * (size.bar + size.gap);
	// An svg of its own, because that cuts off a label that is too long.
	const drawing = markup`<svg class="bar ${kindOf(bar)}" x="${share(from)}" y="${y}" width="${share(width)}" height="${size.bar}"><title>${tooltip(bar, dates)}</title><rect width="100%" height="100%" rx="3"/>${size === TALL ? label(bar, width) : null}</svg>`;
	return markup`${link === null ? drawing : markup`<a href="#${link}">${drawing}</a>`}
`;
}

function label(bar: Bar, width: number): Html | null {
	const isFailed = kindOf(bar) === 'failed';
	const fitting = Math.floor(width * CHARACTERS_PER_PERCENT) - (isFailed ? 3 : 1);
	const name = fitting < SHORTEST_LABEL ? '' : shortened(bar.record.product_name, fitting);
	// A failed brief has a sign too, for those who do not see red.
	const text =
		isFailed && width > NARROWEST_SIGN_PERCENT ? `${STATUS_WORDS.failed.sign} ${name}` : name;
	if (text === '') return null;
	const room = fitting >= ROOMY ? ' class="roomy"' : '';
	return markup`<text${new Html(room)} x="7" y="${TALL.bar / 2 + 4}">${text}</text>`;
}

function tooltip(bar: Bar, dates: DateFormatter): string {
	const name = shortened(bar.record.product_name, 120);
	if (bar.isOpen)
		return `${name}\nordered ${dates.timeToTheSecond(bar.from)}, its end is not on record`;
	const took = durationToTheSecond(bar.to - bar.from);
	const times = `${dates.timeToTheSecond(bar.from)}–${dates.timeToTheSecond(bar.to)}`;
	return `${name}\n${times}, ${took}, ${bar.record.status ?? ''}`;
}

function kindOf(bar: Bar): 'ready' | 'failed' | 'open' {
	if (bar.isOpen) return 'open';
	return bar.record.status === 'failed' ? 'failed' : 'ready';
}

const KINDS = { ready: 'ready', failed: 'failed', open: 'its end is not on record' };

function legend(bars: readonly Bar[]): Html | null {
	const kinds = new Set(bars.map(kindOf));
	if (kinds.size === 1 && kinds.has('ready')) return null;
	const shown = (['ready', 'failed', 'open'] as const).filter((kind) => kinds.has(kind));
	return markup`<p class="legend">
		${shown.map((kind) => markup`<span><i class="swatch ${kind}"></i> ${KINDS[kind]}</span> `)}
	</p>`;
}

function share(percent: number): string {
	return `${Number(percent.toFixed(3))}%`;
}

/** Keeps labels at the edges inside the chart. */
function anchor(percent: number): 'start' | 'middle' | 'end' {
	if (percent < 4) return 'start';
	return percent > 96 ? 'end' : 'middle';
}
