import type { INodeParameters } from 'n8n-workflow';
import type { Sandbox, SandboxOptions } from '../../../sandbox/sandbox';
import { openSandbox } from '../sandbox/open';
import { runNode, type Execution, type Target, type TestNode } from './engine';
import { engineTime } from './time';

/** The time between two looks. */
export const POLL_MS = 30_000;

export type Fault = Parameters<Sandbox['faults']['add']>[0];

/** A sandbox in which nothing but these faults fails, and which ends with the test. Its time is that of the nodes. */
export async function openService(
	options: SandboxOptions = {},
	...faults: Fault[]
): Promise<Sandbox> {
	const { clock = engineTime() } = options;
	const sandbox = await openSandbox({ requestsPerMinute: 0, ...options, clock });
	for (const fault of faults) sandbox.faults.add(fault);
	return sandbox;
}

/** Longer than anybody waits. */
export const LONG = 99_000_000;

/** Items for briefs of these durations, or for ready ones. */
export function addBriefs(
	sandbox: Sandbox,
	...durations: Array<number | 'ready'>
): Array<{ id: string }> {
	return durations.map((one) => {
		const { id } = sandbox.addBrief(one === 'ready' ? { status: one } : { durationMs: one });
		return { id };
	});
}

/** What came of nodes that were run in a sandbox of their own. */
export async function runInSandbox(
	items: object[],
	nodes: TestNode | TestNode[],
	options: SandboxOptions = {},
	...faults: Fault[]
): Promise<{ sandbox: Sandbox; done: Execution }> {
	const sandbox = await openService(options, ...faults);
	return { sandbox, done: await runNode(sandbox, items, nodes) };
}

export function getTarget(sandbox: Sandbox, key: keyof Sandbox['keys'] = 'allScopes'): Target {
	return { url: sandbox.url, key: sandbox.keys[key] };
}

/** How often an operation was requested. */
export function countRequests(sandbox: Sandbox, operation: string): number {
	return sandbox.requests.filter((request) => request.operation === operation).length;
}

interface NodeSettings extends Partial<TestNode> {
	options?: object;
	[parameter: string]: unknown;
}

export const continuing = { onError: 'continueRegularOutput' } as const;
export const withErrorOutput = { onError: 'continueErrorOutput' } as const;

const nodeFields = ['onError', 'retryOnFail', 'maxTries', 'waitBetweenTries', 'name'] as const;

/** A node of the package. What is no field of a node is a parameter. */
function makeNode(
	type: string,
	name: string,
	settings: NodeSettings,
	parameters: object,
): TestNode {
	const isField = ([field]: [string, unknown]) => (nodeFields as readonly string[]).includes(field);
	const entries = Object.entries(settings);
	const fields = Object.fromEntries(entries.filter(isField));
	const fieldValues = Object.fromEntries(entries.filter((entry) => !isField(entry)));
	return {
		name,
		type,
		...fields,
		parameters: { ...parameters, ...fieldValues } as INodeParameters,
	};
}

function withPace(settings: NodeSettings): NodeSettings {
	return { ...settings, options: { pollInterval: POLL_MS / 1000, ...settings.options } };
}

/** Brief → Create for the product in each item's `name`. */
export function create(settings: NodeSettings = {}): TestNode {
	return makeNode('creatorBriefing', 'Create', withPace(settings), {
		resource: 'brief',
		operation: 'create',
		productName: '={{ $json.name }}',
	});
}

export function action(resource: string, operation: string, settings: NodeSettings = {}): TestNode {
	return makeNode('creatorBriefing', 'Node', settings, { resource, operation });
}

export const locator = (mode: string, value: string) => ({ __rl: true, mode, value });

const byId = { briefId: locator('id', '={{ $json.id }}') };

/** Brief → Get of the brief in each item's `id`. */
export const get = (settings: NodeSettings = {}) =>
	action('brief', 'get', { ...byId, ...settings });

/** Wait Until Ready for the brief in each item's `id`. */
export function wait(settings: NodeSettings = {}): TestNode {
	return makeNode('creatorBriefingWait', 'Wait', withPace(settings), byId);
}

export function products(count: number): Array<{ name: string }> {
	return Array.from({ length: count }, (_none, index) => ({ name: `Glow Serum No. ${index + 1}` }));
}

export const says = (text: string | RegExp) => expect.stringMatching(text) as string;
