import { endedAs, type Order } from '../../folder/records';
import { durationToTheSecond, type DateFormatter } from './dates';
import { markup, type Html } from './html';
import { STATUS_WORDS } from './statuses';
import { visibleLine } from './visible-text';

/** The time for which a brief held a slot. */
interface Span {
	record: Order;
	from: number;
	to: number;
	/** True if its end is not in the journal: it is still being written, or needs attention. */
	hasNoEnd: boolean;
}

/** The same as a bar, in the lane that it is drawn in. */
export interface Bar extends Span {
	lane: 0 | 1;
}

/** The length of a bar without a known end: the time after which a brief is parked. */
const OPEN_LENGTH = 30 * 60_000;

/** In a chart of more time than this a brief of four minutes could not be seen. */
const LONGEST_CHART = 14 * 60 * 60_000;

/**
 * Puts the briefs that the service took into two lanes, oldest first. The service does not name its slots, so a brief
 * goes into the first that is free. Other people's briefs are not on record.
 * @param until the time of the last run in the journal
 */
export function lanesOf(tries: readonly Order[], until: number): Bar[] {
	const freeFrom: [number, number] = [-Infinity, -Infinity];
	return tries
		.flatMap((record) => spanOf(record, until))
		.sort((a, b) => a.from - b.from)
		.map((span) => {
			// If both are taken (a brief found late, or one without an end), the bars overlap visibly.
			const lane =
				freeFrom[0] <= span.from || (freeFrom[1] > span.from && freeFrom[0] <= freeFrom[1]) ? 0 : 1;
			freeFrom[lane] = Math.max(freeFrom[lane], span.to);
			return { ...span, lane };
		});
}

function spanOf(record: Order, until: number): Span[] {
	const from = Date.parse(record.accepted_at ?? '');
	if (Number.isNaN(from)) return [];
	const end = Date.parse(record.ended_at ?? '');
	const hasNoEnd = Number.isNaN(end);
	// The clock may have been set back in between.
	const to = Math.max(from, hasNoEnd ? Math.min(until, from + OPEN_LENGTH) : end);
	return [{ record, from, to, hasNoEnd }];
}

/** Gives the time from the first order to the last end; null if that took days, as with a list that grows every day. */
export function stretchOf(bars: readonly Bar[]): { from: number; to: number } | null {
	const from = bars.reduce((least, bar) => Math.min(least, bar.from), Infinity);
	const to = bars.reduce((most, bar) => Math.max(most, bar.to), -Infinity);
	return bars.length > 0 && to - from <= LONGEST_CHART ? { from, to } : null;
}

/** Draws the two slots over time. */
export function timeline(
	bars: readonly Bar[],
	dates: DateFormatter,
	anchorOf: (bar: Bar) => string | null,
): Html | null {
	const stretch = stretchOf(bars);
	if (stretch === null) return null;
	const { from, to } = stretch;
	const share = (ms: number) => `${((ms / Math.max(1, to - from)) * 100).toFixed(2)}%`;
	const drawn = (bar: Bar) => {
		const kind = bar.hasNoEnd ? 'open' : endedAs(bar.record) === 'failed' ? 'failed' : 'ready';
		// A failed brief has a sign too, for those who do not see red.
		const sign = kind === 'failed' ? `${STATUS_WORDS.failed.sign} ` : '';
		const link = anchorOf(bar);
		const href = link === null ? null : markup` href="#${link}"`;
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

function tooltip(bar: Bar, dates: DateFormatter): string {
	const name = visibleLine(bar.record.product_name, 120);
	if (bar.hasNoEnd)
		return `${name}\nordered ${dates.timeToTheSecond(bar.from)} ${dates.zoneName(bar.from)}, its end is not on record`;
	const took = durationToTheSecond(bar.to - bar.from);
	const times = `${dates.timeToTheSecond(bar.from)}–${dates.timeToTheSecond(bar.to)} ${dates.zoneName(bar.to)}`;
	return `${name}\n${times}, ${took}, ${endedAs(bar.record) ?? ''}`;
}
