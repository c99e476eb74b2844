import { LIFE } from '../../../service/order/life';
import { FAULTS } from '../../support/order-model/faults';
import { REAL_RULES, type Rules } from '../../support/order-model/process';
import { search } from '../../support/order-model/search';
import { SEARCHES } from '../../support/order-model/searches';

/** The entries of the table that the searches came through. */
const ways = new Set<string>();
let states = 0;
let moves = 0;

const watched: Rules = {
	...REAL_RULES,
	apply: (order, event) => {
		ways.add(`${order.stage}: ${event.event}`);
		return REAL_RULES.apply(order, event);
	},
};

describe('in every state that can be reached, P1, P2, P4, P5, P10, P11 and P12 hold', () => {
	test.each(Object.entries(SEARCHES))(
		'with %s',
		(_name, adversary) => {
			const found = search(adversary, watched);
			states += found.states;
			moves += found.moves;
			expect([found.breach, ...found.story].join('\n')).toBe('');
		},
		180_000,
	);

	test('and all that the table allows can happen', () => {
		const all = Object.entries(LIFE).flatMap(([stage, events]) =>
			Object.keys(events).map((event) => `${stage}: ${event}`),
		);
		expect(all.filter((way) => !ways.has(way))).toEqual([]);
	});

	afterAll(() => {
		process.stdout.write(`The searches went through ${states} states and ${moves} moves.\n`);
	});
});

describe('a rule that is broken on purpose breaks a promise', () => {
	test.each(FAULTS)(
		'breaks %s',
		(fault, name, rules) => {
			const { breach, story } = search(SEARCHES[name]!, rules);
			expect(breach?.split(':')[0]).toBe(fault.split(':')[0]);
			expect(breach?.startsWith('P11: no end') === true || story.length > 0).toBe(true);
		},
		180_000,
	);
});
