import { Desk, products } from '../../support/batch/desk';
import { FAILS, rateLimit, refused, type Fault } from '../../support/faults';
import { DAY, HOUR, MINUTE } from '../../support/time';

const NEW_MONTH = Date.UTC(2026, 11, 1);
const IN_15_MINUTES: Fault = { answer: { status: 503, headers: { 'retry-after': '900' } } };

describe('before it orders, a run looks for the briefs of its journal', () => {
	/** Runs a batch of three, then takes briefs away, and comes back when the list no longer shows them. */
	async function given(...deleted: number[]): Promise<Desk> {
		const desk = new Desk();
		await desk.run(products(3));
		const ids = desk.service.briefs.map(({ id }) => id);
		// So many newer ones of others that its own are not on the first page.
		for (let i = 0; i < 100; i += 1) {
			const brief = desk.service.startOther(0);
			Object.assign(brief, { started: brief.created, ended: brief.created });
		}
		for (const index of deleted) desk.service.remove(ids[index]!);
		for (let month = 0; month < 3; month += 1) await desk.clock.pass(20 * DAY);
		return desk;
	}

	test.each([
		['none', [], 1],
		['the newest', [2], 2],
		['the two newest', [2, 1], 3],
	])('and goes on if its owner has deleted %s', async (_, deleted, gets) => {
		const desk = await given(...deleted);
		const before = desk.service.requests.length;
		await desk.run(products(4));
		const operations = desk.service.requests.slice(before).map(({ operation }) => operation);
		const first = operations.slice(0, operations.indexOf('create_brief'));
		expect(first.filter((operation) => operation === 'get_brief')).toHaveLength(gets);
		expect(desk.paid().at(-1)).toBe('Product 4');
	});

	test('and waits for a get that lags behind, if a brief was ordered a moment ago', async () => {
		const desk = new Desk({ getLag: MINUTE, listLag: 5 * MINUTE });
		desk.interruptAt('accepted');
		await desk.run(products(3), { leaveSlots: 1 });
		expect((await desk.run(products(3))).exitCode).toBe(0);
		desk.expectSound();
	});
});

describe('a rate limit', () => {
	test.each(['list_licences', 'list_briefs'] as const)(
		'of two hours before a run is reported at once, and not slept out (%s)',
		async (operation) => {
			const desk = new Desk({ latency: 0 });
			desk.meet(operation, rateLimit(7200));
			const start = desk.clock.now();
			await expect(desk.run(products(2))).rejects.toMatchObject({
				exitCode: 5,
				cure: 'Wait 2 hours and run it again.',
			});
			expect(desk.clock.now()).toBe(start);
			expect(desk.service.count(operation)).toBe(1);
		},
	);

	test('of an hour before a run is waited out', async () => {
		const desk = new Desk();
		desk.service.fail('list_licences', rateLimit(3600));
		const start = desk.clock.now();
		expect((await desk.run(products(1))).exitCode).toBe(0);
		expect(desk.clock.now() - start).toBeGreaterThan(HOUR);
		expect(desk.clock.now() - start).toBeLessThan(HOUR + 10 * MINUTE);
	});

	test('of two hours ends a run that fetches its briefs, and the next run fetches them', async () => {
		const desk = new Desk();
		// The brief's end shows in the list; each get that follows is to fetch it.
		const isDone = () => desk.service.briefs.length > 1 && desk.service.running() === 0;
		let limited = 0;
		desk.meet('get_brief', rateLimit(7200), () => isDone() && (limited += 1) > 0);
		const start = desk.clock.now();
		const { exitCode, failure } = await desk.run(products(2));
		// The service gives its time of day in whole seconds, so that a little more than two hours is three.
		expect([exitCode, failure?.cure]).toEqual([5, 'Wait 2 hours and run it again.']);
		expect(desk.clock.now() - start).toBeLessThan(HOUR);
		expect(limited).toBeLessThanOrEqual(2);
		desk.service.mend();
		await desk.clock.pass(2 * HOUR);
		expect((await desk.run(products(2))).tally).toBe('0: 2 ready');
		desk.expectSound();
	});
});

describe('the use of a month that turns while a run begins does not count for the next month', () => {
	/** Others use up the month, of which five minutes are left. */
	function lastMinutes({ service, clock }: Desk): void {
		for (let n = 1; n <= 2; n += 1) service.startOther(MINUTE);
		clock.set(NEW_MONTH - 5 * MINUTE);
	}

	test('if the list comes long after the licences', async () => {
		const desk = new Desk({ allowance: 2 }, NEW_MONTH - 60 * MINUTE);
		lastMinutes(desk);
		const use = { monthly_allowance: 2, used_this_month: 2, renews_or_ends_at: null };
		const licence = { product: 'creator-briefs', name: 'Creator Briefs', channels: ['api'] };
		const body = JSON.stringify({ data: [{ ...licence, ...use }] });
		desk.service.fail('list_licences', { answer: { status: 200, body } });
		desk.service.fail('list_briefs', IN_15_MINUTES);
		expect((await desk.run(products(1))).tally).toBe('0: 1 ready');
	});

	test('if it takes long to find out whether the workspace is the right one', async () => {
		const desk = new Desk({ allowance: 2 }, NEW_MONTH - 60 * MINUTE);
		await desk.run(products(1));
		// The list does not show its brief any more, so it is asked for.
		const { id } = desk.service.briefs[0]!;
		desk.service.remove(id);
		lastMinutes(desk);
		const found = { answer: { status: 200, body: JSON.stringify({ id, status: 'ready' }) } };
		desk.service.fail('get_brief', IN_15_MINUTES, found);
		expect((await desk.run(products(2))).tally).toBe('0: 2 ready');
	});
});

describe('an outage at the start', () => {
	test('is waited out, so that a schedule keeps its day', async () => {
		const desk = new Desk();
		const until = desk.clock.now() + 20 * MINUTE;
		desk.meet('list_licences', FAILS, () => desk.clock.now() < until);
		expect((await desk.run(products(1))).tally).toBe('0: 1 ready');
	});

	test.each<[string, Fault, number]>([
		['after half an hour', FAILS, 32 * MINUTE],
		['at once if no service answers at all', { answerLost: 'never-sent' }, MINUTE],
	])('ends the run %s', async (_, fault, longest) => {
		const desk = new Desk();
		desk.meet('list_licences', fault);
		const began = desk.clock.now();
		await expect(desk.run(products(1))).rejects.toMatchObject({ exitCode: 5 });
		expect(desk.clock.now() - began).toBeLessThan(longest);
	});
});

describe('of a run that cannot begin', () => {
	const refusal = refused(401, 'unauthorized', 'Revoked');

	test.each<[string, (desk: Desk) => void, object]>([
		[
			'the refusal of its key',
			({ service }) => service.fail('list_licences', refusal),
			{ reason: 'service', what: expect.stringContaining('Revoked') as string, exit_code: 4 },
		],
		[
			'the same for a brief that --adopt names',
			({ service }) => service.fail('get_brief', refusal),
			{ reason: 'service', exit_code: 4 },
		],
		[
			'a folder that cannot be read',
			({ disk }) => disk.fail({ at: 1, code: 'EACCES', on: ({ path }) => path === 'out/results' }),
			{ reason: 'disk', what: expect.stringContaining('(EACCES)') as string },
		],
	])('%s is on record', async (_, breaks, stop) => {
		const desk = new Desk();
		breaks(desk);
		const adopt = [{ rowNumber: 2, briefId: desk.service.startOther(MINUTE, 'A').id }];
		await expect(desk.run(products(1), { adopt })).rejects.toMatchObject({
			reason: expect.any(String) as string,
		});
		expect(desk.records().notBegun).toMatchObject({ csv: 'products.csv', stop });
	});

	test('an interruption is not: whoever interrupts it knows', async () => {
		const desk = new Desk();
		desk.service.intercept = () => {
			desk.interruption.abort(new Error('enough'));
			return undefined;
		};
		await expect(desk.run(products(1))).rejects.toThrow('enough');
		expect(desk.records().notBegun).toBeNull();
	});
});
