import { spawn, type ChildProcess, type SpawnOptions } from 'node:child_process';

const groups = new Set<number>();
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
let isWatching = false;

/**
 * Starts a program in a new process group, so that it can be killed together with every process that it starts. Ctrl-C in a
 * terminal does not reach such a group, so the remaining groups are killed when this process ends.
 */
export function spawnGroup(
	program: string,
	args: string[],
	options: SpawnOptions & { onOutput: (text: string) => void; onExit: () => void },
): ChildProcess {
	watchEnd();
	const { onOutput, onExit, ...settings } = options;
	const child = spawn(program, args, {
		...settings,
		detached: true,
		stdio: ['ignore', 'pipe', 'pipe'],
	});
	const { pid } = child;
	if (pid !== undefined) groups.add(pid);
	const end = () => {
		if (pid !== undefined) groups.delete(pid);
		onExit();
	};
	child.once('exit', end);
	child.once('error', (error) => {
		onOutput(`${error.message}\n`);
		end();
	});
	for (const stream of [child.stdout, child.stderr]) {
		stream.on('data', (chunk: Buffer) => onOutput(chunk.toString()));
	}
	return child;
}

export function killGroup(pid: number | undefined, signal: NodeJS.Signals): void {
	if (pid === undefined) return;
	try {
		process.kill(-pid, signal);
	} catch {
		// The group has ended already.
	}
}

function watchEnd(): void {
	if (isWatching) return;
	isWatching = true;
	process.on('exit', () => {
		for (const pid of groups) killGroup(pid, 'SIGKILL');
	});
	for (const signal of SIGNALS) {
		process.on(signal, () => {
			// A program with its own listener ends by itself.
			if (process.listenerCount(signal) === 1) process.exit(1);
		});
	}
}
