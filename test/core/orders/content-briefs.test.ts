import type { BriefInput } from '../../../core/api/types';
import { readFacts } from '../../../core/orders/facts';
import {
	compareBrief,
	countFailedBriefs,
	findContentBriefs,
} from '../../../core/orders/find-brief';
import { BriefDetails } from '../../../core/workspace/brief-details';
import { InputDisplay } from '../../../core/workspace/input-display';
import { COOKS } from '../support/decisions';
import {
	BAKERS,
	makeBrief,
	makeFacts,
	makeList,
	makeOrder,
	makeOwners,
	makeSettled,
	NOW,
	type BriefFacts,
	type Situation,
} from '../support/facts';
import { DAY } from '../../support/time';

/** The briefs of a content: those that show it, and those that the caller’s orders of it have paid for. */

describe('the briefs of a content', () => {
	/** Returns the IDs in their sequence. */
	function find(situation: Situation, input: BriefInput = BAKERS): string {
		const briefs = findContentBriefs(makeOrder({ input }), makeFacts(situation));
		return briefs.map(({ id }) => id).join('');
	}

	test('are those that show it, newest first', () => {
		const listed: BriefFacts[] = [
			{ id: 'A', age: 3 * DAY },
			{ id: 'B', age: DAY, shows: COOKS },
			{ id: 'C', age: DAY },
			{ id: 'D', age: DAY, shows: {} },
			{ id: 'E', product_name: 'Pan' },
			{ id: 'F', age: DAY, product_name: ' MUG ' },
			{ id: 'G', created_at: 'soon' },
		];
		// Equal times are sorted by ID, and a time that cannot be read is the newest.
		expect(find({ listed })).toBe('GFCA');
		expect(find({ listed }, COOKS)).toBe('B');
	});

	test('include own briefs that are not listed, each once', () => {
		const paid = makeSettled({ id: 'B', age: DAY });
		const unpaid = makeSettled({ id: 'B', age: DAY }, { source: 'own_of_another' });
		const orders = [paid, unpaid, makeSettled({ id: 'A', age: 2 * DAY })];
		expect(find({ listed: [{ id: 'B', age: DAY }], orders })).toBe('BA');
		expect(find({ orders }, COOKS)).toBe('');
	});

	test('include none that an order of other content owns', () => {
		const facts = makeFacts({ orders: [makeSettled({ id: 'B' }, { input: COOKS })] });
		expect(compareBrief(makeBrief({ id: 'B' }), makeOrder(), facts)).toBe('other');
	});

	test.each<[what: string, shows: Record<string, unknown>]>([
		['no name', { audience: 'bakers', objective: 'sell' }],
		['a field twice', { audience: 'all', objective: 'sell', sent: { audience: 'bakers' } }],
		['a field under another name', { product_name: 'Mug', target: 'bakers', objective: 'sell' }],
	])('include a brief that shows %s', (_, shows) => {
		const input = { ...BAKERS, objective: 'sell' };
		expect(find({ listed: [{ id: 'A', shows }] }, input)).toBe('A');
	});
});

test('failed briefs of the last 90 days count as attempts, even if a time cannot be read', () => {
	const listed: BriefFacts[] = [
		{ id: 'A', status: 'failed', age: 89 * DAY },
		{ id: 'B', status: 'failed', created_at: 'soon' },
		{ id: 'C', status: 'failed', age: 91 * DAY },
		{ id: 'D', status: 'ready' },
		{ id: 'E', status: 'failed', shows: COOKS },
	];
	const orders = [makeSettled({ id: 'F', status: 'failed', age: DAY })];
	expect(countFailedBriefs(makeOrder(), makeFacts({ listed, orders }))).toBe(3);
});

test('facts are read with one GET for each brief of the product that has to be compared', async () => {
	const listed: BriefFacts[] = [
		{ id: 'A' },
		{ id: 'B', product_name: 'mug' },
		{ id: 'C', product_name: 'Pan' },
		{ id: 'D' },
		{ id: 'E' },
	];
	const briefs = listed.map(makeBrief);
	const fetched: string[] = [];
	const details = new BriefDetails(async (id) => {
		fetched.push(id);
		return await Promise.resolve(briefs.find((brief) => brief.id === id) ?? null);
	});
	const sources = {
		list: makeList(briefs, NOW),
		owners: makeOwners([makeSettled({ id: 'D' })]),
		details,
		display: new InputDisplay(),
		now: NOW,
	};
	const order = makeOrder({ shown: ['E'] });
	const facts = await readFacts([order], sources);
	await readFacts([order], sources);
	expect(fetched.sort()).toEqual(['A', 'B']);
	expect(findContentBriefs(order, facts).map(({ id }) => id)).toEqual(['D', 'B', 'A']);
});
