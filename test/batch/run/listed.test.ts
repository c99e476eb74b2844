import { lineFor, plainPaint } from '../../../batch/screen/event-lines';
import { isTakenOver } from '../../../batch/folder/records';
import type { BriefInput } from '../../../service/api/resources';
import { tryOf } from '../../../batch/plan/try';
import {
	BATCH,
	creates,
	Desk,
	JOURNAL,
	openJournal,
	OUT,
	products,
	tableOf,
	type Ran,
} from '../../support/batch/desk';
import { entry } from '../../support/batch/journal-events';
import { refusal, refused, type Fault } from '../../support/faults';
import type { VirtualSandboxOptions } from '../../support/virtual-sandbox';
import { DAY, HOUR, MINUTE, SECOND } from '../../support/time';

jest.setTimeout(20_000);

const RUNNERS: BriefInput = { product_name: 'Serum', audience: 'Runners' };
const COOKS: BriefInput = { product_name: 'Serum', audience: 'Cooks' };

/** The rows were ordered, and then journal and results/ were lost and the keys were forgotten. */
async function lost(
	given: Parameters<Desk['run']>[0],
	options: VirtualSandboxOptions = {},
): Promise<Desk> {
	const desk = new Desk(options);
	await desk.run(given);
	await desk.clock.pass(HOUR);
	desk.service.forgetKeys();
	await removeResults(desk);
	await desk.disk.remove(JOURNAL);
	return desk;
}

async function removeResults({ disk }: Desk): Promise<void> {
	for (const path of disk.files()) if (path.startsWith('out/results/')) await disk.remove(path);
}

const adopted = ({ events }: Ran) =>
	events.filter((event) => event.event === 'accepted' && !event.paid);
const begun = ({ events }: Ran) => events.find(({ event }) => event === 'run_started');
const answered = (brief: object, after = false): Fault => ({
	answer: { status: 202, body: JSON.stringify(brief) },
	after,
});

describe('rows whose journal is lost, on a service that has forgotten their keys,', () => {
	test('do not count as rows to order when the run begins', async () => {
		const desk = await lost(products(3));
		const rows = [...products(3), 'New 1'];
		expect(begun(await desk.run(rows))).toMatchObject({
			rows: { all: 4, to_order: 1, to_compare: 3 },
		});
		const again = await desk.run(rows, { orderAgain: true });
		expect(begun(again)).toMatchObject({ rows: { done: 1, to_order: 3 } });
	});

	test('leave the allowance to the new rows', async () => {
		const desk = await lost(products(3), { allowance: 4 });
		const { counts } = await desk.run(['New 1', 'New 2', ...products(3)]);
		expect(counts).toMatchObject({ ready: 4, deferred: 1 });
		expect(desk.paid()).toEqual([...products(3), 'New 1']);
	});

	test('wait for a brief that is still being written', async () => {
		const desk = new Desk({ duration: () => 40 * MINUTE });
		desk.interruptAt('accepted');
		await desk.run(['A']);
		await desk.clock.pass(20 * MINUTE);
		desk.service.forgetKeys();
		await desk.disk.remove(JOURNAL);
		expect((await desk.run(['A', 'B'])).tally).toBe('3: 1 ready, 1 pending');
		expect(desk.paid()).toEqual(['A', 'B']);
		expect(desk.statuses()).toMatchObject({ A: 'ready' });
	});

	test('have failed if their brief has, for nothing, until they are retried', async () => {
		const failed = await lost(['A'], { failed: (index) => index === 0 });
		expect((await failed.run(['A'])).tally).toBe('1: 1 failed');
		expect(failed.paid()).toEqual(['A']);
		expect((await failed.run(['A'], { retryUpTo: 3 })).tally).toBe('0: 1 ready');
	});

	test.each([
		['with another content', COOKS, [RUNNERS, COOKS], 3],
		['with less content', RUNNERS, ['Serum', RUNNERS], 3],
	])('share no brief with a row of their product %s', async (_, first, rows, row) => {
		const desk = await lost([first]);
		const ran = await desk.run(rows);
		expect(ran.exitCode).toBe(0);
		expect(adopted(ran)).toMatchObject([{ row }]);
		expect(desk.paid()).toHaveLength(2);
	});

	test.each<[string, BriefInput, BriefInput]>([
		['a sentence was added', RUNNERS, { ...RUNNERS, audience: 'Runners. And walkers.' }],
		['a text was taken out', { ...RUNNERS, objective: 'Sales' }, RUNNERS],
		[
			'one audience is in the other',
			{ ...RUNNERS, audience: 'Women' },
			{ ...RUNNERS, audience: 'Men' },
		],
		[
			'its name is within a longer one',
			{ product_name: 'HomeBuddy Cordless Milk Frother', product_id: '1729384756' },
			{ product_name: 'HomeBuddy Cordless Milk Frother PRO with Stand', product_id: '5839203847' },
		],
	])('share no brief with a row of which %s', async (_, first, row) => {
		const desk = await lost([first]);
		expect((await desk.run([first, row])).tally).toBe('0: 2 ready');
		expect(desk.service.briefs.map(({ input }) => input)).toMatchObject([first, row]);
	});

	test('are the same rows if their links are encoded when they are sent', async () => {
		const links = ['https://shop.example/crème', 'https://shop.example/?f[size]=L'];
		const row = { ...RUNNERS, reference_urls: links };
		const desk = await lost([row]);
		const ran = await desk.run([row]);
		expect([ran.tally, adopted(ran).length, desk.paid()]).toEqual(['0: 1 ready', 1, ['Serum']]);
	});

	test('cost one get for each brief of their product, and none for others', async () => {
		const desk = await lost(products(4));
		const before = desk.service.requests.length;
		const [listed, ...others] = desk.service.briefs.map(({ id }) => `/briefs/${id}`);
		const product_name = 'Product 1';
		await desk.run([
			{ ...RUNNERS, product_name },
			{ ...COOKS, product_name },
		]);
		const paths = desk.service.requests.slice(before).map(({ path }) => path);
		expect(paths.filter((path) => path === listed)).toHaveLength(1);
		expect(paths.filter((path) => others.includes(path))).toEqual([]);
	});

	test('stay unordered as long as the brief cannot be fetched: it may be paid for', async () => {
		const desk = await lost(['A']);
		desk.meet('get_brief', { answer: refusal(503, 'down', 'Maintenance') });
		await expect(desk.run(['A', 'B'])).rejects.toMatchObject({ exitCode: 5 });
		expect(desk.paid()).toEqual(['A']);
	});
});

describe('a brief that another run orders after the list was read', () => {
	/** A person takes time to confirm, and meanwhile another run orders the first row. */
	function confirmedLate(options: VirtualSandboxOptions = {}): Desk {
		const desk = new Desk(options);
		const another = new Desk({}, undefined, desk);
		desk.beforeTheYes = () => another.run(['A'], { batch: 'another.csv' });
		return desk;
	}

	test('is taken over with a slot in hand, and only other rows cost one', async () => {
		const desk = confirmedLate();
		const ran = await desk.run(['A', 'B']);
		expect([ran.tally, adopted(ran).length]).toEqual(['0: 2 ready', 1]);
		expect(desk.paid()).toEqual(['A', 'B']);
	});

	test('holds its row back if it does not show what it was made from', async () => {
		const desk = confirmedLate({ inputShape: 'empty' });
		expect((await desk.run(['A', 'B'])).tally).toBe('1: 1 ready, 1 parked');
		expect(desk.paid()).toEqual(['A', 'B']);
	});

	test('does not count for rows that --order-again names', async () => {
		const desk = confirmedLate();
		expect((await desk.run(['A'], { orderAgain: [[2, 2]] })).tally).toBe('0: 1 ready');
		expect(desk.paid()).toEqual(['A', 'A']);
	});

	test('is not taken for the brief of an own order without an answer, which holds no other row back', async () => {
		const desk = new Desk({ inputShape: 'empty' });
		desk.service.startOther(10 * MINUTE);
		desk.service.intercept = ({ body }) =>
			body?.includes('Cooks') === true ? { answerLost: 'after' } : undefined;
		const { records } = await desk.run([COOKS, RUNNERS]);
		expect(records.all().map((order) => [order.state.stage, isTakenOver(order)])).toEqual([
			['done', false],
			['done', false],
		]);
		const [cooks, runners] = desk.service.briefs.filter(({ key }) => key !== '');
		expect(records.all().map(({ state }) => state.briefId)).toEqual([cooks?.id, runners?.id]);
		desk.expectSound();
	});

	test.each([1, 3, 15, 100])(
		'is shared by runs that order the same products and begin %i seconds apart: none is paid twice',
		async (seconds) => {
			const one = new Desk({ duration: (index) => (3 + ((index * 7) % 10) / 3) * MINUTE });
			const other = new Desk({}, undefined, one);
			const ended = await Promise.all([
				one.run(products(8)),
				one.clock.sleep(seconds * 1000).then(() => other.run(products(8), { batch: 'other.csv' })),
			]);
			expect(ended.map(({ tally }) => tally)).toEqual(['0: 8 ready', '0: 8 ready']);
			one.expectSound();
		},
	);
});

describe('if the service does not show what a brief was made from, a row that may have one', () => {
	test('is parked, holds no slot, and its text says how to order it', async () => {
		const desk = await lost(['A'], { inputShape: 'empty' });
		expect((await desk.run(['A', 'B'])).tally).toBe('1: 1 ready, 1 parked');
		expect(desk.statuses()).toEqual({ A: 'parked', B: 'ready' });
		const error = desk.results()[0]?.brief_error;
		expect(error).toContain(desk.service.briefs[0]?.id);
		expect(error).toContain('--order-again');
		expect((await desk.run(['A', 'B', 'C', 'D'])).tally).toBe('1: 3 ready, 1 parked');
		expect(desk.paid()).toEqual(['A', 'B', 'C', 'D']);
	});

	test('is no order: edited, or with its text put back, it is compared and ordered like a new row', async () => {
		const desk = await lost(['A'], { inputShape: 'empty' });
		await desk.run(['A']);
		desk.service.switches.inputShape = 'as-submitted';
		const edited = { product_name: 'A', audience: 'Runners' };
		expect((await desk.run([edited])).tally).toBe('0: 1 ready');
		expect(desk.paid()).toEqual(['A', 'A']);
		expect((await desk.run([{ ...edited, objective: 'Sales' }])).tally).toBe('1: 1 changed');
		expect((await desk.run(['A', edited])).tally).toBe('0: 2 ready');
		expect(desk.paid()).toEqual(['A', 'A']);
	});

	test('gets its brief as soon as that shows what it was made from', async () => {
		const desk = await lost(['A'], { inputShape: 'empty' });
		await desk.run(['A']);
		desk.service.switches.inputShape = 'as-submitted';
		const ran = await desk.run(['A']);
		expect([ran.exitCode, adopted(ran).length]).toEqual([0, 1]);
		expect(desk.paid()).toEqual(['A']);
	});
});

describe('--order-again', () => {
	test('orders what would be taken over, and nothing that is done or has another content', async () => {
		const desk = await lost([COOKS]);
		for (let times = 0; times < 2; times += 1) {
			const ran = await desk.run([COOKS, RUNNERS, 'B'], { orderAgain: true });
			expect([ran.exitCode, adopted(ran).length]).toEqual([0, 0]);
			expect(desk.paid()).toEqual(['Serum', 'Serum', 'Serum', 'B']);
			const tries = ran.records.all().map(({ try: n }) => n);
			expect(tries.sort()).toEqual([1, 1, 2]);
		}
	});

	test('takes what another folder has ordered again, if the service answers with that, and nothing is paid', async () => {
		const desk = await lost(['A', 'B']);
		const again = { orderAgain: true };
		await desk.run(['A', 'B'], again);
		await removeResults(desk);
		await desk.disk.remove(JOURNAL);
		expect((await desk.run(['A', 'B'], again)).tally).toBe('0: 2 ready');
		expect(desk.paid()).toEqual(['A', 'B', 'A', 'B']);
	});

	test('does not count in the next run: what this one had no room for is taken over until it is asked for once more', async () => {
		const desk = await lost(['A']);
		const again = { orderAgain: true };
		expect((await desk.run(['A'], { ...again, max: 0 })).tally).toBe('3: 1 ready');
		expect((await desk.run(['A'])).tally).toBe('0: 1 ready');
		expect(desk.paid()).toEqual(['A']);
		expect((await desk.run(['A'], again)).tally).toBe('0: 1 ready');
		expect(desk.paid()).toEqual(['A', 'A']);
	});

	test('goes with a retry: what has failed is tried again beside the brief that it would get', async () => {
		const desk = new Desk({ failed: (index) => index < 2 });
		await desk.run(['A', 'B']);
		for (const name of ['A', 'B']) desk.service.startOther(MINUTE, name);
		await desk.clock.pass(HOUR);
		const ran = await desk.run(['A', 'B'], { retryUpTo: 3, orderAgain: [[3, 3]] });
		expect([ran.tally, adopted(ran).length]).toEqual(['0: 2 ready', 1]);
		expect(desk.service.creates()).toHaveLength(3);
	});

	test('orders what a service that knows the keys of an earlier month gave its old briefs (P10)', async () => {
		const desk = new Desk();
		await desk.run(['A', 'B']);
		await desk.disk.remove(JOURNAL);
		await removeResults(desk);
		for (let month = 0; month < 3; month += 1) await desk.clock.pass(20 * DAY);
		const ran = await desk.run(['A', 'B']);
		expect([ran.tally, adopted(ran).length]).toEqual(['0: 2 ready', 2]);
		expect(ran.notices).toEqual([
			expect.stringMatching(/^Row 2 \(A\) got the brief of \d+ \w+ \d{4} .*nothing was paid/),
			expect.stringMatching(/^Row 3/),
		]);
		const [first] = ran.events.filter(({ event }) => event === 'old_brief');
		const run = { records: ran.records, place: { outDir: 'out', lastCommand: ran.records } };
		expect(lineFor(first!, plainPaint, run)).toMatchObject({
			command: 'brief-batch run products.csv --out out --order-again 2',
		});
		const again = await desk.run(['A', 'B'], { orderAgain: true });
		expect(again.events.filter(({ event }) => event === 'sent')).toHaveLength(2);
		expect(new Set(again.records.all().map(({ state }) => state.briefId)).size).toBe(4);
	});
});

describe('an answer that brings another brief', () => {
	test('parks the row, names the brief, ends the ordering of this run and holds no slot', async () => {
		const desk = new Desk();
		await desk.run(['A']);
		const { id, input } = desk.service.briefs[0]!;
		const another = answered({ id, status: 'ready', input, product_name: 'A' });
		desk.meet('create_brief', another, creates('B'));
		const ran = await desk.run(['A', 'B', 'C', 'D', 'E', 'F']);
		expect(ran.tally).toBe('5: 1 ready, 1 parked, 4 pending');
		const text = desk.results()[1]?.brief_error ?? '';
		for (const part of [id, '“A”', 'brief-batch retry']) expect(text).toContain(part);
		desk.service.mend();
		const next = await desk.run(['A', 'B', 'C', 'D', 'E', 'F', 'G', 'H', 'I']);
		expect(next.tally).toBe('1: 8 ready, 1 parked');
		expect(desk.paid()).toEqual(['A', 'C', 'D', 'E', 'F', 'G', 'H', 'I']);
		// Once the list shows who has the slots, the row has none.
		const waits = [...ran.events, ...next.events].flatMap((event) =>
			event.event === 'waits_for_slot' ? [event.running.length] : [],
		);
		expect(waits.filter((shown) => shown < 2)).toEqual([]);
		expect(desk.service.mostRunning).toBe(2);
	});

	test('is not believed if it is older and shows another input; its own brief is found in the list', async () => {
		const desk = new Desk();
		const old = { id: 'another', status: 'queued', product_name: 'Serum', input: COOKS };
		desk.meet('create_brief', answered({ ...old, created_at: desk.clock.now() - 2 * DAY }, true));
		const { tally, records } = await desk.run([RUNNERS]);
		expect(tally).toBe('0: 1 ready');
		expect(records.all()[0]?.state.briefId).toBe(desk.service.briefs[0]?.id);
		expect(desk.paid()).toEqual(['Serum']);
	});

	test('is not believed if it is the brief of another row, whose key the service has forgotten', async () => {
		const desk = new Desk();
		await desk.run(['Serum']);
		const { id } = desk.service.briefs[0]!;
		desk.meet('create_brief', answered({ product_name: 'Serum', id, status: 'ready', input: {} }));
		const { records } = await desk.run(['Serum', COOKS]);
		expect(records.all().map(({ state }) => [state.stage, state.briefId])).toEqual([
			['done', id],
			['parked', null],
		]);
	});

	test('is believed if it is new and of the product, whatever it shows of its input', async () => {
		const desk = new Desk();
		desk.service.shownInput = () => ({ audience: 'Cooks', objective: 'Sell' });
		const ran = await desk.run([RUNNERS, { ...RUNNERS, audience: 'Swimmers' }]);
		expect([ran.tally, desk.paid().length]).toEqual(['0: 2 ready', 2]);
	});

	describe('of another product', () => {
		/** Each order of the named products is paid, and answered with a brief of another product. */
		const mistaken = (desk: Desk, isMistaken: (name: string) => boolean) => {
			desk.service.intercept = ({ operation, body = '{}' }) => {
				const { product_name = '' } = JSON.parse(body) as { product_name?: string };
				if (operation !== 'create_brief' || !isMistaken(product_name)) return undefined;
				const id = `b${product_name.at(-1)}`;
				return answered({ id, status: 'queued', product_name: 'Z\u001b[31m' }, true);
			};
		};

		test('ends the run with 5, says what the service showed, and orders nothing more', async () => {
			const desk = new Desk({ listLag: MINUTE });
			mistaken(desk, () => true);
			const { tally, failure } = await desk.run(products(6));
			expect(tally).toBe('5: 1 parked, 5 pending');
			expect(failure?.what).toMatch(/“Product 1” with the brief of.*: b1 \(“Z \[31m”\)\.$/);
			// Two orders are on their way at a time.
			expect(desk.paid()).toEqual(['Product 1', 'Product 2']);
		});

		test('parks only its row if an earlier run had sent the key', async () => {
			const desk = new Desk({ listLag: MINUTE });
			desk.meet('create_brief', { answerLost: 'before' });
			desk.interruptAt('sent', 1, SECOND);
			await desk.run(products(1));
			mistaken(desk, (name) => name === 'Product 1');
			expect((await desk.run(products(6))).tally).toBe('1: 5 ready, 1 parked');
		});

		test('ends the run also if the key is new because of a retry', async () => {
			const desk = new Desk({ listLag: MINUTE });
			desk.meet('create_brief', refused(400, 'invalid_request', 'no such product'));
			await desk.run(products(2));
			desk.service.mend();
			mistaken(desk, () => true);
			const { tally } = await desk.run(products(2), { retryUpTo: 3 });
			expect(tally).toBe('5: 1 parked, 1 pending');
		});

		test('is settled by a list that shows the briefs', async () => {
			const desk = new Desk();
			mistaken(desk, () => true);
			expect((await desk.run(products(3))).tally).toBe('0: 3 ready');
			expect(desk.paid()).toHaveLength(3);
		});
	});

	test('parks the row if each get gives another product, and names both', async () => {
		const desk = new Desk();
		const stranger = { status: 'ready', product_name: 'Z', input: {}, markdown: '# Of another' };
		desk.service.intercept = ({ operation, path }) => {
			const [first] = desk.service.briefs;
			if (operation !== 'get_brief' || first === undefined || !path.endsWith(first.id)) return;
			return { answer: { status: 200, body: JSON.stringify({ id: first.id, ...stranger }) } };
		};
		for (const names of [
			['A', 'B'],
			['A', 'B', 'C'],
		]) {
			const { tally, failure } = await desk.run(names);
			expect([tally, failure]).toEqual([`3: ${names.length - 1} ready, 1 pending`, null]);
		}
		const text = desk.results()[0]?.brief_error ?? '';
		for (const part of [desk.service.briefs[0]!.id, '“Z”']) expect(text).toContain(part);
		desk.service.mend();
		expect((await desk.run(['A', 'B', 'C'])).counts.ready).toBe(3);
		desk.expectSound();
	});

	test.each(['id', 'product_name'])(
		'is asked for again if a get gives another %s, and never filed',
		async (field) => {
			const desk = new Desk();
			const right = { product_name: 'A', status: 'ready', markdown: '# Of another' };
			let wrong = 2;
			desk.service.intercept = ({ operation, path }) => {
				if (operation !== 'get_brief' || wrong === 0) return undefined;
				wrong -= 1;
				const body = { id: path.slice('/briefs/'.length), ...right, [field]: 'another' };
				return { answer: { status: 200, body: JSON.stringify(body) } };
			};
			const { exitCode } = await desk.run(['A']);
			expect([exitCode, wrong]).toEqual([0, 0]);
			const files = desk.disk.files().filter((path) => path.endsWith('.md'));
			expect(files.map((path) => desk.disk.text(path))).toEqual(['# A brief\n']);
		},
	);
});

describe('a list of several pages', () => {
	/** An order without an answer whose brief is on the second page, and whose key is forgotten. */
	async function behindAPage(options: VirtualSandboxOptions = {}): Promise<Desk> {
		const desk = new Desk(options);
		desk.meet('create_brief', { answerLost: 'after' });
		desk.interruptAt('sent', 1, SECOND);
		await desk.run(['A']);
		desk.service.mend();
		await desk.clock.pass(HOUR);
		for (let n = 0; n < 130; n += 1) desk.service.startOther(1, `Somebody else’s ${n}`);
		await desk.clock.pass(HOUR);
		desk.service.forgetKeys();
		return desk;
	}
	const stale = { answer: refusal(400, 'invalid_request', 'cursor is invalid or stale') };

	test('shows the brief of a lost answer', async () => {
		const desk = await behindAPage();
		expect((await desk.run(['A'])).tally).toBe('0: 1 ready');
		expect(desk.paid().filter((name) => name === 'A')).toHaveLength(1);
	});

	test('that starts over is not believed to hold no brief', async () => {
		const desk = await behindAPage({ staleCursor: 'first-page', cursorMemoryMs: 0 });
		expect((await desk.run(['A'])).tally).toBe('1: 1 parked');
		expect(desk.paid().filter((name) => name === 'A')).toHaveLength(1);
		expect(desk.results()[0]?.brief_error).toContain('does not list its briefs to the end');
	});

	test('that refuses every cursor ends the run with 5, and the text blames the service', async () => {
		const desk = await behindAPage();
		desk.meet('list_briefs', stale, ({ query }) => query.cursor !== undefined);
		await expect(desk.run(['A'])).rejects.toMatchObject({
			exitCode: 5,
			what: expect.stringContaining('refuses its own cursor (400)') as string,
			cure: expect.stringContaining('no fault of the key or of your data') as string,
		});
	});

	test('is read once for all of two hundred parked rows', async () => {
		const desk = new Desk();
		const rows = products(200);
		await desk.disk.makeFolder(OUT);
		const journal = await openJournal(desk.disk, desk.clock);
		for (const row of tableOf(rows).rows) {
			const order = tryOf(BATCH, row, 1);
			const service_time = new Date(desk.clock.now()).toISOString();
			await journal.append(
				entry.ordered(order),
				{ ...entry.intended(order.key), service_time },
				entry.parked(order.key, 'person'),
			);
		}
		await desk.clock.pass(MINUTE);
		await journal.close();
		for (let made = 0; made < 3000; made += 1) desk.service.startOther(1, `Another ${made}`);
		await desk.clock.pass(HOUR);
		expect((await desk.run(rows)).counts.parked).toBe(200);
		expect(desk.service.count('list_briefs')).toBeLessThanOrEqual(31);
	});
});
