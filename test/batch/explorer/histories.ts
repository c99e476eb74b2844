import type { BriefInput } from '../../../core/api/types';
import type { Nature, WorldCommand } from '../support/world';

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

export interface Step {
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
