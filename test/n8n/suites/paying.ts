import { rows, start } from '../../../harness/workflows/built-in-nodes';
import type { Execution } from '../../../harness/client/execution';
import { waitForBriefs } from '../../support/n8n/executions';
import { publishNodes } from '../../support/n8n/production';
import {
	client,
	killAndRestart,
	n8n,
	openService,
	SLOW_AND_FORGETFUL,
	testWorkflow,
} from '../../support/n8n/rig';
import { HOUR } from '../../support/time';
import { makeProducts } from '../../support/values';

const getIds = (done: Execution) => done.json('Create').map(({ id }) => id);
const getExisted = (done: Execution) =>
	done.json('Create').map(({ already_existed }) => already_existed);

export function paying(): void {
	test('one brief is paid for if n8n is killed during a create request, and the workflow runs again', async () => {
		const service = await openService(SLOW_AND_FORGETFUL);
		const { sandbox, nodes } = service;
		const slow = { kind: 'slow', at: 'after-work', delayMs: HOUR } as const;
		sandbox.faults.add({ ...slow, operation: 'create_brief', skip: 1 });
		const all = testWorkflow([start, rows(makeProducts(2)), nodes.create()]);
		const saved = await client().createWorkflow(all);
		await client().startManually(saved);
		await waitForBriefs(service, 2);
		await killAndRestart();
		const done = await client().runManually(saved);
		expect(getIds(done)).toEqual(sandbox.briefs().map(({ id }) => id));
		expect(getExisted(done)).toEqual([true, true]);
		expect(sandbox.createdCount()).toBe(2);
	}, 240_000);

	test('Retry in the list of executions repeats the brief that Create had ordered before it failed and n8n was restarted, and orders the other', async () => {
		// The service forgets the keys at once, so only the brief list prevents a second payment.
		const { sandbox, nodes } = await openService({ keyMemoryMs: 1 });
		const production = await publishNodes([nodes.create()]);
		sandbox.faults.add({ kind: '5xx', status: 401, operation: 'create_brief', skip: 1 });
		const failed = await client().waitForEnd(await production.start(makeProducts(2)));
		expect(failed.error!.message).toMatch(/API key refused/);
		sandbox.advance(5 * HOUR);
		await n8n().server.stop();
		await n8n().server.restart();
		const done = await client().waitForEnd(await client().retryExecution(failed.id));
		expect(getIds(done)).toEqual(sandbox.briefs().map(({ id }) => id));
		expect(getExisted(done)).toEqual([true, false]);
		expect(sandbox.createdCount()).toBe(2);
	}, 120_000);
}
