import { ServiceError } from '../../../core/api/errors';
import { SendFailure, type WireResponse } from '../../../core/api/ports';
import { isAbort } from '../../../core/api/sleep';
import { catchError } from '../../support/catch-error';
import { HOUR, MINUTE, SECOND } from '../../support/time';
import { errorBody, ScriptedService, type Answer } from '../support/scripted-service';

const EMPTY_LIST = JSON.stringify({ data: [], next_cursor: null });
const LIST = { body: EMPTY_LIST };
const NOT_SENT = new SendFailure('nothing listens at this address', false);

describe('the service’s time', () => {
	/** Returns how far the service is ahead of this machine after answers with these Date headers. */
	async function readAhead(
		aheadMs: ReadonlyArray<number | null>,
		answer: Partial<WireResponse> = LIST,
		answerMs = 0,
	): Promise<number> {
		const script: Answer[] = [];
		const { client, clock, requests } = new ScriptedService(script, answerMs);
		for (const ahead of aheadMs) {
			const date = ahead === null ? '' : new Date(clock.now() + ahead).toUTCString();
			script.push({ ...answer, headers: { date } });
		}
		while (requests.length < aheadMs.length) await client.listBriefs().catch(() => null);
		return client.now() - clock.now();
	}

	test.each([
		['is this machine’s time until an answer shows it', [null], 0],
		['can be ahead', [9 * HOUR], 9 * HOUR],
		['can be behind', [-9 * HOUR], -9 * HOUR],
		['ignores a Date header that jumps once', [0, 0, HOUR], 0],
		['ignores a Date header that jumps and returns', [0, HOUR, -HOUR], 0],
		['follows a jump that the next answer confirms', [0, HOUR, HOUR], HOUR],
	])('%s', async (_, dates, ahead) => {
		expect(await readAhead(dates)).toBe(ahead);
	});

	test('is read from an error of the service, too', async () => {
		expect(await readAhead([HOUR], { status: 400, body: errorBody({}) })).toBe(HOUR);
	});

	test('is not read from a page that another server sent', async () => {
		expect(await readAhead([HOUR], { status: 503, body: '<html>' })).toBe(0);
	});

	test('is not read from an answer during which the computer was asleep', async () => {
		expect(await readAhead([0], LIST, 10 * MINUTE)).toBe(0);
	});
});

test.each<[what: string, answer: Answer, hasAnswered: boolean]>([
	['a list', LIST, true],
	['an error in the form of the service', { status: 503, body: errorBody({}) }, true],
	['a page', { status: 200, body: '<html>' }, false],
	['no answer', NOT_SENT, false],
])('%s shows whether the service has ever answered', async (_what, answer, hasAnswered) => {
	const { client } = new ScriptedService([answer, NOT_SENT]);
	expect(client.hasAnswered).toBe(false);
	for (let requests = 0; requests < 2; requests++) await client.listBriefs().catch(() => null);
	expect(client.hasAnswered).toBe(hasAnswered);
});

describe('a rate limit', () => {
	/** Returns the service after a GET has reached a rate limit. */
	async function reachLimit(seconds: number, deadlineMs = Infinity): Promise<ScriptedService> {
		const headers = { 'retry-after': String(seconds) };
		const limited = { status: 429, headers, body: errorBody({ code: 'rate_limited' }) };
		const service = new ScriptedService([limited, LIST], 0, deadlineMs);
		await catchError(service.client.getBrief('b1'));
		return service;
	}

	test('delays every later request until its end', async () => {
		const service = await reachLimit(30);
		await service.client.listBriefs();
		expect(service.requests).toEqual([
			['get_brief', 0],
			['list_briefs', 30 * SECOND],
		]);
	});

	test.each([
		['that lasts more than an hour', 3601, Infinity],
		['that ends after the deadline', 30, 30 * SECOND - 1],
	])('%s ends later requests at once, without sending them', async (_, seconds, deadlineMs) => {
		const service = await reachLimit(seconds, deadlineMs);
		const error = await catchError(service.client.listBriefs(), ServiceError);
		expect([error.kind, service.elapsed]).toEqual(['rate_limited', 0]);
		expect(service.requests).toHaveLength(1);
	});

	test('that ends at the deadline can be awaited before a request', async () => {
		const service = await reachLimit(30, 30 * SECOND);
		await service.client.waitForRateLimit();
		expect(service.elapsed).toBe(30 * SECOND);
	});

	test('because both slots are in use delays no GET', async () => {
		const headers = { 'retry-after': '30' };
		const busy = { status: 429, headers, body: errorBody({ code: 'concurrency_limit' }) };
		const service = new ScriptedService([busy, LIST]);
		await catchError(service.client.createBrief({ product_name: 'Lamp' }, 'key'));
		await service.client.listBriefs();
		expect(service.elapsed).toBe(0);
	});

	test('ends its wait when the signal is aborted', async () => {
		const { client, clock } = await reachLimit(30);
		const stop = new AbortController();
		const waiting = catchError(client.listBriefs({}, stop.signal));
		await clock.pass(SECOND);
		stop.abort();
		expect(isAbort(await waiting)).toBe(true);
		expect(clock.sleeping).toBe(0);
	});
});

test('reports every answer, an error or null', async () => {
	const unauthorized = { status: 401, body: errorBody({ code: 'unauthorized' }) };
	const service = new ScriptedService([LIST, unauthorized]);
	await service.client.listBriefs();
	await catchError(service.client.listBriefs());
	expect(service.answers).toEqual([null, 'key_refused']);
});

test('sends nothing after the signal was aborted', async () => {
	const service = new ScriptedService([LIST]);
	await catchError(service.client.listBriefs({}, AbortSignal.abort()));
	expect(service.requests).toEqual([]);
});

test('uses a brief that has a field named error', async () => {
	const body = JSON.stringify({ id: 'b1', status: 'failed', error: { code: 'x' } });
	const service = new ScriptedService([{ body }]);
	expect(await service.client.getBrief('b1')).toMatchObject({ status: 'failed' });
});
