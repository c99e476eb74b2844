import { N8nClient } from '../../../harness/client/client';
import type { Execution } from '../../../harness/client/execution';
import { rows, start } from '../../../harness/workflows/built-in-nodes';
import { CREDENTIAL_TYPE, PackageNodes } from '../../../harness/workflows/package-nodes';
import { startN8nWithPackage, type N8nWithPackage } from '../../../harness/n8n-with-package';
import { chosenVersion, defaultVersion } from '../../../harness/install/versions';
import { chain, type Workflow, type WorkflowNode } from '../../../harness/workflows/workflow';
import type { Sandbox, SandboxOptions } from '../../../sandbox/sandbox';
import { openSandbox as open } from '../sandbox/open';

/** The n8n that all parts of the suite share: starting one takes longer than most tests. */
let running: N8nWithPackage | undefined;

export const version = chosenVersion();
export const isNewest = version === defaultVersion;

/** Time in the sandbox, unless a test says otherwise: a brief takes 1.5 to 3 seconds. */
export const SPEED = 120;
/** 15 seconds of the sandbox. */
export const POLL_SECONDS = 15 / SPEED;
/** So that neither the month nor the daily refresh of the hooks turns during a test. */
const MORNING = Date.UTC(2026, 10, 12, 7);

export async function startRig(): Promise<void> {
	useN8n(await startN8nWithPackage({ version }));
}

/** For a suite that starts its n8n in another way. `stopRig` ends it too. */
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

/** A service of its own for a test or a group of tests, with a credential for it in n8n. */
export interface Service {
	sandbox: Sandbox;
	nodes: PackageNodes;
	/** How often an operation was requested. */
	count: (operation?: string) => number;
	/** Runs these items through these nodes, one after the other. */
	run: (items: object[], ...nodes: WorkflowNode[]) => Promise<Execution>;
}

export async function serviceWith(
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
		client().createAndRun(chain(testName(), [start, rows(items), ...more]));
	return { sandbox, nodes, count, run };
}

/** A service that no credential is made for. It ends with the test. */
export async function openSandbox(options: SandboxOptions): Promise<Sandbox> {
	return await open({ speed: SPEED, startAt: MORNING, requestsPerMinute: 0, ...options });
}

/** Names each workflow after its test, so that it can be found in n8n after a failure. */
export function testWorkflow(nodes: WorkflowNode[]): Workflow {
	return chain(testName(), nodes);
}

export function testName(): string {
	return (expect.getState().currentTestName ?? 'Workflow').slice(-120);
}
