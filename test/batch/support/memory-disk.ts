import type { Disk } from '../../../batch/folder/disk';
import type { LockFolder } from '../../../batch/folder/lock';

/** A disk in memory that never fails. */
export class MemoryDisk implements Disk {
	constructor(readonly files = new Map<string, Buffer>()) {}

	async read(path: string): Promise<Buffer | null> {
		return this.files.get(path) ?? null;
	}

	async append(path: string, bytes: Buffer): Promise<void> {
		const before = this.files.get(path) ?? Buffer.alloc(0);
		this.files.set(path, Buffer.concat([before, bytes]));
	}

	async replace(path: string, bytes: Buffer): Promise<void> {
		this.files.set(path, bytes);
	}

	async makeFolder(): Promise<undefined> {}

	async removeEmptyFolders(): Promise<void> {}

	async removePartialFiles(): Promise<void> {}

	async list(folder: string): Promise<string[]> {
		return [...this.files.keys()].flatMap((path) =>
			path.startsWith(`${folder}/`) ? [path.slice(folder.length + 1)] : [],
		);
	}
}

/** Returns a lock that no other process takes. */
export const lockNothing: LockFolder = async () => ({
	verify: async () => undefined,
	release: async () => undefined,
});
