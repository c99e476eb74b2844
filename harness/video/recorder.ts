import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';

/** How many frames a second of the video has. */
export const FRAMES_PER_SECOND = 12;

/**
 * Writes what a page shows as numbered PNG files. The caller decides how long something is seen, not the clock, so that
 * a slow machine makes the same video. Playwright's own video needs a program that only a download brings.
 */
export class Recorder {
	private count = 0;

	private constructor(
		private readonly page: Page,
		private readonly folder: string,
	) {}

	/** Begins with an empty folder. */
	static async open(page: Page, folder: string): Promise<Recorder> {
		await rm(folder, { recursive: true, force: true });
		await mkdir(folder, { recursive: true });
		return new Recorder(page, folder);
	}

	/** The length of the video so far. */
	get seconds(): number {
		return this.count / FRAMES_PER_SECOND;
	}

	/** A single frame of what is shown now. */
	frame(): Promise<void> {
		return this.write(1);
	}

	/** What is shown now, standing still. */
	hold(seconds: number): Promise<void> {
		return this.write(Math.round(seconds * FRAMES_PER_SECOND));
	}

	/** What happens meanwhile. */
	async film(seconds: number): Promise<void> {
		for (let i = 0; i < seconds * FRAMES_PER_SECOND; i += 1) await this.frame();
	}

	private async write(times: number): Promise<void> {
		const image = await this.page.screenshot({ caret: 'initial' });
		for (let i = 0; i < times; i += 1) {
			this.count += 1;
			const name = `${String(this.count).padStart(5, '0')}.png`;
			await writeFile(join(this.folder, name), image);
		}
	}
}
