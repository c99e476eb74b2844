import { toCliError } from '../../batch/commands/to-cli-error';
import type { TypedOptions } from '../../batch/cli/settings';
import type { WorldCommand } from '../batch/support/world';
import { makeRow } from '../batch/support/order-builder';
import { getInput, type Action } from './history';
import type { SwarmWorld } from './swarm-world';
import { toContent, type Command } from './wishes';

interface Line {
	readonly rowId: string;
	content: number;
	/** The content before the last edit. */
	previous: number;
	/** Whether a brief was created for this row, so that an edit does not make it a new row. */
	isOrdered: boolean;
}

/** A folder of brief-batch, and the user who edits its CSV. */
export class Folder {
	private readonly lines: Line[] = [];
	private nextId = 1;

	constructor(
		private readonly world: SwarmWorld,
		private readonly name: string,
	) {
		this.add(0);
		this.add(3);
	}

	private add(content: number): void {
		const rowId = `${this.name}${this.nextId}`;
		this.nextId += 1;
		this.lines.push({ rowId, content, previous: content, isOrdered: false });
	}

	/** Edits the CSV, or runs a command. */
	async act(action: Action): Promise<void> {
		const line = this.lines[action.row % this.lines.length];
		if (action.kind === 'add') return this.add(action.content);
		if (action.kind === 'sort') this.lines.reverse();
		else if (line !== undefined) await this.actOnLine(action, line);
	}

	private async actOnLine(action: Action, line: Line): Promise<void> {
		const { kind, content } = action;
		if (kind === 'edit') [line.previous, line.content] = [line.content, content];
		else if (kind === 'undo') [line.previous, line.content] = [line.content, line.previous];
		else if (kind === 'duplicate') this.add(line.content);
		else if (kind === 'delete') this.lines.splice(this.lines.indexOf(line), 1);
		else await this.run(action, line);
	}

	/** Runs the command for all rows, without faults. */
	async runQuietly(): Promise<void> {
		const quiet = { kind: 'run', max: null, isOnly: false, hasIds: true } as const;
		const [line] = this.lines;
		if (line !== undefined) await this.run(quiet, line);
	}

	private async run(
		action: Pick<Action, 'kind' | 'max' | 'isOnly' | 'hasIds'>,
		chosen: Line,
	): Promise<void> {
		const selected = action.isOnly ? [chosen] : [...this.lines];
		const command = this.makeCommand(action, selected, chosen);
		const rows = this.lines.map(({ rowId, content }, index) =>
			makeRow(index + 2, getInput(content), { rowId: action.hasIds ? rowId : null }),
		);
		this.world.begin(command);
		const type = action.kind === 'retry' ? 'retry' : 'run';
		const options = this.makeOptions(action, chosen);
		const hasEnded = await this.runToEnd({ rows, command: type, options, folder: this.name });
		if (!hasEnded) this.world.wishes.interrupt(command);
		const paid = this.world.paidBy.get(command) ?? [];
		for (const line of selected)
			if (action.hasIds) line.isOrdered ||= paid.includes(getContent(line.content));
	}

	/** Returns whether the command ended normally: otherwise it might have begun orders that it did not send. */
	private async runToEnd(command: WorldCommand): Promise<boolean> {
		try {
			const result = await this.world.runBatch(command);
			return result?.finished?.stop === null;
		} catch (error) {
			if (toCliError(error, this.world.clock.now()).code === 'unexpected') throw error;
			return false;
		}
	}

	private makeCommand(
		{ kind, max, hasIds }: Pick<Action, 'kind' | 'max' | 'hasIds'>,
		selected: readonly Line[],
		chosen: Line,
	): Command {
		const contents = (lines: readonly Line[]) => lines.map(({ content }) => getContent(content));
		const chosenLines = kind === 'retry' ? selected : kind === 'reorder' ? [chosen] : [];
		const newLines = selected.filter(({ isOrdered }) => !(isOrdered && hasIds));
		return {
			actor: this.name,
			selected: new Set(contents(selected)),
			wanted: new Set(contents([...newLines, ...chosenLines])),
			again: new Set(contents(chosenLines)),
			reason: kind === 'retry' ? 'failed' : 'explicit',
			max,
		};
	}

	private makeOptions(
		{ kind, max, isOnly }: Pick<Action, 'kind' | 'max' | 'isOnly'>,
		chosen: Line,
	): TypedOptions {
		const row = String(this.lines.indexOf(chosen) + 2);
		const { product_name } = getInput(chosen.content);
		const brief = this.world.created.findLast(({ input }) => input.product_name === product_name);
		return {
			...(max !== null && { max: [String(max)] }),
			...(isOnly && { only: [row] }),
			...(kind === 'reorder' && { reorder: [row] }),
			...(kind === 'accept-edits' && { acceptEdits: ['changed'] }),
			...(kind === 'use-brief' && brief !== undefined && { useBrief: [`${row}=${brief.id}`] }),
		};
	}
}

export function getContent(content: number): string {
	return toContent(getInput(content));
}
