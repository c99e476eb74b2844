import './settings';
import 'reflect-metadata';
import { ExecutionLifecycleHooks, WorkflowExecute } from 'n8n-core';
import {
	Workflow,
	type IBinaryData,
	type INode,
	type INodeExecutionData,
	type IRun,
	type IRunExecutionData,
	type ITaskData,
	type IWorkflowBase,
	type IWorkflowExecuteAdditionalData,
} from 'n8n-workflow';
import { OneCredential } from './credentials';
import { nodeTypes } from './node-types';

/** A node of a test's workflow. Our own get the credential. */
export type TestNode = Partial<INode> & Pick<INode, 'name' | 'type'>;

/** From, output, to. */
export type Wire = [string, number, string];

export interface Target {
	url: string;
	key: string;
}

let executions = 0;

/** What additional data an execution needs of n8n's server. */
export function additionalDataFor(target: Target): IWorkflowExecuteAdditionalData {
	executions += 1;
	const executionId = String(executions);
	const workflowData = { id: 'wf', name: 'test', nodes: [], connections: {} };
	const data: Partial<IWorkflowExecuteAdditionalData> = {
		executionId,
		credentialsHelper: new OneCredential({ baseUrl: target.url, apiKey: target.key }),
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
	return data as IWorkflowExecuteAdditionalData;
}

export function workflowOf(nodes: TestNode[], wires: Wire[] = [], staticData?: object): Workflow {
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

export interface Shown {
	message: string;
	description?: string | null;
	httpCode?: string | null;
	context?: { itemIndex?: number };
}

/** What came of an execution. */
export class Finished {
	constructor(readonly run: IRun) {}

	get status(): string {
		return this.run.status;
	}

	/** The error that ended it. */
	get error(): Shown {
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
}

export interface Started {
	ended: Promise<Finished>;
	/** What the Stop button does. */
	stop(): void;
}

type Mode = 'trigger' | 'manual' | 'retry';

/** Runs a workflow with n8n's own engine, from the first of the nodes. */
export function start(
	target: Target,
	nodes: TestNode[],
	wires: Wire[],
	mode: Mode = 'trigger',
): Started {
	const workflow = workflowOf(nodes, wires);
	const execution = new WorkflowExecute(additionalDataFor(target), mode);
	const startNode = workflow.getNode(nodes[0]!.name)!;
	const running = execution.run({ workflow, startNode });
	return {
		ended: running.then((run) => new Finished(run)),
		stop: () => running.cancel(),
	};
}

export async function run(target: Target, nodes: TestNode[], wires: Wire[]): Promise<Finished> {
	return await start(target, nodes, wires).ended;
}

/**
 * What Retry in the list of executions does with one that failed: what n8n has saved of it goes on with the node that
 * failed, or with that node as it is saved now.
 */
export async function retry(
	target: Target,
	failed: Finished,
	nodes: TestNode[],
	wires: Wire[],
): Promise<Finished> {
	const data = JSON.parse(JSON.stringify(failed.run.data)) as IRunExecutionData;
	const workflow = workflowOf(nodes, wires);
	const { resultData, executionData } = data;
	delete resultData.error;
	resultData.runData[resultData.lastNodeExecuted!]!.pop();
	for (const next of executionData!.nodeExecutionStack) {
		next.node = workflow.getNode(next.node.name)!;
	}
	const execution = new WorkflowExecute(additionalDataFor(target), 'retry', data);
	return new Finished(await execution.processRunExecutionData(workflow));
}

/** A start node with these items, a node of the package behind it, and one behind each of its outputs. */
export async function runNode(
	target: Target,
	items: object[],
	node: TestNode,
	mode?: Mode,
): Promise<Finished> {
	return await startNode(target, items, node, mode).ended;
}

export function startNode(target: Target, items: object[], node: TestNode, mode?: Mode): Started {
	return start(target, [itemsNode(items), node], [['Start', 0, node.name]], mode);
}

export function itemsNode(items: object[]): TestNode {
	return { name: 'Start', type: 'items', parameters: { items: JSON.stringify(items) } };
}

export function textOf(file: IBinaryData): string {
	return Buffer.from(file.data, 'base64').toString('utf8');
}
