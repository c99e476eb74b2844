import type { BriefInput } from '../../../core/api/types';
import { CliError } from '../../../batch/cli-error';
import type { Row } from '../../../batch/csv/types';
import { matchRows } from '../../../batch/orders/match-rows';
import type { Orders } from '../../../batch/orders/orders';
import { getRowStatus } from '../../../batch/plan/row-status';
import { Script, World, type Nature, type WorldCommand } from './world';

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** Later than any brief is finished, and than the brief list can lag. */
const BETWEEN_RUNS_MS = 800_000;

/**
 * Runs of one workspace, in sequence, without a terminal and without --allow:
 *
 *     const story = new Story();
 *     await story.run(makeRows(mug))                            'ready, 1 briefs'
 *     await story.run(makeRows(mugForCooks))                    'changed, 1 briefs'
 *     await story.run(makeRows(mugForCooks), reorder(2))        'ready, 2 briefs'
 */
export class Story {
	readonly world: World;

	/** @param faults of the service and the disk, each as soon as it can happen */
	constructor(faults: readonly string[] = [], nature: Partial<Nature> = {}) {
		const usual = { inputs: [], keyMemoryMs: Infinity, listLagMs: 0, showsInput: true };
		this.world = new World({ ...usual, ...nature }, new Script([...faults]));
	}

	/** The next faults. */
	plan(...faults: readonly string[]): void {
		this.world.oracle = new Script([...faults]);
	}

	/** Returns the statuses of the rows, the codes of confirmations and the number of briefs; the message of a refusal. */
	async run(rows: readonly Row[], command: Omit<WorldCommand, 'rows'> = {}): Promise<string> {
		const { world } = this;
		try {
			const result = await world.runBatch({ confirmations: 'ask', ...command, rows });
			await world.clock.pass(BETWEEN_RUNS_MS);
			const codes = result?.plan.confirmations.map(({ code }) => `[${code}]`) ?? [];
			const statuses = await this.readStatuses(rows, command.folder);
			return `${[...statuses, ...codes].join(' ')}, ${world.created.length} briefs`;
		} catch (error) {
			if (error instanceof CliError) return error.message;
			throw error;
		}
	}

	async readStatuses(rows: readonly Row[], folder?: string): Promise<string[]> {
		const matches = matchRows(rows, await this.readOrders(folder));
		return rows.map((row) => getRowStatus(row, matches.get(row)));
	}

	async readOrders(folder?: string): Promise<Orders> {
		return (await this.world.readStore(folder)).orders;
	}

	/** A colleague's brief. It is finished when the next run begins. */
	async letColleagueOrder(input: BriefInput): Promise<ReturnType<World['create']>> {
		const brief = this.world.create('colleague', input);
		await this.world.clock.pass(BETWEEN_RUNS_MS);
		return brief;
	}

	loseJournal(folder = 'out'): void {
		this.world.files.delete(`${folder}/journal.jsonl`);
	}
}

export const retry = { command: 'retry' } as const;

export function reorder(...rows: readonly number[]) {
	return { options: { reorder: [rows.join(',')] } };
}

export function acceptEdits(...rows: readonly number[]) {
	return { options: { acceptEdits: [rows.join(',')] } };
}

export function useBrief(row: number, briefId: string) {
	return { options: { useBrief: [`${row}=${briefId}`] } };
}
