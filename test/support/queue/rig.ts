import { startN8nInQueueMode, type N8nInQueueMode } from '../../../harness/queue/queue-mode';
import type { N8nWorker } from '../../../harness/server/worker';
import { pollUntil } from '../../../harness/process/poll-until';
import { useN8n, version, type Service } from '../n8n/rig';

/** The n8n in queue mode that all parts of the suite share. */
let running: N8nInQueueMode | undefined;

export async function startQueueRig(): Promise<void> {
	running = await startN8nInQueueMode(version);
	useN8n(running);
}

export function workers(): N8nWorker[] {
	if (!running) throw new Error('n8n is not running yet: use it within a test.');
	return running.workers;
}

/** After a test that has killed some: the next one finds all of them. */
export async function startDeadWorkers(): Promise<void> {
	const dead = (running?.workers ?? []).filter((worker) => !worker.isRunning);
	await Promise.all(dead.map((worker) => worker.restart()));
}

/** The worker that an execution runs on, as soon as one has taken it. */
export function workerOf(executionId: string): Promise<N8nWorker> {
	return pollUntil(() => workers().find((worker) => worker.hasTaken(executionId)), {
		timeoutMs: 20_000,
		lateText: () => `No worker has taken execution ${executionId}.`,
	});
}

/** Waits until a service was asked for that many briefs. */
export async function untilCreated({ count }: Service, number: number): Promise<void> {
	await pollUntil(() => count('create_brief') >= number || undefined, {
		timeoutMs: 30_000,
		lateText: () => `${count('create_brief')} of ${number} briefs were ordered in time.`,
	});
}
