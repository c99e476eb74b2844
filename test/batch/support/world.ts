import { PassThrough } from 'node:stream';
import { readSettings, type TypedOptions } from '../../../batch/cli/settings';
import type { Invocation } from '../../../batch/cli/program';
import { runInSession } from '../../../batch/commands/run';
import { DEFAULT_CSV_OPTIONS, type Row, type Table } from '../../../batch/csv/types';
import { OrderStore } from '../../../batch/folder/order-store';
import type { RowMatches } from '../../../batch/orders/match-rows';
import type { Orders } from '../../../batch/orders/orders';
import { NO_ACTION } from '../../../batch/plan/planned-row';
import { makeOfflineFacts } from '../../../batch/plan/offline-facts';
import type { Confirmation } from '../../../batch/plan/confirmations';
import { CONFIRMATION_CODES } from '../../../batch/plan/confirmation-codes';
import type { RunPlan } from '../../../batch/plan/plan-run';
import { ROW_STATES, toRowState, type RowStatus } from '../../../batch/report/row-state';
import type { RunEnd } from '../../../batch/report/run-end';
import { Console } from '../../../batch/terminal/console';
import { NotPermitted } from '../../../batch/terminal/question';
import { toContentId } from '../../../core/input/content';
import {
	openSession,
	type CommandContext,
	type OnlineSession,
	type Ports,
} from '../../../batch/commands/session';
import { lockNothing, MemoryDisk } from './memory-disk';
import { findByBrief, makeRow } from './order-builder';
import { WorldDisk } from './world-disk';
import { Death, VirtualProcess } from '../../support/virtual-process';
import { COLLEAGUE, VirtualService, type CreatedBrief } from '../../support/virtual-service';

/** A command of brief-batch in the world. */
export interface WorldCommand {
	readonly rows?: readonly Row[];
	/** The header of each field in the CSV. */
	readonly columns?: Table['columns'];
	readonly command?: 'run' | 'retry';
	/** Options as they are typed, such as { reorder: ['2,3'] }. */
	readonly options?: TypedOptions;
	readonly folder?: string;
	readonly file?: string;
	/** `ask` ends the run if something has to be confirmed, like a run without a terminal. */
	readonly confirmations?: 'allow' | 'ask';
	/** Called when the command has opened its session. */
	readonly onSession?: (session: OnlineSession) => void;
}

/** The result of a command. `finished` and `plan` are null if a confirmation was missing. */
interface WorldResult {
	readonly confirmations: readonly Confirmation[];
	readonly plan: RunPlan | null;
	readonly finished: RunEnd | null;
}

/** Runs `run` or `retry` without a terminal. */
export async function runQuietly(
	context: Omit<CommandContext, 'console'>,
	onSession: (session: OnlineSession) => void = () => undefined,
): Promise<WorldResult> {
	const out = new PassThrough().resume() as unknown as NodeJS.WriteStream;
	const input = new PassThrough() as unknown as NodeJS.ReadStream;
	const streams = { in: input, out, err: out, env: {} };
	const console = Console.open(streams, { quiet: true, json: false });
	try {
		const session = await openSession(context, 'write');
		onSession(session);
		const { plan, end } = await runInSession({ ...context, console }, session);
		return { confirmations: plan.confirmations, plan, finished: end };
	} catch (error) {
		if (!(error instanceof NotPermitted)) throw error;
		return { confirmations: error.confirmations, plan: null, finished: null };
	}
}

/**
 * A service and a disk in virtual time, and processes that can die at every effect. The real program runs in it. An oracle
 * chooses at each effect whether a fault happens.
 *
 *     const world = new World({ inputs: [mug] }, new Script(['dies after the work']));
 *     await world.runBatch();
 *     world.created                the briefs that the service has created
 */
export class World extends VirtualService {
	readonly files = new Map<string, Buffer>();

	/** Runs a command until it ends or its process dies. Returns null if it died. */
	async runBatch(command: WorldCommand = {}): Promise<WorldResult | null> {
		const process = new VirtualProcess(this.clock);
		const invocation = makeInvocation(command);
		try {
			const ports = this.makePorts(process, command);
			const context = { invocation, ports, signal: process.signal };
			const result = await runQuietly(context, command.onSession);
			return process.isDead ? null : result;
		} catch (error) {
			if (error instanceof Death || process.isDead) return null;
			throw error;
		}
	}

	private makePorts(process: VirtualProcess, { rows, columns = {} }: WorldCommand): Ports {
		return {
			clock: process.clock,
			disk: new WorldDisk(this.files, process, () => this.oracle),
			lockFolder: lockNothing,
			connect: () => (request) => this.answer(request, process),
			readTable: async (file, options) => {
				return { ...makeTable(rows ?? this.rows), file, options, columns };
			},
		};
	}

	get rows(): Row[] {
		return this.behavior.inputs.map((input, index) => makeRow(index + 2, input));
	}

	/** Reads the journal of a folder. */
	async readStore(folder = 'out'): Promise<OrderStore> {
		return await OrderStore.read(new MemoryDisk(this.files), `${folder}/journal.jsonl`, () => 0);
	}

	/** Returns the briefs that are neither in a folder nor named by a review (P2). */
	async findLostBriefs(...folders: readonly string[]): Promise<CreatedBrief[]> {
		const known = new Set<string>();
		for (const folder of folders) {
			const { orders } = await this.readStore(folder);
			for (const { id } of this.created) if (findByBrief(orders, id) !== undefined) known.add(id);
			const contentIds = this.created.map(({ input }) => toContentId(input));
			for (const id of findNamedBriefs(orders, contentIds)) known.add(id);
		}
		return this.created.filter(({ id, key }) => key !== COLLEAGUE && !known.has(id));
	}
}

/** Returns the briefs among which the user has to choose. */
function findNamedBriefs(orders: Orders, contentIds: readonly string[]): readonly string[] {
	const reviewed = contentIds.flatMap((contentId) => orders.findReview(contentId));
	const other = orders.live.flatMap(({ state }) =>
		state.kind === 'unconfirmed' && state.review?.code === 'other_brief'
			? [state.review.briefId]
			: [],
	);
	return [...reviewed, ...other];
}

/** Without a terminal, damaged rows are left for the user. */
const ALL_BUT_DAMAGE = CONFIRMATION_CODES.filter((code) => code !== 'damaged-rows').join();

export function makeInvocation({
	command = 'run',
	options = {},
	folder = 'out',
	file = 'products.csv',
	confirmations = 'allow',
}: WorldCommand): Invocation {
	const env = {
		CREATOR_BRIEFING_API_KEY: 'key',
		CREATOR_BRIEFING_BASE_URL: 'https://example.com/v1',
	};
	const allow = confirmations === 'allow' ? { allow: [ALL_BUT_DAMAGE] } : {};
	const settings = readSettings(command, { yes: true, ...allow, ...options, out: [folder] }, env);
	return { files: [file], settings, command, typed: {}, publish: () => undefined };
}

export function makeTable(rows: readonly Row[]): Table {
	return {
		file: 'products.csv',
		headers: [],
		rows,
		options: DEFAULT_CSV_OPTIONS,
		columns: {},
		delimiter: ',',
		columnNotices: [],
		notices: [],
	};
}

/** Returns the status of a row from the journal alone. */
export function readRowStatus(row: Row, orders: Orders, matches: RowMatches): RowStatus {
	const folder = { orders, facts: makeOfflineFacts(orders, 0) };
	return ROW_STATES[toRowState(row, matches.get(row), NO_ACTION, folder).kind].status;
}
