import type { OrderedContent } from '../../../batch/journal/content';
import type { JournalEvent } from '../../../batch/journal/events';
import { Records, type BriefRecord } from '../../../batch/journal/records';
import { AT, order, said, timed, type Untimed } from '../../support/batch/journal-events';

function recordsOf(...events: Untimed[]): Records {
	const records = new Records();
	for (const event of events) records.apply(timed(event));
	return records;
}

const one = (...events: Untimed[]) => recordsOf(...events).of('aaaa', 1);

/** The events that bring a new order into each state. */
const reach: Record<BriefRecord['state'], Untimed[]> = {
	in_doubt: [said.intent()],
	withdrawn: [said.intent(), said.withdrawn()],
	accepted: [said.intent(), said.accepted()],
	ended: [said.intent(), said.accepted(), said.ended()],
	done: [said.intent(), said.accepted(), said.ended(), said.written()],
	parked: [said.intent(), said.accepted(), said.parked()],
};

describe('the state of an order', () => {
	test.each(Object.entries(reach))('is %s after the events that lead there', (state, events) => {
		expect(one(...events)?.state).toBe(state);
	});

	test.each([
		['in_doubt', said.withdrawn(), 'withdrawn'],
		['in_doubt', said.refused(), 'done'],
		['in_doubt', said.accepted(), 'accepted'],
		['in_doubt', said.parked(), 'parked'],
		['withdrawn', said.intent(), 'in_doubt'],
		['withdrawn', said.accepted(), 'accepted'],
		['accepted', said.ended('ready'), 'ended'],
		['accepted', said.ended('failed'), 'done'],
		['accepted', said.parked(), 'parked'],
		['ended', said.ended('ready'), 'ended'],
		['ended', said.written(), 'done'],
		['ended', said.parked(), 'parked'],
		['parked', said.ended('ready'), 'ended'],
		['parked', said.ended('failed'), 'done'],
		['parked', said.accepted(), 'accepted'],
		// What would let a paid row be ordered again is not heard.
		['accepted', said.intent(), 'accepted'],
		['accepted', said.withdrawn(), 'accepted'],
		['accepted', said.refused(), 'accepted'],
		['ended', said.withdrawn(), 'ended'],
		['done', said.intent(), 'done'],
		['done', said.withdrawn(), 'done'],
		['parked', said.withdrawn(), 'parked'],
		['parked', said.intent(), 'parked'],
	] as Array<[BriefRecord['state'], Untimed, BriefRecord['state']]>)(
		'that is %s becomes, by %j, %s',
		(before, event, after) => {
			expect(one(...reach[before], event)?.state).toBe(after);
		},
	);

	test('carries what is known of the brief from event to event', () => {
		expect(one(...reach.done)).toEqual({
			...order(),
			first_tried: AT,
			service_time: AT,
			last_tried: AT,
			last_service_time: AT,
			state: 'done',
			accepted_at: AT,
			brief_id: 'brief-1',
			status: 'ready',
			title: 'A title',
			url: 'https://app.example/b',
			created_at: AT,
			finished_at: AT,
			ended_at: AT,
			took_ms: 240_000,
			file: 'product-1',
			sha256: 'abc',
			error_code: null,
			error: null,
		});
	});

	test('knows nothing of a brief before its first event', () => {
		expect(one(said.intent())).toEqual({
			...order(),
			first_tried: AT,
			service_time: AT,
			last_tried: AT,
			last_service_time: AT,
			state: 'in_doubt',
			accepted_at: null,
			brief_id: null,
			status: null,
			title: null,
			url: null,
			created_at: null,
			finished_at: null,
			ended_at: null,
			took_ms: null,
			file: null,
			sha256: null,
			error_code: null,
			error: null,
		});
	});

	test('says why it failed: the service’s code, or what kind of refusal it was', () => {
		expect(one(said.intent(), said.refused())).toMatchObject({
			status: 'failed',
			error_code: 'bad_name',
			error: 'Not valid.',
			brief_id: null,
		});
		expect(one(said.intent(), said.refused('k1', ''))?.error_code).toBe('invalid_input');
		expect(one(...reach.accepted, said.ended('failed'))).toMatchObject({
			status: 'failed',
			error_code: 'no_videos',
			error: null,
			brief_id: 'brief-1',
		});
	});

	test('forgets why it was parked once its brief was found or has ended', () => {
		expect(one(...reach.parked)?.error).toBe('It ran for too long.');
		expect(one(...reach.parked, said.ended())?.error).toBeNull();
		expect(one(said.intent(), said.parked(), said.accepted())?.error).toBeNull();
	});

	test('keeps the times of the first and of the last try', () => {
		const again = '2026-11-21T09:00:00.000Z';
		for (const between of [[], [said.withdrawn()]]) {
			const records = recordsOf(said.intent(), ...between);
			records.apply(timed(said.intent(), again));
			const times = { first_tried: AT, last_tried: again };
			expect(records.of('aaaa', 1)).toMatchObject({ ...times, state: 'in_doubt' });
		}
	});

	test('keeps what was ordered and the run that did it, from the first intent that says so', () => {
		const started = { ...said.started(), set: { campaign_terms: '10 %' } };
		const intent = { ...said.intent(), content: { product_name: 'Brush' } };
		const run = { at: AT, set: { campaign_terms: '10 %' } };
		const first = [started, intent, said.withdrawn()];
		const kept = { content: { product_name: 'Brush' }, run };
		expect(one(...first)).toMatchObject(kept);
		expect(one(...first, said.started(), intent)).toMatchObject(kept);
		expect(one(said.started(), said.intent())?.run).toBeUndefined();
	});

	test('is replaced by the order that names it, as soon as that is about to be sent', () => {
		const other = { ...said.intent(order('k2', 'bbbb')), instead_of: 'k1' };
		expect(one(...reach.done, other)).toMatchObject({ state: 'done', replaced_by: 'k2' });
	});

	test('keeps the service’s time of the first try: its key and its brief are as old', () => {
		const [early, late] = ['2026-11-20T08:59:00.000Z', '2026-11-20T11:00:00.000Z'];
		const tried = (service_time: string) => ({ ...said.intent(), service_time });
		expect(one(tried(early))).toMatchObject({
			service_time: early,
			last_service_time: early,
			first_tried: AT,
		});
		expect(one(tried(early), said.withdrawn(), tried(late))).toMatchObject({
			service_time: early,
			last_service_time: late,
		});
		expect(one(said.restarted(order()), tried(late))?.service_time).toBe(late);
		// A new generation has a new key, which was not sent before its own intent.
		const restarted = { ...said.restarted(), service_time: early };
		const record = one(...reach.accepted, said.ended('failed'), restarted);
		expect(record?.service_time).toBeUndefined();
	});
});

describe('the records of a journal', () => {
	test('know a row by its newest generation, and keep the older ones', () => {
		const records = recordsOf(said.intent(), said.accepted(), said.ended('failed'));
		records.apply(timed(said.restarted()));
		expect(records.of('aaaa', 1)).toMatchObject({ key: 'k2', generation: 2, state: 'withdrawn' });
		expect(records.all().map(({ key, state }) => [key, state])).toEqual([
			['k1', 'done'],
			['k2', 'withdrawn'],
		]);
	});

	test('keep rows of the same content apart by their ordinal', () => {
		const second = { ...order('k2'), ordinal: 2 };
		const records = recordsOf(said.intent(), said.intent(second), said.accepted('k2'));
		expect(records.of('aaaa', 1)?.state).toBe('in_doubt');
		expect(records.of('aaaa', 2)?.state).toBe('accepted');
		expect(records.of('aaaa', 3)).toBeUndefined();
	});

	test('know the batch, the service, the last run, and whether one was cut off', () => {
		const records = recordsOf(said.batch());
		expect(records).toMatchObject({ batch: 'products.csv', lastRun: null, isUnderWay: false });
		expect(records.baseUrl).toBe('https://api.vendor.example/v1');
		records.apply(timed(said.started()));
		expect(records.isUnderWay).toBe(true);
		records.apply(timed(said.runEnded()));
		expect(records).toMatchObject({ isUnderWay: false, lastRun: { outcome: 'complete' } });
		records.apply(timed(said.started()));
		expect(records).toMatchObject({ isUnderWay: true, lastRun: { outcome: 'complete' } });
	});

	test('take no harm from events of a kind, or for a key, that they do not know', () => {
		const records = recordsOf(...reach.accepted, said.ended('ready', 'unknown'), said.parked('?'));
		for (const event of [said.withdrawn('?'), said.refused('?'), said.accepted('?')])
			records.apply(timed(event));
		records.apply({ type: 'annotated', at: AT, key: 'k1' } as unknown as JournalEvent);
		expect(records.all()).toHaveLength(1);
		expect(records.of('aaaa', 1)?.state).toBe('accepted');
	});
});

describe('an order that this journal never sent', () => {
	const adopted = { type: 'adopted', ...order(), brief_id: 'theirs', created_at: AT } as const;
	const unsent = { type: 'parked_unsent', ...order(), why: 'perhaps ordered before' } as const;

	test('has the brief that it took over, as if it had been accepted', () => {
		expect(one(adopted)).toMatchObject({ state: 'accepted', brief_id: 'theirs', adopted: true });
		expect(one(adopted, said.ended(), said.written())?.state).toBe('done');
	});

	test('is parked without a brief where nobody can tell', () => {
		expect(one(unsent)).toMatchObject({
			state: 'parked',
			brief_id: null,
			unsent: true,
			error: 'perhaps ordered before',
		});
	});

	test('takes the place of the order that it names', () => {
		const later = { ...adopted, ...order('k2', 'bbbb'), instead_of: 'k1' };
		const records = recordsOf(said.intent(), later);
		expect(records.of('aaaa', 1)?.replaced_by).toBe('k2');
	});
});

test('a brief belongs to a row once it was accepted or taken over, and no other does', () => {
	const adopted = { type: 'adopted', ...order('k2', 'bbbb'), created_at: AT } as const;
	const records = recordsOf(said.intent(), said.accepted(), { ...adopted, brief_id: 'theirs' });
	const own = records.of('aaaa', 1)?.brief_id ?? '';
	expect([own, 'theirs', 'another'].map((id) => records.owns(id))).toEqual([true, true, false]);
});

test('a brief that a row took over belongs to it although another row’s was accepted, and its file name is its own', () => {
	const written = (key: string, file: string) => ({ ...said.written(key), file });
	const records = recordsOf(
		...[said.intent(), said.accepted(), said.ended(), written('k1', 'lamp')],
		...[said.intent(order('k2', 'bbbb')), said.accepted('k2', 'brief-2')],
	);
	expect(records.isNameTaken('lamp', 'k2')).toBe(true);
	expect(records.isNameTaken('lamp', 'k1')).toBe(false);
	expect(records.isNameTaken('lamp', 'of no order yet')).toBe(true);
	expect(records.isNameTaken('mug', 'k2')).toBe(false);
	// A file that was written anew under another name leaves the old one in the folder.
	records.apply(timed(written('k1', 'lamp-2')));
	expect(records.isNameTaken('lamp', 'k1')).toBe(true);
	expect(records.isNameTaken('lamp-2', 'k1')).toBe(false);
});

test('the orders in doubt are those whose last try has no answer on record', () => {
	const records = new Records();
	const keysAfter = (event: Untimed) => {
		records.apply(timed(event));
		return records.inDoubt().map(({ key }) => key);
	};
	expect(records.inDoubt()).toEqual([]);
	expect(keysAfter(said.batch())).toEqual([]);
	expect(keysAfter(said.intent())).toEqual(['k1']);
	expect(keysAfter(said.intent(order('k2', 'bbbb')))).toEqual(['k1', 'k2']);
	expect(keysAfter(said.withdrawn())).toEqual(['k2']);
	expect(keysAfter(said.intent())).toEqual(['k2', 'k1']);
	expect(keysAfter(said.accepted('k2', 'brief-2'))).toEqual(['k1']);
	expect(keysAfter(said.refused())).toEqual([]);
});

describe('what the journal knows of the runs before', () => {
	const begun = (facts = {}) => ({ ...said.started(), ...facts });
	const notBegun = {
		type: 'not_begun' as const,
		csv: 'lists/other.csv',
		what: 'The key was refused.',
		cure: 'Give another one.',
		exit_code: 4,
	};

	test('is the name of the CSV that results.csv lists, on whatever system it was run', () => {
		expect(recordsOf().resultsOf).toBeNull();
		expect(recordsOf(begun({ csv: 'C:\\lists\\products.csv' })).resultsOf).toBe('products.csv');
		const again = begun({ csv: 'out/failed.csv', results_of: 'lists/products.csv' });
		expect(recordsOf(again)).toMatchObject({
			resultsOf: 'products.csv',
			lastCsv: 'out/failed.csv',
		});
	});

	test('is why the newest run could not begin, until one does', () => {
		const records = recordsOf(begun(), notBegun);
		expect(records).toMatchObject({
			notBegun: { exit_code: 4 },
			lastCsv: 'lists/other.csv',
			resultsOf: 'products.csv',
		});
		records.apply(timed(begun()));
		expect(records).toMatchObject({ notBegun: null, lastCsv: 'products.csv' });
		expect(recordsOf(begun())).toMatchObject({ notBegun: null });
	});

	test('is what --set gave to the newest', () => {
		expect(recordsOf().lastSet).toEqual({});
		const records = recordsOf(begun({ set: { audience: 'all' } }));
		expect(records.lastSet).toEqual({ audience: 'all' });
		records.apply(timed(begun()));
		expect(records.lastSet).toEqual({});
	});

	test('is what they reported, each with the exit codes of the runs that did', () => {
		const reported = (exit_code: number, ...marks: string[]) => ({
			type: 'reported' as const,
			exit_code,
			marks,
		});
		const records = recordsOf(reported(1, 'a', 'b'), reported(3, 'b'));
		expect(records.reported).toEqual(
			new Map([
				['a', new Set([1])],
				['b', new Set([1, 3])],
			]),
		);
	});
});

test('a text that order after order repeats is kept once, and one of its own is not mixed up with it', () => {
	const ordered = (key: string, content: OrderedContent) => ({
		...said.intent(order(key, key)),
		content,
	});
	const long = () => ({ start: 'The same for all', sum: 'abc' });
	const records = recordsOf(
		ordered('k1', { product_name: 'Lamp', audience: long() }),
		ordered('k2', { product_name: 'Mug', audience: long() }),
		ordered('k3', { product_name: 'Mug', audience: { ...long(), sum: 'def' } }),
		ordered('k4', { product_name: 'Mug' }),
	);
	const [first, second, third, fourth] = records.all().map(({ content }) => content);
	expect(second?.audience).toBe(first?.audience);
	expect(second).toStrictEqual({ product_name: 'Mug', audience: long() });
	expect(third).toStrictEqual({ product_name: 'Mug', audience: { ...long(), sum: 'def' } });
	expect(fourth).toStrictEqual({ product_name: 'Mug' });
});

test('a parked row keeps whether a person must look', () => {
	for (const needs of ['person', 'later'] as const)
		expect(one(...reach.accepted, said.parked('k1', needs))?.needs).toBe(needs);
});

test('a row that is parked before it was ordered knows of no brief and no time of its own', () => {
	const unsent = { type: 'parked_unsent', ...order(), why: 'perhaps' } as const;
	expect(one(unsent)).toMatchObject({ unsent: true, adopted: undefined, accepted_at: null });
	const adopted = { type: 'adopted', ...order(), brief_id: 'theirs', created_at: AT } as const;
	expect(one(adopted)).toMatchObject({ unsent: undefined, accepted_at: AT, created_at: AT });
});
