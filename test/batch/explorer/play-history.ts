import { CliError } from '../../../batch/cli-error';
import { matchRows } from '../../../batch/orders/match-rows';
import { isUnconfirmed } from '../../../batch/orders/order';
import { getRowStatus } from '../../../batch/plan/row-status';
import { getNamedBriefIds } from '../support/named-briefs';
import { makeRows } from '../support/order-builder';
import { Oracle, Script, World } from '../support/world';
import type { History, Step } from './histories';

const HOUR = 3_600_000;

/** Plays a history with the faults of a path, then without faults until it has come to an end. */
export async function playHistory(history: History, path: readonly number[]) {
	const oracle = new Oracle(path);
	const inputs = history.steps.flatMap((step) => step.inputs);
	const usual = { keyMemoryMs: HOUR, listLagMs: 0, showsInput: true, pageSize: 100 };
	const world = new World({ ...usual, ...history.nature, inputs }, oracle);
	world.failedBriefs = history.failed ?? (() => false);
	for (const steps of groupSteps(history.steps)) {
		const [{ fault = '', passMs = 1000 } = {}] = steps;
		world.oracle = fault === '' ? oracle : new Script([fault]);
		const breaches = await Promise.all(steps.map((step) => playStep(world, step)));
		const breach = breaches.find((each) => each !== null);
		if (breach !== undefined) return { oracle, breach };
		await world.clock.pass(passMs);
	}
	// From here on nothing fails: what is left must come to an end.
	world.oracle = new Oracle();
	const lastByFolder = new Map(history.steps.map((step) => [step.folder, step]));
	for (let run = 0; run < 2; run += 1)
		for (const step of lastByFolder.values()) {
			await world.clock.pass(800_000);
			if (history.canFaultsCost !== true) await playStep(world, step);
		}
	return { oracle, breach: await findBreach(world, history, oracle.story.length) };
}

/** Returns the steps that run one after the other, each with the steps that run at the same time. */
function groupSteps(steps: readonly Step[]): Step[][] {
	const groups: Step[][] = [];
	for (const step of steps)
		if (step.isAtOnce === true) groups.at(-1)?.push(step);
		else groups.push([step]);
	return groups;
}

/** Returns the breach if the step orders what it must not order. */
async function playStep(world: World, step: Step): Promise<string | null> {
	const { inputs, command = 'run', options = {}, folder = 'out', skipped = [] } = step;
	const rows = makeRows(...inputs).map((row) => ({
		...row,
		isSkipped: skipped.includes(row.number),
	}));
	const before = world.created.length;
	const { orders } = await world.readStore(folder);
	try {
		await world.runBatch({ rows, command, options, folder });
	} catch (error) {
		// An option that has no effect on its row is refused, for example while the order is unconfirmed.
		if (!(error instanceof CliError)) throw error;
	}
	const unconfirmed = orders.live.filter(isUnconfirmed).length;
	const unsettled = inputs.length - countContents(orders, rows);
	const isTooMuch = world.created.length - before > unconfirmed + unsettled;
	return step.ordersNothingNew === true && isTooMuch
		? 'P10: a plain run ordered what was not sent'
		: null;
}

/** Returns how many rows have had an order before the step. */
function countContents(
	orders: Awaited<ReturnType<World['readStore']>>['orders'],
	rows: ReturnType<typeof makeRows>,
): number {
	return rows.filter(({ contentId }) => orders.findByContent(contentId).length > 0).length;
}

async function findBreach(
	world: World,
	{ steps, mostPaid, mostPaidOfInput, canFaultsCost }: History,
	faults: number,
): Promise<string | null> {
	const { created } = world;
	const allowed = mostPaid + (canFaultsCost === true ? faults : 0);
	if (created.length > allowed) return `P1: ${created.length} briefs were paid for`;
	const counts = new Map<string, number>();
	for (const { input } of created) {
		const name = JSON.stringify(input);
		counts.set(name, (counts.get(name) ?? 0) + 1);
	}
	for (const [name, count] of counts)
		if (count > mostPaidOfInput) return `P1: ${name} was paid for ${count} times`;
	if (world.isKeyReused) return 'P7: a key came with two bodies';
	if (world.mostRunning > 2) return `P4: ${world.mostRunning} briefs ran at once`;
	const folders = new Set(steps.map(({ folder = 'out' }) => folder));
	const known = new Set<string>();
	for (const folder of folders) {
		const { orders } = await world.readStore(folder);
		for (const { id } of created) if (orders.findByBrief(id) !== undefined) known.add(id);
		for (const id of getNamedBriefIds(orders)) known.add(id);
		if (folder !== 'out' || canFaultsCost === true) continue;
		const rows = makeRows(...(steps.at(-1)?.inputs ?? []));
		const matches = matchRows(rows, orders);
		const open = rows.find((row) => getRowStatus(row, matches.get(row)) === 'pending');
		if (open !== undefined) return `P11: row ${open.number} is pending`;
	}
	// The last run of this history might die, and no run follows that would find the brief.
	if (canFaultsCost === true) return null;
	const lost = created.find(({ id }) => !known.has(id));
	return lost === undefined ? null : `P2: brief ${lost.id} is lost`;
}
