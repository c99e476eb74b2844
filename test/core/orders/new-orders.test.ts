import { decideOrder, type Policy } from '../../../core/orders/decide-order';
import { makeFacts, makeOrder, makeSettled, type BriefFacts } from '../support/facts';
import {
	COOKS,
	decide,
	FAILED,
	FAILED_B,
	GOOD,
	hasSeen,
	HIDDEN,
	HIDDEN_2,
	listShown,
	makeRequest,
	OTHER,
	REORDER,
	RETRY,
	RUNNING,
	SPELLED,
	summarize,
	THREE_FAILED,
} from '../support/decisions';
import { USE } from '../support/orders';
import { DAY } from '../../support/time';

/** Orders that were never sent: their plan, and their check in their turn. Reorders are in reorder.test.ts. */

const within = (days: number, policy = USE): Policy => ({ ...policy, reuseWithinMs: days * DAY });
const hasOrdered = (policy: Policy): Policy => ({ ...policy, resultsOfExecution: new Set('A') });

describe('a new order', () => {
	test.each<[string, Policy, BriefFacts[], string]>([
		['is sent if nothing is listed', USE, [], 'send, supersedes nothing'],
		['is sent if the list shows other content', USE, [OTHER], 'send, supersedes nothing'],
		['uses a brief of its content', USE, [GOOD], 'use A, reused'],
		['uses a brief that is being written', USE, [RUNNING], 'use A, reused'],
		['uses a failed brief', USE, [FAILED], 'use A, reused'],
		['uses the newest brief', USE, [GOOD, { id: 'B', age: DAY }], 'use B, reused'],
		['uses the newest failed brief', USE, [FAILED, { ...FAILED_B, age: DAY }], 'use B, reused'],
		['uses no failed brief if another is good', USE, [GOOD, FAILED_B], 'use A, reused'],
		['asks about a brief that hides its input', USE, [HIDDEN], 'ask about H'],
		['asks about a brief that cannot be fetched', USE, [{ id: 'H', shows: null }], 'ask about H'],
		['asks about no hidden brief if it can use another', USE, [HIDDEN, GOOD], 'use A, reused'],
		['is sent if the user has seen the brief', hasSeen('H'), [HIDDEN], 'send, supersedes nothing'],
		['asks about all if the user has seen one', hasSeen('H'), [HIDDEN, HIDDEN_2], 'ask about I H'],
		// retry, and Use It Unless It Failed.
		['by retry is sent if nothing is listed', RETRY, [], 'send, supersedes nothing'],
		['by retry uses a good brief', RETRY, [GOOD], 'use A, reused'],
		['by retry uses a brief that is being written', RETRY, [RUNNING], 'use A, reused'],
		[
			'by retry supersedes the newest failed brief',
			RETRY,
			[FAILED, FAILED_B],
			'send, supersedes B',
		],
		['by retry asks about a hidden brief', RETRY, [FAILED, HIDDEN], 'ask about H'],
		['by retry fails after three', RETRY, THREE_FAILED, 'failed: three_failed_briefs'],
		// Outside Reuse Within.
		['supersedes an old brief', within(5), [GOOD], 'send, supersedes A'],
		['supersedes an old failed brief', within(5), [FAILED], 'send, supersedes A'],
		['uses a young brief', within(5), [GOOD, { id: 'B', age: 4 * DAY }], 'use B, reused'],
		['uses a young failed brief', within(5), [GOOD, { ...FAILED_B, age: DAY }], 'use B, reused'],
		[
			'by retry supersedes a young failed brief',
			within(5, RETRY),
			[GOOD, { ...FAILED_B, age: DAY }],
			'send, supersedes B',
		],
		['uses a brief of unknown age', within(5), [{ ...GOOD, created_at: '?' }], 'use A, reused'],
		['fails after three old ones', within(5), THREE_FAILED, 'failed: three_failed_briefs'],
		// This execution of n8n has ordered brief A.
		['has its failed result', hasOrdered(RETRY), [FAILED], 'use A, reused'],
		['has its old result', hasOrdered(within(0)), [GOOD], 'use A, reused'],
		[
			'has its result although another is good',
			hasOrdered(USE),
			[FAILED, { id: 'B' }],
			'use A, reused',
		],
		[
			'has no result of other content',
			hasOrdered(RETRY),
			[{ ...FAILED, shows: COOKS }],
			'send, supersedes nothing',
		],
	])('%s', (_title, policy, listed, expected) => {
		expect(decide(null, policy, { listed })).toBe(expected);
	});

	test('uses a brief of another order with its content, whatever it shows', () => {
		const orders = [makeSettled({ id: 'O' }, { input: SPELLED })];
		expect(decide(null, USE, { listed: [OTHER], orders })).toBe('use O, reused');
		expect(decide(null, USE, { orders })).toBe('use O, reused');
	});

	test('does not use the brief of an order with other content, whatever it shows', () => {
		const orders = [makeSettled(GOOD, { input: COOKS })];
		expect(decide(null, USE, { listed: [GOOD], orders })).toBe('send, supersedes nothing');
	});

	test('has passed over the briefs of the product, without those that other content has paid for', () => {
		const listed = [OTHER, HIDDEN, { id: 'P' }, { id: 'Q', product_name: 'Pan' }];
		const own = [makeSettled(FAILED), makeSettled(FAILED_B)];
		const orders = [makeSettled({ id: 'P' }, { input: COOKS }), ...own];
		const request = makeRequest(null, hasSeen('H', RETRY));
		// The list does not show A and B.
		expect(listShown(decideOrder(request, makeFacts({ listed, orders })))).toBe('ABHO');
	});

	test('neither asks about nor passes over a hidden brief that is compared later', () => {
		const request = { ...makeRequest(null, USE), comparedLater: new Set('H') };
		expect(listShown(decideOrder(request, makeFacts({ listed: [OTHER, HIDDEN] })))).toBe('O');
		const both = makeFacts({ listed: [HIDDEN, HIDDEN_2] });
		expect(summarize(decideOrder(request, both))).toBe('ask about I');
	});
});

describe('a draft in its turn', () => {
	const draft = makeOrder({ shown: ['S', 'T'] });
	const BEFORE: BriefFacts[] = [{ id: 'S' }, { id: 'T', shows: {} }];

	test.each<[string, Policy, BriefFacts[], string]>([
		['is sent if nothing has appeared', USE, [], 'send, supersedes nothing'],
		['uses a brief that has appeared', USE, [GOOD], 'use A, reused'],
		['by retry uses a failed brief that has appeared', RETRY, [FAILED], 'use A, reused'],
		['by reorder uses a brief that has appeared', REORDER, [GOOD], 'use A, reused'],
		['asks about a hidden brief that has appeared', USE, [HIDDEN], 'ask about H'],
		['asks if the user has seen another', hasSeen('T', REORDER), [HIDDEN], 'ask about H'],
		['is sent if the user has seen the brief', hasSeen('H'), [HIDDEN], 'send, supersedes nothing'],
	])('%s', (_title, policy, appeared, expected) => {
		expect(decide(draft, policy, { listed: [...BEFORE, ...appeared] })).toBe(expected);
	});

	test('adds the briefs of the product that it passes over to those that were listed', () => {
		const listed = [...BEFORE, OTHER, HIDDEN, { id: 'P' }];
		const orders = [makeSettled({ id: 'P' }, { input: COOKS })];
		const request = makeRequest(draft, hasSeen('H'));
		expect(listShown(decideOrder(request, makeFacts({ listed, orders })))).toBe('HOST');
	});
});
