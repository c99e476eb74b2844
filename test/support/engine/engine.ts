import './settings';
import 'reflect-metadata';
import { ExecutionLifecycleHooks, WorkflowExecute } from 'n8n-core';
import {
	Workflow,
	type INode,
	type INodeExecutionData,
	type IRun,
	type IRunExecutionData,
	type ITaskData,
	type IWorkflowBase,
	type IWorkflowExecuteAdditionalData,
} from 'n8n-workflow';
import type { Sandbox } from '../../../sandbox/sandbox';
import { StubCredentials } from './credentials';
import { nodeTypes } from './node-types';

/** A node of a test's workflow. Our own get the credential. */
export type TestNode = Partial<INode> & Pick<INode, 'name' | 'type'>;

/** From, output, to. */
type Wire = [string, number, string];

export interface Target {
	url: string;
	key: string;
	/** A number that no other execution has, unless a test says otherwise. */
	executionId?: string;
}

let executions = 0;

/** What additional data an execution needs of n8n's server. */
export function additionalDataFor(at: Target | Sandbox): IWorkflowExecuteAdditionalData {
	executions += 1;
	const { executionId = String(executions) } = 'key' in at ? at : {};
	const workflowData = { id: 'wf', name: 'test', nodes: [], connections: {} };
	const apiKey = 'key' in at ? at.key : at.keys.allScopes;
	const data = {
		executionId,
		credentialsHelper: new StubCredentials({ baseUrl: at.url, apiKey }),
		hooks: new ExecutionLifecycleHooks(
			'trigger',
			executionId,
			workflowData as unknown as IWorkflowBase,
		),
		currentNodeExecutionIndex: 0,
		variables: {},
		webhookBaseUrl: 'http://n8n.invalid/',
		webhookWaitingBaseUrl: 'http://n8n.invalid/',
		webhookTestBaseUrl: 'http://n8n.invalid/',
		formWaitingBaseUrl: 'http://n8n.invalid/',
		restApiUrl: 'http://n8n.invalid/',
		instanceBaseUrl: 'http://n8n.invalid/',
	};
	return data as unknown as IWorkflowExecuteAdditionalData;
}

export function makeWorkflow(nodes: TestNode[], wires: Wire[] = [], staticData?: object): Workflow {
	const connections: Workflow['connectionsBySourceNode'] = {};
	for (const [from, output, to] of wires) {
		const outputs = ((connections[from] ??= {})['main'] ??= []);
		while (outputs.length <= output) outputs.push([]);
		outputs[output]!.push({ node: to, type: 'main', index: 0 });
	}
	return new Workflow({
		id: 'wf',
		name: 'test',
		nodes: nodes.map((node) => ({
			id: `id of ${node.name}`,
			typeVersion: 1,
			position: [0, 0],
			parameters: {},
			credentials: { creatorBriefingApi: { id: '1', name: 'Test' } },
			...node,
		})),
		connections,
		active: false,
		nodeTypes,
		staticData: staticData as Workflow['staticData'],
		settings: { executionOrder: 'v1' },
	});
}

interface ShownError {
	message: string;
	description?: string | null;
	httpCode?: string | null;
}

/** What came of an execution. */
export class Execution {
	constructor(readonly run: IRun) {}

	get status(): string {
		return this.run.status;
	}

	/** The error that ended it. */
	get error(): ShownError {
		const { error } = this.run.data.resultData;
		if (error === undefined) throw new Error(`The execution ended with ${this.status}`);
		return error;
	}

	runs(node: string): ITaskData[] {
		return this.run.data.resultData.runData[node] ?? [];
	}

	items(node: string, output = 0, runIndex = 0): INodeExecutionData[] {
		return this.runs(node)[runIndex]?.data?.['main']?.[output] ?? [];
	}

	json(node: string, output = 0, runIndex = 0): Array<Record<string, unknown>> {
		return this.items(node, output, runIndex).map((item) => item.json);
	}

	/** Returns a field of each item. */
	values(field: string, node: string, output = 0, runIndex = 0): unknown[] {
		return this.json(node, output, runIndex).map((json) => json[field]);
	}

	hints(node: string): string[] {
		return (this.runs(node)[0]?.hints ?? []).map(({ message }) => message);
	}
}

export interface Started {
	ended: Promise<Execution>;
	/** What the Stop button does. */
	stop(): void;
}

type Mode = 'trigger' | 'manual' | 'retry';

/** Each of the nodes behind the first output of the one before. */
function chainNodes(nodes: readonly TestNode[]): Wire[] {
	return nodes.slice(1).map(({ name }, index) => [nodes[index]!.name, 0, name]);
}

/** Runs a workflow with n8n's own engine, from the first of the nodes. */
function start(
	at: Target | Sandbox,
	nodes: TestNode[],
	wires = chainNodes(nodes),
	mode: Mode = 'trigger',
): Started {
	const workflow = makeWorkflow(nodes, wires);
	const execution = new WorkflowExecute(additionalDataFor(at), mode);
	const startNode = workflow.getNode(nodes[0]!.name)!;
	const running = execution.run({ workflow, startNode });
	return {
		ended: running.then((run) => new Execution(run)),
		stop: () => running.cancel(),
	};
}

/** Runs these nodes one behind the other, the first with these items. */
export function startNode(
	at: Target | Sandbox,
	items: object[],
	nodes: TestNode | TestNode[],
	mode?: Mode,
): Started {
	return start(at, [itemsNode(items), ...[nodes].flat()], undefined, mode);
}

export async function runNode(...args: Parameters<typeof startNode>): Promise<Execution> {
	return await startNode(...args).ended;
}

/** Runs a node once for each item, in Loop Over Items. */
export async function runLoop(
	at: Target | Sandbox,
	items: object[],
	node: TestNode,
): Promise<Execution> {
	const nodes = [itemsNode(items), { name: 'Loop', type: 'loop' }, node];
	return await start(at, nodes, [
		['Start', 0, 'Loop'],
		['Loop', 1, node.name],
		[node.name, 0, 'Loop'],
	]).ended;
}

/**
 * What Retry in the list of executions does with one that failed: what n8n has saved of it goes on with the node that
 * failed, or with that node as it is saved now.
 */
export async function retry(
	at: Target | Sandbox,
	failed: Execution,
	items: object[],
	nodes: TestNode | TestNode[],
): Promise<Execution> {
	const data = JSON.parse(JSON.stringify(failed.run.data)) as IRunExecutionData;
	const all = [itemsNode(items), ...[nodes].flat()];
	const workflow = makeWorkflow(all, chainNodes(all));
	const { resultData, executionData } = data;
	delete resultData.error;
	resultData.runData[resultData.lastNodeExecuted!]!.pop();
	for (const next of executionData!.nodeExecutionStack) {
		next.node = workflow.getNode(next.node.name)!;
	}
	const execution = new WorkflowExecute(additionalDataFor(at), 'retry', data);
	return new Execution(await execution.processRunExecutionData(workflow));
}

function itemsNode(items: object[]): TestNode {
	return { name: 'Start', type: 'items', parameters: { items: JSON.stringify(items) } };
}
