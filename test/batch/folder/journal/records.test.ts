import { createdAt, type BriefRecord } from '../../../../batch/folder/journal/brief-record';
import { fileNameOf, Records } from '../../../../batch/folder/journal/records';
import { Stop } from '../../../../batch/stop';
import { NEW_ORDER } from '../../../../service/order/life';
import {
	AT,
	order,
	recordsOf,
	entry,
	timed,
	type Untimed,
} from '../../../support/batch/journal-events';

const one = (...events: Untimed[]) => recordsOf(...events).of('aaaa');

const [intent, withdrawn, accepted] = [entry.intent(), entry.withdrawn(), entry.accepted()];
const [refused, parked, written] = [entry.refused(), entry.parked(), entry.written()];
const [ready, failed] = [entry.ended('ready'), entry.ended('failed')];
const second = entry.intent(order('k2', 'bbbb'));
const adopted = (facts = order()) =>
	({ type: 'adopted', ...facts, brief_id: 'theirs', created_at: AT }) as const;

/** The events that bring a new order to each stage. */
const reach: Record<BriefRecord['stage'], Untimed[]> = {
	in_doubt: [intent],
	to_order: [intent, withdrawn],
	running: [intent, accepted],
	done: [intent, accepted, ready, written],
	refused: [intent, refused],
	parked: [intent, accepted, parked],
};

describe('the stage of an order', () => {
	test.each([
		['in_doubt', withdrawn, 'to_order'],
		['in_doubt', refused, 'refused'],
		['in_doubt', accepted, 'running'],
		['in_doubt', parked, 'parked'],
		['to_order', intent, 'in_doubt'],
		['to_order', accepted, 'running'],
		['running', ready, 'running'],
		['running', written, 'done'],
		['running', failed, 'done'],
		['running', parked, 'parked'],
		['parked', ready, 'running'],
		['parked', failed, 'done'],
		['parked', accepted, 'running'],
		// What would let a paid row be ordered again is not heard.
		['running', intent, 'running'],
		['running', withdrawn, 'running'],
		['running', refused, 'running'],
		['done', intent, 'done'],
		['done', withdrawn, 'done'],
		['parked', withdrawn, 'parked'],
		['parked', intent, 'parked'],
	] as Array<[BriefRecord['stage'], Untimed, BriefRecord['stage']]>)(
		'that is %s becomes, by %j, %s',
		(before, event, after) => {
			expect(one(...reach[before])?.stage).toBe(before);
			expect(one(...reach[before], event)?.stage).toBe(after);
		},
	);

	test('shows all that is known, and nothing of a brief before its first event', () => {
		const { status: ended_as, title, url, error_code, created_at, finished_at, took_ms } = ready;
		const ended = { ended_as, title, url, error_code, created_at, finished_at, took_ms };
		const files = { file: 'product-1' };
		const known = { ...ended, ...files, ended_at: AT, accepted_at: AT, brief_id: 'brief-1' };
		const unknown = Object.fromEntries(Object.keys(known).map((name) => [name, null]));
		const both = {
			...order(),
			first_tried: AT,
			is_left: false,
			listed_before: [],
			cause: null,
		};
		const at = (stage: BriefRecord['stage']) => ({
			stage,
			state: expect.objectContaining({ stage }) as unknown,
		});
		expect(one(intent)).toEqual({ ...both, ...unknown, ...at('in_doubt') });
		expect(one(...reach.done)).toEqual({ ...both, ...known, ...at('done') });
	});

	const listed = { reason: 'listed', ids: ['b'] } as const;
	const unsent = { type: 'parked_unsent', ...order(), cause: listed } as const;
	const notWritten = { reason: 'not_written', error_code: 'no_videos' } as const;
	test.each<[string, Untimed[], Partial<BriefRecord>]>([
		['refused', [intent, refused], { stage: 'refused', error_code: 'bad_name', ended_at: AT }],
		[
			'refused for what',
			[intent, refused],
			{ cause: { reason: 'refused', answer: refused.answer }, brief_id: null },
		],
		['refused by kind', [intent, entry.refused('k1', '')], { error_code: 'invalid_input' }],
		['not written', [...reach.running, failed], { ended_as: 'failed', error_code: 'no_videos' }],
		[
			'not written, but paid',
			[...reach.running, failed],
			{ cause: notWritten, brief_id: 'brief-1' },
		],
		['parked', reach.parked, { cause: parked.cause }],
		['parked until it has ended', [...reach.parked, ready], { cause: null }],
		[
			'parked until its brief was found',
			[intent, parked, { ...accepted, brief_of: 'Mug' }],
			{ cause: null, brief_of: 'Mug' },
		],
		['taken over', [adopted()], { stage: 'running', brief_id: 'theirs', adopted: true }],
		['taken over, by when', [adopted()], { accepted_at: AT, created_at: AT }],
		['taken over and written', [adopted(), ready, written], { stage: 'done' }],
		['parked before it was sent', [unsent], { stage: 'parked', brief_id: null, unsent: true }],
		['parked before it had a time', [unsent], { cause: listed, state: NEW_ORDER }],
	])('says what became of it: %s', (_, events, facts) => {
		expect(one(...events)).toMatchObject(facts);
	});

	test('keeps the times of the first and of the last try: its key and its brief are as old', () => {
		const [early, late] = ['2026-11-20T08:59:00.000Z', '2026-11-20T11:00:00.000Z'];
		const tried = (service_time: string) => ({ ...intent, service_time });
		for (const between of [[], [withdrawn]]) {
			const records = recordsOf(tried(early), ...between);
			records.apply(timed(tried(late), late));
			const at = (machine: string, service: string) => ({
				machine: Date.parse(machine),
				service: Date.parse(service),
			});
			expect(records.of('aaaa')).toMatchObject({
				first_tried: AT,
				stage: 'in_doubt',
				state: { firstTried: at(AT, early), lastTried: at(late, late) },
			});
		}
		// A new generation has a new key, which was not sent before its own intent.
		const restarted = entry.restarted(order());
		expect(one(restarted)).toMatchObject({ state: NEW_ORDER, first_tried: AT });
		expect(one(restarted, tried(late))?.state.firstTried?.service).toBe(Date.parse(late));
	});

	test('keeps what was ordered and the run that did it, from the first intent that says so', () => {
		const started = { ...entry.started(), set: { campaign_terms: '10 %' } };
		const content = { product_name: 'Brush' };
		const first = [started, { ...intent, content }, withdrawn];
		const kept = { content, run: { at: AT, reading: { set: { campaign_terms: '10 %' } } } };
		expect(one(...first)).toMatchObject(kept);
		const other = { ...intent, content: { product_name: 'Comb' } };
		expect(one(...first, entry.started(), other)).toMatchObject(kept);
		expect(one(entry.started(), intent)?.run).toBeUndefined();
	});

	test.each([
		['sent', { ...second, instead_of: 'k1' }],
		['taken over', { ...adopted(order('k2', 'bbbb')), instead_of: 'k1' }],
	])('is replaced by the order that names it, as soon as that is about to be %s', (_, other) => {
		expect(one(...reach.done, other)).toMatchObject({ stage: 'done', replaced_by: 'k2' });
	});
});

describe('the records of a journal', () => {
	test('know a row by its newest generation, and keep the earlier ones', () => {
		const records = recordsOf(...reach.running, failed, entry.restarted());
		expect(records.of('aaaa')).toMatchObject({ key: 'k2', generation: 2, stage: 'to_order' });
		expect(records.all().map(({ key, stage }) => `${key} ${stage}`)).toEqual([
			...['k1 done', 'k2 to_order'],
		]);
	});

	test('take no harm from events of a kind, or for a key, that they do not know', () => {
		const strange = { type: 'annotated', key: 'k1' } as unknown as Untimed;
		const unknown = [entry.ended('ready', '?'), entry.parked('?'), entry.withdrawn('?')];
		const more = [entry.refused('?'), entry.accepted('?'), strange];
		const records = recordsOf(...reach.running, ...unknown, ...more);
		expect(records.all().map(({ stage }) => stage)).toEqual(['running']);
	});

	test('keep the number that a row had when it was ordered, until it has another one', () => {
		const numbered = (id?: string) => ({ ...intent, ...(id !== undefined && { id }) });
		expect(one(numbered('B-1'), withdrawn, numbered())?.id).toBe('B-1');
		expect(one(numbered('B-1'), withdrawn, numbered('B-2'))?.id).toBe('B-2');
	});

	test('know the try before a further one, also if the row was edited between them', () => {
		const edited = entry.restarted(order('k2', 'bbbb', 2));
		const same = recordsOf(...reach.running, failed, entry.restarted(order('k3', 'aaaa', 2)));
		expect(same.tryBefore(order('k3', 'aaaa', 2))?.key).toBe('k1');
		const other = recordsOf(...reach.running, failed, { ...edited, instead_of: 'k1' });
		expect(other.tryBefore(order('k2', 'bbbb', 2))?.key).toBe('k1');
		expect(other.of('aaaa')?.replaced_by).toBe('k2');
		const alone = recordsOf(...reach.running, failed, edited);
		expect(alone.tryBefore(order('k2', 'bbbb', 2))).toBeUndefined();
		expect(alone.tryBefore(order('k9', 'cccc', 2))).toBeUndefined();
	});

	test('know whose briefs are a row’s: those that were accepted or taken over', () => {
		const records = recordsOf(...reach.running, adopted(order('k2', 'bbbb')));
		const ids = ['brief-1', 'theirs', 'another'];
		expect(ids.map((id) => records.ownerOf(id)?.key)).toEqual(['k1', 'k2', undefined]);
	});

	test('know which names belong to the files of another order', () => {
		const inFile = (file: string) => ({ ...written, file });
		const records = recordsOf(...reach.running, ready, inFile('lamp'), second);
		const isTaken = (name: string) =>
			records.isNameTaken(...(name.split(' of ') as [string, string]));
		const names = ['lamp of k2', 'lamp of k1', 'lamp of no order yet', 'mug of k2'];
		expect(names.map(isTaken)).toEqual([true, false, true, false]);
		// A file that was written again under another name leaves the old one in the folder.
		records.apply(timed(inFile('lamp-2')));
		expect(['lamp of k1', 'lamp-2 of k1'].map(isTaken)).toEqual([true, false]);
	});

	test('know the orders in doubt: those whose last try has no answer on record', () => {
		const records = new Records();
		const events = [entry.batch(), intent, second, withdrawn, intent];
		const inDoubt = [...events, entry.accepted('k2', 'brief-2'), refused].map((event) => {
			records.apply(timed(event));
			return records
				.inDoubt()
				.map(({ key }) => key)
				.join();
		});
		expect(inDoubt).toEqual(['', 'k1', 'k1,k2', 'k2', 'k2,k1', 'k1', '']);
	});

	test('are known by their row: the try before one, and the newest of each row', () => {
		const orders = [order('a1'), order('b1', 'bbbb')];
		const again = orders.map((facts) => ({
			...facts,
			key: facts.key.replace('1', '2'),
			generation: 2,
		}));
		const records = recordsOf(
			...orders.flatMap((facts) => [entry.intent(facts), entry.refused(facts.key)]),
			...again.map((facts) => entry.restarted(facts)),
		);
		const keys = (found: Array<BriefRecord | undefined>) => found.map((one) => one?.key);
		expect(keys(records.newestTries())).toEqual(['a2', 'b2']);
		expect(keys(again.map((facts) => records.tryBefore(facts)))).toEqual(['a1', 'b1']);
		expect(records.tryBefore(order())).toBeUndefined();
	});
});

describe('what the journal knows of the runs before', () => {
	const begun = (facts: object = {}) => ({ ...entry.started(), ...facts });
	const stop = new Stop('Nothing was ordered.', '', 'unasked').onRecord;
	const wait = { for: 'list', since: AT, until: AT } as const;
	const waiting = { type: 'waiting', wait } as const;
	const options = ['--keep', '5'];
	const command = 'run' as const;
	const notBegun = { type: 'not_begun' as const, command, csv: 'lists/other.csv', options, stop };
	const reading = { set: { audience: 'all' }, where: ['Status=active'], id: 'SKU' };

	test.each<[string, Untimed[], object]>([
		['no batch', [], { batch: null, baseUrl: null, lastRun: null }],
		['no end', [], { isUnderWay: false, notBegun: null, lastCsv: null }],
		['the batch', [entry.batch()], { batch: 'products.csv', isUnderWay: false }],
		['the service', [entry.batch()], { baseUrl: 'https://api.vendor.example/v1' }],
		['that one goes on', [begun()], { isUnderWay: true, lastRun: null }],
		['how the last one ended', [begun(), entry.runEnded()], { lastRun: { outcome: 'complete' } }],
		['that the last one ended', [begun(), entry.runEnded()], { isUnderWay: false }],
		[
			'that another one goes on',
			[begun(), entry.runEnded(), begun()],
			{ isUnderWay: true, lastRun: { outcome: 'complete' } },
		],
		['the newest CSV', [begun(), begun({ csv: 'a.csv' })], { lastCsv: 'a.csv' }],
		['what was typed', [begun({ options })], { lastOptions: options }],
		['that nothing was typed', [], { lastOptions: [] }],
		['that nothing is typed any more', [begun({ options }), begun()], { lastOptions: [] }],
		['how the list is read', [begun(reading)], { run: { reading } }],
		[
			'why the newest one could not begin',
			[begun(), notBegun],
			{ notBegun: { stop }, lastCsv: 'products.csv', lastOptions: [] },
		],
		['what the first one was', [notBegun], { lastCsv: 'lists/other.csv', lastOptions: options }],
		['for what it waits', [begun(), waiting], { longWait: wait }],
		['that it waits no more: it ordered', [begun(), waiting, entry.intent()], { longWait: null }],
		['that it waits no more: it ended', [waiting, entry.runEnded()], { longWait: null }],
		['that it waits no more: it could not begin', [waiting, notBegun], { longWait: null }],
		['that another run waits for nothing', [waiting, begun()], { longWait: null }],
		['that one began', [notBegun, begun()], { notBegun: null, lastCsv: 'products.csv' }],
	])('%s', (_, events, facts) => {
		expect(recordsOf(...events)).toMatchObject(facts);
	});

	test('the last one of each CSV, by its name', () => {
		const records = recordsOf(
			begun({ csv: 'x.csv' }),
			begun({ csv: 'a/x.csv' }),
			begun({ csv: 'y.csv' }),
		);
		expect(records.lastRuns().map(({ csv }) => csv)).toEqual(['a/x.csv', 'y.csv']);
	});

	test('what they reported, each with the exit codes of the runs that did', () => {
		const reported = (exit_code: number, ...marks: string[]) =>
			({ type: 'reported', exit_code, marks }) as const;
		const { reportedMarks: known } = recordsOf(reported(1, 'a', 'b'), reported(3, 'b'));
		expect([...known].map(([mark, codes]) => [mark, ...codes].join())).toEqual(['a,1', 'b,1,3']);
	});
});

test.each([
	['lists/spring/products.csv', 'products.csv'],
	['..\\lists/products.csv', 'products.csv'],
	['odd\nfolder/odd\nname.csv', 'odd\nname.csv'],
])('%j names the file %j, whichever system wrote the path', (path, name) => {
	expect(fileNameOf(path)).toBe(name);
});

describe('when a brief was created', () => {
	const [intended, taken, restarted] = ['07', '08', '09'].map((day) => `2026-11-${day}T09:00:00Z`);
	const record = {
		created_at: AT,
		state: { lastTried: { service: intended } },
		accepted_at: taken,
		first_tried: restarted,
	};

	test.each([
		['is what the service says', {}, AT],
		['is when it was last about to be sent, if that cannot be read', { created_at: '?' }, intended],
		['is when it was taken over', { created_at: null, state: NEW_ORDER }, taken],
		[
			'is when it was tried first',
			{ created_at: null, state: NEW_ORDER, accepted_at: null },
			restarted,
		],
	])('%s', (_, facts, time) => {
		expect(createdAt({ ...record, ...facts } as unknown as BriefRecord)).toBe(time);
	});
});
