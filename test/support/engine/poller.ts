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
 * A published trigger. As in n8n, its state is saved only when it is activated and when it starts the workflow. A second
 * activation is a restart, which continues with the saved state.
 */
export class Poller {
	/** The static data in n8n's database. */
	savedData: string = '{}';
	name = 'Trigger';
	private readonly id = `trigger ${(nodes += 1)}`;
	private context!: PollContext;
	private staticData!: IDataObject;

	constructor(
		public target: Target,
		readonly parameters: INodeParameters,
	) {}

	/** Publishes the workflow, or starts n8n with `init`. */
	async activate(mode: WorkflowActivateMode = 'activate'): Promise<INodeExecutionData[] | null> {
		this.load('trigger', mode);
		const items = await this.pollOnce();
		this.save();
		return items;
	}

	async poll(): Promise<INodeExecutionData[] | null> {
		const items = await this.pollOnce();
		if (items !== null) this.save();
		return items;
	}

	/** Polls as the durable schedule does: each poll has its own context and a limited time. */
	async pollDurably(
		activation: WorkflowActivateMode = 'update',
	): Promise<INodeExecutionData[] | null> {
		this.load('trigger', activation);
		Object.assign(this.context, { getPollBudgetMs: () => 36_000 });
		return await this.pollOnce();
	}

	/** Tests the trigger as Fetch Test Event does. */
	async test(): Promise<INodeExecutionData[] | null> {
		this.load('manual', 'manual');
		return await this.pollOnce();
	}

	private load(mode: WorkflowExecuteMode, activation: WorkflowActivateMode): void {
		const { id, name, parameters } = this;
		const node = { id, name, type: 'creatorBriefingTrigger', parameters };
		const workflow = makeWorkflow([node], [], JSON.parse(this.savedData) as object);
		const data = makeAdditionalData(this.target);
		this.context = new PollContext(workflow, workflow.getNode(name)!, data, mode, activation);
		this.staticData = workflow.staticData;
	}

	private async pollOnce(): Promise<INodeExecutionData[] | null> {
		const output = await type.poll.call(this.context);
		return output?.[0] ?? null;
	}

	/** n8n saves only if the object that observes the static data has seen a change. */
	private save(): void {
		const observed = this.staticData as { __dataChanged?: boolean };
		if (observed.__dataChanged) this.savedData = JSON.stringify(this.staticData);
	}
}
