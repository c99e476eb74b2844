import { spawnSync } from 'node:child_process';
import { repositoryRoot } from '../paths';
import { runCommand } from '../process/run-command';
import { FRAMES_PER_SECOND } from './recorder';

/** Makes an MP4 of the frames in a folder if ffmpeg is installed; otherwise says how to. */
export async function encode(frames: string, video: string): Promise<string> {
	const args = [
		...['-y', '-loglevel', 'error', '-framerate', String(FRAMES_PER_SECOND)],
		...['-i', `${frames}/%05d.png`, '-c:v', 'libx264', '-crf', '20'],
		// What every player shows, and a page starts before it has all of it.
		...['-pix_fmt', 'yuv420p', '-movflags', '+faststart', video],
	];
	if (spawnSync('ffmpeg', ['-version']).error !== undefined) {
		return `ffmpeg is not installed (on Debian: apt-get install -y ffmpeg). With it, this makes the video:\n  ffmpeg ${args.join(' ')}`;
	}
	await runCommand('ffmpeg', args, {
		cwd: repositoryRoot,
		env: process.env,
		timeoutMs: 300_000,
	});
	return `The video: ${video}`;
}
