import { setTimeout as sleep } from 'node:timers/promises';
import type { Execution } from '../../../harness/client/execution';
import type { SavedWorkflow } from '../../../harness/workflows/workflow';
import type { Sandbox } from '../../../sandbox/sandbox';
import { client } from './rig';

/** What a published trigger does while things happen at the service. */

export function refresh(sandbox: Sandbox): void {
	sandbox.advance(60_000);
	sandbox.refreshHooks();
}

/** Waits until the service was polled two more times. */
export async function quietPolls(sandbox: Sandbox): Promise<void> {
	const before = sandbox.requests.length;
	const deadline = Date.now() + 30_000;
	while (sandbox.requests.length < before + 2) {
		if (Date.now() > deadline) throw new Error('The service was not polled.');
		await sleep(100);
	}
	// And until what the last one would have started is there to be seen.
	await sleep(1_000);
}

/** The executions that the trigger started, once there are that many. Polls that failed are left out. */
export async function firings(workflow: SavedWorkflow, number: number): Promise<Execution[]> {
	return await firingsUntil(workflow, (executions) => executions.length >= number);
}

export async function firingsUntil(
	{ id }: SavedWorkflow,
	isThere: (executions: Execution[]) => boolean,
): Promise<Execution[]> {
	const deadline = Date.now() + 60_000;
	for (;;) {
		const executions = await client().finishedExecutions(id);
		const good = executions.filter(({ status }) => status === 'success');
		if (isThere(good)) return good;
		if (Date.now() > deadline) {
			const texts = executions.map((each) => each.describe()).join('\n');
			throw new Error(`The trigger did not fire as expected. There is:\n${texts}`);
		}
		await sleep(250);
	}
}
