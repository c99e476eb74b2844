import { getEventListeners } from 'node:events';
import { AbortHub } from '../../service/abort-hub';

const listeners = (signal: AbortSignal) => getEventListeners(signal, 'abort').length;

describe('AbortHub', () => {
	test('listens once for many, and no longer than there are callbacks', () => {
		const hub = new AbortHub();
		const { signal } = new AbortController();
		const stops = Array.from({ length: 50 }, () => hub.onAbort(signal, () => undefined));
		expect(listeners(signal)).toBe(1);
		for (const stop of stops.slice(1)) stop();
		expect(listeners(signal)).toBe(1);
		stops[0]!();
		expect(listeners(signal)).toBe(0);
		hub.onAbort(signal, () => undefined);
		expect(listeners(signal)).toBe(1);
	});

	test('calls back all who still wait, each once, also if one leaves meanwhile', () => {
		const hub = new AbortHub();
		const controller = new AbortController();
		const heard: string[] = [];
		const stop = hub.onAbort(controller.signal, () => {
			heard.push('a');
			stop();
		});
		const stopB = hub.onAbort(controller.signal, () => {
			heard.push('b');
			stopB();
		});
		hub.onAbort(controller.signal, () => heard.push('c'))();
		controller.abort();
		expect(heard).toEqual(['a', 'b']);
		expect(listeners(controller.signal)).toBe(0);
	});
});
