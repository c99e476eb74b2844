import { refusal } from '../../support/faults';
import { JOURNAL_FORMAT } from '../../../batch/journal/events';
import { Journal } from '../../../batch/journal/journal';
import { rowOrderOf } from '../../../batch/plan/row-order';
import { creates, DAY, Desk, HOUR, MINUTE, products, tableOf } from '../../support/batch/desk';
import { said } from '../../support/batch/journal-events';
import type { MemoryOptions } from '../../support/memory-service';

jest.setTimeout(20_000);

const JOURNAL = 'out/journal.jsonl';

/** The rows were ordered, and then journal and results/ were lost and the keys were forgotten. */
async function lost(
	given: Parameters<Desk['run']>[0],
	options: MemoryOptions = {},
	kept?: Buffer,
): Promise<Desk> {
	const desk = new Desk(options);
	await desk.run(given);
	await desk.clock.pass(HOUR);
	desk.service.forgetKeys();
	await removeResults(desk);
	if (kept === undefined) await desk.disk.remove(JOURNAL);
	else desk.disk.put(JOURNAL, kept);
	return desk;
}

async function removeResults({ disk }: Desk): Promise<void> {
	for (const path of disk.files()) if (path.startsWith('out/results/')) await disk.remove(path);
}

const adopted = ({ events }: Awaited<ReturnType<Desk['run']>>) =>
	events.filter((event) => event.event === 'brief_accepted' && event.adopted === true);
const notices = ({ events }: Awaited<ReturnType<Desk['run']>>) =>
	events.flatMap((event) => (event.event === 'notice' ? [event.text] : []));

describe('rows whose journal is lost, on a service that has forgotten their keys', () => {
	test('take over their briefs, say so, and are paid for once', async () => {
		const desk = await lost(products(5));
		const before = desk.service.count('create_brief');
		const ran = await desk.run(products(5));
		expect(ran.exitCode).toBe(0);
		expect(ran.counts).toMatchObject({ ready: 5, pending: 0 });
		expect(desk.service.count('create_brief')).toBe(before);
		expect(adopted(ran)).toHaveLength(5);
		expect(notices(ran)).toEqual([expect.stringMatching(/^5 rows were taken over.*--order-again/)]);
		expect(ran.records.all().every((record) => record.adopted === true)).toBe(true);
		// The next run knows them as done.
		const again = await desk.run(products(5));
		expect([again.exitCode, adopted(again).length]).toEqual([0, 0]);
	});

	test('are not counted among those to order when the run begins', async () => {
		const desk = await lost(products(3));
		const { events } = await desk.run([...products(3), 'New 1']);
		expect(events.find(({ event }) => event === 'run_started')).toMatchObject({
			rows: 4,
			to_create: 1,
			to_compare: 3,
		});
		const again = await desk.run([...products(3), 'New 1'], { orderAgain: true });
		expect(again.events.find(({ event }) => event === 'run_started')).toMatchObject({
			done: 1,
			to_create: 3,
		});
	});

	test('need nothing of the allowance for it, and leave what is left to the new rows', async () => {
		const desk = await lost(products(3), { allowance: 4 });
		const { counts } = await desk.run(['New 1', 'New 2', ...products(3)]);
		expect(counts).toMatchObject({ ready: 4, deferred: 1 });
		expect(desk.paid()).toEqual([...products(3), 'New 1']);
	});

	test('keep what an older copy of the journal says, and take over the rest', async () => {
		const desk = new Desk();
		await desk.run(['A', 'B']);
		const copy = Buffer.from(desk.disk.bytes(JOURNAL));
		await desk.run(['A', 'B', 'C']);
		await desk.clock.pass(HOUR);
		desk.service.forgetKeys();
		desk.disk.put(JOURNAL, copy);
		const ran = await desk.run(['A', 'B', 'C']);
		expect([ran.exitCode, ran.counts.ready, adopted(ran).length]).toEqual([0, 3, 1]);
		expect(desk.paid()).toEqual(['A', 'B', 'C']);
	});

	test('wait for a brief that is still being written', async () => {
		const desk = new Desk({ duration: () => 40 * MINUTE });
		desk.onEvent = ({ event }) => {
			if (event === 'brief_accepted') desk.interruption.abort();
		};
		await desk.run(['A']);
		desk.onEvent = () => undefined;
		await desk.clock.pass(20 * MINUTE);
		desk.service.forgetKeys();
		await desk.disk.remove(JOURNAL);
		const ran = await desk.run(['A', 'B']);
		expect([ran.exitCode, ran.counts.ready]).toEqual([1, 1]);
		expect(desk.paid()).toEqual(['A', 'B']);
		expect(desk.statuses()).toMatchObject({ A: 'ready' });
	});

	test('are ordered where their brief has failed, and where it is of last quarter', async () => {
		const failed = await lost(['A'], { failed: (index) => index === 0 });
		await failed.run(['A']);
		expect(failed.paid()).toEqual(['A', 'A']);
		const old = await lost(['A']);
		for (let months = 0; months < 5; months += 1) await old.clock.pass(20 * DAY);
		await old.run(['A']);
		expect(old.paid()).toEqual(['A', 'A']);
	});

	test('share no brief: of two rows of one product the one that it was made from gets it', async () => {
		const first = { product_name: 'Serum', audience: 'Runners' };
		const second = { product_name: 'Serum', audience: 'Cooks' };
		const desk = await lost([second]);
		const ran = await desk.run([first, second]);
		expect(ran.exitCode).toBe(0);
		expect(adopted(ran)).toMatchObject([{ row: 3 }]);
		expect(desk.service.briefs.map(({ input }) => input)).toEqual([second, first]);
	});

	test('are told from a row with less content, which is ordered', async () => {
		const more = { product_name: 'Serum', audience: 'Runners' };
		const desk = await lost([more]);
		const ran = await desk.run(['Serum', more]);
		expect([ran.exitCode, adopted(ran).length, desk.paid().length]).toEqual([0, 1, 2]);
	});

	test('of the same content get one each, and what is missing is ordered', async () => {
		const desk = await lost(['A', 'A'], {});
		const before = desk.paid().length;
		const ran = await desk.run(['A', 'A', 'A'], { allowDuplicates: true });
		expect(before).toBe(1);
		expect([ran.exitCode, adopted(ran).length, desk.paid().length]).toEqual([0, 1, 3]);
		const ids = ran.records.all().map(({ brief_id }) => brief_id);
		expect(new Set(ids).size).toBe(3);
	});

	test('cost one get for each brief of their product, and none for others', async () => {
		const desk = await lost(products(4));
		const before = desk.service.requests.length;
		const [listed, ...others] = desk.service.briefs.map(({ id }) => `/briefs/${id}`);
		await desk.run([
			{ product_name: 'Product 1', audience: 'Runners' },
			{ product_name: 'Product 1', audience: 'Cooks' },
		]);
		const paths = desk.service.requests.slice(before).map(({ path }) => path);
		expect(paths.filter((path) => path === listed)).toHaveLength(1);
		expect(paths.filter((path) => others.includes(path))).toEqual([]);
	});

	test('stay unordered while the brief cannot be got: it may be paid for', async () => {
		const desk = await lost(['A']);
		desk.service.intercept = ({ operation }) =>
			operation === 'get_brief' ? { answer: refusal(503, 'down', 'Maintenance') } : undefined;
		const { exitCode } = await desk.run(['A', 'B']);
		expect(exitCode).toBe(5);
		expect(desk.paid()).toEqual(['A']);
	});
});

describe('where the service does not show what a brief was made from', () => {
	test('a row that was perhaps ordered before is parked, and the text says how to order it', async () => {
		const desk = await lost(['A'], { isInputHidden: true });
		const ran = await desk.run(['A', 'B']);
		expect(ran.exitCode).toBe(1);
		expect(desk.statuses()).toEqual({ A: 'parked', B: 'ready' });
		const error = desk.results()[0]?.brief_error;
		expect(error).toContain(desk.service.briefs[0]?.id);
		expect(error).toContain('--order-again');
		expect(desk.paid()).toEqual(['A', 'B']);
		// It stays so, and holds no slot.
		const again = await desk.run(['A', 'B', 'C', 'D']);
		expect(again.counts).toMatchObject({ parked: 1, ready: 3 });
		expect(desk.paid()).toEqual(['A', 'B', 'C', 'D']);
	});

	test('it gets its brief as soon as that shows what it was made from', async () => {
		const desk = await lost(['A'], { isInputHidden: true });
		await desk.run(['A']);
		desk.service.isInputHidden = false;
		const ran = await desk.run(['A']);
		expect([ran.exitCode, adopted(ran).length]).toEqual([0, 1]);
		expect(desk.paid()).toEqual(['A']);
	});

	test('it is ordered with --order-again, with another key, and only once', async () => {
		const desk = await lost(['A', 'B'], { isInputHidden: true });
		await desk.run(['A', 'C']);
		const ran = await desk.run(['A', 'B', 'C'], { orderAgain: true });
		expect([ran.exitCode, ran.counts.ready]).toEqual([0, 3]);
		expect(desk.paid()).toEqual(['A', 'B', 'C', 'A', 'B']);
		const keys = desk.service.briefs.map(({ key }) => key);
		expect(new Set(keys).size).toBe(5);
		await desk.run(['A', 'B', 'C'], { orderAgain: true });
		expect(desk.paid()).toHaveLength(5);
	});
});

test('--order-again orders what would be taken over, and nothing that is done or has another content', async () => {
	const first = { product_name: 'A', audience: 'Cooks' };
	const other = { product_name: 'A', audience: 'Runners' };
	const desk = await lost([first]);
	const ran = await desk.run([first, other, 'B'], { orderAgain: true });
	expect([ran.exitCode, adopted(ran).length]).toEqual([0, 0]);
	expect(desk.paid()).toEqual(['A', 'A', 'A', 'B']);
	const generations = ran.records.all().map(({ generation }) => generation);
	expect(generations.sort()).toEqual([1, 1, 2]);
	await desk.run([first, other, 'B'], { orderAgain: true });
	expect(desk.paid()).toHaveLength(4);
});

test('--order-again orders what an earlier run has taken over, with another key, and only once', async () => {
	const desk = await lost(['A']);
	const ran = await desk.run(['A', 'B']);
	expect(notices(ran)).toEqual([
		'1 row was taken over: the workspace had a brief of the same content, so nothing is paid for it. To order it all the same: brief-batch run products.csv --out out --order-again 2',
	]);
	for (let times = 0; times < 2; times += 1) {
		const again = await desk.run(['A', 'B'], { orderAgain: true });
		expect([again.exitCode, again.counts.ready]).toEqual([0, 2]);
		expect(desk.paid()).toEqual(['A', 'B', 'A']);
	}
	expect(new Set(desk.service.briefs.map(({ key }) => key)).size).toBe(3);
});

describe('an answer that brings another brief', () => {
	test('parks the row whose create it answers, names the brief, and pays for nothing more', async () => {
		const desk = new Desk();
		await desk.run(['A']);
		const stranger = { ...desk.service.briefs[0]!.input };
		desk.service.intercept = (request) =>
			creates('B')(request)
				? {
						answer: {
							status: 202,
							body: JSON.stringify({
								id: desk.service.briefs[0]!.id,
								status: 'ready',
								input: stranger,
								product_name: 'A',
							}),
						},
					}
				: undefined;
		const ran = await desk.run(['A', 'B', 'C']);
		expect(ran.exitCode).toBe(1);
		expect(ran.counts).toMatchObject({ ready: 2, parked: 1 });
		const text = desk.results()[1]?.brief_error ?? '';
		expect(text).toContain(desk.service.briefs[0]?.id);
		expect(text).toContain('“A”');
		expect(text).toContain('brief-batch retry');
		desk.service.intercept = () => undefined;
		const again = await desk.run(['A', 'B', 'C']);
		expect(again.counts).toMatchObject({ ready: 2, parked: 1 });
		expect(desk.paid()).toEqual(['A', 'C']);
	});

	test('is not believed where it was there before and shows another input, and its own brief is found later', async () => {
		const desk = new Desk();
		const own = { product_name: 'Serum', audience: 'Runners' };
		desk.service.intercept = ({ operation }) =>
			operation === 'create_brief'
				? {
						after: true,
						answer: {
							status: 202,
							body: JSON.stringify({
								id: 'another',
								status: 'queued',
								product_name: 'Serum',
								created_at: desk.clock.now() - HOUR,
								input: { ...own, audience: 'Cooks' },
							}),
						},
					}
				: undefined;
		const first = await desk.run([own]);
		expect(first.counts).toMatchObject({ parked: 1 });
		desk.service.intercept = () => undefined;
		const second = await desk.run([own]);
		expect(second.counts).toMatchObject({ ready: 1 });
		expect(second.records.all()[0]?.brief_id).toBe(desk.service.briefs[0]?.id);
		expect(desk.paid()).toEqual(['Serum']);
	});

	test('holds no slot once the list shows who has them, in this run and in the next', async () => {
		const desk = new Desk();
		await desk.run(['A']);
		const { id } = desk.service.briefs[0]!;
		const another = {
			status: 202,
			body: JSON.stringify({ id, status: 'ready', product_name: 'A' }),
		};
		desk.service.intercept = (request) => (creates('B')(request) ? { answer: another } : undefined);
		const waits = ({ events }: Awaited<ReturnType<Desk['run']>>) =>
			events.flatMap((event) => (event.event === 'waiting_for_slot' ? [event.briefs.length] : []));
		const ran = await desk.run(['A', 'B', 'C', 'D', 'E', 'F']);
		expect(ran.counts).toMatchObject({ ready: 5, parked: 1 });
		const next = await desk.run(['A', 'B', 'C', 'D', 'E', 'F', 'G', 'H', 'I']);
		expect(next.counts).toMatchObject({ ready: 8, parked: 1 });
		expect([...waits(ran), ...waits(next)].filter((shown) => shown < 2)).toEqual([]);
		expect(desk.service.mostRunning).toBe(2);
	});

	test('is believed where it is new and of the product, whatever it shows of its input', async () => {
		const desk = new Desk();
		desk.service.shownInput = () => ({ audience: 'Cooks', objective: 'Sell' });
		const row = { product_name: 'Serum', audience: 'Runners', objective: 'Sell' };
		const ran = await desk.run([row, { ...row, audience: 'Swimmers' }]);
		expect([ran.exitCode, ran.counts.ready, desk.paid().length]).toEqual([0, 2, 2]);
	});

	describe('twice in a row', () => {
		/** Each order of the named products is paid, and answered with a brief of another product. */
		const mistaken = (desk: Desk, isMistaken: (name: string) => boolean) => {
			desk.service.intercept = ({ operation, body = '{}' }) => {
				const { product_name } = JSON.parse(body) as { product_name?: string };
				if (operation !== 'create_brief' || !isMistaken(product_name ?? '')) return undefined;
				const brief = {
					id: `b${product_name?.at(-1)}`,
					status: 'queued',
					product_name: 'Z\u001b[31m',
				};
				return { after: true, answer: { status: 202, body: JSON.stringify(brief) } };
			};
		};

		test('ends the run with 5, says what the service showed, and orders nothing more', async () => {
			const desk = new Desk();
			mistaken(desk, () => true);
			const { exitCode, failure, counts } = await desk.run(products(6));
			expect(exitCode).toBe(5);
			expect(failure?.what).toMatch(/does not understand.*got brief b\d \(“Z \[31m”\)\.$/);
			expect(counts).toMatchObject({ parked: 2, pending: 4 });
			expect(desk.paid()).toHaveLength(2);
		});

		test('is only what follows each other: one that is believed in between makes it none', async () => {
			const desk = new Desk();
			mistaken(desk, (name) => name === 'Product 1' || name === 'Product 3');
			const { exitCode, counts } = await desk.run(products(6));
			expect([exitCode, counts.ready, counts.parked]).toEqual([1, 4, 2]);
		});
	});

	test('parks the row whose brief a get goes on giving another product, and names both', async () => {
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
			const ran = await desk.run(names);
			expect([ran.exitCode, ran.failure]).toEqual([1, null]);
			expect(ran.counts).toMatchObject({ ready: names.length - 1, parked: 1 });
		}
		const text = desk.results()[0]?.brief_error ?? '';
		expect(text).toContain(desk.service.briefs[0]!.id);
		expect(text).toContain('“Z”');
		desk.service.mend();
		expect((await desk.run(['A', 'B', 'C'])).counts.ready).toBe(3);
		desk.expectSound();
	});

	test.each(['id', 'product_name'])(
		'is asked for again where a get gives another %s, and never filed',
		async (field) => {
			const desk = new Desk();
			let wrong = 2;
			desk.service.intercept = ({ operation, path }) => {
				if (operation !== 'get_brief' || wrong === 0) return undefined;
				wrong -= 1;
				const right = { id: path.slice('/briefs/'.length), product_name: 'A', status: 'ready' };
				const body = { ...right, markdown: '# Of another', [field]: 'another' };
				return { answer: { status: 200, body: JSON.stringify(body) } };
			};
			const { exitCode } = await desk.run(['A']);
			expect([exitCode, wrong]).toEqual([0, 0]);
			const files = desk.disk.files().filter((path) => path.endsWith('.md'));
			expect(files.map((path) => desk.disk.text(path))).toEqual(['# A brief\n']);
		},
	);
});

describe('a list that cannot be read to its end', () => {
	/** More briefs than a page holds, and an order whose brief is on the second page, with a key that is forgotten. */
	async function behindAPage(options: MemoryOptions = {}): Promise<Desk> {
		const desk = new Desk(options);
		desk.service.fail(
			'create_brief',
			...Array.from({ length: 7 }, () => ({ lost: 'after' as const })),
		);
		await desk.run(['A']);
		await desk.clock.pass(HOUR);
		for (let n = 0; n < 130; n += 1) desk.service.startOther(1, `Somebody else’s ${n}`);
		await desk.clock.pass(HOUR);
		desk.service.forgetKeys();
		return desk;
	}

	test('that is read whole shows the brief of a lost answer on its second page', async () => {
		const desk = await behindAPage();
		expect((await desk.run(['A'])).exitCode).toBe(0);
		expect(desk.paid().filter((name) => name === 'A')).toHaveLength(1);
	});

	test('because it starts over is not believed to hold no brief: the row is parked, not paid again', async () => {
		const desk = await behindAPage({ startsOver: true });
		const { exitCode, counts } = await desk.run(['A']);
		expect([exitCode, counts.parked]).toEqual([1, 1]);
		expect(desk.results()[0]?.brief_error).toContain('does not list its briefs to the end');
		expect(desk.paid().filter((name) => name === 'A')).toHaveLength(1);
	});

	test('because a cursor is refused once is read again, and the run goes on', async () => {
		const desk = await behindAPage();
		let refused = 0;
		desk.service.intercept = ({ query }) =>
			query.cursor !== undefined && (refused += 1) <= 2
				? { answer: refusal(400, 'invalid_request', 'cursor is invalid or stale') }
				: undefined;
		expect((await desk.run(['A'])).exitCode).toBe(0);
		expect(desk.paid().filter((name) => name === 'A')).toHaveLength(1);
	});

	test('because every cursor is refused ends the run with 5, and blames the service', async () => {
		const desk = await behindAPage();
		desk.service.intercept = ({ query }) =>
			query.cursor !== undefined ? { answer: refusal(400, 'invalid_request', 'stale') } : undefined;
		await expect(desk.run(['A'])).rejects.toMatchObject({
			exitCode: 5,
			what: expect.stringContaining('refuses a cursor of its own (400)') as string,
			cure: expect.stringContaining('no fault of the key or of your data') as string,
		});
	});
});

test('P10: a service that still knows the keys of an earlier month gives its briefs, which are told as what they are', async () => {
	const desk = new Desk();
	await desk.run(['A', 'B']);
	await desk.disk.remove(JOURNAL);
	await removeResults(desk);
	for (let month = 0; month < 3; month += 1) await desk.clock.pass(20 * DAY);
	const ran = await desk.run(['A', 'B']);
	expect(ran.counts).toMatchObject({ ready: 2 });
	expect(adopted(ran)).toHaveLength(2);
	expect(notices(ran)).toEqual([
		expect.stringMatching(/^The workspace has older briefs of 2 products/),
		expect.stringMatching(
			/^Row 2 \(A\) got the brief of \d+ \w+ \d{4} .*nothing was paid.*--order-again/,
		),
		expect.stringMatching(/^Row 3/),
	]);
	const again = await desk.run(['A', 'B'], { orderAgain: true });
	expect(again.events.filter(({ event }) => event === 'brief_ordered')).toHaveLength(2);
	expect(new Set(again.records.all().map(({ brief_id }) => brief_id)).size).toBe(4);
});

describe('many orders that wait for their briefs', () => {
	test.each([20, 200])('%i parked rows read the list once together', async (n) => {
		const desk = new Desk();
		const rows = products(n);
		await desk.disk.makeFolder('out');
		const journal = await Journal.open(desk.disk, JOURNAL, () => desk.clock.now());
		const batch = { batch: 'products.csv', base_url: 'https://api.example/v1' };
		await journal.append({ type: 'batch', format: JOURNAL_FORMAT, ...batch });
		for (const row of tableOf(rows).rows) {
			const order = rowOrderOf('products.csv', row, 1, 1);
			const service_time = new Date(desk.clock.now()).toISOString();
			await journal.append({ type: 'intent', ...order, service_time });
			await journal.append(said.parked(order.key, 'person'));
		}
		await desk.clock.pass(MINUTE);
		await journal.close();
		for (let made = 0; made < 3000; made += 1) desk.service.startOther(1, `Another ${made}`);
		await desk.clock.pass(HOUR);
		const { counts } = await desk.run(rows);
		expect(counts.parked).toBe(n);
		expect(desk.service.count('list_briefs')).toBeLessThanOrEqual(31);
	});
});
