import { PassThrough } from 'node:stream';
import type { Invocation } from '../../../batch/cli/program';
import { readSettings, type TypedOptions } from '../../../batch/cli/settings';
import { runInSession } from '../../../batch/commands/run';
import {
	openSession,
	type CommandContext,
	type OnlineSession,
	type Ports,
} from '../../../batch/commands/session';
import { toCliError } from '../../../batch/commands/to-cli-error';
import { DEFAULT_CSV_OPTIONS, type Row, type Table } from '../../../batch/csv/types';
import { OrderStore } from '../../../batch/folder/order-store';
import { matchRows, type RowMatches } from '../../../batch/orders/match-rows';
import type { Orders } from '../../../batch/orders/orders';
import { CONFIRMATION_CODES } from '../../../batch/plan/confirmation-codes';
import type { Confirmation } from '../../../batch/plan/confirmations';
import { makeOfflineFacts } from '../../../batch/plan/offline-facts';
import type { RunPlan } from '../../../batch/plan/plan-run';
import { NO_ACTION } from '../../../batch/plan/planned-row';
import { ROW_STATES, toRowState, type RowStatus } from '../../../batch/report/row-state';
import type { RunEnd } from '../../../batch/report/run-end';
import { Console } from '../../../batch/terminal/console';
import { NotPermitted } from '../../../batch/terminal/question';
import type { BriefInput } from '../../../core/api/types';
import { toContentId } from '../../../core/input/content';
import { formatCount } from '../../../core/text';
import { Script } from '../../support/oracle';
import { DAY } from '../../support/time';
import { Death, VirtualProcess } from '../../support/virtual-process';
import { COLLEAGUE, VirtualService, type CreatedBrief } from '../../support/virtual-service';
import { lockNothing, MemoryDisk } from './memory-disk';
import { findByBrief, makeRows } from './order-builder';
import { openDisk } from './world-disk';

/** Longer than any brief takes, and than the brief list can lag. */
const BETWEEN_RUNS_MS = 800_000;

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
}

/** The result of a command. `finished` and `plan` are null if a confirmation was missing. */
interface WorldResult {
	readonly confirmations: readonly Confirmation[];
	readonly plan: RunPlan | null;
	readonly finished: RunEnd | null;
}

/**
 * A service and a disk in virtual time, and processes that can die at every effect. The real program runs in it. An oracle
 * chooses at each effect whether a fault happens.
 *
 *     const world = new World({ listLagMs: 5 * MINUTE }, ['dies after the work']);
 *     await world.run(makeRows(mug))                            'pending, 1 brief'
 *     await world.run(makeRows(mug))                            'ready, 1 brief'
 *     await world.run(makeRows(mugForCooks), reorder(2))        'ready, 2 briefs'
 */
export class World extends VirtualService {
	/** The disk of all processes. */
	readonly disk = new MemoryDisk();
	/** Called when a run has opened its session. */
	onSession: (session: OnlineSession) => void = () => undefined;
	private lastProcess: VirtualProcess | null = null;

	get files(): Map<string, Buffer> {
		return this.disk.files;
	}

	/** Runs `run` or `retry` without a terminal until it ends or its process dies. Returns null if it died. */
	async runBatch(command: WorldCommand): Promise<WorldResult | null> {
		const { rows = [], columns = {} } = command;
		const process = this.startCommand();
		const ports = this.makePorts(process, async (file, options) => {
			return { ...makeTable(rows), file, options, columns };
		});
		const invocation = makeInvocation(command);
		try {
			const result = await this.runQuietly({ invocation, ports, signal: process.signal });
			return process.isDead ? null : result;
		} catch (error) {
			if (error instanceof Death || process.isDead) return null;
			throw error;
		}
	}

	private async runQuietly(context: Omit<CommandContext, 'console'>): Promise<WorldResult> {
		const out = new PassThrough().resume() as unknown as NodeJS.WriteStream;
		const input = new PassThrough() as unknown as NodeJS.ReadStream;
		const streams = { in: input, out, err: out, env: {} };
		const console = Console.open(streams, { quiet: true, json: false });
		try {
			const session = await openSession(context, 'write');
			this.onSession(session);
			const { plan, end } = await runInSession({ ...context, console }, session);
			return { confirmations: plan.confirmations, plan, finished: end };
		} catch (error) {
			if (!(error instanceof NotPermitted)) throw error;
			return { confirmations: error.confirmations, plan: null, finished: null };
		}
	}

	/** Starts the process of a command. */
	protected startCommand(): VirtualProcess {
		this.lastProcess = new VirtualProcess(this.clock);
		return this.lastProcess;
	}

	protected makePorts(process: VirtualProcess, readTable: Ports['readTable']): Ports {
		return {
			clock: process.clock,
			disk: openDisk(this.disk, process, () => this.oracle),
			lockFolder: lockNothing,
			connect: () => (request, signal) => this.answer(request, process, signal),
			readTable,
		};
	}

	/** Interrupts the command that was started last. */
	pressCtrlC(): void {
		this.lastProcess?.interrupt();
	}

	/** Replaces the faults; without an argument, there are none. */
	setFaults(...faults: readonly string[]): void {
		this.oracle = new Script(faults);
	}

	/**
	 * Runs a CSV without --allow. Returns the statuses of the rows, the codes of confirmations and the number of briefs; the
	 * message of a refusal.
	 */
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

	/** Runs a CSV with these products, and returns how the run has ended. */
	async runProducts(products: readonly string[], options: TypedOptions = {}) {
		const rows = makeRows(...products.map((product_name) => ({ product_name })));
		const { finished } = (await this.runBatch({ rows, options })) ?? { finished: null };
		if (finished === null) throw new Error('The run was refused');
		const orders = await this.readOrders();
		const statuses = finished.report.rows.slice(0, rows.length).map(({ status }) => status);
		const end = finished.stop?.code ?? 'complete';
		return { ...finished, ...finished.totals, end, orders, statuses };
	}

	async readStatuses(rows: readonly Row[], folder?: string): Promise<string[]> {
		const orders = await this.readOrders(folder);
		const matches = matchRows(rows, orders, this.clock.now());
		return rows.map((row) => readRowStatus(row, orders, matches));
	}

	async readOrders(folder?: string): Promise<Orders> {
		return (await this.readStore(folder)).orders;
	}

	/** Reads the journal of a folder. */
	async readStore(folder = 'out'): Promise<OrderStore> {
		return await OrderStore.read(this.disk, `${folder}/journal.jsonl`, () => 0);
	}

	loseJournal(folder = 'out'): void {
		this.files.delete(`${folder}/journal.jsonl`);
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

/** Returns `Product 0`, `Product 1` … */
export function listProducts(count: number, name = 'Product'): string[] {
	return Array.from({ length: count }, (_, index) => `${name} ${index}`);
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
