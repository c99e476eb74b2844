import { toCliError } from '../../batch/commands/to-cli-error';
import type { TypedOptions } from '../../batch/cli/settings';
import type { RunEnd } from '../../batch/report/run-end';
import { makeRow } from '../batch/support/order-builder';
import type { WorldCommand } from '../batch/support/world';
import type { CreatedBrief } from '../support/virtual-service';
import { getContent, getInput, toContent } from './contents';
import type { Action } from './history';
import type { SwarmWorld } from './swarm-world';
import { isDoomed, type Command } from './wishes';

/** The text of a row. */
interface Text {
	readonly content: number;
	readonly spelling: number;
}

interface Line {
	readonly rowId: string;
	text: Text;
	/** The text before the last edit. */
	previous: Text;
	/** Whether the folder has an order with this row ID, so that an edit does not make it a new row. */
	isOrdered: boolean;
}

/** The journal as it was when a command began, and the rows whose IDs it had. */
interface Copy {
	readonly journal: Buffer | undefined;
	readonly ordered: ReadonlySet<string>;
}

type Run = Pick<Action, 'kind' | 'max' | 'isOnly' | 'hasIds'>;
const QUIET_RUN = { max: null, isOnly: false, hasIds: true };

/** A folder of brief-batch, and the user who edits its CSV. */
export class Folder {
	private readonly lines: Line[] = [];
	private nextId = 1;
	private copies: Copy[] = [];
	/** What the folder has paid for. */
	private readonly paid = new Set<string>();
	/** The contents of rows to which the user gave other briefs (--use-brief, --accept-edits), and the IDs of these briefs. */
	readonly given = new Set<string>();
	/** The number of briefs in the workspace when the journal was lost or replaced. */
	private forgotten = 0;

	constructor(
		private readonly world: SwarmWorld,
		readonly name: string,
	) {
		this.add({ content: 0, spelling: 0 });
		this.add({ content: 3, spelling: 0 });
	}

	private add(text: Text): void {
		const rowId = `${this.name}${this.nextId}`;
		this.nextId += 1;
		this.lines.push({ rowId, text, previous: text, isOrdered: false });
	}

	/** Edits the CSV or the folder, or runs a command. */
	async act(action: Action): Promise<void> {
		const { kind, content, spelling } = action;
		const line = this.lines[action.row % this.lines.length];
		if (kind === 'add') this.add({ content, spelling });
		else if (kind === 'sort') this.lines.reverse();
		else if (kind === 'edit all') this.editAll(action);
		else if (kind === 'undo all') for (const each of this.lines) undo(each);
		else if (kind === 'lose journal') this.replaceJournal();
		else if (kind === 'restore journal')
			this.replaceJournal(this.copies[action.row % this.copies.length]);
		else if (line !== undefined) await this.actOnLine(action, line);
	}

	private async actOnLine(action: Action, line: Line): Promise<void> {
		const { kind, content, spelling } = action;
		if (kind === 'edit') edit(line, { content, spelling });
		else if (kind === 'undo') undo(line);
		else if (kind === 'duplicate') this.add(line.text);
		else if (kind === 'delete') this.lines.splice(this.lines.indexOf(line), 1);
		else await this.run(action, line);
	}

	private editAll({ content, spelling }: Action): void {
		for (const [index, line] of this.lines.entries())
			edit(line, { content: content + index, spelling });
	}

	/** Puts a copy of the journal back; without a copy, the journal is lost. */
	private replaceJournal({ journal, ordered }: Copy = NO_COPY): void {
		const path = `${this.name}/journal.jsonl`;
		if (journal === undefined) this.world.files.delete(path);
		else this.world.files.set(path, journal);
		for (const line of this.lines) line.isOrdered = ordered.has(line.rowId);
		this.paid.clear();
		this.forgotten = this.world.created.length;
		this.world.wishes.forget(this.name, this.world.clock.now());
	}

	/** Runs a command for all rows, without faults. Returns null if the CSV has no rows. */
	async runQuietly(kind: 'run' | 'retry' = 'run'): Promise<RunEnd | string | null> {
		const [line] = this.lines;
		return line === undefined ? null : await this.run({ ...QUIET_RUN, kind }, line);
	}

	/** Returns how the command ended, or why it was refused or interrupted. */
	private async run(action: Run, chosen: Line): Promise<RunEnd | string> {
		const journal = this.world.files.get(`${this.name}/journal.jsonl`);
		const ordered = this.lines.filter(({ isOrdered }) => isOrdered);
		this.copies.push({ journal, ordered: new Set(ordered.map(({ rowId }) => rowId)) });
		const selected = action.isOnly ? [chosen] : [...this.lines];
		const command = this.makeCommand(action, selected, chosen);
		this.world.begin(command);
		const end = await this.runToEnd({
			rows: this.makeRows(action.hasIds),
			command: action.kind === 'retry' ? 'retry' : 'run',
			options: this.makeOptions(action, chosen),
			folder: this.name,
		});
		this.world.wishes.end(command, this.world.clock.now());
		const hasEnded = typeof end !== 'string' && end.stop === null;
		// Otherwise the command might have begun orders that it did not send.
		if (!hasEnded) this.world.wishes.interrupt(command);
		const paid = this.world.wishes.listPaid(command);
		for (const content of paid) this.paid.add(content);
		const known = hasEnded ? this.paid : new Set(paid);
		for (const line of selected)
			if (action.hasIds) line.isOrdered ||= known.has(getContent(line.text.content));
		return end;
	}

	private makeRows(hasIds: boolean) {
		return this.lines.map(({ rowId, text }, index) =>
			makeRow(index + 2, getInput(text.content, text.spelling), { rowId: hasIds ? rowId : null }),
		);
	}

	private async runToEnd(command: WorldCommand): Promise<RunEnd | string> {
		try {
			return (await this.world.runBatch(command))?.finished ?? 'killed';
		} catch (error) {
			const { code } = toCliError(error, this.world.clock.now());
			if (code === 'unexpected') throw error;
			return code;
		}
	}

	private makeCommand({ kind, max, hasIds }: Run, selected: Line[], chosen: Line): Command {
		const contents = (lines: Line[]) => lines.map(({ text }) => getContent(text.content));
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

	private makeOptions({ kind, max, isOnly }: Run, chosen: Line): TypedOptions {
		const row = String(this.lines.indexOf(chosen) + 2);
		const { product_name } = getInput(chosen.text.content);
		const brief = this.world.created.findLast(({ input }) => input.product_name === product_name);
		if (kind === 'accept-edits')
			for (const { text } of this.lines) this.given.add(getContent(text.content));
		// An edited row gives the brief to the order that it had.
		if (kind === 'use-brief') this.given.add(getContent(chosen.text.content)).add(brief?.id ?? '');
		return {
			...(max !== null && { max: [String(max)] }),
			...(isOnly && { only: [row] }),
			...(kind === 'reorder' && { reorder: [row] }),
			...(kind === 'accept-edits' && { acceptEdits: ['changed'] }),
			...(kind === 'use-brief' && brief !== undefined && { useBrief: [`${row}=${brief.id}`] }),
		};
	}

	/** True if the brief can be the result of a row. */
	isResultOf(rowNumber: number, { id, input }: CreatedBrief): boolean {
		const line = this.lines[rowNumber - 2];
		const content = getContent(line?.text.content ?? 0);
		return content === toContent(input) || this.given.has(content) || this.given.has(id);
	}

	hasPaidFor({ id }: CreatedBrief): boolean {
		return this.world.payers.get(id) === this.name;
	}

	/** True if the documents do not promise that the folder shows the brief. */
	canHaveLost(brief: CreatedBrief): boolean {
		const { created } = this.world;
		// Without its old journal, the folder does not know the brief.
		if (created.indexOf(brief) < this.forgotten) return true;
		// The user has passed over a brief that a review had named.
		if (this.hasNamed(brief)) return true;
		// Two briefs: an order without an answer uses one of them, and no view shows the other.
		const isWorse = isDoomed(brief) || !this.world.isComparable(brief);
		return created.some((each) => {
			const isSame = each !== brief && toContent(each.input) === toContent(brief.input);
			return isSame && (isWorse || !this.hasPaidFor(each));
		});
	}

	private hasNamed({ id }: CreatedBrief): boolean {
		const journal = this.world.files.get(`${this.name}/journal.jsonl`)?.toString() ?? '';
		return journal.split('\n').some((line) => line.includes('"review":"') && line.includes(id));
	}
}

const NO_COPY: Copy = { journal: undefined, ordered: new Set() };

function edit(line: Line, text: Text): void {
	[line.previous, line.text] = [line.text, text];
}

function undo(line: Line): void {
	edit(line, line.previous);
}
