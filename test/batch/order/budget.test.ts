import { Budget } from '../../../batch/order/budget';
import { Workspace } from '../../../service/watch/workspace';
import { entry, intent, order, recordsOf, timed } from '../../support/batch/journal-events';
import { aBrief } from '../../support/builders';
import { DAY } from '../../support/time';

const NOW = Date.UTC(2026, 10, 20, 9);

describe('the budget of a run', () => {
	function budgetOf(start: object = {}, bounds: object = {}) {
		const workspace = new Workspace();
		const facts = { allowance: 10, used: 4, at: NOW, knownIds: new Set<string>(), ...start };
		const records = recordsOf(entry.started());
		const budget = new Budget(workspace, records, facts, { keep: 0, max: Infinity, ...bounds });
		const pay = (key: string, id: string) => {
			for (const line of [...intent(order(key, key)), entry.accepted(key, id)])
				records.apply(timed(line));
		};
		return { workspace, budget, pay };
	}

	test('is what the month leaves, less what is kept, ordered and being ordered', () => {
		const { budget, pay } = budgetOf({}, { keep: 3 });
		expect(budget.remaining(NOW)).toBe(3);
		for (const key of ['k1', 'k2', 'k2']) budget.reserve(key);
		expect(budget.remaining(NOW)).toBe(1);
		pay('k1', 'a');
		// As long as its place is reserved too, it counts once.
		expect(budget.remaining(NOW)).toBe(1);
		budget.free('k2');
		expect([budget.monthUse(NOW), budget.remaining(NOW)]).toEqual([5, 2]);
		budget.free('k1');
		expect(budget.remaining(NOW)).toBe(2);
	});

	test('ends with the allowance, or with --max, which counts what is being ordered', () => {
		const { budget, pay } = budgetOf({}, { max: 2 });
		expect(budget.end(NOW)).toBeNull();
		pay('k1', 'a');
		budget.reserve('k2');
		expect([budget.end(NOW), budget.end(NOW, 'k2')]).toEqual(['max', null]);
		budget.free('k2');
		expect(budget.end(NOW)).toBeNull();
		expect(budgetOf({ used: 10 }).budget.end(NOW)).toBe('allowance');
		expect(budgetOf({ used: 12 }, { keep: 3 }).budget.remaining(NOW)).toBe(0);
	});

	test('does not count a brief twice that was counted when the run began', () => {
		const { budget, pay } = budgetOf({ knownIds: new Set(['old']) }, { max: 1 });
		pay('k1', 'old');
		expect([budget.monthUse(NOW), budget.end(NOW)]).toEqual([4, null]);
	});

	test('counts what others order, and starts again with the month', () => {
		const { budget, workspace } = budgetOf();
		const others = Array.from({ length: 7 }, (_, i) => aBrief({ id: `o${i}`, created_at: NOW }));
		workspace.observePage(others, NOW);
		expect(budget.monthUse(NOW)).toBe(7);
		const next = NOW + 20 * DAY;
		expect([budget.monthUse(next), budget.remaining(next)]).toEqual([0, 10]);
	});

	test('is nothing for the rest of the month once the service says so', () => {
		const { budget } = budgetOf();
		budget.usedUp(NOW);
		expect(budget.end(NOW + DAY)).toBe('allowance');
		expect(budget.remaining(NOW + 20 * DAY)).toBe(10);
	});
});
