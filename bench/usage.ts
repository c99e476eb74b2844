import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { runNode } from './process';

/** Loaded with `node -r`, it writes what the process used when it ends into the file that USAGE_FILE names. */
export const NOTE_USAGE = resolve(__dirname, 'note-usage.js');

export interface Usage {
	megabytes: number;
	cpuSeconds: number;
}

/** What a Node process of its own uses, from its start to its end. CPU time, because it is nearly free of what else runs. */
export async function usageOf(
	args: string[],
	folder: string,
	{
		env = {},
		exitCode = 0,
		node,
	}: { env?: Record<string, string>; exitCode?: number; node?: string } = {},
): Promise<Usage> {
	const file = join(folder, 'usage.json');
	await runNode(['-r', NOTE_USAGE, ...args], { ...env, USAGE_FILE: file }, folder, exitCode, node);
	return readUsage(file);
}

export function readUsage(file: string): Usage {
	return JSON.parse(readFileSync(file, 'utf8')) as Usage;
}
