import type { INodeParameters } from 'n8n-workflow';
import type { Fault } from '../../../sandbox/faults';
import type { Sandbox, SandboxOptions } from '../../../sandbox/sandbox';
import { openSandbox } from '../sandbox/open';
import { MINUTE } from '../time';
import { runNode, type Execution, type Target, type TestNode } from './engine';
import { getEngineClock } from './time';

/** The poll interval of the nodes below. */
export const POLL_MS = 30_000;

/** Longer than any node waits. */
export const LONG = 99_000_000;

/** Returns functions that tests call on a sandbox. */
function makeHelpers(sandbox: Sandbox) {
	return {
		getTarget: (key: keyof Sandbox['keys'] = 'allScopes'): Target => ({
			url: sandbox.url,
			key: sandbox.keys[key],
		}),

		/** Adds briefs that run for these times, or are ready, and returns an item for each. */
		addBriefs: (...durations: Array<number | 'ready'>): Array<{ id: string }> =>
			durations.map((duration) => {
				const brief = duration === 'ready' ? { status: duration } : { durationMs: duration };
				return { id: sandbox.addBrief(brief).id };
			}),

		/** Returns the IDs of the briefs, oldest first. */
		listIds: (): string[] => sandbox.briefs().map(({ id }) => id),

		countRequests: (operation: string): number =>
			sandbox.requests.filter((request) => request.operation === operation).length,

		/** Returns the number of requests in the next ten minutes. */
		async countLaterRequests(): Promise<number> {
			const before = sandbox.requests.length;
			await getEngineClock().pass(10 * MINUTE);
			return sandbox.requests.length - before;
		},
	};
}

export type Service = Sandbox & ReturnType<typeof makeHelpers>;

/** Opens a sandbox in the time of the nodes, in which nothing fails but these faults. It closes with the test. */
export async function openService(
	options: SandboxOptions = {},
	...faults: Fault[]
): Promise<Service> {
	const { clock = getEngineClock() } = options;
	const sandbox = await openSandbox({ requestsPerMinute: 0, ...options, clock });
	for (const fault of faults) sandbox.faults.add(fault);
	return Object.assign(sandbox, makeHelpers(sandbox));
}

/** Runs nodes with a new sandbox. */
export async function runInSandbox(
	items: object[],
	nodes: TestNode | TestNode[],
	options: SandboxOptions = {},
	...faults: Fault[]
): Promise<{ sandbox: Service; done: Execution }> {
	const sandbox = await openService(options, ...faults);
	return { sandbox, done: await runNode(sandbox, items, nodes) };
}

export const repeatReady = (count: number) => Array<'ready'>(count).fill('ready');

export const continuing = { onError: 'continueRegularOutput' } as const;
export const withErrorOutput = { onError: 'continueErrorOutput' } as const;
export const retrying = { retryOnFail: true, maxTries: 3, waitBetweenTries: 10 };

/** Fields of a node, and its parameters. */
export interface NodeSettings extends Partial<TestNode> {
	options?: object;
	[parameter: string]: unknown;
}

const NODE_FIELDS = ['onError', 'retryOnFail', 'maxTries', 'waitBetweenTries', 'name'];

function makeNode(type: string, name: string, settings: NodeSettings, defaults: object): TestNode {
	const entries = Object.entries(settings);
	const fields = entries.filter(([field]) => NODE_FIELDS.includes(field));
	const values = entries.filter(([field]) => !NODE_FIELDS.includes(field));
	const parameters = { ...defaults, ...Object.fromEntries(values) } as INodeParameters;
	return { name, type, ...Object.fromEntries(fields), parameters };
}

function addPollInterval(settings: NodeSettings): NodeSettings {
	return { ...settings, options: { pollInterval: POLL_MS / 1000, ...settings.options } };
}

/** Returns Brief → Create for the product in each item's `name`. */
export function create(settings: NodeSettings = {}): TestNode {
	return makeNode('creatorBriefing', 'Create', addPollInterval(settings), {
		resource: 'brief',
		operation: 'create',
		productName: '={{ $json.name }}',
	});
}

/** Returns Wait Until Ready for the brief in each item's `id`. */
export function wait(settings: NodeSettings = {}): TestNode {
	return makeNode('creatorBriefingWait', 'Wait', addPollInterval(settings), byId);
}

/** Returns Brief → Get of the brief in each item's `id`. */
export function get(settings: NodeSettings = {}): TestNode {
	return action('brief', 'get', { ...byId, ...settings });
}

export function action(resource: string, operation: string, settings: NodeSettings = {}): TestNode {
	return makeNode('creatorBriefing', 'Node', settings, { resource, operation });
}

export const makeLocator = (mode: string, value: string) => ({ __rl: true, mode, value });
const byId = { briefId: makeLocator('id', '={{ $json.id }}') };

/** Returns the node with the type that an AI agent runs. */
export function asTool(node: TestNode): TestNode {
	return { ...node, type: `${node.type}Tool` };
}
