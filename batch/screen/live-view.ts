import { count, formatNumber } from '../text';
import { mean, restOf, estimateOf } from './estimate';
import { rowLine } from './event-lines';
import { allowanceUsed, clockTime, duration, oneLine } from './format';
import type { Progress } from './progress';
import { fitWidth, textWidth } from './text-width';

const REDRAW_MS = 500;

const ESC = '\u001b[';
/** Between these a terminal that can do so shows nothing, so that no half of a drawing is seen. */
const [BEGIN, END] = [`${ESC}?2026h`, `${ESC}?2026l`];
/**
 * Between these a line that is too long is cut off by the terminal. Some terminals draw characters wider than others;
 * a line that broke in two there would leave its first half behind.
 */
const [NO_WRAP, WRAP] = [`${ESC}?7l`, `${ESC}?7h`];
const ERASE_BELOW = `${ESC}J`;

/**
 * The state of a run as some lines at the foot of a terminal that are drawn again and again, below all that is printed.
 * Each change is one write: it erases the old lines, prints what is to stay in their place, and draws the new
 * lines below it. The cursor is then in the line after them.
 */
export class LiveView {
	private drawn: readonly string[] = [];
	private readonly timer = setInterval(() => this.redraw(), REDRAW_MS).unref();

	constructor(
		private readonly out: NodeJS.WriteStream,
		private readonly progress: () => Progress | null,
	) {}

	get width(): number {
		return this.out.columns || 80;
	}

	/** @param line is printed above it for good */
	redraw(line: string | null = null): void {
		const progress = this.progress();
		const isBegun = progress !== null && progress.total > 0;
		const lines = isBegun ? draw(progress, Date.now(), this.width) : [];
		this.put(lines, line === null ? '' : `${line}\n`);
	}

	/** Counts the lines of the screen that it takes: most terminals break lines in two when they become narrower. */
	private height(): number {
		const heights = this.drawn.map((line) => Math.ceil(textWidth(line) / this.width));
		return heights.reduce((sum, height) => sum + Math.max(1, height), 0);
	}

	close(): void {
		clearInterval(this.timer);
		this.put([]);
	}

	/** @param above the text that is printed for good, with its line end */
	private put(lines: readonly string[], above = ''): void {
		// A line that has gone off the screen at its top could not be erased any more.
		const room = Math.max(0, (this.out.rows || 24) - 1);
		const shownLines = lines.slice(Math.max(0, lines.length - room));
		const isSame =
			shownLines.length === this.drawn.length &&
			shownLines.every((line, i) => line === this.drawn[i]);
		if (isSame && above === '') return;
		const up = this.drawn.length === 0 ? '' : `${ESC}${this.height()}A`;
		const block = shownLines.map((line) => `${line}\n`).join('');
		this.out.write(`${BEGIN}\r${up}${ERASE_BELOW}${above}${NO_WRAP}${block}${WRAP}${END}`);
		this.drawn = shownLines;
	}
}

const BAR_WIDTH = 24;

/**
 * Draws the live view: a line for each brief being written, and one for the whole. None is wider than the terminal,
 * which would break it in two, and leave the second part behind when the view is drawn again.
 */
function draw(progress: Progress, now: number, width: number): string[] {
	const typical = progress.durations.length === 0 ? null : mean(progress.durations);
	const slots = progress.slots.map(({ row, status, since, ...product }) => {
		const timeLeft =
			typical === null ? '' : `  ~${clockTime(Math.max(0, typical - (now - since)))} left`;
		const more = `${clockTime(now - since)}${timeLeft}`;
		return rowLine(row, oneLine(status, 11), { product, more }, width);
	});
	const others =
		progress.othersRunning === 0
			? []
			: [`${count(progress.othersRunning, 'slot')} taken by other briefs in the workspace`];
	return [...slots, ...others, wholeLine(progress, width)].map((line) => fitWidth(line, width));
}

/** Draws how far the whole is. Less important parts are further right, and are left out if there is no room for them. */
function wholeLine(progress: Progress, width: number): string {
	const { ready, failed, parked, invalid, total, durations, usable } = progress;
	const done = ready + failed + parked;
	// Briefs of rows that are no longer in the CSV are fetched as well.
	const all = Math.max(total, done);
	const rowsLeft = Math.max(0, total - done);
	const likelyTime = () =>
		restOf(rowsLeft, durations, usable) ?? estimateOf(rowsLeft, usable).likely;
	const [rows, ...others] = [
		`${formatNumber(done)} of ${count(all, 'row')}`,
		...(rowsLeft === 0 ? [] : [`about ${duration(likelyTime())} left`]),
		`${ready} ready`,
		...(failed > 0 ? [`${failed} failed`] : []),
		...(parked > 0 ? [`${parked} parked`] : []),
		...(invalid > 0 ? [`${invalid} invalid`] : []),
		`allowance ${allowanceUsed(progress)}`,
	];
	const barWidth = Math.min(BAR_WIDTH, Math.floor(width / 6));
	const filledWidth = all === 0 ? 0 : Math.round((done / all) * barWidth);
	const bar = `${'█'.repeat(filledWidth)}${'░'.repeat(barWidth - filledWidth)}`;
	let line = `${bar}  ${rows}`;
	for (const part of others) {
		if (textWidth(line) + textWidth(part) + 3 > width) break;
		line += ` · ${part}`;
	}
	return line;
}
