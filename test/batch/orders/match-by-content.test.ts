import type { Row } from '../../../batch/csv/types';
import type { Orders } from '../../../batch/orders/orders';
import {
	cup,
	makeOrders,
	makeRow,
	makeRows,
	mug,
	mugForCooks,
	pan,
	STATES,
} from '../support/order-builder';
import { showMatches } from '../support/show-matches';

const two = makeOrders({ input: mug }, { input: pan });
const cooksId = makeRow(2, mugForCooks).contentId;
const accepted = makeOrders({ input: mug, acceptedContentIds: [cooksId] });
const reordered = makeOrders({ input: mug }, { input: mugForCooks, previousOrderId: 1 });

type Case = readonly [title: string, rows: readonly Row[], orders: Orders, expected: string];

describe('rows and orders with the same content', () => {
	test.each<Case>([
		['the same rows keep their orders', makeRows(mug, pan), two, 'ready 1, ready 2'],
		['rows that moved keep their orders', makeRows(pan, mug), two, 'ready 2, ready 1'],
		[
			'another spelling has the order',
			makeRows({ product_name: ' MUG', audience: 'bakers' }),
			two,
			'ready 1',
		],
		['another product is new', makeRows(mug, pan, cup), two, 'ready 1, ready 2, pending'],
		['duplicates share the order', makeRows(mug, mug), two, 'ready 1, ready 1'],
		[
			'the newest of two orders counts',
			makeRows(mug),
			makeOrders({ input: mug }, { input: mug, previousOrderId: 1, state: STATES.failed('B2') }),
			'failed 2',
		],
		[
			'a dropped order never counts',
			makeRows(mug),
			makeOrders({ input: mug }, { input: mug, previousOrderId: 1, state: STATES.dropped() }),
			'ready 1',
		],
		['an accepted content has the order', makeRows(mugForCooks), accepted, 'ready 1'],
		[
			'the accepted and the ordered content share the order',
			makeRows(mugForCooks, mug),
			accepted,
			'ready 1, ready 1',
		],
		[
			'of two orders that accepted a content, the newest counts',
			makeRows(mugForCooks),
			makeOrders(
				{ input: mug, acceptedContentIds: [cooksId] },
				{ input: pan, acceptedContentIds: [cooksId] },
			),
			'ready 2',
		],
		[
			'an order for the content counts before an order that accepted it',
			makeRows(mugForCooks),
			makeOrders({ input: mugForCooks }, { input: mug, acceptedContentIds: [cooksId] }),
			'ready 1',
		],
		[
			'a replaced content that returns as another row has its order',
			makeRows(mugForCooks, mug),
			reordered,
			'ready 2, ready 1',
		],
		[
			'a row has its first order again when an edit that failed is undone',
			makeRows(mug),
			makeOrders(
				{ input: mug },
				{ input: mugForCooks, previousOrderId: 1, state: STATES.failed('B2') },
			),
			'ready 1',
		],
	])('%s', (_, rows, orders, expected) => {
		expect(showMatches(rows, orders)).toBe(expected);
	});
});

const inReview = STATES.unconfirmed({ review: { code: 'no_answer' } });

test.each([
	['unconfirmed', STATES.unconfirmed(), 'pending 1', 'pending 1'],
	['unconfirmed and in review', inReview, 'needs_review 1', 'needs_review 1'],
	['accepted', STATES.accepted(), 'pending 1', 'pending 1'],
	['accepted and late for a day', STATES.accepted('late'), 'needs_review 1', 'needs_review 1'],
	['ready', STATES.ready(), 'ready 1', 'changed 1'],
	['failed', STATES.failed(), 'failed 1', 'failed 1'],
	['undecided', STATES.undecided('X'), 'needs_review 1', 'pending'],
	['dropped', STATES.dropped(), 'pending', 'pending'],
])(
	'with an order that is %s, the row has a status of its own when it is the same and when it is edited',
	(_, state, same, edited) => {
		const orders = makeOrders({ input: mug, state });
		expect(showMatches(makeRows(mug), orders)).toBe(same);
		expect(showMatches(makeRows(mugForCooks), orders)).toBe(edited);
	},
);
