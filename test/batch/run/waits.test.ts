import { Failure } from '../../../batch/failure';
import { refusal } from '../../support/faults';
import { Desk, HOUR, MINUTE, products } from '../../support/batch/desk';

const rateLimit = (seconds: number) => ({
	answer: refusal(429, 'rate_limited', 'Slow down', { 'retry-after': String(seconds) }),
});

describe('a rate limit before a run', () => {
	test.each(['list_licences', 'list_briefs'] as const)(
		'of two hours is reported at once, with the time after which it may go on, and not slept out (%s)',
		async (operation) => {
			const desk = new Desk({ latency: 0 });
			desk.service.fail(operation, rateLimit(7200), rateLimit(7200), rateLimit(7200));
			const start = desk.clock.now();
			const failure = await desk.run(products(2)).catch((error: unknown) => error as Failure);
			expect(failure).toBeInstanceOf(Failure);
			expect(failure).toMatchObject({ exitCode: 5, cure: 'Wait 2 hours and run it again.' });
			expect(desk.clock.now()).toBe(start);
			expect(desk.service.count(operation)).toBe(1);
		},
	);

	test('of an hour is waited out, and the run goes on', async () => {
		const desk = new Desk();
		desk.service.fail('list_licences', rateLimit(3600));
		const start = desk.clock.now();
		expect((await desk.run(products(1))).exitCode).toBe(0);
		expect(desk.clock.now() - start).toBeGreaterThan(HOUR);
		expect(desk.clock.now() - start).toBeLessThan(HOUR + 10 * MINUTE);
	});
});

describe('a rate limit when a finished brief is fetched', () => {
	test('of two hours ends the run with 5 and says when to go on, and the next run fetches it', async () => {
		const desk = new Desk();
		let limited = 0;
		// The brief's end shows in the list; each get that follows is to fetch it.
		desk.service.intercept = ({ operation }) => {
			const isDone = desk.service.briefs.length > 1 && desk.service.running() === 0;
			if (operation !== 'get_brief' || !isDone) return undefined;
			limited += 1;
			return rateLimit(7200);
		};
		const start = desk.clock.now();
		const { exitCode, failure } = await desk.run(products(2));
		expect(exitCode).toBe(5);
		// The time of day that the service tells is cut to whole seconds, so that a little more than two hours is three.
		expect(failure?.cure).toBe('Wait 2 hours and run it again.');
		expect(desk.clock.now() - start).toBeLessThan(HOUR);
		expect(limited).toBeLessThanOrEqual(2);
		desk.service.mend();
		await desk.clock.pass(2 * HOUR);
		expect((await desk.run(products(2))).counts.ready).toBe(2);
		desk.expectSound();
	});
});
