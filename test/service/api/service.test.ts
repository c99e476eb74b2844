import type { ServiceError } from '../../../service/api/errors';
import { outcomeOf } from '../../../service/api/outcome';
import { sleepUntil } from '../../../service/api/sleep';
import { BriefingService } from '../../../service/api/service';
import { BROKEN_JSON, LOGIN_PAGE, rateLimit, refused, type Fault } from '../../support/faults';
import { VirtualClock } from '../../support/virtual-clock';
import { failureOf } from '../../support/failure-of';
import { rig } from '../../support/service/rig';
import { HOUR, SECOND } from '../../support/time';

describe('BriefingService', () => {
	test('knows the service’s own time from its answers', async () => {
		const { service, clock } = rig({ ahead: 9 * HOUR });
		expect(service.now()).toBe(clock.now());
		await service.licences();
		expect(service.now() - clock.now()).toBe(9 * HOUR);
		const dateless = rig({ ahead: 9 * HOUR, isDateless: true });
		await dateless.service.licences();
		expect(dateless.service.now()).toBe(dateless.clock.now());
	});

	test('learns no time from what answers in its place', async () => {
		const { service, memory, clock } = rig({ ahead: 9 * HOUR });
		for (const status of [200, 403, 502]) {
			memory.fail('list_licences', { answer: { status, body: '<html>' } });
			await failureOf(service.licences());
		}
		expect(service.now()).toBe(clock.now());
	});

	test('sent to in two ways knows its time and waits for its rate limits in both', async () => {
		const { service, memory, clock, time } = rig({ ahead: 9 * HOUR });
		memory.fail('list_licences', rateLimit(30));
		await failureOf(service.over(memory.send).licences());
		expect(service.now() - clock.now()).toBe(9 * HOUR);
		await service.licences();
		expect(time()).toBe(30);
	});

	test('reads what each operation answers', async () => {
		const { service, memory } = rig();
		const { id } = memory.startOther(60 * SECOND);
		expect((await service.licences())[0]?.product).toBe('creator-briefs');
		expect((await service.briefs({ status: 'queued' })).data).toMatchObject([{ id }]);
		expect((await service.brief(id)).status).toBe('queued');
		expect((await service.hooks({ limit: 3 })).data).toHaveLength(3);
		expect((await service.createBrief({ product_name: 'Lamp' }, 'k')).product_name).toBe('Lamp');
	});

	test.each([
		['<html><title>Sign in</title>', 'first', 'Sign in'],
		['', 'first', ''],
		['{}', 'first', ''],
		['[]', 'first', ''],
		['{"data":[', undefined, 'it is not JSON'],
		[
			'{"data":[{"id":"b1","status":"ready"},{}]}',
			undefined,
			'item 2 of the list of briefs has no ID',
		],
	])('calls the answer %p unreadable, and what answered: %s', async (body, page, message) => {
		const { service, memory } = rig();
		memory.fail('list_briefs', { answer: { status: 200, body } });
		const failure = await failureOf(service.briefs());
		expect(failure).toMatchObject({ kind: 'unreadable_answer', message, page });
		memory.fail('create_brief', BROKEN_JSON);
		const create = service.createBrief({ product_name: 'Lamp' }, 'k');
		expect((await failureOf(create)).kind).toBe('in_doubt');
	});

	test.each([
		[199, 'unreadable_answer'],
		[200, undefined],
		[299, undefined],
		[300, 'unreadable_answer'],
	])('an answer %i with a readable body is to be taken for %s', async (status, kind) => {
		const { service, memory } = rig();
		memory.fail('list_briefs', { answer: { status, body: '{"data":[]}' } });
		const outcome = await outcomeOf(service.briefs());
		expect('error' in outcome ? outcome.error.kind : undefined).toBe(kind);
	});

	test('learns from any answer in the service’s form, and from no other, that it is at its address', async () => {
		const GONE: Fault = { answer: { status: 404, body: '<html>' } };
		const kindOf = async ({ service, memory }: ReturnType<typeof rig>) => {
			memory.fail('list_briefs', GONE);
			const outcome = await outcomeOf(service.over(memory.send).briefs());
			return 'error' in outcome ? [outcome.error.kind, outcome.error.page] : [];
		};
		const all = rig();
		all.memory.fail('list_licences', GONE, LOGIN_PAGE, { answerLost: 'before' });
		for (let n = 0; n < 3; n += 1) await failureOf(all.service.licences());
		expect(await kindOf(all)).toEqual(['not_found', 'first']);
		all.memory.fail('list_licences', refused(500, 'internal', 'Oops'));
		await failureOf(all.service.licences());
		expect(await kindOf(all)).toEqual(['service_unavailable', 'later']);
		const trusted = rig();
		trusted.service.trustAddress();
		expect(await kindOf(trusted)).toEqual(['service_unavailable', 'first']);
		const answered = rig();
		await answered.service.licences();
		expect(await kindOf(answered)).toEqual(['service_unavailable', 'later']);
	});

	test('a page of 429 holds all requests back, up to an hour', async () => {
		const { service, memory, time } = rig();
		const page = (seconds: string): Fault => ({
			answer: { status: 429, body: '<html>', headers: { 'retry-after': seconds } },
		});
		memory.fail('create_brief', page('90'));
		await failureOf(service.createBrief({ product_name: 'Lamp' }, 'k'));
		await service.hooks();
		expect(time()).toBe(90);
		memory.fail('create_brief', page('7200'));
		await failureOf(service.createBrief({ product_name: 'Lamp' }, 'k'));
		await service.hooks();
		expect(time()).toBe(90);
	});

	test('a rate limit of an hour is waited out by those whom it holds back, and a longer one ends them', async () => {
		const all = rig();
		await all.meetLimit(3600);
		await all.service.hooks();
		expect(all.time()).toBe(3600);
		await all.meetLimit(3601);
		const failure = { kind: 'rate_limited', operation: 'list_licences' };
		expect(await failureOf(all.service.hooks())).toMatchObject(failure);
		expect(all.time()).toBe(3600);
	});

	test('waits for the longest of several rate limits', async () => {
		const { service, memory, time } = rig({ latency: SECOND });
		memory.fail('list_licences', rateLimit(60), rateLimit(20));
		await Promise.all([failureOf(service.licences()), failureOf(service.licences())]);
		await service.hooks();
		expect(time()).toBe(1 + 60 + 1);
	});

	test('a refusal for want of a slot, or a 503 with a time, holds nobody else back', async () => {
		const { service, memory, time } = rig();
		const headers = { 'retry-after': '600' };
		memory.fail('create_brief', refused(429, 'concurrency_limit', '', headers));
		memory.fail('list_licences', { answer: { status: 503, headers } });
		await failureOf(service.createBrief({ product_name: 'Lamp' }, 'k'));
		await failureOf(service.licences());
		await service.hooks();
		expect(time()).toBe(0);
	});

	test('follows a rate limit by the distance to the Date header, whatever this machine’s clock says', async () => {
		const { service, memory, clock, time } = rig({ ahead: -48 * HOUR });
		const date = new Date(clock.now() - 48 * HOUR + 120 * SECOND).toUTCString();
		memory.fail('list_licences', refused(429, 'rate_limited', '', { 'retry-after': date }));
		await failureOf(service.licences());
		await service.licences();
		expect(time()).toBe(120);
	});

	test('reports how each request has ended that was sent', async () => {
		const { memory, clock } = rig();
		const heard: Array<string | undefined> = [];
		const onAnswer = (error: ServiceError | null) => void heard.push(error?.kind);
		const service = new BriefingService(memory.send, clock, { onAnswer });
		memory.fail('list_licences', { answer: { status: 503 } });
		memory.fail('create_brief', { answerLost: 'after' });
		await failureOf(service.licences());
		await failureOf(service.createBrief({ product_name: 'Lamp' }, 'k'));
		await service.hooks();
		await failureOf(service.hooks({}, AbortSignal.abort()));
		expect(heard).toEqual(['service_unavailable', 'in_doubt', undefined]);
	});

	test('lets errors through that are not the service’s', async () => {
		const bug = () => Promise.reject(new TypeError('a bug'));
		const broken = new BriefingService(bug, new VirtualClock());
		expect(await failureOf(broken.licences())).toEqual(new TypeError('a bug'));
		expect(await failureOf(outcomeOf(broken.licences()))).toEqual(new TypeError('a bug'));
	});
});

describe('sleepUntil', () => {
	test('sleeps in slices, so that no timer is longer than a minute', async () => {
		const clock = new VirtualClock();
		const start = clock.now();
		const slices: number[] = [];
		const sleep = (ms: number) => {
			slices.push(ms);
			return clock.sleep(ms);
		};
		await sleepUntil({ now: () => clock.now(), sleep }, start + 150 * SECOND);
		expect(slices).toEqual([60 * SECOND, 60 * SECOND, 30 * SECOND]);
	});

	test('does not sleep at all until a time that is over, or is none', async () => {
		const clock = new VirtualClock();
		const now = clock.now();
		await sleepUntil(clock, now);
		await sleepUntil(clock, -Infinity);
		await sleepUntil(clock, NaN);
		expect(clock.now()).toBe(now);
		const aborted = AbortSignal.abort(new Error('stop'));
		expect((await failureOf(sleepUntil(clock, now, aborted))).message).toBe('stop');
	});

	test('sees a computer wake up late', async () => {
		const clock = new VirtualClock();
		const start = clock.now();
		const slept = sleepUntil(clock, start + 10 * 60 * SECOND);
		clock.set(start + 20 * 60 * SECOND);
		await slept;
		expect(clock.now()).toBe(start + 21 * 60 * SECOND);
	});
});
