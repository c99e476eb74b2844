import { SharedWatch, withSharedWatch } from '../../nodes/shared/shared-watch';
import { WatchedList } from '../../nodes/shared/watched-list';
import { getBrief } from '../../service/api/operations';
import { DEFAULT_POLL_INTERVAL } from '../../service/api/poll-interval';
import { ConnectionGone, SendFailure, type Send, type WireResponse } from '../../service/api/ports';
import { Workspace } from '../../service/watch/workspace';
import { aSummary } from '../support/builders';

const answer: WireResponse = { status: 200, headers: {}, body: '{}' };
const request = getBrief('x');

/** A watch of these executions, with the names of those that were asked, in order. */
function watchOf(ways: Record<string, Send>) {
	const watch = new SharedWatch('https://service.example/v1', new Workspace(), new WatchedList());
	const asked: string[] = [];
	const stops: Record<string, AbortController> = {};
	for (const [name, send] of Object.entries(ways)) {
		const stop = (stops[name] = new AbortController());
		watch.participants.add({
			send: (...given) => {
				asked.push(name);
				return send(...given);
			},
			signal: stop.signal,
			interval: DEFAULT_POLL_INTERVAL,
		});
	}
	return { watch, asked, stops };
}

const answering: Send = () => Promise.resolve(answer);
const failing: Send = () => Promise.reject(new SendFailure('not allowed here', true));

describe('a request for several executions', () => {
	it('is carried by another if the one that carries it is stopped', async () => {
		let fail: (reason: Error) => void = () => {};
		const cut: Send = () => new Promise((_resolve, reject) => (fail = reject));
		const { watch, asked, stops } = watchOf({ a: cut, b: answering });
		const sent = watch.send(request);
		stops['a']!.abort();
		fail(new SendFailure('canceled', true));
		await expect(sent).resolves.toBe(answer);
		expect(asked).toEqual(['a', 'b']);
	});

	it('is carried by another if the one that carries it ends and its request fails', async () => {
		const { watch, asked } = watchOf({
			a: () => {
				const [first] = watch.participants;
				watch.participants.delete(first!);
				return failing(request);
			},
			b: answering,
		});
		await expect(watch.send(request)).resolves.toBe(answer);
		expect(asked).toEqual(['a', 'b']);
	});

	it('fails as it does for the one that carries it, and the next goes another way', async () => {
		const { watch, asked } = watchOf({ a: failing, b: answering });
		await expect(watch.send(request)).rejects.toThrow('not allowed here');
		await watch.send(request);
		await watch.send(request);
		expect(asked).toEqual(['a', 'b', 'b']);
	});

	it('is carried by another if the credential of the one that carries it was changed', async () => {
		const changed: Send = () => Promise.reject(new ConnectionGone('changed'));
		const { watch, asked } = watchOf({ a: changed, b: answering });
		await expect(watch.send(request)).resolves.toBe(answer);
		expect(asked).toEqual(['a', 'b']);
		const all = watchOf({ a: changed, b: changed });
		await expect(all.watch.send(request)).rejects.toBeInstanceOf(ConnectionGone);
		expect(all.asked).toEqual(['a', 'b']);
	});

	it('is not sent again if nobody needs it any more', async () => {
		const over = new AbortController();
		const { watch, asked, stops } = watchOf({
			a: () => {
				stops['a']!.abort();
				over.abort(new Error('over'));
				return failing(request);
			},
			b: answering,
		});
		await expect(watch.send(request, over.signal)).rejects.toThrow('over');
		expect(asked).toEqual(['a']);
	});

	it('reaches nothing if none is left', async () => {
		const failure = await watchOf({})
			.watch.send(request)
			.catch((thrown: unknown) => thrown);
		expect(failure).toMatchObject({ mayHaveArrived: false });
	});
});

describe('a shared watch', () => {
	const connection = { baseUrl: 'https://api.example.com/v1', apiKey: 'one' };
	const participant = () => ({ send: answering, interval: DEFAULT_POLL_INTERVAL });
	const give = (watch: SharedWatch) => Promise.resolve(watch);
	const brief = aSummary({ product_name: 'Lamp', created_at: new Date().toISOString() });

	it('is one for the same address and key, and another for other ones', async () => {
		await withSharedWatch(connection, participant(), async (watch) => {
			const join = (other: Partial<typeof connection>) =>
				withSharedWatch({ ...connection, ...other }, participant(), give);
			expect(await join({})).toBe(watch);
			expect(await join({ baseUrl: 'https://API.example.com/v1' })).toBe(watch);
			expect(await join({ apiKey: 'two' })).not.toBe(watch);
			expect(await join({ baseUrl: 'https://api.example.com/v2' })).not.toBe(watch);
		});
	});

	it('is gone with the last that takes part, however it ends', async () => {
		let left: SharedWatch | undefined;
		const failed = withSharedWatch(connection, participant(), (watch) => {
			left = watch;
			return Promise.reject(new Error('failed'));
		});
		await expect(failed).rejects.toThrow('failed');
		expect(left!.participants.size).toBe(0);
		const next = await withSharedWatch(connection, participant(), give);
		expect(next).not.toBe(left);
		expect(next.workspace).not.toBe(left!.workspace);
	});

	it('is the same for all until the last has ended, also if one that is stopped takes its time', async () => {
		const ends: Array<() => void> = [];
		const untilEnded = () => new Promise<void>((resolve) => ends.push(resolve));
		const stopped = withSharedWatch(
			connection,
			{ ...participant(), send: failing, signal: AbortSignal.abort() },
			async ({ service }) => {
				await service.briefs().catch(() => {});
				await untilEnded();
			},
		);
		await new Promise(setImmediate);
		await withSharedWatch(connection, participant(), give);
		let current: SharedWatch | undefined;
		const going = withSharedWatch(connection, participant(), async (watch) => {
			current = watch;
			await untilEnded();
		});
		ends[0]!();
		await stopped;
		expect(await withSharedWatch(connection, participant(), give)).toBe(current);
		ends[1]!();
		await going;
	});

	it('leaves to the next what was ordered and not listed yet, for as long as the list may lag', async () => {
		const now = jest.spyOn(Date, 'now').mockReturnValue(1_800_000_000_000);
		const order = (watch: SharedWatch) => {
			watch.workspace.addOwn(brief, Date.now());
			return give(watch);
		};
		const free = () =>
			withSharedWatch(connection, participant(), ({ workspace }) =>
				Promise.resolve(workspace.freeSlots()),
			);
		await withSharedWatch(connection, participant(), order);
		now.mockReturnValue(1_800_000_600_000);
		expect(await free()).toBe(1);
		now.mockReturnValue(1_800_001_200_001);
		expect(await free()).toBe(2);
		now.mockRestore();
	});
});
