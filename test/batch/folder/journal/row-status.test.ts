import { noRows } from '../../../../batch/folder/journal/row-status';
import { statusOf } from '../../../../batch/folder/records';
import { AT, entry, listed, recordsOf } from '../../../support/batch/journal-events';

test.each([
	['to_order', null, 'pending'],
	['in_doubt', null, 'pending'],
	['running', null, 'pending'],
	['running', 'ready', 'pending'],
	['parked', null, 'parked'],
	['done', 'failed', 'failed'],
	['refused', null, 'failed'],
	['done', 'ready', 'ready'],
] as const)('a row whose order is %s, with a brief that is %s, is %s', (stage, ended, expected) => {
	const order = recordsOf(entry.ordered()).of('aaaa')!;
	const brief = ended === null ? null : listed('b', ended);
	const ended_at = ended === null ? null : AT;
	const state = { ...order.state, stage };
	expect(statusOf({ ...order, state, brief, ended_at })).toBe(expected);
});

test('no row is counted before the first', () => {
	expect(new Set(Object.values(noRows()))).toEqual(new Set([0]));
	expect(Object.keys(noRows())).toHaveLength(8);
});
