import { DAY_MS, type DateFormatter } from './dates';

/** A range of time that is drawn as one chart. */
export interface TimeRange {
	from: number;
	to: number;
}

export interface Tick {
	/** From 0 to 100. */
	percent: number;
	label: string;
}

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Round distances between two ticks. */
const STEPS = [
	...[SECOND, 2 * SECOND, 5 * SECOND, 10 * SECOND, 15 * SECOND, 30 * SECOND],
	...[MINUTE, 2 * MINUTE, 5 * MINUTE, 10 * MINUTE, 15 * MINUTE, 30 * MINUTE],
	...[HOUR, 2 * HOUR, 3 * HOUR, 6 * HOUR],
];
const MOST_TICKS = 7;

/** A longer time gets a chart for each day, so that a bar of four minutes stays visible. */
const LONGEST_CHART = 14 * HOUR;

/** One range for a run of some hours; else one for each day on which something happened. */
export function timeRangesOf(spans: readonly TimeRange[], dates: DateFormatter): TimeRange[] {
	const from = spans.reduce((least, span) => Math.min(least, span.from), Infinity);
	const to = spans.reduce((most, span) => Math.max(most, span.to), -Infinity);
	if (to - from <= LONGEST_CHART) {
		const margin = Math.max((to - from) * 0.01, 0.5 * SECOND);
		return [{ from: from - margin, to: to + margin }];
	}
	const days = new Map<number, TimeRange>();
	for (const span of spans) {
		let day = dates.startOfDay(span.from);
		while (day <= span.to) {
			// 26 hours later it is the next day, even on a day when the clocks change.
			const next = dates.startOfDay(day + DAY_MS + 2 * HOUR);
			days.set(day, { from: day, to: next });
			day = next;
		}
	}
	return [...days.values()].sort((a, b) => a.from - b.from);
}

/** Round times within a range, at most seven of them. */
export function ticksOf({ from, to }: TimeRange, dates: DateFormatter): Tick[] {
	const step = STEPS.find((candidate) => (to - from) / candidate <= MOST_TICKS) ?? 6 * HOUR;
	const ticks: Tick[] = [];
	const midnight = dates.startOfDay(from);
	for (let n = Math.ceil((from - midnight) / step); midnight + n * step <= to; n++) {
		const at = midnight + n * step;
		const label = step < MINUTE ? dates.timeToTheSecond(at) : dates.time(at);
		ticks.push({ percent: percentOf(at, { from, to }), label });
	}
	return ticks;
}

export function percentOf(instant: number, { from, to }: TimeRange): number {
	return Math.min(100, Math.max(0, ((instant - from) / (to - from)) * 100));
}
