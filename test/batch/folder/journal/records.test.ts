import {
	createdAt,
	endedAs,
	fileNameOf,
	isHeldUnsent,
	isTakenOver,
	Records,
	type Order,
} from '../../../../batch/folder/records';
import { Stop } from '../../../../batch/stop';
import { NEW_ORDER, type Stage } from '../../../../service/order/life';
import {
	AT,
	entry,
	intent,
	listed,
	order,
	recordsOf,
	timed,
	type Lasting,
} from '../../../support/batch/journal-events';

const one = (...lines: Lasting[]) => recordsOf(...lines).of('aaaa');

const [ordered, intended, withdrawn] = [entry.ordered(), entry.intended(), entry.withdrawn()];
const [accepted, refused, parked, filed] = [
	...([entry.accepted(), entry.refused(), entry.parked(), entry.filed()] as const),
];
const [ready, failed] = [entry.ended('ready'), entry.ended('failed')];
const takenOver = (facts = order()) => [
	entry.ordered(facts),
	{ ...entry.accepted(facts.key, 'theirs'), found: true, paid: false },
];

/** The lines that bring a new order to each stage. */
const reach = {
	in_doubt: [ordered, intended],
	to_order: [ordered, intended, withdrawn],
	running: [ordered, intended, accepted],
	done: [ordered, intended, accepted, ready, filed],
	refused: [ordered, intended, refused],
	parked: [ordered, intended, accepted, parked],
} satisfies Partial<Record<Stage, Lasting[]>>;

describe('the stage of an order', () => {
	test.each([
		['in_doubt', withdrawn, 'to_order'],
		['in_doubt', refused, 'refused'],
		['in_doubt', accepted, 'running'],
		['in_doubt', parked, 'parked'],
		['to_order', intended, 'in_doubt'],
		['to_order', accepted, 'running'],
		['running', ready, 'running'],
		['running', filed, 'done'],
		['running', failed, 'done'],
		['running', parked, 'parked'],
		['parked', ready, 'running'],
		['parked', failed, 'done'],
		['parked', accepted, 'running'],
		// What would let a paid row be ordered again is not heard.
		['running', intended, 'running'],
		['running', withdrawn, 'running'],
		['running', refused, 'running'],
		['done', intended, 'done'],
		['done', withdrawn, 'done'],
		['parked', withdrawn, 'parked'],
		['parked', intended, 'parked'],
	] as Array<[keyof typeof reach, Lasting, Stage]>)(
		'that is %s becomes, by %j, %s',
		(before, line, after) => {
			expect(one(...reach[before])?.state.stage).toBe(before);
			expect(one(...reach[before], line)?.state.stage).toBe(after);
		},
	);

	test('comes with all that is known, and nothing of a brief before its first line', () => {
		const { brief, took_ms } = ready;
		const known = { brief, took_ms, file: 'product-1', ended_at: AT, accepted_at: AT };
		const unknown = Object.fromEntries(Object.keys(known).map((name) => [name, null]));
		const both = { ...order(), content: {}, at: AT, is_left: false, cause: null };
		const in_stage = (stage: Stage) => ({ state: expect.objectContaining({ stage }) as unknown });
		expect(one(...reach.in_doubt)).toEqual({
			...both,
			...unknown,
			is_paid: false,
			...in_stage('in_doubt'),
		});
		expect(one(...reach.done)).toEqual({ ...both, ...known, is_paid: true, ...in_stage('done') });
	});

	const unsent = { event: 'parked', key: 'k1', reason: 'listed', ids: ['b'] } as const;
	const notWritten = { reason: 'not_written', error_code: 'no_videos' } as const;
	const late = { reason: 'late', status: 'writing', waited_ms: 1_800_000, unseen_ms: 0 };
	test.each<[string, Lasting[], object]>([
		['refused', reach.refused, { ended_at: AT, brief: null }],
		['refused for what', reach.refused, { cause: { reason: 'refused', answer: refused.answer } }],
		['not written, but paid', [...reach.running, failed], { cause: notWritten, is_paid: true }],
		['parked', reach.parked, { cause: late }],
		['parked until it has ended', [...reach.parked, ready], { cause: null }],
		['parked until its brief was found', [...reach.in_doubt, parked, accepted], { cause: null }],
		['taken over', takenOver(), { brief: listed('theirs'), is_paid: false, accepted_at: AT }],
		['taken over and filed', [...takenOver(), filed], { state: { stage: 'done' } }],
		['parked before it was sent', [ordered, unsent], { state: NEW_ORDER, brief: null }],
	])('says what became of it: %s', (_, lines, facts) => {
		expect(one(...lines)).toMatchObject(facts);
	});

	test('is told apart by what its brief cost, how that ended, and whether it was ever sent', () => {
		const words = (lines: Lasting[]) => {
			const order = one(...lines)!;
			return [isTakenOver(order), endedAs(order), isHeldUnsent(order)];
		};
		expect(words(takenOver())).toEqual([true, null, false]);
		expect(words(reach.done)).toEqual([false, 'ready', false]);
		expect(words([...reach.running, failed])).toEqual([false, 'failed', false]);
		expect(words([ordered, unsent])).toEqual([false, null, true]);
		expect(words([ordered, unsent, intended])).toEqual([false, null, false]);
	});

	test('keeps the times of the first and of the last try: its key and its brief are as old', () => {
		const [early, late] = ['2026-11-20T08:59:00.000Z', '2026-11-20T11:00:00.000Z'];
		const tried = (service_time: string) => ({ ...intended, service_time });
		for (const between of [[], [withdrawn]]) {
			const records = recordsOf(ordered, tried(early), ...between);
			records.apply(timed(tried(late), late));
			const at = (machine: string, service: string) => ({
				machine: Date.parse(machine),
				service: Date.parse(service),
			});
			expect(records.of('aaaa')).toMatchObject({
				at: AT,
				state: { stage: 'in_doubt', firstTried: at(AT, early), lastTried: at(late, late) },
			});
		}
		// Another try has another key, which was not sent before its own intent.
		const again = entry.ordered(order('k2', 'aaaa', 2));
		expect(one(...reach.running, again)).toMatchObject({ key: 'k2', state: NEW_ORDER });
	});

	test('keeps what was ordered and the run that did it, from the first line that says so', () => {
		const started = { ...entry.started(), set: { campaign_terms: '10 %' } };
		const content = { product_name: 'Brush' };
		const first = [started, { ...ordered, content }, intended, withdrawn];
		const kept = { content, run: { at: AT, set: { campaign_terms: '10 %' } } };
		expect(one(...first)).toMatchObject(kept);
		const other = { ...ordered, content: { product_name: 'Comb' } };
		expect(one(...first, entry.started(), other)).toMatchObject(kept);
	});

	test('keeps the briefs that were listed before it was sent, and more if it is ordered again', () => {
		const before = (...ids: string[]) => ({ ...ordered, listed: ids });
		expect(one(before('a'), intended)?.listed).toEqual(['a']);
		expect(one(before('a'), intended, withdrawn, before('a', 'b'))?.listed).toEqual(['a', 'b']);
		expect(one(before('a'), ordered)?.listed).toEqual(['a']);
	});

	test('is replaced by the order that names it', () => {
		const other = { ...entry.ordered(order('k2', 'bbbb')), instead_of: 'k1' };
		expect(one(...reach.done, other)).toMatchObject({ replaced_by: 'k2' });
	});
});

describe('the records of a journal', () => {
	test('know a row by its newest try, and keep the earlier ones', () => {
		const again = entry.ordered(order('k2', 'aaaa', 2));
		const records = recordsOf(...reach.running, failed, again);
		expect(records.of('aaaa')).toMatchObject({ key: 'k2', try: 2, state: NEW_ORDER });
		expect(records.all().map(({ key, state }) => `${key} ${state.stage}`)).toEqual([
			...['k1 done', 'k2 to_order'],
		]);
	});

	test('take no harm from events of a kind, or for a key, that they do not know', () => {
		const strange = { event: 'annotated', key: 'k1' } as unknown as Lasting;
		const unknown = [entry.ended('ready', '?'), entry.parked('?'), entry.withdrawn('?')];
		const more = [entry.refused('?'), entry.accepted('?'), strange];
		const records = recordsOf(...reach.running, ...unknown, ...more);
		expect(records.all().map(({ state }) => state.stage)).toEqual(['running']);
	});

	test('keep the number that a row had when it was ordered, until it has another one', () => {
		const numbered = (own_number: string) => ({ ...ordered, own_number });
		expect(one(numbered('B-1'), ordered)?.own_number).toBe('B-1');
		expect(one(numbered('B-1'), numbered('B-2'))?.own_number).toBe('B-2');
	});

	test('know the try before a further one, also if the row was edited between them', () => {
		const edited = entry.ordered(order('k2', 'bbbb', 2));
		const same = recordsOf(...reach.running, failed, entry.ordered(order('k3', 'aaaa', 2)));
		expect(same.tryBefore(order('k3', 'aaaa', 2))?.key).toBe('k1');
		const other = recordsOf(...reach.running, failed, { ...edited, instead_of: 'k1' });
		expect(other.tryBefore(order('k2', 'bbbb', 2))?.key).toBe('k1');
		expect(other.of('aaaa')?.replaced_by).toBe('k2');
		const alone = recordsOf(...reach.running, failed, edited);
		expect(alone.tryBefore(order('k2', 'bbbb', 2))).toBeUndefined();
		expect(alone.tryBefore(order('k9', 'cccc', 2))).toBeUndefined();
	});

	test('know whose briefs are a row’s: those that were accepted or taken over', () => {
		const records = recordsOf(...reach.running, ...takenOver(order('k2', 'bbbb')));
		const ids = ['brief-1', 'theirs', 'another'];
		expect(ids.map((id) => records.ownerOf(id)?.key)).toEqual(['k1', 'k2', undefined]);
	});

	test('know which names belong to the files of another order', () => {
		const inFile = (file: string) => ({ ...filed, file });
		const records = recordsOf(
			...reach.running,
			ready,
			inFile('lamp'),
			entry.ordered(order('k2', 'bbbb')),
		);
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
		records.apply(timed(ordered));
		records.apply(timed(entry.ordered(order('k2', 'bbbb'))));
		const lines = [entry.batch(), intended, entry.intended('k2'), withdrawn, intended];
		const inDoubt = [...lines, entry.accepted('k2', 'brief-2'), refused].map((line) => {
			records.apply(timed(line));
			return records
				.inDoubt()
				.map(({ key }) => key)
				.join();
		});
		expect(inDoubt).toEqual(['', 'k1', 'k1,k2', 'k2', 'k2,k1', 'k1', '']);
	});

	test('stay as a plan has seen them, whatever happens to them later', () => {
		const records = recordsOf(ordered, intended);
		const seenOrder = records.of('aaaa');
		records.apply(timed(accepted));
		expect(seenOrder?.state.stage).toBe('in_doubt');
		expect(records.of('aaaa')?.state.stage).toBe('running');
	});

	test('are known by their row: the try before one, and the newest of each row', () => {
		const orders = [order('a1'), order('b1', 'bbbb')];
		const again = orders.map((facts) => ({
			...facts,
			key: facts.key.replace('1', '2'),
			try: 2,
		}));
		const records = recordsOf(
			...orders.flatMap((facts) => [...intent(facts), entry.refused(facts.key)]),
			...again.map((facts) => entry.ordered(facts)),
		);
		const keys = (found: Array<Order | undefined>) => found.map((one) => one?.key);
		expect(keys(records.newestTries())).toEqual(['a2', 'b2']);
		expect(keys(again.map((facts) => records.tryBefore(facts)))).toEqual(['a1', 'b1']);
		expect(records.tryBefore(order())).toBeUndefined();
	});
});

describe('what the journal knows of the runs before', () => {
	const begun = (facts: object = {}) => ({ ...entry.started(), ...facts });
	const stop = new Stop('Nothing was ordered.', '', 'unasked').onRecord;
	const waiting = { event: 'waits', key: 'k1', for: 'list', since: AT, until: AT } as const;
	const options = ['--keep', '5'];
	const command = 'run' as const;
	const end = { event: 'run_ended', outcome: 'not_begun', exit_code: 2, news: true } as const;
	const notBegun = { ...end, command, csv: 'lists/other.csv', options, stop };
	const reading = { set: { audience: 'all' }, where: ['Status=active'], id: 'SKU' };

	test.each<[string, Lasting[], object]>([
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
		['how the list is read', [begun(reading)], { run: reading }],
		[
			'why the newest one could not begin',
			[begun(), notBegun],
			{ notBegun: { stop }, lastCsv: 'products.csv', lastOptions: [] },
		],
		['what the first one was', [notBegun], { lastCsv: 'lists/other.csv', lastOptions: options }],
		['for what it waits', [begun(), waiting], { wait: waiting }],
		['that it waits no more: it ordered', [begun(), ordered, waiting, intended], { wait: null }],
		['that it waits no more: it ended', [waiting, entry.runEnded()], { wait: null }],
		['that it waits no more: it could not begin', [waiting, notBegun], { wait: null }],
		['that another run waits for nothing', [waiting, begun()], { wait: null }],
		['that one began', [notBegun, begun()], { notBegun: null, lastCsv: 'products.csv' }],
	])('%s', (_, events, facts) => {
		expect(recordsOf(...events)).toMatchObject(facts);
	});

	test('what they reported, each with the exit codes of the runs that did', () => {
		const reported = (exit_code: number, ...marks: string[]) =>
			({ event: 'reported', exit_code, marks }) as const;
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
		brief: { created_at: AT },
		state: { lastTried: { service: intended } },
		accepted_at: taken,
		at: restarted,
	};

	test.each([
		['is what the service says', {}, AT],
		[
			'is when it was last about to be sent, if that cannot be read',
			{ brief: { created_at: '?' } },
			intended,
		],
		['is when it was taken over', { brief: null, state: NEW_ORDER }, taken],
		['is when it was tried first', { brief: null, state: NEW_ORDER, accepted_at: null }, restarted],
	])('%s', (_, facts, time) => {
		expect(createdAt({ ...record, ...facts } as unknown as Order)).toBe(time);
	});
});
