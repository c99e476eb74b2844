import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';

const FRAMES_PER_SECOND = 12;

interface Frame {
	png: Buffer;
	seconds: number;
}

/**
 * Keeps what a page shows, for an animated picture. The caller decides how long something is seen, not the clock, so
 * that a slow machine makes the same picture.
 */
export class Recorder {
	private readonly frames: Frame[] = [];

	constructor(private readonly page: Page) {}

	get seconds(): number {
		return this.frames.reduce((sum, frame) => sum + frame.seconds, 0);
	}

	/** A single frame of what is shown now. */
	frame(): Promise<void> {
		return this.hold(1 / FRAMES_PER_SECOND);
	}

	/** What is shown now, standing still. */
	async hold(seconds: number): Promise<void> {
		const png = await this.page.screenshot({ caret: 'initial' });
		const last = this.frames.at(-1);
		if (last?.png.equals(png) === true) last.seconds += seconds;
		else this.frames.push({ png, seconds });
	}

	/** What happens meanwhile. */
	async film(seconds: number): Promise<void> {
		for (let i = 0; i < seconds * FRAMES_PER_SECOND; i += 1) await this.frame();
	}

	/** Writes an animated PNG that plays again and again. It is made by ffmpeg. */
	save(picture: string): void {
		const folder = mkdtempSync(join(tmpdir(), 'frames-'));
		try {
			const list = this.frames.flatMap(({ png, seconds }, at) => {
				writeFileSync(join(folder, `${at}.png`), png);
				return [`file ${at}.png`, `duration ${seconds}`];
			});
			writeFileSync(join(folder, 'list'), ['ffconcat version 1.0', ...list, ''].join('\n'));
			// Of a list, ffmpeg leaves the duration of the last frame out.
			const last = String(this.frames.at(-1)?.seconds ?? 0);
			const form = ['-fps_mode', 'passthrough', '-plays', '0', '-final_delay', last];
			const args = [
				'-v',
				'error',
				'-i',
				join(folder, 'list'),
				...form,
				'-f',
				'apng',
				'-y',
				picture,
			];
			execFileSync('ffmpeg', args, { stdio: 'inherit' });
		} finally {
			rmSync(folder, { recursive: true });
		}
	}
}
