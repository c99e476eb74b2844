import type { Heard } from '../../../batch/folder/events';
import type { ServiceRequest } from '../../../service/api/operations';
import type { PollInterval } from '../../../service/api/poll-interval';
import { BROKEN_JSON, CUT, refusal, refused, type Fault } from '../../support/faults';
import { creates, Desk, products, type Content } from '../../support/batch/desk';
import { DAY, HOUR, MINUTE, SECOND } from '../../support/time';

jest.setTimeout(20_000);

const SAVED_500: Fault = { answer: refusal(500, 'internal', 'Oops'), isSaved: true };
const DOWN: Fault = { answer: refusal(503, 'down', 'Maintenance') };
const USED_UP: Fault = { answer: refusal(429, 'allowance_reached', 'Nothing left') };
const TURN = Date.UTC(2026, 11, 1);

test('--poll-interval changes how often is looked, and nothing else', async () => {
	const ran = async (interval: PollInterval) => {
		const desk = new Desk();
		desk.service.fail('create_brief', DOWN, DOWN, DOWN);
		expect((await desk.run(['A'], { interval })).tally).toBe('0: 1 ready');
		const times = desk.service.creates().map(({ at }) => at / SECOND);
		return {
			waits: times.slice(1).map((time, i) => Math.floor(time - (times[i] ?? NaN))),
			looks: desk.service.requests.filter(({ operation }) => operation === 'get_brief').length,
		};
	};
	const often = await ran({ shortest: SECOND, longest: 2 * SECOND });
	const seldom = await ran({ shortest: 60 * SECOND, longest: 120 * SECOND });
	expect(often.waits).toEqual([2, 4, 8]);
	expect(seldom.waits).toEqual(often.waits);
	expect(often.looks).toBeGreaterThan(10 * seldom.looks);
});

describe('a create without a usable answer', () => {
	test.each<[string, Fault]>([
		['was lost before the work', { answerLost: 'before' }],
		['was lost after the work', CUT],
		['never left the machine', { answerLost: 'never-sent' }],
		['was answered by a gateway', { answer: { status: 502, body: '<html>' } }],
		['was answered with half an object', { answer: { status: 202, body: '{"i' }, after: true }],
		['was answered with a login page', { answer: { status: 200, body: '<html>' } }],
		['was limited', { answer: refusal(429, 'rate_limited', 'x', { 'retry-after': '7' }) }],
	])('is sent again with the same key if it %s', async (_, fault) => {
		const desk = new Desk();
		desk.service.fail('create_brief', fault, fault);
		expect((await desk.run(products(3))).tally).toBe('0: 3 ready');
		expect(desk.paid().sort()).toEqual(products(3));
		desk.expectSound();
	});

	describe('is settled by the list in the same run, for nothing, although every answer', () => {
		const cut: Fault = { answerLost: 'after' };
		const failed: Fault = { answer: refusal(500, 'internal', 'Oops'), after: true };
		const createsPlainA = (request: ServiceRequest) =>
			creates('A')(request) && request.body?.includes('Cooks') === false;
		const TWIN = { product_name: 'A', audience: 'Cooks' };
		test.each([
			['is cut', cut],
			['is a 500', failed],
			['breaks off', BROKEN_JSON],
		])('%s', async (_, fault) => {
			const rows = [
				['A', 'B', 'C'],
				['B', 'A', 'C'],
				['B', 'C', 'A'],
				['A', TWIN],
				[TWIN, 'A'],
				['A'],
			];
			for (const given of rows) {
				const desk = new Desk({ keyMemoryMs: HOUR });
				desk.meet('create_brief', fault, createsPlainA);
				expect((await desk.run(given)).tally).toBe(`0: ${given.length} ready`);
				expect(desk.paid()).toHaveLength(given.length);
			}
		});
	});

	test('has failed once as many runs as it may be tried have lost it for certain, and is retried with another key', async () => {
		const desk = new Desk();
		desk.meet('create_brief', SAVED_500, creates('A'));
		const rows = ['A', ...products(4)];
		for (let run = 1; run <= 3; run += 1) {
			expect((await desk.run(rows)).tally).toBe('5: 4 ready, 1 pending');
			await desk.clock.pass(HOUR);
		}
		const requests = desk.service.creates().length;
		const { tally, events } = await desk.run(rows);
		expect(tally).toBe('1: 4 ready, 1 failed');
		const reason = { event: 'unanswered', runs: 3 };
		expect(events).toContainEqual(expect.objectContaining(reason));
		expect(desk.results()[0]).toMatchObject({
			brief_status: 'failed',
			brief_error_code: 'no_answer',
			brief_error: expect.stringContaining('answered no order of this row in 3 runs') as string,
		});
		expect((await desk.run(rows, { knownOk: true })).exitCode).toBe(0);
		expect(desk.service.creates()).toHaveLength(requests);
		desk.service.mend();
		expect((await desk.run(rows, { retryUpTo: 3 })).tally).toBe('0: 5 ready');
		desk.expectSound();
	});

	test('is sent again once in a run, after one wait for the list: a run that loses each answer ends', async () => {
		const desk = new Desk({ keyMemoryMs: HOUR });
		desk.meet('create_brief', { answerLost: 'before' }, creates('A'));
		await desk.run(['A']);
		await desk.clock.pass(DAY);
		const [requests, began] = [desk.service.creates().length, desk.clock.now()];
		expect((await desk.run(['A'])).tally).toBe('5: 1 pending');
		expect(desk.service.creates()).toHaveLength(requests + 1);
		expect(desk.clock.now() - began).toBeLessThan(15 * MINUTE);
		expect(desk.stages()).toEqual(['in_doubt']);
	});

	test('counts a refusal only once the list is certain that the try before it made nothing', async () => {
		const desk = new Desk();
		desk.meet('create_brief', refused(400, 'invalid_request', 'Not this product'), creates('A'));
		desk.service.fail('create_brief', { answerLost: 'before' });
		expect((await desk.run(['A', 'B', 'C'])).tally).toBe('5: 2 ready, 1 pending');
		await desk.clock.pass(HOUR);
		expect((await desk.run(['A', 'B', 'C'])).tally).toBe('1: 2 ready, 1 failed');
		expect(desk.paid()).toEqual(['B', 'C']);
	});

	test('that other rows get is found by the run after, if it arrived', async () => {
		const desk = new Desk({ listLag: 5 * MINUTE });
		desk.meet('create_brief', CUT, creates('A'));
		expect((await desk.run(['A'])).tally).toBe('5: 1 pending');
		await desk.clock.pass(HOUR);
		expect((await desk.run(['A'])).tally).toBe('0: 1 ready');
		desk.expectSound();
	});

	test('holds up no other row if an outage has poisoned two keys', async () => {
		const desk = new Desk();
		desk.meet('create_brief', SAVED_500);
		const { tally, failure } = await desk.run(products(5));
		expect(tally).toBe('5: 5 pending');
		expect(failure?.what).toContain('no usable answer came (500)');
		desk.service.mend();
		expect((await desk.run(products(5))).tally).toBe('5: 3 ready, 2 pending');
		desk.expectSound();
	});

	test('stops the run with 5 after two rows if all fail', async () => {
		const desk = new Desk();
		desk.meet('create_brief', DOWN);
		expect((await desk.run(products(20))).tally).toBe('5: 20 pending');
		expect(desk.stages()).toEqual(['in_doubt', 'in_doubt']);
		expect(desk.service.creates().length).toBeLessThanOrEqual(14);
	});

	test('is withdrawn if it was never sent, and the run ends with 5', async () => {
		const desk = new Desk();
		desk.meet('create_brief', { answerLost: 'never-sent' });
		expect((await desk.run(['A'])).exitCode).toBe(5);
		expect(desk.stages()).toEqual(['to_order']);
	});

	test('is left to the next run if this one is interrupted before it could read the list', async () => {
		const desk = new Desk();
		desk.meet('create_brief', { answerLost: 'before' }, creates('A'));
		desk.interruptAt('run_started', 1, 7 * MINUTE);
		const { exitCode, failure, events } = await desk.run(['A', 'B', 'C', 'D']);
		expect([exitCode, failure]).toEqual([130, null]);
		expect(events.filter(({ event }) => event === 'parked')).toEqual([]);
		expect(desk.stages()[0]).toBe('in_doubt');
	});
});

describe('a refusal', () => {
	test.each([
		[401, 'unauthorized', 4, 'in_doubt'],
		[403, 'insufficient_scope', 4, 'in_doubt'],
		[404, 'not_found', 5, 'in_doubt'],
		[429, 'allowance_reached', 5, 'in_doubt'],
		[400, 'invalid', 0, 'done'],
	])('%i %s after a try without an answer is not certain', async (status, code, exit, state) => {
		const desk = new Desk({ keyMemoryMs: HOUR });
		desk.service.fail('create_brief', CUT, { answer: refusal(status, code, 'No') });
		expect((await desk.run(['A'])).exitCode).toBe(exit);
		expect(desk.stages()).toEqual([state]);
		await desk.clock.pass(2 * HOUR);
		expect((await desk.run(['A'])).exitCode).toBe(0);
		expect(desk.paid()).toEqual(['A']);
	});

	test.each([
		[401, 'unauthorized', 4],
		[403, 'insufficient_scope', 4],
		[403, 'licence_required', 4],
		[404, 'not_found', 5],
	])('%i %s of a first try withdraws the row and ends the run', async (status, code, exit) => {
		const desk = new Desk();
		desk.meet('create_brief', { answer: refusal(status, code, 'No') });
		expect((await desk.run(products(3), { leaveSlots: 1 })).tally).toBe(`${exit}: 3 pending`);
		expect(new Set(desk.stages())).toEqual(new Set(['to_order']));
	});

	test('leaves a row to which a person may give a brief, which costs nothing', async () => {
		const desk = new Desk();
		desk.service.fail('create_brief', { answer: refusal(400, 'invalid', 'No') });
		expect((await desk.run(['A'])).tally).toBe('1: 1 failed');
		const { id } = desk.service.startOther(MINUTE, 'A');
		await desk.clock.pass(HOUR);
		const { tally, paid, records } = await desk.run(['A'], {
			adopt: [{ rowNumber: 2, briefId: id }],
		});
		expect([tally, paid]).toEqual(['0: 1 ready', 0]);
		expect(records.all()).toMatchObject([{ state: { briefId: id }, is_paid: false, cause: null }]);
	});

	test('of the key in the middle of a run ends it with 4; the next run fetches its briefs', async () => {
		const desk = new Desk();
		let isRevoked = false;
		desk.service.intercept = () =>
			isRevoked ? { answer: refusal(401, 'unauthorized', 'Revoked') } : undefined;
		desk.onEvent = ({ event }) => (isRevoked ||= event === 'status');
		expect((await desk.run(products(6))).tally).toBe('4: 6 pending');
		isRevoked = false;
		desk.onEvent = () => undefined;
		expect((await desk.run(products(6))).exitCode).toBe(0);
		desk.expectSound();
	});

	test('of the key wins over an outage before it', async () => {
		const desk = new Desk();
		desk.service.intercept = (request) => {
			if (creates('Product 1')(request)) return DOWN;
			return request.operation === 'create_brief' ? { answer: refusal(401, 'no', 'x') } : undefined;
		};
		expect((await desk.run(products(4))).exitCode).toBe(4);
	});

	test('of a look for a slot fails no row: nothing was ordered', async () => {
		const desk = new Desk();
		let isBroken = false;
		desk.onEvent = ({ event }) => (isBroken ||= event === 'run_started');
		desk.meet('list_briefs', { answer: refusal(400, 'bad', 'x') }, () => isBroken);
		desk.service.startOther(20 * MINUTE);
		desk.service.startOther(20 * MINUTE);
		const { tally, events } = await desk.run(products(2));
		expect(tally).toBe('5: 2 pending');
		expect(events.filter(({ event }) => event === 'refused')).toEqual([]);
		expect(desk.stages()).toEqual([]);
	});
});

describe('an answer that an earlier run lost', () => {
	/** Two orders without an answer, of which the service did the first, in a run that was interrupted then. */
	async function twoInDoubt(rows: Content[]): Promise<Desk> {
		const desk = new Desk();
		desk.service.fail('create_brief', CUT, { answerLost: 'before' });
		desk.interruptAt('run_started', 1, 1000);
		await desk.run(rows);
		return desk;
	}

	/** A run that is cut off after its first create was sent. */
	async function lost(rows: Content[], options: ConstructorParameters<typeof Desk>[0] = {}) {
		const desk = new Desk(options);
		desk.service.fail('create_brief', CUT);
		desk.interruptAt('sent', 1, 400);
		await desk.run(rows, { leaveSlots: 1 });
		expect(desk.stages()).toEqual(['in_doubt']);
		return desk;
	}

	test('is not looked for in vain: if the list shows nothing, the row is ordered', async () => {
		const desk = await lost(['A'], { keyMemoryMs: HOUR });
		desk.service.remove(desk.service.briefs[0]!.id);
		await desk.clock.pass(DAY);
		expect((await desk.run(['A'])).exitCode).toBe(0);
		expect(desk.paid()).toEqual(['A']);
	});

	test('counts once against the allowance when it comes after all', async () => {
		const desk = await lost(products(3), { allowance: 3, listLag: 30_000 });
		await desk.clock.pass(20_000);
		expect((await desk.run(products(3))).tally).toBe('0: 3 ready');
	});

	test('is looked for by nobody once a person gave its row the brief, which is fetched once', async () => {
		const desk = await lost(['A']);
		const adopt = [{ rowNumber: 2, briefId: desk.service.briefs[0]!.id }];
		const { tally, events, fetched } = await desk.run(['A'], { adopt });
		expect([tally, fetched]).toEqual(['0: 1 ready', 1]);
		expect(events.filter(({ event }) => event === 'accepted')).toHaveLength(1);
	});

	test('is fetched if two rows of its product are in doubt and neither is in the CSV', async () => {
		const desk = await twoInDoubt([
			{ product_name: 'A', audience: 'x' },
			{ product_name: 'A', audience: 'y' },
		]);
		await desk.clock.pass(DAY);
		await desk.run(['B']);
		expect(desk.paid()).toEqual(['A', 'B']);
		expect(desk.stages().filter((state) => state === 'done')).toHaveLength(2);
	});
});

describe('a brief that was accepted', () => {
	/** A run that is interrupted while its briefs are written. */
	async function interrupted(rows: string[]): Promise<Desk> {
		const desk = new Desk();
		desk.interruptAt('accepted', 2);
		expect((await desk.run(rows)).exitCode).toBe(130);
		return desk;
	}

	test('is parked if it is gone for good, and holds no other row up', async () => {
		const desk = await interrupted(['A', 'B', 'C', 'D']);
		desk.service.remove(desk.service.briefs[0]?.id ?? '');
		expect((await desk.run(['A', 'B', 'C', 'D'])).tally).toBe('1: 3 ready, 1 parked');
		expect(desk.results()[0]?.brief_error).toContain('does not know it any more');
		const again = await desk.run(['A', 'B', 'C', 'D', 'E']);
		expect(again.tally).toBe('1: 4 ready, 1 parked');
		expect(again.events.filter(({ event }) => event === 'parked')).toEqual([]);
	});

	test('is looked for again after a short outage at the start of the next run', async () => {
		const desk = await interrupted(['A', 'B', 'C']);
		desk.service.fail('get_brief', { answerLost: 'before' }, DOWN);
		expect((await desk.run(['A', 'B', 'C'])).tally).toBe('0: 3 ready');
	});

	test('leaves the others alone if it cannot be fetched, and is fetched by the next run', async () => {
		const desk = new Desk();
		const isFirst = ({ path }: { path: string }) =>
			path.endsWith(desk.service.briefs[0]?.id ?? '-');
		desk.meet('get_brief', { answer: refusal(500, 'internal', 'x') }, isFirst);
		const { tally, failure } = await desk.run(products(5));
		expect(tally).toBe('5: 4 ready, 1 pending');
		expect(failure?.what).toContain('500');
		desk.service.mend();
		expect((await desk.run(products(5))).exitCode).toBe(0);
		desk.expectSound();
	});

	test('is pending if it is ready without a text, and fetched when it has one', async () => {
		const desk = new Desk();
		desk.bodyShown = (body) => body.replace('"markdown":"# A brief"', '"markdown":null');
		expect((await desk.run(['A'])).tally).toBe('3: 1 pending');
		expect(desk.results()[0]?.brief_error).toContain('ready, but gives no text');
		desk.bodyShown = (body) => body;
		expect((await desk.run(['A'])).exitCode).toBe(0);
		expect(desk.paid()).toEqual(['A']);
	});

	test('says so if it fails without a reason', async () => {
		const desk = new Desk({ failed: () => true });
		desk.bodyShown = (body) => body.replace('"research_failed"', 'null');
		expect((await desk.run(['A'])).exitCode).toBe(1);
		expect(desk.results()[0]?.brief_error).toContain('no reason given');
	});

	test('is pending if it runs for too long, keeps its slot, and is fetched when it is done', async () => {
		const desk = new Desk({ duration: (index) => (index === 0 ? 3 * HOUR : 4 * MINUTE) });
		expect((await desk.run(products(12))).tally).toBe('3: 11 ready, 1 pending');
		expect(desk.service.mostRunning).toBe(2);
		await desk.clock.pass(3 * HOUR);
		expect((await desk.run(products(12))).exitCode).toBe(0);
		desk.expectSound();
	});

	test('is waited for at the usual pace if its status is unknown', async () => {
		const desk = new Desk();
		desk.bodyShown = (body) => body.replace(/"(writing|checking)"/g, '"polishing"');
		expect((await desk.run(products(4))).exitCode).toBe(0);
		expect(desk.service.requests.length).toBeLessThan(100);
	});
});

describe('the allowance (P5)', () => {
	test.each([
		['-1', { monthly_allowance: -1 }],
		['0', { monthly_allowance: 0 }],
		['0 with use above it', { monthly_allowance: 0, used_this_month: 7 }],
		['a text', { monthly_allowance: 'unlimited' }],
		['missing', { monthly_allowance: undefined }],
		['of a licence that is not listed', null],
	])(
		'is not known if it is %s: all is ordered, and the run says so',
		async (_case, shownLicence) => {
			const desk = new Desk({ shownLicence });
			const { tally, notices } = await desk.run(products(3), { keep: 1 });
			expect(tally).toBe('0: 3 ready');
			expect(notices).toContainEqual(expect.stringMatching(/^The month’s allowance is not known/));
			expect(notices).toContain('--keep 1 has no effect as long as the allowance is not known.');
			expect(desk.disk.text('out/report.html')).toContain('Not known. The workspace used at least');
		},
	);

	test('that is not known ends when the service refuses an order for it', async () => {
		const desk = new Desk({ shownLicence: { monthly_allowance: -1 }, allowance: 2 });
		expect((await desk.run(products(4))).tally).toBe('3: 2 ready, 2 deferred');
		expect(desk.service.creates()).toHaveLength(3);
	});

	test('is not used up by briefs whose times cannot be read, and the run says so', async () => {
		const desk = new Desk({ shownLicence: { monthly_allowance: 8 } });
		desk.service.shown = (brief) => ({ ...brief, created_at: 'a while ago' });
		for (let n = 0; n < 5; n += 1) desk.service.startOther(MINUTE, `Old ${n}`);
		await desk.clock.pass(HOUR);
		const { exitCode, notices } = await desk.run(products(5));
		expect(exitCode).toBe(0);
		expect(notices).toEqual([
			expect.stringMatching(/^5 briefs have creation times that cannot be read/),
		]);
	});

	test('that others use up in the meantime ends it as well', async () => {
		const desk = new Desk();
		desk.meet('create_brief', USED_UP, () => desk.paid().length === 3);
		expect((await desk.run(products(6))).tally).toBe('3: 3 ready, 3 deferred');
		expect(desk.service.requests.filter(({ status }) => status === 429).length).toBeLessThan(3);
	});

	test('of the new month is used when the month turns, and nothing is sent around the turn', async () => {
		const desk = new Desk({ allowance: 6 }, TURN - 9 * MINUTE);
		expect((await desk.run(products(7))).exitCode).toBe(0);
		const sent = desk.service.creates().map(({ at }) => at - TURN);
		expect(sent.some((at) => at < 0) && sent.some((at) => at > 0)).toBe(true);
		expect(Math.min(...sent.map(Math.abs))).toBeGreaterThanOrEqual(2 * MINUTE);
		desk.expectSound();
	});

	test.each(['before', 'after', 'never-sent'] as const)(
		'of a month that is about to turn is not asked again by an order whose answer was lost (%s)',
		async (answerLost) => {
			const desk = new Desk({}, TURN - 125 * 1000);
			desk.meet('create_brief', { answerLost }, () => desk.clock.now() < TURN);
			expect((await desk.run(products(2))).exitCode).toBe(0);
			for (const { at } of desk.service.creates())
				expect(Math.abs(at - TURN)).toBeGreaterThanOrEqual(2 * MINUTE);
			desk.expectSound();
		},
	);

	test('that is used up in the meantime is not asked again by an order that came to nothing', async () => {
		const desk = new Desk();
		desk.service.fail('create_brief', USED_UP);
		expect((await desk.run(products(2))).tally).toBe('3: 2 deferred');
		expect(desk.service.creates()).toHaveLength(1);
		// Nothing is left open that the next run would have to look for.
		expect(desk.stages()).toEqual(['to_order']);
	});

	test('has one text for a row and for those that share its content', async () => {
		const desk = new Desk({ allowance: 2 });
		const { counts } = await desk.run(['A', 'B', 'C', 'D', 'B', 'D'], { max: 1 });
		expect(counts).toMatchObject({ ready: 1, pending: 1, deferred: 2, duplicate: 2 });
		expect(desk.results().map(({ brief_status }) => brief_status)).toEqual([
			...['ready', 'pending', 'deferred', 'deferred', 'pending', 'deferred'],
		]);
	});
});

describe('an interruption', () => {
	test.each<Heard['event']>([...(['run_started', 'sent', 'accepted', 'status'] as const), 'filed'])(
		'at %s ends with 130 and leaves results; the next run pays nothing twice',
		async (when) => {
			const desk = new Desk();
			desk.interruptAt(when);
			const { exitCode, events } = await desk.run(products(5));
			expect(exitCode).toBe(130);
			expect(events.filter(({ event }) => event === 'interrupted')).toHaveLength(1);
			expect(desk.results()).toHaveLength(5);
			expect((await desk.run(products(5))).exitCode).toBe(0);
			expect(desk.paid()).toHaveLength(5);
			desk.expectSound();
		},
	);
});

test('an intent is synced before its create is sent, and an accepted brief before it is reported', async () => {
	const desk = new Desk();
	let syncing = 0;
	desk.disk.before = async ({ operation, path }) => {
		if (operation !== 'sync' || !path.endsWith('journal.jsonl')) return;
		syncing += 1;
		await desk.clock.pass(2000);
		syncing -= 1;
	};
	// What is written and not being synced any more, when each step is taken.
	const seen: string[] = [];
	const look = (step: string) =>
		seen.push(`${step}: ${syncing > 0 ? 'syncing' : desk.stages().join()}`);
	desk.service.intercept = ({ operation }) => {
		if (operation === 'create_brief') look('sent');
		return undefined;
	};
	desk.onEvent = ({ event }) => {
		if (event === 'accepted' || event === 'filed') look(event);
	};
	expect((await desk.run(['A'])).exitCode).toBe(0);
	expect(seen).toEqual(['sent: in_doubt', 'accepted: running', 'filed: done']);
});
