import { exitCodeOfBatch, standingOf } from '../../../batch/plan/standing';
import { Stop } from '../../../batch/stop';
import {
	entry,
	intent,
	order,
	recordsOf,
	type Unstamped,
} from '../../support/batch/journal-events';

const standing = (...events: Unstamped[]) => standingOf(recordsOf(...events));

const ended = (facts: object = {}, counts: object = {}) => {
	const event = entry.runEnded();
	return { ...event, ...facts, counts: { ...event.counts, ...counts } } as Unstamped;
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
	test.each([
		['a row that was parked for one', [...intent(), entry.parked('k1', 'person')], 1],
		['a paid brief that another run may fetch', [...intent(), entry.accepted(), entry.parked()], 0],
		[
			'a row that was parked before it was sent',
			[entry.ordered(), { event: 'parked', key: 'k1', reason: 'listed', ids: [] }],
			1,
		],
		['a failed row', [...failed, ended({}, { failed: 1 })], 1],
		['a failed row that is no more in the CSV', [...failed, ended({}, { failed: 0 })], 0],
		[
			'a row that failed before its new start',
			[...failed, entry.ordered(order('k2', 'aaaa', 2))],
			0,
		],
		['an invalid row', [ended({}, { invalid: 1 })], 1],
		['a changed row', [ended({}, { changed: 1 })], 1],
		['a deferred row', [ended({}, { deferred: 1 })], 0],
		['a refused key', [ended({ stop: refused })], 4],
		['a service that was away', [ended({ stop: away })], 5],
		['an interrupted run', [ended({ outcome: 'interrupted' })], 5],
		['a run without an end', [entry.started()], 5],
		['a run that ended after one without an end', [entry.started(), entry.started(), ended()], 0],
		[
			'a run that stopped early and has a failed row',
			[...failed, ended({ stop: away }, { failed: 1 })],
			5,
		],
		['a run that the service refused at once', [notBegun], 4],
	] as Array<[string, Unstamped[], number]>)('%s: %#', (_, events, code) => {
		expect(exitCodeOfBatch(standing(...events), false)).toBe(code);
	});

	test('while a run is at work is that of the rows: nothing has ended', () => {
		expect(exitCodeOfBatch(standing(entry.started()), true)).toBe(0);
		expect(exitCodeOfBatch(standing(notBegun), true)).toBe(0);
		expect(exitCodeOfBatch(standing(...failed, entry.started()), true)).toBe(1);
	});
});

test('a row counts once, as what its newest start came to', () => {
	const again = order('k2', 'aaaa', 2);
	const events = [
		...[...failed, ...intent(again), entry.accepted('k2', 'brief-2')],
		...[entry.ended('ready', 'k2'), entry.filed('k2')],
	];
	expect(standing(...events)).toMatchObject({ ready: 1, failed: [], being_written: [] });
});

test('what the last run counted does not hold while another one is under way', () => {
	const before = standing(ended({}, { invalid: 2, deferred: 3 }));
	expect(before).toMatchObject({ invalid: 2, deferred: 3 });
	const during = standing(ended({}, { invalid: 2, deferred: 3 }), entry.started());
	expect(during).toMatchObject({ invalid: 0, deferred: 0 });
});

test('deferred rows wait for the next month by the service’s clock', () => {
	const told = standing(ended({ resets_at: '2027-02-01T00:00:00.000Z' }, { deferred: 1 }));
	expect(new Date(told.deferred_until).toISOString()).toBe('2027-02-01T00:00:00.000Z');
});
