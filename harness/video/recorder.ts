import type { Page } from 'playwright-core';
import { animate, type Frame } from './apng';

const FRAMES_PER_SECOND = 12;

/**
 * Keeps what a page shows, for an animated picture. The caller decides how long something is seen, not the clock, so
 * that a slow machine makes the same picture.
 */
export class Recorder {
	private readonly frames: Frame[] = [];

	constructor(private readonly page: Page) {}

	get seconds(): number {
		return this.frames.reduce((sum, { milliseconds }) => sum + milliseconds, 0) / 1000;
	}

	/** A single frame of what is shown now. */
	frame(): Promise<void> {
		return this.hold(1 / FRAMES_PER_SECOND);
	}

	/** What is shown now, standing still. */
	async hold(seconds: number): Promise<void> {
		const png = await this.page.screenshot({ caret: 'initial' });
		const milliseconds = Math.round(seconds * 1000);
		const last = this.frames.at(-1);
		if (last?.png.equals(png) === true) last.milliseconds += milliseconds;
		else this.frames.push({ png, milliseconds });
	}

	/** What happens meanwhile. */
	async film(seconds: number): Promise<void> {
		for (let i = 0; i < seconds * FRAMES_PER_SECOND; i += 1) await this.frame();
	}

	picture(): Buffer {
		return animate(this.frames);
	}
}
