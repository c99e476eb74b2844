import { basename, dirname } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { Disk, DiskFile } from '../../../batch/disk';
import { chunksOf } from './chunks';

/** A disk in memory that can fail: what an operation throws, it says before anything has happened. */
export class PlainDisk implements Disk {
	readonly files = new Map<string, Buffer>();
	readonly folders = new Set<string>();
	readonly log: string[] = [];
	/** Called before every operation with its name and path; what it throws, the operation throws. */
	fault: (operation: string, path: string) => void = () => undefined;
	/** How many bytes a write takes at most. */
	bytesPerWrite = Infinity;
	/** How many milliseconds a write takes. */
	writeDelay = 0;

	text(path: string): string {
		const bytes = this.files.get(path);
		if (bytes === undefined) throw new Error(`There is no ${path}`);
		return bytes.toString('utf8');
	}

	names(): string[] {
		return [...this.files.keys()].sort();
	}

	async open(path: string, mode: 'append' | 'create'): Promise<DiskFile> {
		this.begin('open', path);
		if (!this.folders.has(dirname(path)))
			throw Object.assign(new Error('ENOENT'), { code: 'ENOENT' });
		if (mode === 'create' && this.files.has(path))
			throw Object.assign(new Error('EEXIST'), { code: 'EEXIST' });
		let pieces: Buffer[] = mode === 'append' ? [this.files.get(path) ?? Buffer.alloc(0)] : [];
		const store = () => this.files.set(path, Buffer.concat(pieces));
		store();
		await Promise.resolve();
		return {
			write: async (bytes) => {
				this.begin('write', path);
				const taken = bytes.subarray(0, this.bytesPerWrite);
				pieces.push(Buffer.from(taken));
				if (this.writeDelay > 0) await setTimeout(this.writeDelay);
				return taken.length;
			},
			sync: async () => {
				this.begin('sync', path);
				store();
				await Promise.resolve();
			},
			truncate: async (length) => {
				pieces = [Buffer.concat(pieces).subarray(0, length)];
				store();
				await Promise.resolve();
			},
			close: async () => {
				store();
				await Promise.resolve();
			},
		};
	}

	async read(path: string): Promise<Uint8Array | null> {
		this.begin('read', path);
		return Promise.resolve(this.files.get(path) ?? null);
	}

	chunks(path: string): AsyncGenerator<Uint8Array> {
		return chunksOf((from) => this.read(from), path);
	}

	async size(path: string): Promise<number> {
		this.begin('size', path);
		return Promise.resolve(this.files.get(path)?.length ?? 0);
	}

	async rename(from: string, to: string): Promise<void> {
		this.begin('rename', to);
		const bytes = this.files.get(from);
		if (bytes === undefined) throw Object.assign(new Error('ENOENT'), { code: 'ENOENT' });
		this.files.delete(from);
		this.files.set(to, bytes);
		return Promise.resolve();
	}

	async remove(path: string): Promise<void> {
		this.begin('remove', path);
		this.files.delete(path);
		return Promise.resolve();
	}

	async makeFolder(path: string): Promise<void> {
		this.begin('makeFolder', path);
		for (let folder = path; folder !== dirname(folder); folder = dirname(folder))
			this.folders.add(folder);
		return Promise.resolve();
	}

	isLink(): Promise<boolean> {
		return Promise.resolve(false);
	}

	async list(path: string): Promise<string[]> {
		this.begin('list', path);
		const here = this.names().filter((name) => dirname(name) === path);
		return Promise.resolve(here.map((name) => basename(name)));
	}

	async syncFolder(path: string): Promise<void> {
		this.begin('syncFolder', path);
		return Promise.resolve();
	}

	private begin(operation: string, path: string): void {
		this.log.push(`${operation} ${path}`);
		this.fault(operation, path);
	}
}

/** Lets the n-th operation of a kind fail, as a full disk does. */
export function failingAt(n: number, wanted: (operation: string, path: string) => boolean) {
	let left = n;
	return (operation: string, path: string): void => {
		if (!wanted(operation, path)) return;
		left -= 1;
		if (left === 0) throw Object.assign(new Error(`ENOSPC: ${operation}`), { code: 'ENOSPC' });
	};
}
