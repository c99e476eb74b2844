import { PollContext } from 'n8n-core';
import type {
	IDataObject,
	INodeExecutionData,
	INodeParameters,
	WorkflowActivateMode,
	WorkflowExecuteMode,
} from 'n8n-workflow';
import { CreatorBriefingTrigger } from '../../../nodes/CreatorBriefingTrigger/CreatorBriefingTrigger.node';
import { makeAdditionalData, makeWorkflow, type Target } from './engine';

const type = new CreatorBriefingTrigger();
let nodes = 0;

/**
 * A published trigger as n8n keeps it: polled at activation and then again and again, its memory saved when it is
 * activated and when it fires, and at no other time. A restart goes on with what was saved.
 */
export class Poller {
	/** What n8n's database holds. */
	savedData: string = '{}';
	name = 'Trigger';
	private readonly id = `trigger ${(nodes += 1)}`;
	private context!: PollContext;
	private memory!: IDataObject;

	constructor(
		readonly target: Target,
		readonly parameters: INodeParameters,
	) {}

	/** Publishing, or with `init` a start of n8n. */
	async activate(how: WorkflowActivateMode = 'activate'): Promise<INodeExecutionData[] | null> {
		this.load('trigger', how);
		const items = await this.pollOnce();
		this.save();
		return items;
	}

	/** A poll that is due. */
	async poll(): Promise<INodeExecutionData[] | null> {
		const items = await this.pollOnce();
		if (items !== null) this.save();
		return items;
	}

	/** A poll of the durable schedule: it has a context of its own, and a limited time. */
	async pollDurably(): Promise<INodeExecutionData[] | null> {
		this.load('trigger', 'update', () => 36_000);
		return await this.pollOnce();
	}

	/** What Fetch Test Event does. */
	async test(): Promise<INodeExecutionData[] | null> {
		this.load('manual');
		return await this.pollOnce();
	}

	private load(
		mode: WorkflowExecuteMode,
		how: WorkflowActivateMode = 'manual',
		budget?: () => number,
	): void {
		const { id, name, parameters } = this;
		const node = { id, name, type: 'creatorBriefingTrigger', parameters };
		const workflow = makeWorkflow([node], [], JSON.parse(this.savedData) as object);
		const additionalData = makeAdditionalData(this.target);
		this.context = new PollContext(workflow, workflow.getNode(name)!, additionalData, mode, how);
		if (budget !== undefined) Object.assign(this.context, { getPollBudgetMs: budget });
		this.memory = workflow.staticData;
	}

	private async pollOnce(): Promise<INodeExecutionData[] | null> {
		const output = await type.poll.call(this.context);
		return output?.[0] ?? null;
	}

	/** As in n8n: only if the object that watches the static data has seen a change. */
	private save(): void {
		const watched = this.memory as { __dataChanged?: boolean };
		if (watched.__dataChanged) this.savedData = JSON.stringify(this.memory);
	}
}
