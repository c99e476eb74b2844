import { SendFailure, type Clock, type Send } from '../../../service/api/ports';
import type { Disk } from '../disk';

/** Guards everything that only the holder of a folder may do. */
export interface Fence {
	/** @throws if it may not be done any more */
	check(): Promise<void>;
}

/** A disk on which nothing changes unless the fence allows it. */
export function fencedDisk(disk: Disk, fence: Fence): Disk {
	const behind =
		<A extends unknown[], T>(work: (...args: A) => Promise<T>) =>
		async (...args: A) => {
			await fence.check();
			return await work(...args).catch(async (error: unknown) => {
				// Who has the folder by now removes what this run had begun to write: that is why it failed.
				await fence.check();
				throw error;
			});
		};
	return {
		open: behind(async (path, mode) => {
			const file = await disk.open(path, mode);
			return {
				write: behind((bytes) => file.write(bytes)),
				truncate: behind((length) => file.truncate(length)),
				sync: () => file.sync(),
				close: () => file.close(),
			};
		}),
		rename: behind((from, to) => disk.rename(from, to)),
		remove: behind((path) => disk.remove(path)),
		makeFolder: behind((path) => disk.makeFolder(path)),
		read: (path) => disk.read(path),
		chunks: (path) => disk.chunks(path),
		isLink: (path) => disk.isLink(path),
		list: (path) => disk.list(path),
		size: (path) => disk.size(path),
		syncFolder: (path) => disk.syncFolder(path),
	};
}

/** After such a long check no order is sent: what decided it, such as a free slot, is too old by then. */
const LONGEST_CHECK_MS = 30_000;

/** Sends no order unless the fence allows it, and in time. */
export function fencedSend(send: Send, fence: Fence, clock: Clock): Send {
	return async (request, signal) => {
		if (request.method === 'GET') return await send(request, signal);
		const checkedAt = clock.now();
		await fence.check();
		const seconds = Math.round((clock.now() - checkedAt) / 1000);
		if (seconds * 1000 > LONGEST_CHECK_MS)
			throw new SendFailure(`the folder of --out did not answer for ${seconds} seconds`, false);
		return await send(request, signal);
	};
}
