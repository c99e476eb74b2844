import type { BriefInput } from '../../../core/api/types';
import { DAY, HOUR, MINUTE } from '../../support/time';
import { cup, mug, mugForCooks, mugForKids, pan } from '../support/order-builder';
import type { ServiceBehavior } from '../../support/virtual-service';
import type { WorldCommand } from '../support/world';

/**
 * Histories of a CSV, by name: four runs on a service of each behavior, then retry, --reorder, --accept-edits, edited and
 * skipped rows, rows of one product, contents that return, failures in a row, two folders. The explorer plays each with every
 * sequence of faults, and counts what the service created.
 *
 *     run [Mug for bakers]    a day later: run --reorder 2    the same command again    at most 2 briefs
 */
export interface ExplorerCase {
	readonly steps: readonly Step[];
	/** Briefs that the history can cost. */
	readonly mostPaid: number;
	/** Briefs of one input that the history can cost; 1 if it is missing. */
	readonly mostPaidOfInput?: number;
	/** Decides whether a brief fails. `index` counts the briefs of the same input from 0. */
	readonly shouldFail?: (input: BriefInput, index: number) => boolean;
	/** Whether each fault can cost one more brief, because it hides a failure that would be counted. */
	readonly canFaultsCost?: true;
	/** The behavior of the service. By default it shows inputs, its list has no lag, and it remembers keys for an hour. */
	readonly behavior?: Partial<ServiceBehavior>;
}

export interface Step {
	/** The CSV; the CSV of the step before if it is missing. */
	readonly inputs?: readonly BriefInput[];
	readonly command?: 'retry';
	readonly options?: WorldCommand['options'];
	readonly folder?: string;
	readonly skipped?: readonly number[];
	/** A fault that happens as soon as possible. The explorer chooses the faults of the other steps. */
	readonly fault?: string;
	/** Runs at the same time as the step before. */
	readonly isAtOnce?: true;
	/** Time after the step; `any` if the explorer chooses it. */
	readonly passMs?: number | 'any';
	/** Whether the step only sends orders that an earlier step has sent. */
	readonly ordersNothingNew?: true;
}

const run: Step = {};
const retry = { command: 'retry' } as const;
const reorder = { options: { reorder: ['2'] } };
const acceptEdits = { options: { acceptEdits: ['2'] } };
const hidden = { isInputShown: false };
/** Inputs are hidden, and a key is remembered for an hour from its first request. */
const forgetful = { isInputShown: false, isKeyAgedFromFirstRequest: true } as const;
const addObjective = (input: BriefInput) => ({ ...input, objective: 'Sell' });

/** Runs a CSV four times on a service of this behavior. */
function onService(
	inputs: readonly BriefInput[],
	behavior: Partial<ServiceBehavior>,
): ExplorerCase {
	const any: Step = { passMs: 'any' };
	return { steps: [{ inputs, ...any }, any, any, run], mostPaid: inputs.length, behavior };
}

const BEHAVIORS: Readonly<Record<string, ExplorerCase>> = {
	'keys for ever, three rows': onService([mug, pan, cup], { keyMemoryMs: Infinity }),
	'a third brief is refused': onService([mug, pan, cup], { thirdBrief: 'refuse' }),
	'the list lags, three rows': onService([mug, pan, cup], {
		listLagMs: 5 * MINUTE,
		briefMs: 8 * MINUTE,
	}),
	'the list lags five minutes': onService([mug, pan], { listLagMs: 5 * MINUTE }),
	'keys count from the first request': onService([mug], {
		listLagMs: 5 * MINUTE,
		isKeyAgedFromFirstRequest: true,
	}),
	'input is not shown': onService([mug, pan], { ...hidden, listLagMs: 5 * MINUTE }),
	'input is not shown, and a key counts from its first request': onService([mug, pan], {
		...forgetful,
		listLagMs: 9 * MINUTE,
	}),
	'one product, two contents': onService([mug, mugForCooks], { ...hidden, listLagMs: MINUTE }),
	'with a colleague': onService([mug, pan], { colleague: 'might order' }),
	'with a colleague, input is not shown': onService([mug, pan], {
		...hidden,
		colleague: 'might order',
	}),
	'one product, with a colleague': onService([mug, mugForCooks], {
		...hidden,
		colleague: 'might order',
	}),
	'a colleague orders the same product': onService([mug, pan], {
		...hidden,
		colleague: 'orders other content',
	}),
	'a colleague has ordered the same product': onService([mug, pan], {
		colleague: 'has ordered other content',
	}),
	'a colleague has just ordered, the list lags': onService([mug, pan], {
		listLagMs: MINUTE,
		colleague: 'has ordered other content',
	}),
	'keys are confused': onService([mug, pan], { ...hidden, canConfuseKeys: true }),
	'keys are confused, the list lags': onService([mug, pan], {
		...hidden,
		listLagMs: 5 * MINUTE,
		canConfuseKeys: true,
	}),
	'keys are confused, one product': onService([mug, mugForCooks], { canConfuseKeys: true }),
};

const HISTORIES: Readonly<Record<string, ExplorerCase>> = {
	'a row is removed for two runs': {
		steps: [
			{ inputs: [mug, pan], passMs: 'any' },
			{ inputs: [mug], passMs: 'any' },
			{ passMs: 'any' },
			{ inputs: [mug, pan] },
		],
		mostPaid: 2,
		behavior: { listLagMs: 5 * MINUTE },
	},
	'a failed row is retried': {
		steps: [{ inputs: [mug, pan] }, retry, retry, run],
		mostPaid: 3,
		mostPaidOfInput: 2,
		shouldFail: ({ product_name }, index) => product_name === 'Mug' && index === 0,
	},
	'a failed row is edited and retried': {
		steps: [{ inputs: [mug] }, { inputs: [mugForCooks] }, retry, run],
		mostPaid: 2,
		shouldFail: ({ audience }) => audience === 'Bakers',
	},
	'a ready row is ordered again': {
		steps: [{ inputs: [mug], passMs: DAY }, reorder, reorder, run],
		mostPaid: 2,
		mostPaidOfInput: 2,
	},
	'an edited row is ordered again': {
		steps: [{ inputs: [mug] }, { inputs: [mugForCooks], ...reorder }, reorder, { inputs: [mug] }],
		mostPaid: 2,
	},
	'an edit is accepted and undone': {
		steps: [{ inputs: [mug] }, { inputs: [mugForCooks], ...acceptEdits }, run, { inputs: [mug] }],
		mostPaid: 1,
	},
	'an edit is undone': {
		steps: [{ inputs: [mug, pan] }, { inputs: [mugForCooks, pan] }, { inputs: [mug, pan] }],
		mostPaid: 2,
	},
	'a row is skipped for a run': {
		steps: [{ inputs: [mug, pan] }, { skipped: [2] }, run],
		mostPaid: 2,
	},
	'several rows of one product are edited': {
		steps: [
			{ inputs: [mug, mugForCooks, mugForKids] },
			{ inputs: [mug, mugForCooks, mugForKids].map(addObjective) },
			{ inputs: [mug, mugForCooks, mugForKids] },
		],
		mostPaid: 3,
		behavior: { pageSize: 2 },
	},
	'a content returns as another row': {
		steps: [
			{ inputs: [mug, pan] },
			{ inputs: [mugForCooks, pan], ...reorder },
			{ inputs: [mugForCooks, pan, mug] },
			run,
		],
		mostPaid: 3,
		behavior: { pageSize: 2 },
	},
	'an accepted content returns as another row': {
		steps: [
			{ inputs: [mug] },
			{ inputs: [mugForCooks], ...acceptEdits },
			{ inputs: [mugForCooks, mug] },
			run,
		],
		// If the first run dies before its order, there is no brief to accept.
		mostPaid: 2,
	},
	'a duplicate is edited': {
		steps: [
			{ inputs: [mug, mug] },
			{ inputs: [mug, mugForCooks] },
			{ options: { reorder: ['3'] } },
			{ inputs: [mug, mug] },
		],
		mostPaid: 2,
	},
	'a retry is interrupted': {
		steps: [
			{ inputs: [mug, pan, cup] },
			retry,
			{ ordersNothingNew: true },
			{ ordersNothingNew: true, passMs: 800_000 },
		],
		mostPaid: 6,
		mostPaidOfInput: 2,
		shouldFail: (_, index) => index === 0,
	},
	'a reorder is interrupted': {
		steps: [
			{ inputs: [mug, pan, cup], passMs: DAY },
			{ options: { reorder: ['2,3,4'] } },
			{ ordersNothingNew: true },
			{ ordersNothingNew: true, passMs: 800_000 },
		],
		mostPaid: 6,
		mostPaidOfInput: 2,
	},
	'every brief fails': {
		steps: Array.from({ length: 3 }, () => ({
			inputs: Array.from({ length: 7 }, (_, index) => ({ product_name: `Product ${index}` })),
		})),
		mostPaid: 8,
		shouldFail: () => true,
		canFaultsCost: true,
	},
	'killed, then retry': {
		steps: [
			{ inputs: [mug], fault: 'dies before the work', passMs: 12 * MINUTE },
			retry,
			{ passMs: 49 * MINUTE },
			{ passMs: 3 * HOUR },
			run,
		],
		mostPaid: 1,
		behavior: { ...forgetful, listLagMs: MINUTE },
	},
	'killed, then run --only of another row': {
		steps: [
			{ inputs: [mug, pan], fault: 'dies before the work', passMs: 12 * MINUTE },
			{ options: { only: ['3'] } },
			{ passMs: 49 * MINUTE },
			{ passMs: 3 * HOUR },
			run,
		],
		mostPaid: 2,
		behavior: { ...forgetful, listLagMs: MINUTE },
	},
	'three hours between runs, and the list lags': {
		steps: [{ inputs: [mug, pan], passMs: 3 * HOUR }, { passMs: 3 * HOUR }, run],
		mostPaid: 2,
		behavior: { listLagMs: 9 * MINUTE },
	},
	'another folder has just ordered, and the list lags': {
		steps: [{ inputs: [mug], folder: 'other' }, { passMs: 3 * HOUR }, { passMs: 3 * HOUR }, run],
		mostPaid: 1,
		behavior: { ...forgetful, listLagMs: 9 * MINUTE },
	},
	'a rejected order is retried while another folder orders': {
		steps: [
			{ inputs: [mug], fault: 'refused 400' },
			retry,
			{ folder: 'other', isAtOnce: true },
			run,
		],
		mostPaid: 1,
		behavior: { listLagMs: MINUTE },
	},
	'two rows of one product, and inputs are hidden': {
		steps: [
			{ inputs: [mug, mugForCooks], fault: 'dies after the work', passMs: 20 * MINUTE },
			{ passMs: 3 * HOUR },
			run,
		],
		mostPaid: 2,
		behavior: forgetful,
	},
	'a product name is edited': {
		steps: [
			{ inputs: [mug, pan] },
			{ inputs: [{ ...mug, product_name: 'Mug 2026' }, pan] },
			{ inputs: [mug, pan] },
		],
		mostPaid: 2,
	},
	'two folders': {
		steps: [{ inputs: [mug, pan] }, { folder: 'other' }, run],
		mostPaid: 2,
	},
};

export const CASES: Readonly<Record<string, ExplorerCase>> = { ...BEHAVIORS, ...HISTORIES };
