import { readSettings, type TypedOptions } from '../../../batch/cli/settings';
import type { Invocation } from '../../../batch/cli/program';
import { makeScope, resolveSelection } from '../../../batch/commands/selection';
import { DEFAULT_CSV_OPTIONS, type Row, type Table } from '../../../batch/csv/types';
import { OrderStore } from '../../../batch/folder/order-store';
import type { RowMatches } from '../../../batch/orders/match-rows';
import type { Orders } from '../../../batch/orders/orders';
import type { Overview } from '../../../batch/report/overview';
import { planRun, type RunPlan } from '../../../batch/plan/plan-run';
import { getRowStatus, type RowStatus } from '../../../batch/plan/row-status';
import { executePlan } from '../../../batch/run/execute-plan';
import type { RunEnd } from '../../../batch/run/run-end';
import { toContentId } from '../../../core/input/content';
import { openSession, type ConnectedSession, type Ports } from '../../../batch/commands/session';
import { lockNothing, MemoryDisk } from './memory-disk';
import { makeRow } from './order-builder';
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
	readonly onSession?: (session: ConnectedSession) => void;
}

/** The result of a command. `finished` is null if a confirmation was missing. */
interface WorldResult {
	readonly plan: RunPlan;
	readonly finished: RunEnd | null;
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
			const session = await openSession({ invocation, ports, signal: process.signal }, 'write');
			command.onSession?.(session);
			const result = await runPlan(session, invocation, command.confirmations ?? 'allow');
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
			for (const { id } of this.created) if (orders.findByBrief(id) !== undefined) known.add(id);
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

/** Plans and carries out a command, as `run` and `retry` do without a terminal. */
export async function runPlan(
	session: ConnectedSession,
	invocation: Invocation,
	confirmations: 'allow' | 'ask',
	onResult: (describeRows: () => Overview) => void = () => undefined,
): Promise<WorldResult> {
	const { max = null, maxFailures } = invocation.settings;
	const selection = resolveSelection(invocation, session, false);
	const plan = await planRun(session, selection, { max });
	const isMissing = confirmations === 'ask' && plan.confirmations.length > 0;
	if (isMissing) return { plan, finished: null };
	const scope = makeScope(selection, session);
	const options = { maxFailures, name: null, profiles: [], onResult };
	return { plan, finished: await executePlan(session, plan, scope, options) };
}

export function makeInvocation({
	command = 'run',
	options = {},
	folder = 'out',
	file = 'products.csv',
}: WorldCommand): Invocation {
	const env = {
		CREATOR_BRIEFING_API_KEY: 'key',
		CREATOR_BRIEFING_BASE_URL: 'https://example.com/v1',
	};
	const settings = readSettings(command, { ...options, out: [folder] }, env);
	return { files: [file], settings, command, repeatOptions: () => [] };
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
	const match = matches.get(row);
	const contentId = match.kind === 'new' ? row.contentId : match.order.contentId;
	return orders.findReview(contentId).length > 0 ? 'needs_review' : getRowStatus(row, match);
}
