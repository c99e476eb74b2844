import { exitCodeOf, batchOutcome } from '../../../batch/results/batch-outcome';
import { Stop } from '../../../batch/stop';
import { entry, intent, order, recordsOf, type Lasting } from '../../support/batch/journal-events';

/** What only the journal knows: the CSV cannot be read. */
const outcome = (...lines: Lasting[]) => batchOutcome(recordsOf(...lines), null);

const ended = (facts: object = {}, counts: object = {}) => {
	const event = entry.runEnded();
	return { ...event, ...facts, counts: { ...event.counts, ...counts } } as Lasting;
};
const refused = new Stop('Refused.', '', 'service', 4).onRecord;
const away = new Stop('Away.', '', 'service').onRecord;
const notBegun = {
	event: 'run_ended' as const,
	outcome: 'not_begun' as const,
	exit_code: 4 as const,
	news: true,
	command: 'run' as const,
	csv: 'a.csv',
	options: [],
	stop: refused,
};
const failed = [...intent(), entry.accepted(), entry.ended('failed')];

describe('the exit code of status', () => {
	const unsent = { event: 'parked', key: 'k1', reason: 'listed', ids: [] };
	const again = entry.ordered(order('k2', 'aaaa', 2));
	const stopped = ended({ stop: away }, { failed: 1 });
	test.each([
		['a row that was parked for one', [...intent(), entry.parked('k1', 'person')], 1],
		['a paid brief that another run may fetch', [...intent(), entry.accepted(), entry.putOff()], 3],
		['a row that was parked before it was sent', [entry.ordered(), unsent], 1],
		['a failed row', [...failed, ended({}, { failed: 1 })], 1],
		['a row that failed before its new start', [...failed, again], 3],
		['an invalid row', [ended({}, { invalid: 1 })], 1],
		['a changed row', [ended({}, { changed: 1 })], 1],
		['a deferred row', [ended({}, { deferred: 1 })], 3],
		['a refused key', [ended({ stop: refused })], 4],
		['a service that was away', [ended({ stop: away })], 5],
		['an interrupted run', [ended({ outcome: 'interrupted' })], 5],
		['a run without an end', [entry.started()], 5],
		['a run that ended after one without an end', [entry.started(), entry.started(), ended()], 0],
		['one that stopped early and has a failed row', [...failed, stopped], 5],
		['a run that the service refused at once', [notBegun], 4],
	] as Array<[string, Lasting[], number]>)('%s: %#', (_, events, code) => {
		expect(exitCodeOf(outcome(...events), false)).toBe(code);
	});

	test('while a run is at work is that of the rows: nothing has ended', () => {
		expect(exitCodeOf(outcome(entry.started()), true)).toBe(3);
		expect(exitCodeOf(outcome(notBegun), true)).toBe(3);
		expect(exitCodeOf(outcome(...failed, entry.started()), true)).toBe(1);
	});
});

test('a row counts once, as what its newest start came to', () => {
	const again = order('k2', 'aaaa', 2);
	const lines = [
		...failed,
		...intent(again),
		entry.accepted('k2', 'brief-2'),
		entry.ended('ready', 'k2', 'brief-2'),
		entry.filed('k2'),
	];
	expect(outcome(...lines)).toMatchObject({
		counts: { ready: 1, failed: 0 },
		failed: [],
		being_written: [],
	});
});
