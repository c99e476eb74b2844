import { setTimeout as sleep } from 'node:timers/promises';
import { pollUntil } from '../../../harness/process/poll-until';
import type { Execution } from '../../../harness/client/execution';
import type { SavedWorkflow } from '../../../harness/workflows/workflow';
import type { Sandbox } from '../../../sandbox/sandbox';
import { client, type Service } from './rig';

const TIMEOUT_MS = 60_000;

/** Waits until a workflow has enough successful executions, and returns all of them, oldest first. */
export async function waitForSuccesses(
	{ id }: SavedWorkflow,
	isEnough: (executions: Execution[]) => boolean,
): Promise<Execution[]> {
	let executions: Execution[] = [];
	const find = async () => {
		executions = await client().listEndedExecutions(id);
		const successes = executions.filter(({ status }) => status === 'success');
		return isEnough(successes) ? successes : undefined;
	};
	const getTimeoutMessage = () =>
		['Too few successful executions:', ...executions.map((each) => each.describe())].join('\n');
	return await pollUntil(find, { timeoutMs: TIMEOUT_MS, everyMs: 250, getTimeoutMessage });
}

/** Waits until a workflow has that many successful executions, and returns all of them, oldest first. */
export async function waitForSuccess(workflow: SavedWorkflow, count = 1): Promise<Execution[]> {
	return await waitForSuccesses(workflow, ({ length }) => length >= count);
}

/** Waits until n8n has polled the service twice more. */
export async function waitForPolls({ requests }: Sandbox): Promise<void> {
	const before = requests.length;
	const hasPolled = () => requests.length >= before + 2 || undefined;
	await pollUntil(hasPolled, {
		timeoutMs: TIMEOUT_MS,
		getTimeoutMessage: () => 'n8n did not poll the service.',
	});
	// The execution that the last poll starts needs a moment.
	await sleep(1_000);
}

/** Waits until the service has created that many briefs. */
export async function waitForBriefs({ sandbox }: Service, count: number): Promise<void> {
	const hasCreated = () => sandbox.createdCount() >= count || undefined;
	const getTimeoutMessage = () =>
		`The service created ${sandbox.createdCount()} of ${count} briefs.`;
	await pollUntil(hasCreated, { timeoutMs: TIMEOUT_MS, getTimeoutMessage });
}

export function refreshHooks(sandbox: Sandbox): void {
	sandbox.advance(60_000);
	sandbox.refreshHooks();
}
