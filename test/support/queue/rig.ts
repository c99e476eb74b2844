import { startN8nInQueueMode, type N8nInQueueMode } from '../../../harness/queue/queue-mode';
import type { N8nWorker } from '../../../harness/server/worker';
import { pollUntil } from '../../../harness/process/poll-until';
import { useN8n, version } from '../n8n/rig';

/** The n8n in queue mode that all tests share. */
let running: N8nInQueueMode | undefined;

export async function startQueueRig(): Promise<void> {
	running = await startN8nInQueueMode(version);
	useN8n(running);
}

export function workers(): N8nWorker[] {
	if (!running) throw new Error('n8n is not running yet: use it within a test.');
	return running.workers;
}

/** Restarts the workers that a test has killed. */
export async function startDeadWorkers(): Promise<void> {
	const dead = (running?.workers ?? []).filter((worker) => !worker.isRunning);
	await Promise.all(dead.map((worker) => worker.restart()));
}

/** Waits until a worker has an execution, and returns the worker. */
export function findWorker(executionId: string): Promise<N8nWorker> {
	return pollUntil(() => workers().find((worker) => worker.hasStarted(executionId)), {
		timeoutMs: 20_000,
		getTimeoutMessage: () => `No worker has taken execution ${executionId}.`,
	});
}
