import type { Disk, DiskFile } from '../../../batch/folder/disk';
import { chunksOf, type DiskOperation } from '../batch/memory-disk';

/** Does a call, or not, or later. `half` is as much of it as is done if the process dies on the way. */
type CarryOut = <T>(
	kind: DiskOperation,
	path: string,
	work: () => Promise<T>,
	half?: () => Promise<unknown>,
) => Promise<T>;

/** A disk all of whose calls are effects of one process. */
export function diskOf(disk: Disk, carryOut: CarryOut): Disk {
	const does =
		<T>(kind: DiskOperation, work: (path: string) => Promise<T>) =>
		(path: string) =>
			carryOut(kind, path, () => work(path));
	const read = does('read', (path) => disk.read(path));
	return {
		open: async (path, mode) => {
			const open = () => disk.open(path, mode);
			return fileOf(await carryOut('open', path, open, open), path, carryOut);
		},
		read,
		isLink: (path) => disk.isLink(path),
		chunks: (path) => chunksOf(read, path),
		size: does('size', (path) => disk.size(path)),
		rename: (from, to) => carryOut('rename', to, () => disk.rename(from, to)),
		remove: does('remove', (path) => disk.remove(path)),
		makeFolder: does('makeFolder', (path) => disk.makeFolder(path)),
		list: does('list', (path) => disk.list(path)),
		syncFolder: does('syncFolder', (path) => disk.syncFolder(path)),
	};
}

function fileOf(file: DiskFile, path: string, carryOut: CarryOut): DiskFile {
	return {
		write: (bytes) =>
			carryOut(
				'write',
				path,
				() => file.write(bytes),
				() => file.write(bytes.subarray(0, bytes.length >> 1)),
			),
		sync: () => carryOut('sync', path, () => file.sync()),
		truncate: (length) => carryOut('truncate', path, () => file.truncate(length)),
		close: () => carryOut('close', path, () => file.close()),
	};
}
