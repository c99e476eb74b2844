import { basename, dirname } from 'node:path';
import type { Disk, DiskFile } from '../../../batch/folder/disk';

export type DiskOperation =
	| 'open'
	| 'write'
	| 'sync'
	| 'truncate'
	| 'close'
	| 'read'
	| 'size'
	| 'rename'
	| 'remove'
	| 'makeFolder'
	| 'list'
	| 'syncFolder';

export interface DiskCall {
	operation: DiskOperation;
	/** The file; of a rename, the new name. */
	path: string;
}

interface DiskFault {
	/** Which of the calls that `on` lets through fails, from 1. */
	at: number;
	/** What the operating system says. */
	code?: string;
	/** All calls from that one on fail, as on a disk that stays full. */
	forever?: boolean;
	on?: (call: DiskCall) => boolean;
	/** A write that fails has taken this many bytes. */
	bytesTaken?: number;
}

/** A file apart from its names: what was written, and what of it a power cut leaves. */
class Content {
	synced: Buffer;
	/** The bytes, and room behind them: to append copies no more than what is appended, most of the time. */
	private room: Buffer;

	constructor(private content: Buffer = Buffer.alloc(0)) {
		this.synced = this.room = content;
	}

	get bytes(): Buffer {
		return this.content;
	}

	/** The room of earlier bytes stays as it is: `synced` may be a part of it. */
	set bytes(bytes: Buffer) {
		this.content = this.room = bytes;
	}

	append(more: Uint8Array): void {
		const { length } = this.content;
		const size = length + more.length;
		if (size > this.room.length) {
			this.room = Buffer.alloc(2 * size);
			this.content.copy(this.room);
		}
		this.room.set(more, length);
		this.content = this.room.subarray(0, size);
	}
}

/**
 * A disk in memory, of the worst kind that is still a disk: what was written is lost in a power cut unless it was
 * synced, and a name that was made, changed or removed is as before unless its folder was synced.
 */
export class MemoryDisk implements Disk {
	/** Every call, in order. */
	readonly calls: DiskCall[] = [];
	/** How many bytes one write takes at most. */
	bytesPerWrite = Infinity;
	/** Runs before each call does anything; tests hold calls back with it, or look on. */
	before: (call: DiskCall) => Promise<void> | void = () => undefined;
	private names = new Map<string, Content>();
	private lasting = new Map<string, Content>();
	/** By their folder, the names that a power cut would change. */
	private readonly unsynced = new Map<string, Set<string>>();
	private readonly folders = new Set<string>(['.', '/']);
	private fault: (DiskFault & { callsSeen: number }) | undefined;
	/** Files opened before a power cut are gone. */
	private life = 0;

	/** Lets a call fail. */
	fail(fault: DiskFault): void {
		this.fault = { ...fault, callsSeen: 0 };
	}

	/** Takes the fault away. */
	mend(): void {
		this.fault = undefined;
	}

	/** The power fails and comes back: only what was synced is left. */
	cutPower(): void {
		this.life += 1;
		this.names = new Map(this.lasting);
		this.unsynced.clear();
		for (const content of this.names.values()) content.bytes = content.synced;
	}

	count(operation: DiskOperation, path?: string): number {
		return this.calls.filter(
			(call) => call.operation === operation && (path === undefined || call.path === path),
		).length;
	}

	/** Puts a file there that lasts, as if it had been there for long. */
	put(path: string, content: string | Uint8Array): void {
		const bytes = Buffer.from(content);
		this.addFolder(dirname(path));
		const file = new Content(bytes);
		this.names.set(path, file);
		this.lasting.set(path, file);
	}

	bytes(path: string): Buffer {
		const content = this.names.get(path);
		if (content === undefined) throw new Error(`There is no ${path}`);
		return content.bytes;
	}

	text(path: string): string {
		return this.bytes(path).toString('utf8');
	}

	/** All files, in alphabetical order. */
	files(): string[] {
		return [...this.names.keys()].sort();
	}

	async open(path: string, mode: 'append' | 'create'): Promise<DiskFile> {
		await this.begin('open', path);
		if (!this.folders.has(dirname(path))) throw refusal('ENOENT', 'open', path);
		const file = this.names.get(path);
		if (file !== undefined && mode === 'create') throw refusal('EEXIST', 'open', path);
		const content = file ?? new Content();
		if (file === undefined) this.name(path, content);
		return this.handle(path, content);
	}

	async read(path: string): Promise<Uint8Array | null> {
		await this.begin('read', path);
		return this.names.get(path)?.bytes ?? null;
	}

	chunks(path: string): AsyncGenerator<Uint8Array> {
		return chunksOf((from) => this.read(from), path);
	}

	async size(path: string): Promise<number> {
		await this.begin('size', path);
		return this.existing(path, 'stat').bytes.length;
	}

	async rename(from: string, to: string): Promise<void> {
		await this.begin('rename', to);
		this.name(to, this.existing(from, 'rename'));
		this.name(from, undefined);
	}

	async remove(path: string): Promise<void> {
		await this.begin('remove', path);
		this.name(path, undefined);
	}

	async makeFolder(path: string): Promise<void> {
		await this.begin('makeFolder', path);
		this.addFolder(path);
	}

	isLink(): Promise<boolean> {
		return Promise.resolve(false);
	}

	async list(path: string): Promise<string[]> {
		await this.begin('list', path);
		return [...this.names.keys()]
			.filter((name) => dirname(name) === path)
			.map((name) => basename(name));
	}

	async syncFolder(path: string): Promise<void> {
		await this.begin('syncFolder', path);
		if (!this.folders.has(path)) throw refusal('ENOENT', 'open', path);
		for (const name of this.unsynced.get(path) ?? []) {
			const content = this.names.get(name);
			if (content === undefined) this.lasting.delete(name);
			else this.lasting.set(name, content);
		}
		this.unsynced.delete(path);
	}

	private name(path: string, content: Content | undefined): void {
		if (content === undefined) this.names.delete(path);
		else this.names.set(path, content);
		const folder = dirname(path);
		const unsynced = this.unsynced.get(folder) ?? new Set();
		this.unsynced.set(folder, unsynced.add(path));
	}

	private handle(path: string, content: Content): DiskFile {
		const { life } = this;
		const begin = async (operation: DiskOperation) => {
			await this.begin(operation, path);
			if (life !== this.life) throw refusal('EBADF', operation, path);
		};
		const take = (bytes: Uint8Array) => {
			content.append(bytes);
			return bytes.length;
		};
		return {
			write: async (bytes) => {
				await begin('write').catch((error: unknown) => {
					if (life === this.life) take(bytes.subarray(0, this.fault?.bytesTaken ?? 0));
					throw error;
				});
				return take(bytes.subarray(0, this.bytesPerWrite));
			},
			sync: async () => {
				await begin('sync');
				content.synced = content.bytes;
			},
			truncate: async (length) => {
				await begin('truncate');
				// A part of the old room: what is appended later goes to another one.
				content.bytes = content.bytes.subarray(0, length);
			},
			close: () => begin('close'),
		};
	}

	private async begin(operation: DiskOperation, path: string): Promise<void> {
		const call = { operation, path };
		this.calls.push(call);
		await this.before(call);
		const { fault } = this;
		if (fault === undefined || !(fault.on?.(call) ?? true)) return;
		fault.callsSeen += 1;
		if (fault.callsSeen < fault.at || (fault.callsSeen > fault.at && !fault.forever)) return;
		throw refusal(fault.code ?? 'ENOSPC', operation, path);
	}

	private existing(path: string, syscall: string): Content {
		const content = this.names.get(path);
		if (content === undefined) throw refusal('ENOENT', syscall, path);
		return content;
	}

	private addFolder(path: string): void {
		for (let folder = path; !this.folders.has(folder); folder = dirname(folder))
			this.folders.add(folder);
	}
}

/** An error as Node gives it. */
function refusal(code: string, syscall: string, path: string): NodeJS.ErrnoException {
	return Object.assign(new Error(`${code}: ${syscall} '${path}'`), { code, syscall, path });
}

/** A file in pieces that end anywhere, also within a letter. */
export async function* chunksOf(
	read: (path: string) => Promise<Uint8Array | null>,
	path: string,
): AsyncGenerator<Uint8Array> {
	const LENGTH = 1009;
	const bytes = (await read(path)) ?? new Uint8Array();
	for (let start = 0; start < bytes.length; start += LENGTH)
		yield bytes.subarray(start, start + LENGTH);
}
