import type { BriefInput } from '../../../core/api/types';
import { toCliError } from '../../../batch/commands/to-cli-error';
import type { Row } from '../../../batch/csv/types';
import { matchRows } from '../../../batch/orders/match-rows';
import type { Orders } from '../../../batch/orders/orders';
import { formatCount } from '../../../core/text';
import { DAY } from '../../support/time';
import { Script } from '../../support/oracle';
import { COLLEAGUE, type CreatedBrief, type ServiceBehavior } from '../../support/virtual-service';
import { readRowStatus, World, type WorldCommand } from './world';

/** Longer than any brief takes, and than the brief list can lag. */
const BETWEEN_RUNS_MS = 800_000;

/**
 * Runs of one workspace, in sequence, without a terminal and without --allow:
 *
 *     const story = new Story();
 *     await story.run(makeRows(mug))                            'ready, 1 brief'
 *     await story.run(makeRows(mugForCooks))                    'changed, 1 brief'
 *     await story.run(makeRows(mugForCooks), reorder(2))        'ready, 2 briefs'
 */
export class Story extends World {
	/** @param faults of the service and the disk, in sequence */
	constructor(faults: readonly string[] = [], behavior: Partial<ServiceBehavior> = {}) {
		super(behavior, new Script([...faults]));
	}

	/** Replaces the faults; without an argument, there are none. */
	setFaults(...faults: readonly string[]): void {
		this.oracle = new Script([...faults]);
	}

	/** Returns the statuses of the rows, the codes of confirmations and the number of briefs; the message of a refusal. */
	async run(rows: readonly Row[], command: Omit<WorldCommand, 'rows'> = {}): Promise<string> {
		try {
			const result = await this.runBatch({ confirmations: 'ask', ...command, rows });
			await this.clock.pass(BETWEEN_RUNS_MS);
			const codes = result?.confirmations.map(({ code }) => `[${code}]`) ?? [];
			const statuses = await this.readStatuses(rows, command.folder);
			return `${[...statuses, ...codes].join(' ')}, ${formatCount(this.created.length, 'brief')}`;
		} catch (error) {
			const { code, message } = toCliError(error, this.clock.now());
			if (code === 'unexpected') throw error;
			return message;
		}
	}

	async readStatuses(rows: readonly Row[], folder?: string): Promise<string[]> {
		const orders = await this.readOrders(folder);
		const matches = matchRows(rows, orders, this.clock.now());
		return rows.map((row) => readRowStatus(row, orders, matches));
	}

	async readOrders(folder?: string): Promise<Orders> {
		return (await this.readStore(folder)).orders;
	}

	/** Orders a brief as a colleague. It is finished when the next run begins. */
	async letColleagueOrder(input: BriefInput): Promise<CreatedBrief> {
		const brief = this.create(COLLEAGUE, input);
		await this.clock.pass(BETWEEN_RUNS_MS);
		return brief;
	}

	/** Lets time pass. A timer sleeps 24 days at most. */
	async passDays(days: number): Promise<void> {
		for (let day = 0; day < days; day += 1) await this.clock.pass(DAY);
	}

	loseJournal(folder = 'out'): void {
		this.files.delete(`${folder}/journal.jsonl`);
	}
}

export const retry = { command: 'retry' } as const;

export function reorder(...rows: readonly number[]) {
	return { options: { reorder: [rows.join(',')] } };
}

export function acceptEdits(...rows: readonly number[]) {
	return { options: { acceptEdits: [rows.join(',')] } };
}

export function useBrief(row: number, briefId = '') {
	return { options: { useBrief: [`${row}=${briefId}`] } };
}
