import type { Send } from '../../service/ports';
import type { Disk } from '../disk';

/** Stands before everything that only the holder of a folder may do. */
export interface Fence {
	/** @throws where it may not be done any more */
	check(): Promise<void>;
}

/** A disk on which nothing is changed unless the fence lets it. */
export function fencedDisk(disk: Disk, fence: Fence): Disk {
	const behind =
		<A extends unknown[], T>(work: (...args: A) => Promise<T>) =>
		async (...args: A) => {
			await fence.check();
			return await work(...args);
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
		list: (path) => disk.list(path),
		size: (path) => disk.size(path),
		syncFolder: (path) => disk.syncFolder(path),
	};
}

/** Sends no order unless the fence lets it. */
export function fencedSend(send: Send, fence: Fence): Send {
	return async (request, signal) => {
		if (request.method !== 'GET') await fence.check();
		return await send(request, signal);
	};
}
