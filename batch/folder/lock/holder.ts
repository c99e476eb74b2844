import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { minuteOf } from '../../text';
import type { Disk } from '../disk';
import { lockPath, readLock, type Holder, type Identity } from './lock-file';

/** Gives "process 12 on host-1, since 2026-11-20 09:00 UTC"; a lock that cannot be read names nobody. */
export function nameOf(holder: Holder | null): string {
	return holder === null
		? 'an unknown run'
		: `process ${holder.pid} on ${holder.host}, since ${minuteOf(holder.since)}`;
}

/** A computer as a lock needs to know it. */
export interface Machine {
	/** This process, as a lock names it. */
	self: Identity;
	/** As far as this computer knows it. If it does not, only the heart of the lock shows whether the process lives. */
	fateOf: (holder: Holder) => 'dead' | 'alive' | 'unknown';
}

/** The answers of the operating system; null if it has none. */
interface System {
	pid: number;
	host: string;
	/** Says whether there is a process with this number. */
	exists(pid: number): boolean;
	read: (path: string) => string | null;
	readLink: (path: string) => string | null;
}

export const thisSystem: System = {
	pid: process.pid,
	host: hostname(),
	exists(pid) {
		try {
			process.kill(pid, 0);
			return true;
		} catch (error) {
			// A process of another user gives EPERM and is alive.
			return (error as NodeJS.ErrnoException).code !== 'ESRCH';
		}
	},
	read: (path) => nullOnError(() => readFileSync(path, 'utf8')),
	readLink: (path) => nullOnError(() => readlinkSync(path)),
};

export function machineOf(system: System): Machine {
	const self = identify(system);
	return { self, fateOf: (holder) => fateOf(holder, self, system) };
}

export const thisMachine: Machine = machineOf(thisSystem);

function identify({ pid, host, read, readLink }: System): Identity {
	const boot = read('/proc/sys/kernel/random/boot_id')?.trim();
	const pids = readLink('/proc/self/ns/pid');
	const stat = readStat(read('/proc/self/stat'));
	// A container may see the /proc of another namespace, whose processes have other numbers.
	if (boot === undefined || pids === null || stat?.pid !== pid) return { pid, host };
	// Start times count from the start of the time namespace.
	const namespaces = `${pids} ${readLink('/proc/self/ns/time') ?? ''}`.trim();
	return { pid, host, boot, namespaces, started: stat.started };
}

function fateOf(holder: Holder, self: Identity, system: System) {
	const { boot, namespaces } = self;
	const isHere = boot !== undefined && holder.boot === boot && holder.namespaces === namespaces;
	if (!isHere) return 'unknown';
	const stat = readStat(system.read(`/proc/${holder.pid}/stat`));
	// A /proc may hide the processes of other users.
	if (stat === null) return system.exists(holder.pid) ? 'unknown' : 'dead';
	if (stat.started !== holder.started || ENDED.has(stat.state)) return 'dead';
	return STOPPED.has(stat.state) ? 'unknown' : 'alive';
}

/** The process has ended, and its parent has not asked for it yet. */
const ENDED: ReadonlySet<string> = new Set(['Z', 'X']);
const STOPPED: ReadonlySet<string> = new Set(['T', 't']);

/** Reads the fields 1, 3 and 22 of /proc/PID/stat. Field 2, the command in brackets, may contain anything. */
function readStat(text: string | null): { pid: number; state: string; started: string } | null {
	if (text === null) return null;
	const [state, ...rest] = text.slice(text.lastIndexOf(')') + 2).split(' ');
	const started = rest[18];
	if (state === undefined || started === undefined) return null;
	return { pid: Number.parseInt(text, 10), state, started };
}

function nullOnError(read: () => string): string | null {
	try {
		return read();
	} catch {
		return null;
	}
}

/**
 * The run that works on a folder, if there is one. `perhaps` if it is on another machine: only its heart would show it, which takes
 * time.
 */
export type AtWork =
	{ is: 'nobody' } | { is: 'dead' | 'alive'; by: Holder } | { is: 'perhaps'; by: Holder | null };

/** Looks at a folder's lock once, and changes nothing. */
export async function whoIsAtWork(
	disk: Disk,
	folder: string,
	machine = thisMachine,
): Promise<AtWork> {
	const lock = await readLock(disk, lockPath(folder));
	if (lock.is === 'absent') return { is: 'nobody' };
	if (lock.is !== 'held') return { is: 'perhaps', by: null };
	const fate = machine.fateOf(lock.by);
	return { is: fate === 'unknown' ? 'perhaps' : fate, by: lock.by };
}
