import { MAX_LIST_WAIT_MS } from '../../../core/assumptions';
import type { BriefInput } from '../../../core/api/types';
import { toCliError } from '../../../batch/commands/to-cli-error';
import { getContentId, type Row } from '../../../batch/csv/types';
import { matchRows } from '../../../batch/orders/match-rows';
import { isUnconfirmedOrder } from '../../../batch/orders/order';
import { HOUR, MINUTE } from '../../support/time';
import { findByBrief, makeRow, makeRows } from '../support/order-builder';
import { Oracle, Script } from '../../support/oracle';
import { COLLEAGUE } from '../../support/virtual-service';
import { readRowStatus, World } from '../support/world';
import type { ExplorerCase, Step } from './cases';

const GAPS: ReadonlyMap<string, number> = new Map([
	['thirteen minutes', 13 * MINUTE],
	['two hours', 2 * HOUR],
	['three hours', 3 * HOUR],
]);

type PlayedStep = Step & { readonly inputs: readonly BriefInput[] };

/** Plays a history with the faults of a path, then without faults until every order has ended. */
export async function playCase(played: ExplorerCase, path: readonly number[]) {
	const oracle = new Oracle(path);
	const steps = completeSteps(played.steps);
	const world = new World({ ...played.behavior, inputs: steps[0]?.inputs ?? [] }, oracle);
	world.shouldFail = played.shouldFail ?? world.shouldFail;
	for (const group of groupSteps(steps)) {
		const [{ fault = '', passMs = 1000 } = {}] = group;
		world.oracle = fault === '' ? oracle : new Script([fault]);
		const breaches = await Promise.all(group.map((step) => playStep(world, step)));
		const breach = breaches.find((each) => each !== null);
		if (breach !== undefined) return { oracle, breach };
		const chosen = passMs === 'any' ? oracle.choose(...GAPS.keys()) : '';
		await world.clock.pass(passMs === 'any' ? (GAPS.get(chosen) ?? 1000) : passMs);
	}
	// Without further faults, the remaining orders must end.
	world.oracle = new Oracle();
	const lastByFolder = new Map(steps.map((step) => [step.folder ?? 'out', step]));
	for (let run = 0; run < 2; run += 1)
		for (const step of lastByFolder.values()) {
			await world.clock.pass(800_000);
			if (played.canFaultsCost !== true) await playStep(world, step);
		}
	const breach =
		findPaymentBreach(world, played, oracle.story) ??
		(await findOrderBreach(world, played, lastByFolder, oracle.story));
	return { oracle, breach };
}

/** Returns the steps, each with its CSV. */
function completeSteps(steps: readonly Step[]): PlayedStep[] {
	let inputs: readonly BriefInput[] = [];
	return steps.map((step) => {
		inputs = step.inputs ?? inputs;
		return { ...step, inputs };
	});
}

/** Returns the steps that run one after the other, each with the steps that run at the same time. */
function groupSteps(steps: readonly PlayedStep[]): PlayedStep[][] {
	const groups: PlayedStep[][] = [];
	for (const step of steps)
		if (step.isAtOnce === true) groups.at(-1)?.push(step);
		else groups.push([step]);
	return groups;
}

/** Returns the breach if the step orders what it must not order. */
async function playStep(world: World, step: PlayedStep): Promise<string | null> {
	const { inputs, command = 'run', options = {}, folder = 'out', skipped = [] } = step;
	const rows = makeRows(...inputs).map(({ number, input, rowId }) =>
		makeRow(number, input, { rowId, isSkipped: skipped.includes(number) }),
	);
	const before = world.created.length;
	const { orders } = await world.readStore(folder);
	try {
		await world.runBatch({ rows, command, options, folder });
	} catch (error) {
		// An option that has no effect on its row is refused, for example while the order is unconfirmed. The disk can be full.
		const { code } = toCliError(error, world.clock.now());
		if (code !== 'usage' && code !== 'disk_failed') throw error;
	}
	const unconfirmed = orders.live.filter(isUnconfirmedOrder).length;
	const isNew = (row: Row) => orders.findByContent(getContentId(row) ?? '').length === 0;
	const most = unconfirmed + rows.filter(isNew).length;
	const isTooMuch = world.created.length - before > most;
	return step.ordersNothingNew === true && isTooMuch
		? 'P10: a run ordered a row that was not sent before'
		: null;
}

type Breach = string | null;

/** Compares the promises about money with what the service created. */
function findPaymentBreach(
	{ created, behavior, isKeyReused, mostRunning }: World,
	{ mostPaid, mostPaidOfInput = 1, canFaultsCost }: ExplorerCase,
	story: readonly string[],
): Breach {
	const paid = created.filter(({ key }) => key !== COLLEAGUE);
	const allowed = mostPaid + (canFaultsCost === true ? story.length : 0);
	if (paid.length > allowed) return `P1: ${paid.length} briefs were paid for`;
	for (const { input } of paid) {
		const name = JSON.stringify(input);
		const same = created.filter((brief) => JSON.stringify(brief.input) === name);
		const own = same.filter(({ key }) => key !== COLLEAGUE);
		if (own.length > mostPaidOfInput) return `P1: ${name} was paid for ${own.length} times`;
		const isVisible = behavior.listLagMs === 0 && behavior.isInputShown;
		if (isVisible && same[0]?.key === COLLEAGUE)
			return `P10: ${name} was ordered although a colleague had ordered the same`;
	}
	if (isKeyReused) return 'P7: a key came with two bodies';
	// An order without an answer uses a slot for two minutes. A list that lags longer hides its brief.
	const canHideBrief = behavior.listLagMs > MAX_LIST_WAIT_MS && story.length > 1;
	return mostRunning > 2 && !canHideBrief ? `P4: ${mostRunning} briefs ran at once` : null;
}

/** Compares the promises about rows and files with what each folder has. */
async function findOrderBreach(
	world: World,
	{ canFaultsCost }: ExplorerCase,
	lastByFolder: ReadonlyMap<string, PlayedStep>,
	story: readonly string[],
): Promise<Breach> {
	// The last run of this history might die, and no run follows that would find the brief.
	if (canFaultsCost === true) return null;
	for (const [folder, { inputs }] of lastByFolder) {
		const breach =
			(await findRowBreach(world, folder, inputs, story)) ?? (await findFileBreach(world, folder));
		if (breach !== null) return breach;
	}
	const [lost] = await world.findLostBriefs(...lastByFolder.keys());
	return lost === undefined ? null : `P2: brief ${lost.id} is lost`;
}

async function findRowBreach(
	world: World,
	folder: string,
	inputs: readonly BriefInput[],
	story: readonly string[],
): Promise<Breach> {
	const { orders } = await world.readStore(folder);
	const rows = makeRows(...inputs);
	const matches = matchRows(rows, orders, world.clock.now());
	const { colleague, listLagMs } = world.behavior;
	const isSettledByList = colleague === 'has ordered other content' && listLagMs === 0;
	// Here, only a refusal after a lost answer needs a decision by the user.
	const isRefused = story.some((fault) => fault.includes('refused'));
	for (const row of rows) {
		const status = readRowStatus(row, orders, matches);
		if (status === 'pending') return `P11: row ${row.number} is pending`;
		if (isSettledByList && status === 'needs_review' && !isRefused)
			return `P1: row ${row.number} needs review although the list decides it`;
	}
	return null;
}

async function findFileBreach(world: World, folder: string): Promise<Breach> {
	const { created, behavior, files } = world;
	const { orders } = await world.readStore(folder);
	for (const { id, key, input } of created) {
		const owner = findByBrief(orders, id);
		if (owner === undefined) continue;
		const isSame = JSON.stringify(owner.input) === JSON.stringify(input);
		const isHidden = key === COLLEAGUE && !behavior.isInputShown;
		const isSameProduct = owner.input.product_name === input.product_name;
		if (isHidden ? !isSameProduct : !isSame) return `P12: brief ${id} belongs to another row`;
		const { state } = owner;
		if (state.kind !== 'ready' && state.kind !== 'failed')
			return `P2: brief ${id} is ${state.kind}`;
		if (state.kind === 'ready' && !files.has(`${folder}/results/${state.file}.md`))
			return `P6: brief ${id} has no file`;
	}
	return null;
}
