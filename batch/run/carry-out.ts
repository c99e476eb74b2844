import type { Brief } from '../../service/api/resources';
import type { Allowance } from '../../service/list/allowance';
import type { OrderContext } from '../order/order-context';
import {
	briefToKeep,
	countRows,
	isToOrder,
	makePlan,
	rowStatus,
	tryOfPlanned,
	type Plan,
	type PlannedRow,
	type Todo,
} from '../plan/plan';
import { adopt } from './adopt';
import type { Preparation } from './prepare';
import { orderedContent } from '../folder/journal/content';
import type { Journal } from '../folder/journal/journal';
import { orderOf } from '../folder/records';
import { newNumbers } from '../plan/own-numbers';
import { RowNumbers } from '../plan/row-numbers';
import { contextOf } from './context';
import { endRun, type RunOutcome } from './end-run';
import type { RunEnvironment, RunRequest } from './request';
import { FreshFiles, RunFiles } from './run-files';
import { scheduleRows } from './schedule';

/**
 * Carries a plan out: takes the rows of a CSV through the service, two at a time, and leaves results for all of them. It
 * goes on with what an earlier run began.
 */
export async function carryOut(
	preparation: Preparation,
	request: RunRequest,
	env: RunEnvironment,
): Promise<RunOutcome> {
	const { clock, events } = env;
	const numbers = new RowNumbers(preparation.plan);
	events.nameOf = (key) => numbers.nameOf(key);
	const plan = await putOnRecord(preparation, env);
	const run = contextOf(preparation, request, env);
	const files = new RunFiles(request, env, plan, run.budget);
	const freshFiles = new FreshFiles(clock, () => files.refresh());
	events.listen((line) => freshFiles.see(line));
	await beginRun(request, plan, preparation.allowance, run);
	await scheduleRows(plan, request.leaveSlots, env.interruption, run).finally(() =>
		freshFiles.stop(),
	);
	const [notAgain] = plan.rows.flatMap((row) => row.notAgain ?? []);
	if (notAgain !== undefined)
		run.ordering.close(notAgain.is === 'beyond_max' ? 'max' : 'allowance');
	return await endRun(request, env, run, files);
}

const NONE: ReadonlyMap<number, Brief> = new Map();

/** Puts briefs and further tries of rows on record as a person asked for them. Gives the plan after that. */
async function putOnRecord({ plan, owners }: Preparation, env: RunEnvironment): Promise<Plan> {
	const { journal } = env;
	const { source } = plan;
	const { adoptions = NONE } = source.options;
	for (const plannedRow of plan.rows) {
		const brief = adoptions.get(plannedRow.row.number);
		if (brief !== undefined) await adopt(plannedRow, brief, source.batch, env);
		const keeps = briefToKeep(plannedRow, source);
		if (keeps !== null) {
			const content = orderedContent(plannedRow.row.input);
			const order = tryOfPlanned(plannedRow, source.batch);
			await journal.append({ event: 'ordered', ...order, content, keeps });
		}
	}
	const rowsAgain = plan.rows.filter((row) => row.again !== undefined);
	const looks = new Map(source.looks);
	for (const plannedRow of rowsAgain) {
		const nextTry = tryOfPlanned(plannedRow, source.batch);
		const content = orderedContent(plannedRow.row.input);
		await journal.append({ event: 'ordered', ...nextTry, content });
		if (!isToOrder(plannedRow)) continue;
		const look = looks.get(plannedRow.row.number);
		if (look?.is === 'found') owners.passOn(look.brief.id, nextTry.key);
		looks.delete(plannedRow.row.number);
	}
	await numberOrders(plan, journal);
	// A row that was shown as changed is not ordered by this run, whatever has become of the order that held it back.
	return makePlan({ ...source, looks });
}

/** Puts the rows' own numbers on record with their orders: by them a row is known once its product is renamed. */
async function numberOrders(plan: Plan, journal: Journal): Promise<void> {
	const lines = [...newNumbers(plan)].flatMap(([key, own_number]) => {
		const order = journal.records.withKey(key);
		if (order === undefined) return [];
		const { content } = order;
		return [{ event: 'ordered', ...orderOf(order), own_number, content } as const];
	});
	if (lines.length > 0) await journal.keep(...lines);
}

/** Puts the beginning of the run on record, and says what it is about to do. */
async function beginRun(
	request: RunRequest,
	{ rows }: Plan,
	{ allowance, used }: Allowance,
	{ workspace, journal }: OrderContext,
): Promise<void> {
	const counts = countRows(rows);
	// What would need a further try by now is not ordered by this run.
	const to = (todo: Todo) =>
		rows.filter((row) => row.todo === todo && row.again === undefined).length;
	const isAtEnd = (row: PlannedRow) =>
		row.todo === 'nothing' &&
		row.sameAs === undefined &&
		['ready', 'failed'].includes(rowStatus(row));
	const { file: csv, headers } = request.table;
	const options = [...request.typed];
	const runStart = {
		csv,
		allowance,
		used,
		...(options.length > 0 && { options }),
		...request.reading,
		product_column: headers.product_name,
	};
	const toDo = {
		all: rows.length,
		to_order: to('order'),
		to_compare: to('take_over') + to('park'),
		to_resume: to('resume'),
		done: rows.filter(isAtEnd).length,
		changed: counts.changed,
		invalid: counts.invalid,
		duplicate: counts.duplicate,
	};
	const others_running = workspace.othersRunning();
	await journal.append({ event: 'run_started', ...runStart, rows: toDo, others_running });
}
