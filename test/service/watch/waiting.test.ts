import { getEventListeners } from 'node:events';
import { WaitTimeout, Waits, type Waiting, type WaitOptions } from '../../../service/watch/waiting';
import { VirtualClock } from '../../support/virtual-clock';
import { S, failureOf } from '../../support/service/rig';

let clock: VirtualClock;
beforeEach(() => (clock = new VirtualClock()));
afterEach(() => clock.stop());

function begin(options: WaitOptions = {}) {
	const events: string[] = [];
	let waiting!: Waiting<string>;
	void new Waits(clock).begin<string>(options, (begun) => {
		waiting = begun;
		return {
			onEnd: () => events.push('end'),
			timeout: () => new WaitTimeout('too late'),
		};
	});
	return { ...waiting, events };
}

describe('a wait', () => {
	test('ends with the value that it is given', async () => {
		const { promise, resolve, events } = begin();
		expect(events).toEqual([]);
		resolve('value');
		expect(events).toEqual(['end']);
		expect(await promise).toBe('value');
	});

	test('ends with the error that it is given', async () => {
		const { promise, reject, events } = begin();
		reject(new Error('broken'));
		expect(events).toEqual(['end']);
		expect((await failureOf(promise)).message).toBe('broken');
	});

	test('ends with the reason of its signal', async () => {
		const stop = new AbortController();
		const { promise, events } = begin({ signal: stop.signal, deadline: clock.now() + 60 * S });
		stop.abort(new Error('stop'));
		expect(events).toEqual(['end']);
		expect((await failureOf(promise)).message).toBe('stop');
		expect(clock.sleeping).toBe(0);
	});

	test('can end before it is given out, for a clock may be told of the end of all at once', async () => {
		const stop = new AbortController();
		const hasty = {
			now: () => clock.now(),
			sleep: () => {
				stop.abort(new Error('stop'));
				return Promise.reject(new Error('stop'));
			},
		};
		const events: string[] = [];
		const options = { signal: stop.signal, deadline: clock.now() + 60 * S };
		const promise = new Waits(hasty).begin(options, () => {
			events.push('joined');
			return {
				onEnd: () => events.push('end'),
				timeout: () => new WaitTimeout('too late'),
			};
		});
		expect(events).toEqual(['joined', 'end']);
		expect((await failureOf(promise)).message).toBe('stop');
	});

	test('ends at its deadline', async () => {
		const deadline = clock.now() + 60 * S;
		const { promise, events } = begin({ deadline });
		const failure = await failureOf(promise);
		expect([failure.name, failure.message]).toEqual(['WaitTimeout', 'too late']);
		expect(clock.now()).toBe(deadline);
		expect(events).toEqual(['end']);
	});

	test('ends once: what comes later changes nothing', async () => {
		const stop = new AbortController();
		const { signal } = stop;
		const { promise, resolve, reject, events } = begin({ signal, deadline: clock.now() + 60 * S });
		resolve('first');
		reject(new Error('second'));
		resolve('third');
		stop.abort(new Error('stop'));
		await clock.pass(100 * S);
		expect(await promise).toBe('first');
		expect(events).toEqual(['end']);
	});

	test('leaves no timer and no listener behind', () => {
		const { signal } = new AbortController();
		const { resolve } = begin({ signal, deadline: clock.now() + 60 * S });
		expect(clock.sleeping).toBe(1);
		expect(getEventListeners(signal, 'abort')).toHaveLength(1);
		resolve('value');
		expect(clock.sleeping).toBe(0);
		expect(getEventListeners(signal, 'abort')).toHaveLength(0);
	});

	test('without a deadline sets no timer', () => {
		begin();
		expect(clock.sleeping).toBe(0);
	});
});
