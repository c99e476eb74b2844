import { N8nClient } from '../../../harness/client/client';
import type { Execution } from '../../../harness/client/execution';
import { rows, start } from '../../../harness/workflows/built-in-nodes';
import { CREDENTIAL_TYPE, PackageNodes } from '../../../harness/workflows/package-nodes';
import { startN8nWithPackage, type N8nWithPackage } from '../../../harness/n8n-with-package';
import { getChosenVersion, defaultVersion } from '../../../harness/install/versions';
import {
	chain,
	type SavedWorkflow,
	type Workflow,
	type WorkflowNode,
} from '../../../harness/workflows/workflow';
import type { Sandbox, SandboxOptions } from '../../../sandbox/sandbox';
import { openSandbox as open } from '../sandbox/open';

/** The n8n that all tests share: starting n8n takes longer than most tests. */
let running: N8nWithPackage | undefined;
/** The workflows that a test has published. */
const published: string[] = [];

export const version = getChosenVersion();
export const isNewest = version === defaultVersion;
export const describeInNewest = isNewest ? describe : describe.skip;
export const testInNewest = isNewest ? test : test.skip;

/** Time in the sandbox, unless a test changes it: a brief takes 1.5 to 3 seconds. */
export const SPEED = 120;
/** Slow enough that the briefs are still being written when n8n has been killed. Keys are forgotten at once. */
export const SLOW_AND_FORGETFUL = { speed: SPEED / 8, keyMemoryMs: 1 };
/** Nothing happens in this sandbox unless the test does it. */
export const STILL = { speed: 1 };
/** 15 seconds of the sandbox. */
export const POLL_SECONDS = 15 / SPEED;
/** At this time, neither a month nor a daily refresh of the hooks begins during a test. */
const MORNING = Date.UTC(2026, 10, 12, 7);

export async function startRig(): Promise<void> {
	useN8n(await startN8nWithPackage({ version }));
}

/** Uses an n8n that a suite has started. `stopRig` stops it, too. */
export function useN8n(started: N8nWithPackage): void {
	running = started;
}

export async function stopRig(): Promise<void> {
	await running?.dispose();
	running = undefined;
}

export function n8n(): N8nWithPackage {
	if (!running) throw new Error('n8n is not running yet: use it within a test.');
	return running;
}

export function client(): N8nClient {
	return n8n().client;
}

export async function killAndRestart(): Promise<void> {
	await n8n().server.kill();
	await n8n().server.restart();
}

/** Publishes a workflow until the test has ended. */
export async function publish(workflow: SavedWorkflow): Promise<SavedWorkflow> {
	published.push(workflow.id);
	await client().publishAndWait(workflow);
	return workflow;
}

/** Publishes a workflow again, which polls at once: the trigger reads the hooks every 15 minutes otherwise. */
export async function publishAgain({ id }: SavedWorkflow): Promise<void> {
	await client().unpublish(id);
	await client().publishAndWait({ id });
}

afterEach(async () => {
	for (const id of published.splice(0)) await client().unpublish(id);
});

/** A sandbox for one test, with a credential in n8n. */
export interface Service {
	sandbox: Sandbox;
	nodes: PackageNodes;
	/** Returns how often an operation was requested. */
	count: (operation?: string) => number;
	/** Runs a workflow of these items and nodes, in sequence. */
	run: (items: object[], ...nodes: WorkflowNode[]) => Promise<Execution>;
}

export async function openService(
	options: SandboxOptions = {},
	key: keyof Sandbox['keys'] = 'allScopes',
): Promise<Service> {
	const sandbox = await openSandbox(options);
	const data = { baseUrl: sandbox.url, apiKey: sandbox.keys[key] };
	const credential = await client().createCredential(CREDENTIAL_TYPE, `Sandbox, ${key}`, data);
	const nodes = new PackageNodes(credential, POLL_SECONDS);
	const count = (operation?: string) =>
		sandbox.requests.filter((each) => operation === undefined || each.operation === operation)
			.length;
	const run = (items: object[], ...more: WorkflowNode[]) =>
		client().createAndRun(testWorkflow([start, rows(items), ...more]));
	return { sandbox, nodes, count, run };
}

/** Opens a service without a credential in n8n. It ends with the test. */
export async function openSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
	return await open({ speed: SPEED, startAt: MORNING, requestsPerMinute: 0, ...options });
}

export function testWorkflow(nodes: WorkflowNode[]): Workflow {
	return chain(testName(), nodes);
}

/** Names a workflow after its test, so that it can be found in n8n after a failure. */
export function testName(): string {
	return (expect.getState().currentTestName ?? 'Workflow').slice(-120);
}
