import type { OrderedContent } from '../../../batch/journal/content';
import {
	fileNameOf,
	Records,
	rowsAtEnd,
	type BriefRecord,
	type LastRun,
} from '../../../batch/journal/records';
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

const adopted = (facts = order()) =>
	({ type: 'adopted', ...facts, brief_id: 'theirs', created_at: AT }) as const;

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

	test('knows nothing of a brief before its first event, and carries what it learns from event to event', () => {
		const times = { first_tried: AT, service_time: AT, last_tried: AT, last_service_time: AT };
		const unknown = {
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
		};
		expect(one(said.intent())).toEqual({ ...order(), ...times, ...unknown, state: 'in_doubt' });
		expect(one(...reach.done)).toEqual({
			...order(),
			...times,
			...unknown,
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
		});
	});

	test.each<[string, Untimed[], Partial<BriefRecord>]>([
		[
			'refused, by the service’s code',
			[said.intent(), said.refused()],
			{
				status: 'failed',
				error_code: 'bad_name',
				error: 'Not valid.',
				brief_id: null,
				ended_at: AT,
			},
		],
		[
			'refused without a code, by what kind of refusal it was',
			[said.intent(), said.refused('k1', '')],
			{ error_code: 'invalid_input' },
		],
		[
			'not written',
			[...reach.accepted, said.ended('failed')],
			{ status: 'failed', error_code: 'no_videos', error: null, brief_id: 'brief-1' },
		],
		['parked', reach.parked, { error: 'It ran for too long.', needs: 'later' }],
		['parked for a person', [said.intent(), said.parked('k1', 'person')], { needs: 'person' }],
		[
			'parked because of another brief',
			[said.intent(), { ...said.parked(), answered_with: 'brief-9' }],
			{ answered_with: 'brief-9', brief_id: null },
		],
		['parked until it has ended', [...reach.parked, said.ended()], { error: null }],
		[
			'parked until its brief was found',
			[said.intent(), said.parked(), { ...said.accepted(), brief_of: 'Mug' }],
			{ error: null, brief_of: 'Mug' },
		],
		['taken over', [adopted()], { state: 'accepted', brief_id: 'theirs', adopted: true }],
		['taken over, by when', [adopted()], { accepted_at: AT, created_at: AT, unsent: undefined }],
		['taken over and written', [adopted(), said.ended(), said.written()], { state: 'done' }],
		[
			'parked before it was sent',
			[{ type: 'parked_unsent', ...order(), why: 'perhaps' }],
			{ state: 'parked', brief_id: null, unsent: true, error: 'perhaps', service_time: undefined },
		],
	])('says what became of it: %s', (_, events, facts) => {
		expect(one(...events)).toMatchObject(facts);
	});

	test('keeps the times of the first and of the last try: its key and its brief are as old', () => {
		const [early, late] = ['2026-11-20T08:59:00.000Z', '2026-11-20T11:00:00.000Z'];
		const tried = (service_time: string) => ({ ...said.intent(), service_time });
		for (const between of [[], [said.withdrawn()]]) {
			const records = recordsOf(tried(early), ...between);
			records.apply(timed(tried(late), late));
			expect(records.of('aaaa', 1)).toMatchObject({
				state: 'in_doubt',
				first_tried: AT,
				last_tried: late,
				service_time: early,
				last_service_time: late,
			});
		}
		// A new generation has a new key, which was not sent before its own intent.
		const restarted = said.restarted(order());
		expect(one(restarted)).toMatchObject({ service_time: undefined, first_tried: AT });
		expect(one(restarted, tried(late))?.service_time).toBe(late);
	});

	test('keeps what was ordered and the run that did it, from the first intent that says so', () => {
		const started = { ...said.started(), set: { campaign_terms: '10 %' } };
		const content = { product_name: 'Brush' };
		const intent = { ...said.intent(), content };
		const first = [started, intent, said.withdrawn()];
		const kept = { content, run: { at: AT, set: { campaign_terms: '10 %' } } };
		expect(one(...first)).toMatchObject(kept);
		const other = { ...intent, content: { product_name: 'Comb' } };
		expect(one(...first, said.started(), other)).toMatchObject(kept);
		expect(one(said.started(), said.intent())?.run).toBeUndefined();
	});

	test.each([
		['sent', { ...said.intent(order('k2', 'bbbb')), instead_of: 'k1' }],
		['taken over', { ...adopted(order('k2', 'bbbb')), instead_of: 'k1' }],
	])('is replaced by the order that names it, as soon as that is about to be %s', (_, other) => {
		expect(one(...reach.done, other)).toMatchObject({ state: 'done', replaced_by: 'k2' });
	});
});

describe('the records of a journal', () => {
	test('know a row by its newest generation, and keep the earlier ones', () => {
		const records = recordsOf(...reach.accepted, said.ended('failed'), said.restarted());
		expect(records.of('aaaa', 1)).toMatchObject({ key: 'k2', generation: 2, state: 'withdrawn' });
		expect(records.all().map(({ key, state }) => `${key} ${state}`)).toEqual([
			...['k1 done', 'k2 withdrawn'],
		]);
	});

	test('keep rows of the same content apart by their ordinal', () => {
		const second = { ...order('k2'), ordinal: 2 };
		const records = recordsOf(said.intent(), said.intent(second), said.accepted('k2'));
		expect([1, 2, 3].map((ordinal) => records.of('aaaa', ordinal)?.state)).toEqual([
			...['in_doubt', 'accepted', undefined],
		]);
	});

	test('take no harm from events of a kind, or for a key, that they do not know', () => {
		const strange = { type: 'annotated', key: 'k1' } as unknown as Untimed;
		const unknown = [said.ended('ready', '?'), said.parked('?'), said.withdrawn('?')];
		const records = recordsOf(
			...[...reach.accepted, ...unknown, said.refused('?'), said.accepted('?'), strange],
		);
		expect(records.all().map(({ state }) => state)).toEqual(['accepted']);
	});

	test('know whose briefs are a row’s: those that were accepted or taken over', () => {
		const records = recordsOf(...reach.accepted, adopted(order('k2', 'bbbb')));
		const ids = ['brief-1', 'theirs', 'another'];
		expect(ids.map((id) => records.owns(id))).toEqual([true, true, false]);
	});

	test('know which names stand for the files of another order', () => {
		const written = (file: string) => ({ ...said.written(), file });
		const records = recordsOf(...reach.ended, written('lamp'), said.intent(order('k2', 'bbbb')));
		const taken = (...names: Array<[file: string, key: string]>) =>
			names.map(([file, key]) => records.isNameTaken(file, key));
		expect(
			taken(['lamp', 'k2'], ['lamp', 'k1'], ['lamp', 'of no order yet'], ['mug', 'k2']),
		).toEqual([true, false, true, false]);
		// A file that was written again under another name leaves the old one in the folder.
		records.apply(timed(written('lamp-2')));
		expect(taken(['lamp', 'k1'], ['lamp-2', 'k1'])).toEqual([true, false]);
	});

	test('know the orders in doubt: those whose last try has no answer on record', () => {
		const records = new Records();
		const keysAfter = (event: Untimed) => {
			records.apply(timed(event));
			return records.inDoubt().map(({ key }) => key);
		};
		expect(keysAfter(said.batch())).toEqual([]);
		expect(keysAfter(said.intent())).toEqual(['k1']);
		expect(keysAfter(said.intent(order('k2', 'bbbb')))).toEqual(['k1', 'k2']);
		expect(keysAfter(said.withdrawn())).toEqual(['k2']);
		expect(keysAfter(said.intent())).toEqual(['k2', 'k1']);
		expect(keysAfter(said.accepted('k2', 'brief-2'))).toEqual(['k1']);
		expect(keysAfter(said.refused())).toEqual([]);
	});

	test('keep a text that order after order repeats once, and mix up none of its own with it', () => {
		const long = (sum = 'abc') => ({ start: 'The same for all', sum });
		const contents = (): OrderedContent[] => [
			{ product_name: 'Lamp', audience: long() },
			{ product_name: 'Mug', audience: long() },
			{ product_name: 'Mug', audience: long('def') },
			{ product_name: 'Mug' },
		];
		const intents = contents().map((content, n) => ({
			...said.intent(order(`k${n}`, `row ${n}`)),
			content,
		}));
		const kept = recordsOf(...intents)
			.all()
			.map(({ content }) => content);
		expect(kept).toStrictEqual(contents());
		expect(kept[1]?.audience).toBe(kept[0]?.audience);
	});
});

describe('what the journal knows of the runs before', () => {
	const begun = (facts: object = {}) => ({ ...said.started(), ...facts });
	const notBegun = {
		type: 'not_begun' as const,
		csv: 'lists/other.csv',
		exit_code: 4,
		what: 'The key was refused.',
		cure: 'Give another one.',
	};
	const [all, part] = [{ audience: 'all' }, { audience: 'part' }];
	const typed = ['--set', 'audience=all'];
	const ofPart = { csv: 'out/failed.csv', results_of: 'lists/products.csv', set: part };

	test.each<[string, Untimed[], object]>([
		[
			'nothing',
			[],
			{ batch: null, baseUrl: null, lastRun: null, resultsOf: null, lastOptions: [] },
		],
		['nothing of an end', [], { isUnderWay: false, notBegun: null, lastCsv: null, whole: null }],
		['the batch', [said.batch()], { batch: 'products.csv', isUnderWay: false }],
		['the service', [said.batch()], { baseUrl: 'https://api.vendor.example/v1' }],
		['that one goes on', [begun()], { isUnderWay: true, lastRun: null }],
		[
			'how the last one ended',
			[begun(), said.runEnded()],
			{ isUnderWay: false, lastRun: { outcome: 'complete' } },
		],
		[
			'that another one goes on',
			[begun(), said.runEnded(), begun()],
			{ isUnderWay: true, lastRun: { outcome: 'complete' } },
		],
		['whose rows results.csv lists', [begun({ csv: 'C:\\a\\b.csv' })], { resultsOf: 'b.csv' }],
		[
			'whose rows results.csv lists after a run of failed.csv',
			[begun({ set: all }), begun(ofPart)],
			{ resultsOf: 'products.csv', lastCsv: 'out/failed.csv', whole: { set: all } },
		],
		[
			'what was typed',
			[begun({ options: typed })],
			{ lastOptions: typed, whole: { options: typed } },
		],
		['that nothing was typed any more', [begun({ options: typed }), begun()], { lastOptions: [] }],
		[
			'the headers that were read',
			[begun({ headers: { product_name: 'Name' } })],
			{ run: { headers: { product_name: 'Name' } } },
		],
		[
			'why the newest one could not begin',
			[begun(), notBegun],
			{ notBegun: { exit_code: 4 }, lastCsv: 'lists/other.csv', resultsOf: 'products.csv' },
		],
		[
			'that one could begin again',
			[notBegun, begun()],
			{ notBegun: null, lastCsv: 'products.csv' },
		],
	])('%s', (_, events, facts) => {
		expect(recordsOf(...events)).toMatchObject(facts);
	});

	test('the last one of each CSV, by its name', () => {
		const records = recordsOf(begun({ csv: 'a/x.csv', set: all }), begun({ csv: 'y.csv' }));
		expect(records.runOf('x.csv')).toMatchObject({ csv: 'a/x.csv', set: all, headers: {} });
		expect(records.runOf('z.csv')).toBeUndefined();
	});

	test('what they reported, each with the exit codes of the runs that did', () => {
		const reported = (exit_code: number, ...marks: string[]): Untimed => ({
			type: 'reported',
			exit_code,
			marks,
		});
		const { reported: known } = recordsOf(reported(1, 'a', 'b'), reported(3, 'b'));
		expect([...known].map(([mark, codes]) => [mark, ...codes])).toEqual([
			['a', 1],
			['b', 1, 3],
		]);
	});

	test('how many rows the batch had, with those that the CSV of the last one did not hold', () => {
		const counts = {
			ready: 1,
			failed: 2,
			invalid: 3,
			deferred: 4,
			parked: 5,
			changed: 6,
			pending: 7,
		};
		const ended = timed(said.runEnded()) as LastRun;
		const alone = { ...ended, counts: { ...counts, duplicate: 9 } };
		expect(rowsAtEnd(alone)).toEqual(counts);
		const double = Object.entries(counts).map(([status, n]) => [status, 2 * n]);
		expect(rowsAtEnd({ ...alone, rest: counts })).toEqual(Object.fromEntries(double));
	});
});

test.each([
	['products.csv', 'products.csv'],
	['lists/spring/products.csv', 'products.csv'],
	['C:\\lists\\products.csv', 'products.csv'],
	['..\\lists/products.csv', 'products.csv'],
	['odd\nfolder/odd\nname.csv', 'odd\nname.csv'],
])('%j names the file %j, whichever system wrote the path', (path, name) => {
	expect(fileNameOf(path)).toBe(name);
});
