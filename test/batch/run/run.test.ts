import { findDifferences } from '../../../batch/run/audit/audit';
import type { RunEvent } from '../../../batch/run/events';
import { readBriefPage } from '../../../service/responses';
import { listBriefs } from '../../../service/operations';
import { CUT, refusal } from '../../support/faults';
import { creates, DAY, Desk, HOUR, MINUTE, products, type Given } from '../../support/batch/desk';

jest.setTimeout(20_000);

const SAVED_500 = { answer: refusal(500, 'internal', 'Oops'), saved: true };

describe('a run', () => {
	test('makes a brief of every row, two at a time, and ends with 0', async () => {
		const desk = new Desk();
		const { exitCode, counts } = await desk.run(products(7));
		expect(exitCode).toBe(0);
		expect(counts).toMatchObject({ ready: 7, pending: 0 });
		expect(desk.paid()).toEqual(products(7));
		expect(desk.service.mostRunning).toBe(2);
		expect(new Set(desk.results().map(({ brief_file }) => brief_file)).size).toBe(7);
		expect(new Set(desk.states())).toEqual(new Set(['done']));
	});

	test('asks before it orders what it orders, and without a yes orders nothing', async () => {
		const desk = new Desk({ allowance: 100 });
		await desk.run(products(1));
		const asked: unknown[] = [];
		desk.confirm = ({ rows, ...left }) => {
			asked.push([rows.map(({ row }) => row.number), left]);
			return Promise.resolve(asked.length > 1);
		};
		await expect(desk.run(products(5), { max: 3 })).rejects.toMatchObject({ exitCode: 2 });
		expect(desk.paid()).toHaveLength(1);
		await desk.run(products(5), { max: 3 });
		expect(desk.paid()).toEqual(products(4));
		const question = [[3, 4, 5], { leftAfterwards: 96, allowance: 100 }];
		expect(asked).toEqual([question, question]);
		desk.confirm = () => Promise.reject(new Error('asked although nothing is ordered'));
		await desk.run(products(4));
	});

	test('run again orders nothing', async () => {
		const desk = new Desk();
		await desk.run(products(3));
		const { exitCode, counts } = await desk.run(products(3));
		expect([exitCode, counts.ready, desk.paid().length]).toEqual([0, 3, 3]);
	});

	test('gives the same rows the same keys, whatever their order, and new rows new ones', async () => {
		const desk = new Desk();
		await desk.run(['A', 'B']);
		const keys = desk
			.records()
			.all()
			.map(({ key }) => key);
		await desk.run(['C', 'B', 'A']);
		expect(desk.paid()).toEqual(['A', 'B', 'C']);
		const now = desk.records().all();
		expect(now.map(({ key }) => key).slice(0, 2)).toEqual(keys);
		expect(desk.statuses()).toEqual({ A: 'ready', B: 'ready', C: 'ready' });
	});

	test('ends with 1 where a row failed or is invalid, and goes on with the others', async () => {
		const desk = new Desk({ failed: (index) => index === 1 });
		desk.service.intercept = (request) =>
			creates('D')(request) ? { answer: refusal(400, 'bad_name', 'No such product') } : undefined;
		const { exitCode, counts } = await desk.run(['A', 'B', '', 'D', 'E']);
		expect(exitCode).toBe(1);
		expect(counts).toMatchObject({ ready: 2, failed: 2, invalid: 1 });
		expect(desk.statuses()).toMatchObject({ A: 'ready', B: 'failed', D: 'failed', E: 'ready' });
	});
});

describe('a create without a usable answer', () => {
	test.each([
		['was lost before the work', { lost: 'before' as const }],
		['was lost after the work', CUT],
		['never left the machine', { lost: 'never-sent' as const }],
		['was answered by a gateway', { answer: { status: 502, body: '<html>' } }],
		['was answered with half an object', { answer: { status: 202, body: '{"i' }, after: true }],
		['was answered with a login page', { answer: { status: 200, body: '<html>' } }],
		['was limited', { answer: refusal(429, 'rate_limited', 'x', { 'retry-after': '7' }) }],
	])('is sent again with the same key when it %s', async (_, fault) => {
		const desk = new Desk();
		desk.service.fail('create_brief', fault, fault);
		const { exitCode } = await desk.run(products(3));
		expect(exitCode).toBe(0);
		expect(desk.paid().sort()).toEqual(products(3));
		desk.expectSound();
	});

	test('parks the row where the service fails its key and serves others', async () => {
		const desk = new Desk();
		desk.service.intercept = (request) => (creates('A')(request) ? SAVED_500 : undefined);
		const { exitCode, counts } = await desk.run(['A', ...products(4)]);
		expect(exitCode).toBe(1);
		expect(counts).toMatchObject({ ready: 4, parked: 1 });
		const requests = desk.service.count('create_brief');
		const again = await desk.run(['A', ...products(4)]);
		expect(again.counts).toMatchObject({ ready: 4, parked: 1 });
		expect(desk.service.count('create_brief')).toBe(requests);
	});

	test('two poisoned keys of an outage do not hold up the rows after them for ever', async () => {
		const desk = new Desk();
		desk.service.intercept = ({ operation }) =>
			operation === 'create_brief' ? SAVED_500 : undefined;
		const first = await desk.run(products(5));
		expect([first.exitCode, first.counts.pending]).toEqual([5, 5]);
		expect(first.failure?.what).toContain('no usable answer came (500)');
		desk.service.intercept = () => undefined;
		const second = await desk.run(products(5));
		expect(second.exitCode).toBe(1);
		expect(second.counts).toMatchObject({ ready: 3, parked: 2 });
		desk.expectSound();
	});

	test('stops the run with 5 where all are failed, after two rows', async () => {
		const desk = new Desk();
		desk.service.intercept = ({ operation }) =>
			operation === 'create_brief' ? { answer: refusal(503, 'down', 'Maintenance') } : undefined;
		const { exitCode, counts } = await desk.run(products(20));
		expect([exitCode, counts.pending]).toEqual([5, 20]);
		expect(desk.states()).toEqual(['in_doubt', 'in_doubt']);
		expect(desk.service.count('create_brief')).toBeLessThanOrEqual(14);
	});

	test('parks a lone row that stays without an answer for more than a day', async () => {
		const desk = new Desk();
		desk.service.intercept = (request) => (creates('A')(request) ? SAVED_500 : undefined);
		expect((await desk.run(['A'])).exitCode).toBe(5);
		await desk.clock.pass(HOUR);
		expect((await desk.run(['A'])).exitCode).toBe(5);
		await desk.clock.pass(DAY);
		const { exitCode, counts } = await desk.run(['A']);
		expect([exitCode, counts.parked]).toEqual([1, 1]);
	});

	test('that was never sent is withdrawn, and the run ends with 5', async () => {
		const desk = new Desk();
		desk.service.intercept = ({ operation }) =>
			operation === 'create_brief' ? { lost: 'never-sent' } : undefined;
		const { exitCode } = await desk.run(['A']);
		expect(exitCode).toBe(5);
		expect(desk.states()).toEqual(['withdrawn']);
	});
});

describe('a create that is refused after a try without an answer', () => {
	test.each([
		[401, 'unauthorized', 4, 'in_doubt'],
		[403, 'insufficient_scope', 4, 'in_doubt'],
		[404, 'not_found', 5, 'in_doubt'],
		[429, 'allowance_reached', 3, 'in_doubt'],
		[400, 'invalid', 1, 'parked'],
	])(
		'by %i %s is not taken for certain: its brief is found later',
		async (status, code, exit, state) => {
			const desk = new Desk({ keyLife: HOUR });
			desk.service.fail('create_brief', CUT, { answer: refusal(status, code, 'No') });
			const { exitCode } = await desk.run(['A']);
			expect(exitCode).toBe(exit);
			expect(desk.states()).toEqual([state]);
			await desk.clock.pass(2 * HOUR);
			const again = await desk.run(['A']);
			expect(again.exitCode).toBe(0);
			expect(desk.paid()).toEqual(['A']);
		},
	);

	test.each([
		[401, 'unauthorized', 4],
		[403, 'insufficient_scope', 4],
		[403, 'licence_required', 4],
		[404, 'not_found', 5],
	])(
		'without such a try, %i %s is: the row is withdrawn, and the run ends with %i',
		async (status, code, exit) => {
			const desk = new Desk();
			desk.service.intercept = ({ operation }) =>
				operation === 'create_brief' ? { answer: refusal(status, code, 'No') } : undefined;
			const { exitCode, counts } = await desk.run(products(3), { leaveSlots: 1 });
			expect([exitCode, counts.pending]).toEqual([exit, 3]);
			expect(new Set(desk.states())).toEqual(new Set(['withdrawn']));
		},
	);
});

describe('a key that is refused in the middle of a run', () => {
	test('ends it with 4; what is being written is fetched by the next run', async () => {
		const desk = new Desk();
		let isRevoked = false;
		desk.service.intercept = () =>
			isRevoked ? { answer: refusal(401, 'unauthorized', 'Revoked') } : undefined;
		desk.onEvent = ({ event }) => (isRevoked ||= event === 'brief_status');
		const { exitCode, counts } = await desk.run(products(6));
		expect([exitCode, counts.pending]).toEqual([4, 6]);
		isRevoked = false;
		desk.onEvent = () => undefined;
		expect((await desk.run(products(6))).exitCode).toBe(0);
		desk.expectSound();
	});

	test('wins over an outage before it', async () => {
		const desk = new Desk();
		desk.service.intercept = (request) => {
			if (creates('Product 1')(request)) return { answer: refusal(503, 'down', 'x') };
			if (request.operation === 'create_brief') return { answer: refusal(401, 'no', 'x') };
			return undefined;
		};
		expect((await desk.run(products(4))).exitCode).toBe(4);
	});
});

describe('an answer that an earlier run lost', () => {
	/** Two orders without an answer, of which the service did the first, in a run that was interrupted then. */
	async function twoInDoubt(rows: Given[]): Promise<Desk> {
		const desk = new Desk();
		desk.service.fail('create_brief', CUT, { lost: 'before' });
		desk.onEvent = ({ event }) => {
			if (event === 'run_started') void desk.clock.pass(1000).then(() => desk.interruption.abort());
		};
		await desk.run(rows, { allowDuplicates: true });
		desk.onEvent = () => undefined;
		return desk;
	}

	/** A run that is cut off after its first create was sent. */
	async function lost(desk: Desk, given: Parameters<Desk['run']>[0]): Promise<void> {
		desk.service.fail('create_brief', CUT);
		desk.onEvent = ({ event }) => {
			if (event === 'brief_ordered')
				void desk.clock.pass(400).then(() => desk.interruption.abort());
		};
		await desk.run(given, { leaveSlots: 1 });
		desk.onEvent = () => undefined;
		expect(desk.states()).toEqual(['in_doubt']);
	}

	test('is found in the list, even where the key is forgotten', async () => {
		const desk = new Desk({ keyLife: 5 * MINUTE });
		await lost(desk, ['A']);
		await desk.clock.pass(10 * MINUTE);
		const { exitCode, records } = await desk.run(['A', 'B']);
		expect(exitCode).toBe(0);
		expect(records.all()[0]).toMatchObject({ state: 'done', status: 'ready' });
		expect(desk.paid()).toEqual(['A', 'B']);
	});

	test('is found by the key where the list lags behind', async () => {
		const desk = new Desk({ listLag: 5 * MINUTE });
		await lost(desk, ['A']);
		const { exitCode } = await desk.run(['A']);
		expect(exitCode).toBe(0);
		expect(desk.paid()).toEqual(['A']);
	});

	test('is not looked for in vain: where the list shows nothing, the row is ordered', async () => {
		const desk = new Desk({ keyLife: HOUR });
		await lost(desk, ['A']);
		desk.service.briefs.length = 0;
		await desk.clock.pass(DAY);
		expect((await desk.run(['A'])).exitCode).toBe(0);
		expect(desk.paid()).toEqual(['A']);
	});

	test('counts once against the allowance when it is answered after all', async () => {
		const desk = new Desk({ allowance: 3, listLag: 30_000 });
		await lost(desk, products(3));
		await desk.clock.pass(20_000);
		const { exitCode, counts } = await desk.run(products(3));
		expect(counts).toMatchObject({ ready: 3, deferred: 0 });
		expect(exitCode).toBe(0);
	});

	test('is fetched although its row was taken out of the CSV', async () => {
		const desk = new Desk();
		await lost(desk, ['A', 'B']);
		const { exitCode } = await desk.run(['B']);
		expect(exitCode).toBe(0);
		expect(desk.records().all()[0]).toMatchObject({ product_name: 'A', state: 'done' });
		expect(desk.paid()).toEqual(['A', 'B']);
	});

	test('is left to the other row of the same content while that one is in doubt as well', async () => {
		const desk = await twoInDoubt(['A', 'A']);
		await desk.clock.pass(DAY);
		await desk.run(['A', 'A'], { allowDuplicates: true });
		expect([desk.states(), desk.paid()]).toEqual([['parked', 'done'], ['A']]);
	});

	test('is fetched where two rows of its product are in doubt and neither stands in the CSV any more', async () => {
		const desk = await twoInDoubt([
			{ product_name: 'A', audience: 'x' },
			{ product_name: 'A', audience: 'y' },
		]);
		await desk.clock.pass(DAY);
		await desk.run(['B']);
		expect(desk.paid()).toEqual(['A', 'B']);
		expect(desk.states().filter((state) => state === 'done')).toHaveLength(2);
	});

	test('is given to one row only, where two rows of the same content look for it', async () => {
		const desk = await twoInDoubt(['A', 'A']);
		expect([desk.states(), desk.paid()]).toEqual([['in_doubt', 'in_doubt'], ['A']]);
		const { counts } = await desk.run(['A', 'A'], { allowDuplicates: true });
		expect(counts.ready).toBe(2);
		const ids = desk.results().map(({ brief_id }) => brief_id);
		expect(new Set(ids).size).toBe(2);
		expect(desk.paid()).toEqual(['A', 'A']);
	});
});

test('an order without an answer, while others got theirs, is parked though the run is interrupted', async () => {
	const desk = new Desk();
	const isForA = creates('A');
	desk.service.intercept = (request) => (isForA(request) ? { lost: 'before' } : undefined);
	desk.onEvent = ({ event }) => {
		if (event === 'run_started')
			void desk.clock.pass(7 * MINUTE).then(() => desk.interruption.abort());
	};
	const { exitCode, failure, events } = await desk.run(['A', 'B', 'C', 'D']);
	expect([exitCode, failure]).toEqual([130, null]);
	expect(events.filter(({ event }) => event === 'row_parked')).toHaveLength(1);
	expect(desk.states()[0]).toBe('parked');
});

describe('a brief that was accepted', () => {
	/** A run that is interrupted while its briefs are written. */
	async function interrupted(desk: Desk, given: string[]): Promise<void> {
		let accepted = 0;
		desk.onEvent = ({ event }) => {
			if (event === 'brief_accepted') accepted += 1;
			if (event === 'brief_status' && accepted === 2) desk.interruption.abort();
		};
		const { exitCode } = await desk.run(given);
		expect(exitCode).toBe(130);
		desk.onEvent = () => undefined;
	}

	test('is fetched although its row was taken out of the CSV while it was written', async () => {
		const desk = new Desk();
		await interrupted(desk, ['A', 'B']);
		await desk.run(['C']);
		expect(
			desk
				.records()
				.all()
				.map(({ product_name, state }) => `${product_name} ${state}`),
		).toEqual([...['A done', 'B done', 'C done']]);
		expect(desk.statuses()).toEqual({ C: 'ready' });
	});

	test('and is gone for good is parked, and holds no other row up', async () => {
		const desk = new Desk();
		await interrupted(desk, ['A', 'B', 'C', 'D']);
		desk.service.remove(desk.service.briefs[0]?.id ?? '');
		const { exitCode, counts } = await desk.run(['A', 'B', 'C', 'D']);
		expect([exitCode, counts.ready, counts.parked]).toEqual([1, 3, 1]);
		expect(desk.results()[0]?.brief_error).toContain('does not know it any more');
		const again = await desk.run(['A', 'B', 'C', 'D', 'E']);
		expect(again.counts).toMatchObject({ ready: 4, parked: 1 });
		expect(again.events.filter(({ event }) => event === 'row_parked')).toEqual([]);
	});

	test('is looked for again after a short outage at the start of the next run', async () => {
		const desk = new Desk();
		await interrupted(desk, ['A', 'B', 'C']);
		desk.service.fail('get_brief', { lost: 'before' }, { answer: refusal(503, 'down', 'x') });
		const { exitCode, counts } = await desk.run(['A', 'B', 'C']);
		expect([exitCode, counts.ready]).toEqual([0, 3]);
	});

	test('and cannot be fetched leaves the others alone, and is fetched by the next run', async () => {
		const desk = new Desk();
		const isFirst = ({ path }: { path: string }) =>
			path.endsWith(desk.service.briefs[0]?.id ?? '-');
		desk.service.intercept = (request) =>
			request.operation === 'get_brief' && isFirst(request)
				? { answer: refusal(500, 'internal', 'x') }
				: undefined;
		const { exitCode, counts, failure } = await desk.run(products(5));
		expect([exitCode, counts.ready, counts.pending]).toEqual([5, 4, 1]);
		expect(failure?.what).toContain('500');
		desk.service.intercept = () => undefined;
		expect((await desk.run(products(5))).exitCode).toBe(0);
		desk.expectSound();
	});

	test('and is ready without a text is parked, and fetched once there is one', async () => {
		const desk = new Desk();
		const { send } = desk.service;
		let isTextless = true;
		Object.assign(desk.service, {
			send: async (...args: Parameters<typeof send>) => {
				const answer = await send(...args);
				if (!isTextless || args[0].operation !== 'get_brief') return answer;
				return {
					...answer,
					body: answer.body.replace('"markdown":"# A brief"', '"markdown":null'),
				};
			},
		});
		const { exitCode } = await desk.run(['A']);
		expect(exitCode).toBe(1);
		expect(desk.results()[0]?.brief_error).toContain('ready, but gives no text');
		isTextless = false;
		expect((await desk.run(['A'])).exitCode).toBe(0);
		expect(desk.paid()).toEqual(['A']);
	});

	test('and fails without a reason says so', async () => {
		const desk = new Desk({ failed: () => true });
		const { send } = desk.service;
		Object.assign(desk.service, {
			send: async (...args: Parameters<typeof send>) => {
				const answer = await send(...args);
				return { ...answer, body: answer.body.replace('"research_failed"', 'null') };
			},
		});
		expect((await desk.run(['A'])).exitCode).toBe(1);
		expect(desk.results()[0]?.brief_error).toContain('no reason given');
	});

	test('and has another end than the journal says is named by an audit', async () => {
		const desk = new Desk({ failed: () => true });
		const { records } = await desk.run(['A']);
		const answer = await desk.service.send(listBriefs());
		const { data } = readBriefPage(JSON.parse(answer.body));
		const audit = (status: string) =>
			findDifferences(
				records,
				data.map((brief) => ({ ...brief, status })),
				{ disk: desk.disk, outDir: 'out', clock: desk.clock, service: desk.clock },
			);
		expect(await audit('failed')).toEqual([]);
		expect(await audit('ready')).toMatchObject([
			{ row: 2, what: 'is failed in the journal, and ready in the service' },
		]);
	});

	test('and runs for too long is parked, keeps its slot, and is fetched when it is done', async () => {
		const desk = new Desk({ duration: (index) => (index === 0 ? 3 * HOUR : 4 * MINUTE) });
		const { exitCode, counts } = await desk.run(products(12));
		expect([exitCode, counts.ready, counts.parked]).toEqual([1, 11, 1]);
		expect(desk.service.mostRunning).toBe(2);
		await desk.clock.pass(3 * HOUR);
		expect((await desk.run(products(12))).exitCode).toBe(0);
		desk.expectSound();
	});

	test('whose status is unknown is waited for, at the usual pace', async () => {
		const desk = new Desk();
		const { send } = desk.service;
		Object.assign(desk.service, {
			send: async (...args: Parameters<typeof send>) => {
				const answer = await send(...args);
				return { ...answer, body: answer.body.replace(/"(writing|checking)"/g, '"polishing"') };
			},
		});
		const { exitCode } = await desk.run(products(4));
		expect(exitCode).toBe(0);
		expect(desk.service.requests.length).toBeLessThan(100);
	});
});

const noticesIn = (events: readonly RunEvent[]) =>
	events.flatMap((event) => (event.event === 'notice' ? [event.text] : []));

describe('a licence that seems not to cover orders', () => {
	test.each([
		['is past', { renews_or_ends_at: '2020-01-01' }, /was to renew or end at 2020-01-01/],
		['has no channel api', { channels: ['web'] }, /does not list the channel “api”, only: web/],
		['is not listed', null, /^The workspace lists no licence for creator briefs/],
	])('and %s gives a notice, and all is ordered', async (_case, licence, notice) => {
		const desk = new Desk({ licence });
		const { exitCode, events } = await desk.run(products(3));
		expect(exitCode).toBe(0);
		expect(noticesIn(events)).toContainEqual(expect.stringMatching(notice));
	});

	test.each(['every month', 'on renewal', null, ''])('and says “%s” gives none', async (when) => {
		const desk = new Desk({ licence: { renews_or_ends_at: when } });
		const { exitCode, events } = await desk.run(products(1));
		expect([exitCode, noticesIn(events)]).toEqual([0, []]);
	});
});

describe('the allowance (P5)', () => {
	test('ends the ordering before the service has to refuse, and defers the rest', async () => {
		const desk = new Desk({ allowance: 5 });
		await desk.run(products(2));
		const { exitCode, counts } = await desk.run(products(9));
		expect([exitCode, counts.ready, counts.deferred]).toEqual([3, 5, 4]);
		expect(desk.service.requests.filter(({ status }) => status === 429)).toEqual([]);
		expect(desk.results().at(-1)?.brief_error).toContain('from 1 December 2026 (UTC)');
		for (let days = 0; days < 25; days += 1) await desk.clock.pass(DAY);
		const { counts: later } = await desk.run(products(9));
		expect(later.ready).toBe(9);
	});

	test.each([
		['-1', { monthly_allowance: -1 }],
		['0', { monthly_allowance: 0 }],
		['0 with use above it', { monthly_allowance: 0, used_this_month: 7 }],
		['a text', { monthly_allowance: 'unlimited' }],
		['missing', { monthly_allowance: undefined }],
		['of a licence that is not listed', null],
	])('that is %s is not known: all is ordered, and the run says so', async (_case, licence) => {
		const desk = new Desk({ licence });
		const { exitCode, events, counts } = await desk.run(products(3), { keep: 1 });
		expect([exitCode, counts.ready]).toEqual([0, 3]);
		expect(noticesIn(events)).toContainEqual(
			expect.stringMatching(/^The month’s allowance is not known/),
		);
		expect(noticesIn(events)).toContain(
			'--keep 1 has no effect as long as the allowance is not known.',
		);
		expect(desk.disk.text('out/report.html')).toContain('Not known. The workspace used at least');
	});

	test('that is not known ends where the service refuses for it, and defers the rest', async () => {
		const desk = new Desk({ licence: { monthly_allowance: -1 }, allowance: 2 });
		const { exitCode, counts } = await desk.run(products(4));
		expect([exitCode, counts.ready, counts.deferred]).toEqual([3, 2, 2]);
		expect(desk.service.count('create_brief')).toBe(3);
	});

	test('is not used up by briefs whose times cannot be read, and the run says so', async () => {
		const desk = new Desk({ licence: { monthly_allowance: 8 }, times: () => 'a while ago' });
		for (let n = 0; n < 5; n += 1) desk.service.startOther(MINUTE, `Old ${n}`);
		await desk.clock.pass(HOUR);
		const { exitCode, events } = await desk.run(products(5));
		expect(exitCode).toBe(0);
		expect(noticesIn(events)).toEqual([
			expect.stringMatching(/^5 briefs have creation times that cannot be read/),
		]);
	});

	test('that others use up meanwhile ends it as well', async () => {
		const desk = new Desk();
		desk.service.intercept = ({ operation }) =>
			operation === 'create_brief' && desk.paid().length === 3
				? { answer: refusal(429, 'allowance_reached', 'Nothing left') }
				: undefined;
		const { exitCode, counts } = await desk.run(products(6));
		expect([exitCode, counts.ready, counts.deferred]).toEqual([3, 3, 3]);
		expect(desk.service.requests.filter(({ status }) => status === 429).length).toBeLessThan(3);
	});

	test('of the new month is used when the month turns, and nothing is sent around the turn', async () => {
		const turn = Date.UTC(2026, 11, 1);
		const desk = new Desk({ allowance: 6 }, turn - 9 * MINUTE);
		const { exitCode } = await desk.run(products(7));
		expect(exitCode).toBe(0);
		const sent = desk.service.requests.filter(({ operation }) => operation === 'create_brief');
		expect(sent.some(({ at }) => at < turn) && sent.some(({ at }) => at > turn)).toBe(true);
		for (const { at } of sent) expect(Math.abs(at - turn)).toBeGreaterThanOrEqual(2 * MINUTE);
		desk.expectSound();
	});

	test.each(['before', 'after', 'never-sent'] as const)(
		'of a month that is about to turn is not ordered from again by an order whose answer was lost (%s)',
		async (lost) => {
			const turn = Date.UTC(2026, 11, 1);
			const desk = new Desk({}, turn - 125 * 1000);
			const fail = ({ operation }: { operation: string }) =>
				operation === 'create_brief' && desk.clock.now() < turn ? { lost } : undefined;
			desk.service.intercept = fail;
			const { exitCode } = await desk.run(products(2));
			expect(exitCode).toBe(0);
			for (const { operation, at } of desk.service.requests)
				if (operation === 'create_brief')
					expect(Math.abs(at - turn)).toBeGreaterThanOrEqual(2 * MINUTE);
			desk.expectSound();
		},
	);

	test('that is used up meanwhile is asked nothing more of by an order of which nothing came', async () => {
		const desk = new Desk();
		const usedUp = refusal(429, 'allowance_reached', 'Nothing left');
		desk.service.fail('create_brief', { answer: usedUp });
		const { exitCode, counts } = await desk.run(products(2));
		expect([exitCode, counts.deferred, counts.pending]).toEqual([3, 2, 0]);
		expect(desk.paid()).toEqual([]);
		expect(desk.service.count('create_brief')).toBe(1);
		// Nothing is left open that the next run would have to look for.
		expect(desk.states()).toEqual(['withdrawn']);
	});

	test('is left alone as --keep says, and --max leaves the rest pending', async () => {
		const desk = new Desk({ allowance: 6 });
		const first = await desk.run(products(8), { max: 2 });
		expect([first.exitCode, first.counts.ready, first.counts.pending]).toEqual([3, 2, 4]);
		expect(first.counts.deferred).toBe(2);
		const second = await desk.run(products(8), { keep: 3 });
		expect([second.counts.ready, second.counts.deferred]).toEqual([3, 5]);
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

test('a look for a slot that is refused fails no row: nothing was ordered', async () => {
	const desk = new Desk();
	let isBroken = false;
	desk.onEvent = ({ event }) => (isBroken ||= event === 'run_started');
	desk.service.intercept = ({ operation }) =>
		isBroken && operation === 'list_briefs' ? { answer: refusal(400, 'bad', 'x') } : undefined;
	desk.service.startOther(20 * MINUTE);
	desk.service.startOther(20 * MINUTE);
	const { exitCode, counts, events } = await desk.run(products(2));
	expect([exitCode, counts.pending]).toEqual([5, 2]);
	expect(events.filter(({ event }) => event === 'row_failed')).toEqual([]);
	expect(desk.states()).toEqual([]);
});

describe('the slots (P4)', () => {
	test.each([
		['429', refusal(429, 'concurrency_limit', 'Two briefs can run at a time')],
		['409', refusal(409, 'conflict', 'Two briefs are already running')],
		['a queue', 'queue' as const],
	])('are shared with others, where a third brief meets %s', async (_, third) => {
		const desk = new Desk({ third });
		desk.service.startOther(7 * MINUTE);
		const { exitCode } = await desk.run(products(6));
		expect(exitCode).toBe(0);
		desk.expectSound();
		expect(desk.service.requests.filter(({ status = 0 }) => status >= 400)).toEqual([]);
	});

	test('that look free in a list that lags are asked for patiently', async () => {
		const desk = new Desk({ listLag: MINUTE });
		desk.service.startOther(9 * MINUTE);
		desk.service.startOther(9 * MINUTE);
		const { exitCode } = await desk.run(products(3));
		expect(exitCode).toBe(0);
		desk.expectSound();
		expect(desk.service.count('create_brief')).toBeLessThan(25);
	});
});

describe('an interruption', () => {
	test.each(['run_started', 'brief_ordered', 'brief_accepted', 'brief_status', 'brief_ready'])(
		'at %s ends with 130, leaves results, and the next run goes on without paying twice',
		async (when) => {
			const desk = new Desk();
			desk.onEvent = ({ event }) => {
				if (event === when) desk.interruption.abort();
			};
			const { exitCode, events } = await desk.run(products(5));
			expect(exitCode).toBe(130);
			expect(events.filter(({ event }) => event === 'interrupted')).toHaveLength(1);
			expect(desk.results()).toHaveLength(5);
			desk.onEvent = () => undefined;
			expect((await desk.run(products(5))).exitCode).toBe(0);
			expect(desk.paid()).toHaveLength(5);
			desk.expectSound();
		},
	);

	test('before anything was asked ends the run with its reason', async () => {
		const desk = new Desk();
		const running = desk.run(products(2));
		setImmediate(() => desk.interruption.abort(new Error('enough')));
		await expect(running).rejects.toThrow('enough');
		expect(desk.paid()).toEqual([]);
	});
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
		seen.push(syncing > 0 ? `${step}: syncing` : `${step}: ${desk.states().join()}`);
	desk.service.intercept = ({ operation }) => {
		if (operation === 'create_brief') look('sent');
		return undefined;
	};
	desk.onEvent = ({ event }) => {
		if (event === 'brief_accepted' || event === 'brief_ready') look(event);
	};
	expect((await desk.run(['A'])).exitCode).toBe(0);
	expect(seen).toEqual(['sent: in_doubt', 'brief_accepted: accepted', 'brief_ready: done']);
});

describe('a disk that fails', () => {
	/** Lets the nth call fail, then runs again on a disk that works; until a run meets no failure. */
	async function failAtEach(fault: { forever?: boolean }, isCut: boolean): Promise<number> {
		for (let at = 1; ; at += 1) {
			const desk = new Desk();
			desk.disk.fail({ ...fault, at, taken: 7 });
			const exitCode = await desk.run(products(3)).then(
				(report) => report.exitCode,
				() => null,
			);
			const isHit = desk.disk.calls.length >= at;
			if (isCut) desk.disk.cutPower();
			desk.disk.mend();
			expect([at, (await desk.run(products(3))).exitCode]).toEqual([at, 0]);
			expect(desk.paid().sort()).toEqual(products(3));
			desk.expectSound();
			if (!isHit) return at;
			// What keeps results.csv and report.html fresh on the way may fail: they are written once more at the end.
			expect([null, 0, 3, 5]).toContain(exitCode);
		}
	}

	test.each([
		['once', {}, false],
		['once, and then the power', {}, true],
		['for ever', { forever: true }, false],
		['for ever, and then the power', { forever: true }, true],
	])(
		'%s, at whatever call: nothing is paid twice, and the next run ends well',
		async (_, fault, isCut) => {
			expect(await failAtEach(fault, isCut)).toBeGreaterThan(60);
		},
		60_000,
	);

	test('says so, ends with 5, and orders nothing more', async () => {
		const desk = new Desk();
		desk.onEvent = ({ event }) => {
			if (event === 'brief_accepted') desk.disk.fail({ at: 1, forever: true });
		};
		const { exitCode, failure } = await desk.run(products(9));
		expect(exitCode).toBe(5);
		expect(failure?.what).toContain('The disk is full');
		expect(desk.paid().length).toBeLessThanOrEqual(2);
	});
});
