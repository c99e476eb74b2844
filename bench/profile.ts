import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inFolder } from './folder';
import { runNode } from './process';

/** The part of V8’s CPU profile that is read here. Times are microseconds. */
interface Profile {
	nodes: { id: number; callFrame: { functionName: string; url: string } }[];
	samples: number[];
	timeDeltas: number[];
}

const MOST = 6;

/** Where the time of a Node process goes that runs in a folder, the most first. */
export async function profileOf(
	args: string[],
	env: Record<string, string>,
	folder: string,
): Promise<string> {
	return inFolder(async (profiles) => {
		await runNode(['--cpu-prof', '--cpu-prof-dir', profiles, ...args], env, folder, 0);
		const [file = ''] = readdirSync(profiles).filter((name) => name.endsWith('.cpuprofile'));
		return asText(JSON.parse(readFileSync(join(profiles, file), 'utf8')) as Profile);
	});
}

function asText({ nodes, samples, timeDeltas }: Profile): string {
	const parts = new Map(nodes.map(({ id, callFrame }) => [id, partOf(callFrame)]));
	const times = new Map<string, number>();
	for (const [i, sample] of samples.entries()) {
		const part = parts.get(sample) ?? '';
		times.set(part, (times.get(part) ?? 0) + (timeDeltas[i] ?? 0));
	}
	const all = [...times.values()].reduce((sum, each) => sum + each, 0);
	return [...times]
		.sort(([, one], [, other]) => other - one)
		.slice(0, MOST)
		.map(([part, time]) => `${part} ${Math.round((time / all) * 100)} %`)
		.join(', ');
}

function partOf({ functionName, url }: { functionName: string; url: string }): string {
	const named = /\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1];
	if (named !== undefined) return named;
	if (url.startsWith('node:internal/modules')) return 'finding and reading modules';
	if (url.startsWith('node:')) return 'Node’s own modules';
	if (url !== '') return 'brief-batch';
	if (functionName === '(idle)') return 'waiting';
	if (functionName === '(garbage collector)') return 'collecting garbage';
	return 'Node itself, compiling included';
}
