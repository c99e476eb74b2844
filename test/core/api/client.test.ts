import { ServiceError } from '../../../core/api/errors';
import type { WireResponse } from '../../../core/api/ports';
import { isAbort } from '../../../core/api/sleep';
import { failureOf } from '../../support/failure-of';
import { HOUR, MINUTE, SECOND } from '../../support/time';
import { errorBody, ScriptedService, type Answer } from '../support/scripted-service';

const EMPTY_LIST = JSON.stringify({ data: [], next_cursor: null });

function limited(seconds: number): Partial<WireResponse> {
	const headers = { 'retry-after': String(seconds) };
	return { status: 429, headers, body: errorBody({ code: 'rate_limited' }) };
}

describe('the service’s time', () => {
	/** An answer whose Date header is ahead of this machine's clock. */
	const dated = (
		service: ScriptedService,
		aheadMs: number,
		more: Partial<WireResponse> = {},
	): Answer => ({
		body: EMPTY_LIST,
		headers: { date: new Date(service.clock.now() + aheadMs).toUTCString() },
		...more,
	});

	test('is this machine’s time until an answer shows it', async () => {
		const service = new ScriptedService([{ body: EMPTY_LIST }]);
		await service.client.listBriefs();
		expect(service.client.now()).toBe(service.clock.now());
	});

	test.each([9 * HOUR, -9 * HOUR])('follows the Date header, %i ms ahead', async (ahead) => {
		const script: Answer[] = [];
		const service = new ScriptedService(script);
		script.push(dated(service, ahead));
		await service.client.listBriefs();
		expect(service.client.now() - service.clock.now()).toBe(ahead);
	});

	test.each([
		['one answer', [0, HOUR], 0],
		['two answers in a row', [HOUR, HOUR], HOUR],
		['two answers that differ', [HOUR, -HOUR], 0],
	])(
		'follows a Date header that jumps only if the next one confirms it: %s',
		async (_, dates, ahead) => {
			const script: Answer[] = [];
			const service = new ScriptedService(script);
			script.push(...[0, ...dates].map((date) => dated(service, date)));
			for (let count = 0; count < 3; count += 1) await service.client.listBriefs();
			expect(service.client.now() - service.clock.now()).toBe(ahead);
		},
	);

	test('is read from an error of the service, too', async () => {
		const script: Answer[] = [];
		const service = new ScriptedService(script);
		script.push(dated(service, HOUR, { status: 400, body: errorBody({}) }));
		await failureOf(service.client.listBriefs());
		expect(service.client.now() - service.clock.now()).toBe(HOUR);
	});

	test('is not read from a page of something other than the service', async () => {
		const script: Answer[] = [];
		const service = new ScriptedService(script);
		script.push(dated(service, HOUR, { status: 503, body: '<html>' }));
		await failureOf(service.client.listBriefs());
		expect(service.client.now()).toBe(service.clock.now());
	});

	test('is not read from an answer during which the computer was asleep', async () => {
		const script: Answer[] = [];
		const service = new ScriptedService(script, 10 * MINUTE);
		script.push(dated(service, 0));
		await service.client.listBriefs();
		expect(service.client.now()).toBe(service.clock.now());
	});
});

describe('a rate limit', () => {
	test('holds back every later request until its end', async () => {
		const service = new ScriptedService([limited(30), { body: EMPTY_LIST }]);
		await failureOf(service.client.getBrief('b1'));
		await service.client.listBriefs();
		expect(service.requests).toEqual([
			['get_brief', 0],
			['list_briefs', 30 * SECOND],
		]);
	});

	test('of more than an hour ends later requests without sending them', async () => {
		const service = new ScriptedService([limited(3601)]);
		await failureOf(service.client.getBrief('b1'));
		const error = await failureOf(service.client.listBriefs(), ServiceError);
		expect(error.kind).toBe('rate_limited');
		expect(service.requests).toHaveLength(1);
	});

	test('that ends after the deadline ends later requests without a wait', async () => {
		const service = new ScriptedService([limited(30)], 0, 30 * SECOND - 1);
		await failureOf(service.client.getBrief('b1'));
		const error = await failureOf(service.client.listBriefs(), ServiceError);
		expect([error.kind, service.elapsed]).toEqual(['rate_limited', 0]);
		expect(service.requests).toHaveLength(1);
	});

	test('that ends at the deadline is waited out', async () => {
		const service = new ScriptedService([limited(30)], 0, 30 * SECOND);
		await failureOf(service.client.getBrief('b1'));
		await service.client.waitForRateLimit();
		expect(service.elapsed).toBe(30 * SECOND);
	});

	test('for want of a slot holds back no GET', async () => {
		const busy = { ...limited(30), body: errorBody({ code: 'concurrency_limit' }) };
		const service = new ScriptedService([busy, { body: EMPTY_LIST }]);
		await failureOf(service.client.createBrief({ product_name: 'Lamp' }, 'key'));
		await service.client.listBriefs();
		expect(service.elapsed).toBe(0);
	});

	test('can be waited out before a request', async () => {
		const service = new ScriptedService([limited(30)]);
		await failureOf(service.client.getBrief('b1'));
		await service.client.waitForRateLimit();
		expect(service.elapsed).toBe(30 * SECOND);
	});

	test('ends its wait when the signal is aborted', async () => {
		const service = new ScriptedService([limited(30)]);
		await failureOf(service.client.getBrief('b1'));
		const stop = new AbortController();
		const waiting = failureOf(service.client.listBriefs({}, stop.signal));
		await service.clock.pass(SECOND);
		stop.abort();
		expect(isAbort(await waiting)).toBe(true);
		expect(service.clock.sleeping).toBe(0);
	});
});

test('reports every answer, an error or null', async () => {
	const unauthorized = { status: 401, body: errorBody({ code: 'unauthorized' }) };
	const service = new ScriptedService([{ body: EMPTY_LIST }, unauthorized]);
	await service.client.listBriefs();
	await failureOf(service.client.listBriefs());
	expect(service.answers).toEqual([null, 'key_refused']);
});

test('sends nothing after the signal was aborted', async () => {
	const service = new ScriptedService([{ body: EMPTY_LIST }]);
	await failureOf(service.client.listBriefs({}, AbortSignal.abort()));
	expect(service.requests).toEqual([]);
});

test('uses a brief that has a field named error', async () => {
	const body = JSON.stringify({ id: 'b1', status: 'failed', error: { code: 'x' } });
	const service = new ScriptedService([{ body }]);
	expect(await service.client.getBrief('b1')).toMatchObject({ status: 'failed' });
});
