import type { RunEvent } from '../run/events';
import { Block } from './block';
import { advance, draw, noProgress } from './progress';

const REDRAW_MS = 500;

export interface LiveView {
	/** Takes an event, and prints its line above the view. */
	take(event: RunEvent, line: string | null): void;
	above(text: string): void;
	close(): void;
}

/** What a run is at, at the foot of a terminal. */
export function openLiveView(out: NodeJS.WriteStream, usableSlots: number): LiveView {
	const block = new Block(out);
	let progress = noProgress(usableSlots);
	const redraw = (above = '') => {
		const isBegun = progress.total > 0;
		block.draw(isBegun ? draw(progress, Date.now(), out.columns || 80) : [], above);
	};
	const timer = setInterval(redraw, REDRAW_MS).unref();
	return {
		take(event, line) {
			progress = advance(progress, event, Date.now());
			redraw(line === null ? '' : `${line}\n`);
		},
		above(text) {
			redraw(`${text}\n`);
		},
		close() {
			clearInterval(timer);
			block.clear();
		},
	};
}
