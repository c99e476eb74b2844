/**
 * Processes of ours that have a group of their own, so that they can be taken away with everything they started.
 * A terminal's Ctrl-C does not reach such a group: what is still here when this process goes, goes with it.
 */
const groups = new Set<number>();
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
let watching = false;

/** Returns what to call once the process is gone. */
export function keepTrackOf(pid: number | undefined): () => void {
	if (pid === undefined) return () => undefined;
	watch();
	groups.add(pid);
	return () => groups.delete(pid);
}

export function killProcessGroup(pid: number | undefined, signal: NodeJS.Signals): void {
	if (pid === undefined) return;
	try {
		process.kill(-pid, signal);
	} catch {
		// It is gone already, which is what was wanted.
	}
}

function watch(): void {
	if (watching) return;
	watching = true;
	process.on('exit', () => {
		for (const pid of groups) killProcessGroup(pid, 'SIGKILL');
	});
	for (const signal of signals) {
		process.on(signal, () => {
			// A program that listens as well wants to end in its own way.
			if (process.listenerCount(signal) === 1) process.exit(1);
		});
	}
}
