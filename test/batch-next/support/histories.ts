import type { BriefInput } from '../../../core/api/types';
import { CliError } from '../../../batch-next/cli-error';
import { matchRows } from '../../../batch-next/orders/match-rows';
import { isUnconfirmed } from '../../../batch-next/orders/order';
import { getRowStatus } from '../../../batch-next/plan/row-status';
import { getNamedBriefIds } from './named-briefs';
import { makeRows } from './order-builder';
import { Oracle, Script, World, type Nature, type WorldCommand } from './world';

/**
 * Histories of a CSV: retry, --reorder, --accept-edits, edited and skipped rows, rows of one product, contents that return,
 * --max-failures, two folders. The explorer plays each with every sequence of faults, and counts what the service created.
 *
 *     run [Mug for bakers]    a day later: run --reorder 2    the same command again    at most 2 briefs
 */
export interface History {
	readonly steps: readonly Step[];
	/** Briefs that the history may cost. */
	readonly mostPaid: number;
	/** Briefs of one input that the history may cost. */
	readonly mostPaidOfInput: number;
	/** The brief fails, by the number of briefs of the same input before it. */
	readonly failed?: (input: BriefInput, index: number) => boolean;
	/** Each fault may cost one more, because the failure that it hides is not counted. */
	readonly canFaultsCost?: true;
	/** How the service differs from the usual one, which shows inputs, has no lag and remembers keys for an hour. */
	readonly nature?: Partial<Nature>;
}

interface Step {
	readonly inputs: readonly BriefInput[];
	readonly command?: 'retry';
	readonly options?: WorldCommand['options'];
	readonly folder?: string;
	readonly skipped?: readonly number[];
	/** Happens as soon as it can. The explorer adds its own faults to the other steps. */
	readonly fault?: string;
	/** Runs at the same time as the step before. */
	readonly isAtOnce?: true;
	/** Time after the step. */
	readonly passMs?: number;
	/** A plain run: it may only send again what an earlier step has sent. */
	readonly ordersNothingNew?: true;
}

const MINUTE = 60_000;
const HOUR = 3_600_000;
const DAY = 86_400_000;
const mug = { product_name: 'Mug', audience: 'Bakers' };
const mugForCooks = { ...mug, audience: 'Cooks' };
const mugForKids = { ...mug, audience: 'Kids' };
const pan = { product_name: 'Pan' };
const cup = { product_name: 'Cup' };
const retry = { command: 'retry' } as const;
const reorder = { options: { reorder: ['2'] } };
const acceptEdits = { options: { acceptEdits: ['2'] } };
/** Inputs are hidden, and a key is remembered for an hour from its first request. */
const forgetful = { showsInput: false, keysCountFromFirstRequest: true } as const;
const addObjective = (input: BriefInput) => ({ ...input, objective: 'Sell' });

export const HISTORIES: Readonly<Record<string, History>> = {
	'a failed row is retried': {
		steps: [
			{ inputs: [mug, pan] },
			{ inputs: [mug, pan], ...retry },
			{ inputs: [mug, pan], ...retry },
			{ inputs: [mug, pan] },
		],
		mostPaid: 3,
		mostPaidOfInput: 2,
		failed: ({ product_name }, index) => product_name === 'Mug' && index === 0,
	},
	'a failed row is edited and retried': {
		steps: [
			{ inputs: [mug] },
			{ inputs: [mugForCooks] },
			{ inputs: [mugForCooks], ...retry },
			{ inputs: [mugForCooks] },
		],
		mostPaid: 2,
		mostPaidOfInput: 1,
		failed: ({ audience }) => audience === 'Bakers',
	},
	'a ready row is ordered again': {
		steps: [
			{ inputs: [mug], passMs: DAY },
			{ inputs: [mug], ...reorder },
			{ inputs: [mug], ...reorder },
			{ inputs: [mug] },
		],
		mostPaid: 2,
		mostPaidOfInput: 2,
	},
	'an edited row is ordered again': {
		steps: [
			{ inputs: [mug] },
			{ inputs: [mugForCooks], ...reorder },
			{ inputs: [mugForCooks], ...reorder },
			{ inputs: [mug] },
		],
		mostPaid: 2,
		mostPaidOfInput: 1,
	},
	'an edit is accepted and undone': {
		steps: [
			{ inputs: [mug] },
			{ inputs: [mugForCooks], ...acceptEdits },
			{ inputs: [mugForCooks] },
			{ inputs: [mug] },
		],
		mostPaid: 1,
		mostPaidOfInput: 1,
	},
	'an edit is undone': {
		steps: [{ inputs: [mug, pan] }, { inputs: [mugForCooks, pan] }, { inputs: [mug, pan] }],
		mostPaid: 2,
		mostPaidOfInput: 1,
	},
	'a row is skipped for a run': {
		steps: [{ inputs: [mug, pan] }, { inputs: [mug, pan], skipped: [2] }, { inputs: [mug, pan] }],
		mostPaid: 2,
		mostPaidOfInput: 1,
	},
	'several rows of one product are edited': {
		steps: [
			{ inputs: [mug, mugForCooks, mugForKids] },
			{ inputs: [mug, mugForCooks, mugForKids].map(addObjective) },
			{ inputs: [mug, mugForCooks, mugForKids] },
		],
		mostPaid: 3,
		mostPaidOfInput: 1,
		nature: { pageSize: 2 },
	},
	'a content returns as another row': {
		steps: [
			{ inputs: [mug, pan] },
			{ inputs: [mugForCooks, pan], ...reorder },
			{ inputs: [mugForCooks, pan, mug] },
			{ inputs: [mugForCooks, pan, mug] },
		],
		mostPaid: 3,
		mostPaidOfInput: 1,
		nature: { pageSize: 2 },
	},
	'an accepted content returns as another row': {
		steps: [
			{ inputs: [mug] },
			{ inputs: [mugForCooks], ...acceptEdits },
			{ inputs: [mugForCooks, mug] },
			{ inputs: [mugForCooks, mug] },
		],
		// If the first run dies before its order, there is no brief to accept.
		mostPaid: 2,
		mostPaidOfInput: 1,
	},
	'a duplicate is edited': {
		steps: [
			{ inputs: [mug, mug] },
			{ inputs: [mug, mugForCooks] },
			{ inputs: [mug, mugForCooks], options: { reorder: ['3'] } },
			{ inputs: [mug, mug] },
		],
		mostPaid: 2,
		mostPaidOfInput: 1,
	},
	'a retry is interrupted': {
		steps: [
			{ inputs: [mug, pan, cup] },
			{ inputs: [mug, pan, cup], ...retry },
			{ inputs: [mug, pan, cup], ordersNothingNew: true },
			{ inputs: [mug, pan, cup], ordersNothingNew: true, passMs: 800_000 },
		],
		mostPaid: 6,
		mostPaidOfInput: 2,
		failed: (_, index) => index === 0,
	},
	'a reorder is interrupted': {
		steps: [
			{ inputs: [mug, pan, cup], passMs: DAY },
			{ inputs: [mug, pan, cup], options: { reorder: ['2,3,4'] } },
			{ inputs: [mug, pan, cup], ordersNothingNew: true },
			{ inputs: [mug, pan, cup], ordersNothingNew: true, passMs: 800_000 },
		],
		mostPaid: 6,
		mostPaidOfInput: 2,
	},
	'every brief fails': {
		steps: Array.from({ length: 3 }, () => ({
			inputs: Array.from({ length: 7 }, (_, index) => ({ product_name: `Product ${index}` })),
			options: { maxFailures: ['2'] },
		})),
		mostPaid: 5,
		mostPaidOfInput: 1,
		failed: () => true,
		canFaultsCost: true,
	},
	'killed, then retry': {
		steps: [
			{ inputs: [mug], fault: 'dies before the work', passMs: 12 * MINUTE },
			{ inputs: [mug], ...retry },
			{ inputs: [mug], passMs: 49 * MINUTE },
			{ inputs: [mug], passMs: 3 * HOUR },
			{ inputs: [mug] },
		],
		mostPaid: 1,
		mostPaidOfInput: 1,
		nature: { ...forgetful, listLagMs: MINUTE },
	},
	'killed, then run --only of another row': {
		steps: [
			{ inputs: [mug, pan], fault: 'dies before the work', passMs: 12 * MINUTE },
			{ inputs: [mug, pan], options: { only: ['3'] } },
			{ inputs: [mug, pan], passMs: 49 * MINUTE },
			{ inputs: [mug, pan], passMs: 3 * HOUR },
			{ inputs: [mug, pan] },
		],
		mostPaid: 2,
		mostPaidOfInput: 1,
		nature: { ...forgetful, listLagMs: MINUTE },
	},
	'three hours between runs, and the list lags': {
		steps: [
			{ inputs: [mug, pan], passMs: 3 * HOUR },
			{ inputs: [mug, pan], passMs: 3 * HOUR },
			{ inputs: [mug, pan] },
		],
		mostPaid: 2,
		mostPaidOfInput: 1,
		nature: { listLagMs: 9 * MINUTE },
	},
	'another folder has just ordered, and the list lags': {
		steps: [
			{ inputs: [mug], folder: 'other' },
			{ inputs: [mug], passMs: 3 * HOUR },
			{ inputs: [mug], passMs: 3 * HOUR },
			{ inputs: [mug] },
		],
		mostPaid: 1,
		mostPaidOfInput: 1,
		nature: { ...forgetful, listLagMs: 9 * MINUTE },
	},
	'a rejected order is retried while another folder orders': {
		steps: [
			{ inputs: [mug], fault: 'refused 400' },
			{ inputs: [mug], ...retry },
			{ inputs: [mug], folder: 'other', isAtOnce: true },
			{ inputs: [mug] },
		],
		mostPaid: 1,
		mostPaidOfInput: 1,
		nature: { listLagMs: MINUTE },
	},
	'two rows of one product, and inputs are hidden': {
		steps: [
			{ inputs: [mug, mugForCooks], fault: 'dies after the work', passMs: 20 * MINUTE },
			{ inputs: [mug, mugForCooks], passMs: 3 * HOUR },
			{ inputs: [mug, mugForCooks] },
		],
		mostPaid: 2,
		mostPaidOfInput: 1,
		nature: { ...forgetful, listLagMs: 0 },
	},
	'a product name is edited': {
		steps: [
			{ inputs: [mug, pan] },
			{ inputs: [{ ...mug, product_name: 'Mug 2026' }, pan] },
			{ inputs: [mug, pan] },
		],
		mostPaid: 2,
		mostPaidOfInput: 1,
	},
	'two folders': {
		steps: [
			{ inputs: [mug, pan] },
			{ inputs: [mug, pan], folder: 'other' },
			{ inputs: [mug, pan] },
		],
		mostPaid: 2,
		mostPaidOfInput: 1,
	},
};

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
