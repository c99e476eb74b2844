import { SlotQueue, type SlotRequest } from '../../../service/watch/slot-queue';

interface Named extends SlotRequest {
	name: string;
}

const NOW = 1e12;
const S = 1000;

const newcomer = (name: string): Named => ({ name, notBefore: -Infinity, once: false });
const once = (name: string): Named => ({ ...newcomer(name), once: true });
const refusedUntil = (seconds: number, name = `until ${seconds}`): Named => ({
	...newcomer(name),
	notBefore: NOW + seconds * S,
});

function queueOf(...requests: Named[]): SlotQueue<Named> {
	const queue = new SlotQueue<Named>();
	for (const request of requests) queue.join(request);
	return queue;
}

const names = (requests: readonly Named[]) => requests.map(({ name }) => name);

function served(queue: SlotQueue<Named>, freeSlots: number, seconds = 0) {
	const { granted, refused } = queue.serve(freeSlots, NOW + seconds * S);
	return { granted: names(granted), refused: names(refused) };
}

describe('the place in the queue for slots', () => {
	test('is that of asking', () => {
		expect(names(queueOf(newcomer('a'), newcomer('b'), once('c')).all)).toEqual(['a', 'b', 'c']);
	});

	test('is kept by those whom the service refused, in their order, before all newcomers', () => {
		const queue = queueOf(newcomer('a'), refusedUntil(60), newcomer('b'), refusedUntil(30));
		expect(names(queue.all)).toEqual(['until 60', 'until 30', 'a', 'b']);
	});

	test('is at the end for one whom the service refused, where all others were refused too', () => {
		expect(names(queueOf(refusedUntil(60), refusedUntil(30)).all)).toEqual([
			'until 60',
			'until 30',
		]);
	});

	test('passes to the next when one leaves, and one who has left already takes nobody with him', () => {
		const [a, b, c] = [newcomer('a'), newcomer('b'), newcomer('c')];
		const queue = queueOf(a, b, c);
		queue.leave(b);
		queue.leave(b);
		expect(names(queue.all)).toEqual(['a', 'c']);
		queue.leave(a);
		expect(names(queue.all)).toEqual(['c']);
	});
});

describe('free slots', () => {
	test('go to the first in the queue, as many as there are', () => {
		const queue = queueOf(newcomer('a'), newcomer('b'), newcomer('c'));
		expect(served(queue, 2)).toEqual({ granted: ['a', 'b'], refused: [] });
		expect(served(queue, 0)).toEqual({ granted: [], refused: [] });
	});

	test('are more than are wanted', () => {
		expect(served(queueOf(newcomer('a')), 2)).toEqual({ granted: ['a'], refused: [] });
		expect(served(queueOf(), 2)).toEqual({ granted: [], refused: [] });
	});

	test('are refused to those who ask for one look only and have others before them', () => {
		const queue = queueOf(newcomer('a'), once('b'), newcomer('c'), once('d'));
		expect(served(queue, 1)).toEqual({ granted: ['a'], refused: ['b', 'd'] });
		expect(served(queue, 2)).toEqual({ granted: ['a', 'b'], refused: ['d'] });
	});

	test('go to nobody while the first is held back, and then to all in order', () => {
		const queue = queueOf(refusedUntil(60), newcomer('a'), once('b'));
		expect(served(queue, 2, 59)).toEqual({ granted: [], refused: ['b'] });
		expect(served(queue, 2, 60)).toEqual({ granted: ['until 60', 'a'], refused: ['b'] });
	});

	test('go to those before one who is held back', () => {
		const queue = queueOf(refusedUntil(0), refusedUntil(60), newcomer('a'));
		expect(served(queue, 2)).toEqual({ granted: ['until 0'], refused: [] });
	});
});

describe('the next look at the list', () => {
	const next = (...requests: Named[]) => (queueOf(...requests).nextLook(NOW + 15 * S) - NOW) / S;

	test('is never needed while nobody waits', () => {
		expect(next()).toBe(Infinity);
	});

	test('is due when it may show more', () => {
		expect(next(newcomer('a'), newcomer('b'))).toBe(15);
	});

	test('waits for the first to be served, but no shorter than that', () => {
		expect(next(refusedUntil(60), refusedUntil(20), newcomer('a'))).toBe(60);
		expect(next(refusedUntil(10), refusedUntil(60))).toBe(15);
	});

	test('does not wait where a request ends after a single look', () => {
		expect(next(refusedUntil(60), newcomer('a'), once('b'))).toBe(15);
	});
});
