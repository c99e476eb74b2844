import type { Nature } from '../support/world';

/** How the service could behave where its documentation is silent. The explorer plays each with every sequence of faults. */
const HOUR = 3_600_000;
const MINUTE = 60_000;
const mug = { product_name: 'Mug', audience: 'Bakers' };
const mugForCooks = { ...mug, audience: 'Cooks' };
const pan = { product_name: 'Pan' };
const cup = { product_name: 'Cup' };
const shown = { keyMemoryMs: HOUR, listLagMs: 0, showsInput: true };
const hidden = { ...shown, showsInput: false };

export const NATURES: Readonly<Record<string, Nature>> = {
	'keys for ever, three rows': { ...shown, keyMemoryMs: Infinity, inputs: [mug, pan, cup] },
	'a third brief is refused': { ...shown, inputs: [mug, pan, cup], refusesThird: true },
	'the list lags, three rows': {
		...shown,
		listLagMs: 5 * MINUTE,
		inputs: [mug, pan, cup],
		briefMs: 8 * MINUTE,
	},
	'keys for an hour': { ...shown, inputs: [mug, pan] },
	'the list lags five minutes': { ...shown, listLagMs: 5 * MINUTE, inputs: [mug, pan] },
	'keys count from the first request': {
		...shown,
		listLagMs: 5 * MINUTE,
		inputs: [mug],
		keysCountFromFirstRequest: true,
	},
	'input is not shown': { ...hidden, listLagMs: 5 * MINUTE, inputs: [mug, pan] },
	'input is not shown, and a key counts from its first request': {
		...hidden,
		listLagMs: 9 * MINUTE,
		inputs: [mug, pan],
		keysCountFromFirstRequest: true,
	},
	'one product, two contents': { ...hidden, listLagMs: MINUTE, inputs: [mug, mugForCooks] },
	'with a colleague': { ...shown, inputs: [mug, pan], colleague: 'might order' },
	'with a colleague, input is not shown': {
		...hidden,
		inputs: [mug, pan],
		colleague: 'might order',
	},
	'one product, with a colleague': {
		...hidden,
		inputs: [mug, mugForCooks],
		colleague: 'might order',
	},
	'a colleague orders the same product': {
		...hidden,
		inputs: [mug, pan],
		colleague: 'orders other content',
	},
	'a colleague has ordered the same product': {
		...shown,
		inputs: [mug, pan],
		colleague: 'has ordered other content',
	},
	'a colleague has just ordered, the list lags': {
		...shown,
		listLagMs: MINUTE,
		inputs: [mug, pan],
		colleague: 'has ordered other content',
	},
	'a row is removed for two runs': {
		...shown,
		listLagMs: 5 * MINUTE,
		inputs: [mug, pan],
		isRowRemoved: true,
	},
	'keys are confused': { ...hidden, inputs: [mug, pan], confusesKeys: true },
	'keys are confused, the list lags': {
		...hidden,
		listLagMs: 5 * MINUTE,
		inputs: [mug, pan],
		confusesKeys: true,
	},
	'keys are confused, one product': { ...shown, inputs: [mug, mugForCooks], confusesKeys: true },
};
