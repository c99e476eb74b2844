/**
 * Child processes in groups of their own, so that each can be killed together with everything it has started.
 * A terminal's Ctrl-C does not reach such a group, so the groups that are left are killed when this process ends.
 */
const groups = new Set<number>();
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
let watching = false;

/** The group is killed when this process ends. Returns a function to call once the group is gone. */
export function trackProcessGroup(pid: number | undefined): () => void {
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
		// It has ended already.
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
			// If the program listens too, it ends by itself.
			if (process.listenerCount(signal) === 1) process.exit(1);
		});
	}
}
