import { draw, type Progress } from './progress';

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
 * What a run is at: some lines at the foot of a terminal that are drawn again and again, below everything else that is
 * printed. Each change is one write: it erases the old lines, prints what is to stay in their place, and draws the new
 * lines below it. The cursor is then in the line after them.
 */
export class LiveView {
	private drawn: readonly string[] = [];
	private readonly timer = setInterval(() => this.redraw(), REDRAW_MS).unref();

	constructor(
		private readonly out: NodeJS.WriteStream,
		private readonly progress: () => Progress,
	) {}

	get width(): number {
		return this.out.columns || 80;
	}

	/** @param line is printed above it for good */
	redraw(line: string | null = null): void {
		const progress = this.progress();
		const lines = progress.total > 0 ? draw(progress, Date.now(), this.width) : [];
		this.put(lines, line === null ? '' : `${line}\n`);
	}

	close(): void {
		clearInterval(this.timer);
		this.put([]);
	}

	/** @param above what is printed for good, with its line end */
	private put(lines: readonly string[], above = ''): void {
		// A line that has gone off the screen at its top could not be erased any more.
		const room = Math.max(0, (this.out.rows || 24) - 1);
		const shown = lines.slice(Math.max(0, lines.length - room));
		const isSame =
			shown.length === this.drawn.length && shown.every((line, i) => line === this.drawn[i]);
		if (isSame && above === '') return;
		const up = this.drawn.length === 0 ? '' : `${ESC}${this.drawn.length}A`;
		const block = shown.map((line) => `${line}\n`).join('');
		this.out.write(`${BEGIN}\r${up}${ERASE_BELOW}${above}${NO_WRAP}${block}${WRAP}${END}`);
		this.drawn = shown;
	}
}
