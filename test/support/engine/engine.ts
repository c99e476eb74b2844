import './settings';
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
import { nodeTypes, WAIT_MS } from './node-types';
import { getEngineClock } from './time';

// Runs workflows in n8n-core's engine, without n8n's server:
//
//     const done = await runNode(sandbox, [{ name: 'Mug' }], create());
//     expect(done.values('status', 'Create')).toEqual(['queued']);

/** A node of a workflow. The nodes of the package get the credential. */
export type TestNode = Partial<INode> & Pick<INode, 'name' | 'type'>;

/** A connection: from a node, by one of its outputs, to a node. */
type Wire = [string, number, string];

/** The service, and the API key of the credential. */
export interface Target {
	url: string;
	key: string;
}

let executions = 0;

/** Returns the data with which n8n's server starts an execution. Each call is another execution. */
export function makeAdditionalData(at: Target | Sandbox): IWorkflowExecuteAdditionalData {
	const executionId = String((executions += 1));
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
		webhookWaitingBaseUrl: 'http://n8n.invalid/',
		formWaitingBaseUrl: 'http://n8n.invalid/',
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

/** An execution that has ended. */
export class Execution {
	constructor(readonly run: IRun) {}

	get status(): string {
		return this.run.status;
	}

	/** The error that ended the execution. */
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

	/** Returns the first item of each run of a node in a loop. */
	passes(node: string): Array<Record<string, unknown> | undefined> {
		return this.runs(node).map((_run, index) => this.json(node, 0, index)[0]);
	}

	/** Returns a field of each item. */
	values(field: string, node: string, output = 0): unknown[] {
		return this.json(node, output).map((json) => json[field]);
	}

	hints(node: string): string[] {
		return (this.runs(node)[0]?.hints ?? []).map(({ message }) => message);
	}

	hintTypes(node: string): unknown[] {
		return (this.runs(node)[0]?.hints ?? []).map(({ type }) => type);
	}
}

export interface StartedExecution {
	ended: Promise<Execution>;
	/** Stops the execution as the Stop button does. */
	stop(): void;
}

/** Returns the connections of nodes in a sequence, by their first outputs. */
function chainNodes(nodes: readonly TestNode[]): Wire[] {
	return nodes.slice(1).map(({ name }, index) => [nodes[index]!.name, 0, name]);
}

/** Runs a workflow from the first of the nodes. */
function start(
	at: Target | Sandbox,
	nodes: TestNode[],
	wires = chainNodes(nodes),
): StartedExecution {
	const workflow = makeWorkflow(nodes, wires);
	const data = makeAdditionalData(at);
	const execution = new WorkflowExecute(data, 'trigger');
	const running = execution.run({ workflow, startNode: workflow.getNode(nodes[0]!.name)! });
	const load = (saved: IRunExecutionData) =>
		new WorkflowExecute(data, 'trigger', saved).processRunExecutionData(makeWorkflow(nodes, wires));
	return {
		ended: running.then((run) => continueAfterWaits(run, load)).then((run) => new Execution(run)),
		stop: () => running.cancel(),
	};
}

/** Loads an execution again that is in a saved wait, until it has ended. */
async function continueAfterWaits(
	run: IRun,
	load: (saved: IRunExecutionData) => Promise<IRun>,
): Promise<IRun> {
	if (run.waitTill == null) return run;
	await getEngineClock().pass(WAIT_MS);
	const saved = JSON.parse(JSON.stringify(run.data)) as IRunExecutionData;
	return await continueAfterWaits(await load(saved), load);
}

/** Starts a sequence of nodes, the first with these items. */
export function startNode(
	at: Target | Sandbox,
	items: object[],
	nodes: TestNode | TestNode[],
): StartedExecution {
	return start(at, [makeItemsNode(items), ...[nodes].flat()]);
}

export async function runNode(...args: Parameters<typeof startNode>): Promise<Execution> {
	return await startNode(...args).ended;
}

/** Runs a workflow whose nodes are connected by these wires, the first with these items. */
export async function runWorkflow(
	at: Target | Sandbox,
	items: object[],
	nodes: TestNode[],
	wires: Wire[],
): Promise<Execution> {
	return await start(at, [makeItemsNode(items), ...nodes], wires).ended;
}

/** Runs a sequence of nodes once for each item, in Loop Over Items. */
export async function runLoop(
	at: Target | Sandbox,
	items: object[],
	...loop: TestNode[]
): Promise<Execution> {
	const nodes = [makeItemsNode(items), { name: 'Loop', type: 'loop' }, ...loop];
	return await start(at, nodes, [
		['Start', 0, 'Loop'],
		['Loop', 1, loop[0]!.name],
		...chainNodes(loop),
		[loop.at(-1)!.name, 0, 'Loop'],
	]).ended;
}

/** Retries an execution as Retry in the list of executions does: the saved execution continues with the node that failed. */
export async function retry(
	at: Target | Sandbox,
	failed: Execution,
	items: object[],
	node: TestNode,
): Promise<Execution> {
	const data = JSON.parse(JSON.stringify(failed.run.data)) as IRunExecutionData;
	const nodes = [makeItemsNode(items), node];
	const workflow = makeWorkflow(nodes, chainNodes(nodes));
	const { resultData, executionData } = data;
	delete resultData.error;
	resultData.runData[resultData.lastNodeExecuted!]!.pop();
	for (const next of executionData!.nodeExecutionStack) {
		next.node = workflow.getNode(next.node.name)!;
	}
	const execution = new WorkflowExecute(makeAdditionalData(at), 'retry', data);
	return new Execution(await execution.processRunExecutionData(workflow));
}

function makeItemsNode(items: object[]): TestNode {
	return { name: 'Start', type: 'items', parameters: { items: JSON.stringify(items) } };
}
