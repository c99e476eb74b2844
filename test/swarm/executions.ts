import { isAbort } from '../../core/api/sleep';
import type { Item, ItemResult } from '../../nodes/CreatorBriefing/orders/item-types';
import { NodeExecution, type NodeContext } from '../../nodes/CreatorBriefing/orders/node-execution';
import { loadExecution, N8nProcess } from '../nodes/support/n8n-process';
import { SECOND } from '../support/time';
import { getInput, toContent } from './contents';
import type { Action } from './history';
import type { SwarmWorld } from './swarm-world';
import type { Command } from './wishes';

/** n8n, whose executions share a process. */
export class Executions {
	private readonly n8n: N8nProcess;
	private count = 0;

	constructor(private readonly world: SwarmWorld) {
		this.n8n = new N8nProcess({}, undefined, world);
	}

	/** Runs an execution, until it ends or n8n dies. */
	async run(action: Action): Promise<void> {
		const { flow, passMs } = action;
		const items = makeItems(action);
		const command = this.makeCommand(action, items);
		this.world.begin(command);
		const context: NodeContext = {};
		const execution = new NodeExecution(context);
		const pass = (some: readonly Item[], current = execution) =>
			this.runNode(command, some, current);
		switch (flow) {
			case 'ends':
				await pass(items);
				return;
			case 'loops':
				for (const item of [...items, ...items]) if ((await pass([item])) === null) return;
				return;
			case 'is tried again':
				for (let tries = 0; tries < 3; tries += 1) {
					const results = await pass(items);
					if (results === null || results.every(({ kind }) => kind === 'brief')) return;
					await this.world.clock.pass(SECOND);
				}
				return;
			default: {
				if ((await pass(items)) === null) return;
				await this.world.clock.pass(passMs);
				if (flow === 'waits, then n8n restarts') this.restart();
				await pass(items, loadExecution(context));
			}
		}
	}

	/** Runs the node once. Returns null if the execution was stopped, or if n8n has died. */
	private async runNode(
		command: Command,
		items: readonly Item[],
		execution: NodeExecution,
	): Promise<ItemResult[] | null> {
		this.world.setNextCommand(command);
		const { process, results } = this.n8n.startItems(
			items,
			{ maxBriefs: command.max ?? 25 },
			execution,
		);
		try {
			return await results;
		} catch (error) {
			if (!isAbort(error) && !process.isDead) throw error;
			if (process.isDead) this.restart();
			return null;
		}
	}

	private restart(): void {
		this.n8n.restart();
		this.world.wishes.restartN8n();
	}

	private makeCommand({ max }: Action, items: readonly Item[]): Command {
		this.count += 1;
		const getContents = (some: readonly Item[]) =>
			new Set(some.map(({ input }) => toContent(input)));
		const retried = items.filter(({ whenBriefExists }) => whenBriefExists === 'useUnlessFailed');
		return {
			actor: `n8n ${this.count}`,
			selected: getContents(items),
			wanted: getContents(items),
			again: getContents(retried),
			reason: 'execution',
			max,
		};
	}
}

function makeItems({ kind, row, content, spelling }: Action): Item[] {
	return Array.from({ length: row + 1 }, (_, index) => {
		const isRetry = kind === 'retry' || (kind === 'reorder' && index % 2 === 1);
		return {
			input: getInput(content + index, spelling),
			whenBriefExists: isRetry ? 'useUnlessFailed' : 'use',
		};
	});
}
