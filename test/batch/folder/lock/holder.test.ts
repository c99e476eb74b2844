import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
	machineOf,
	nameOf,
	thisSystem,
	whoIsAtWork,
	type Machine,
} from '../../../../batch/folder/lock/holder';
import type { Holder } from '../../../../batch/folder/lock/lock-file';
import { lockText, machine as judging } from '../../../support/batch/lock-fixtures';
import { MemoryDisk } from '../../../support/batch/memory-disk';
import { until } from '../../../support/until';

type System = typeof thisSystem;
type Fate = ReturnType<Machine['fateOf']>;

const BOOT = '/proc/sys/kernel/random/boot_id';

const stat = (pid: number, started: number, state = 'S', command = 'node') =>
	`${pid} (${command}) ${state} 1 ${'0 '.repeat(17)}${started} 0 0\n`;

/** A computer whose /proc holds this, beside process 7, which is this one. */
function system(files: Record<string, string> = {}, facts: Partial<System> = {}): System {
	const all: Record<string, string> = {
		[BOOT]: 'boot-1\n',
		'/proc/self/stat': stat(7, 700, 'R'),
		...files,
	};
	const links: Record<string, string> = {
		'/proc/self/ns/pid': 'pid:[1]',
		'/proc/self/ns/time': 'time:[2]',
	};
	return {
		pid: 7,
		host: 'here',
		exists: (pid) => `/proc/${pid}/stat` in all,
		read: (path) => all[path] ?? null,
		readLink: (path) => links[path] ?? null,
		...facts,
	};
}

const holder = (facts: Partial<Holder> = {}): Holder => ({
	pid: 12,
	host: 'here',
	since: '2026-11-20T09:00:00.000Z',
	nonce: 'n',
	beat: 5000,
	boot: 'boot-1',
	namespaces: 'pid:[1] time:[2]',
	started: '500',
	...facts,
});

describe('what a computer says of the run that holds a lock', () => {
	const at12 = (...facts: [started: number, state?: string, command?: string]) => ({
		'/proc/12/stat': stat(12, ...facts),
	});
	test.each<[string, Record<string, string>, Partial<Holder>, Fate]>([
		['its process is there', at12(500), {}, 'alive'],
		['a command whose name looks like numbers', at12(500, 'S', 'a) Z 1 (b'), {}, 'alive'],
		['its process is gone', {}, {}, 'dead'],
		['its number belongs to another process by now', at12(501), {}, 'dead'],
		['its process has ended, and nobody asked for it', at12(500, 'Z'), {}, 'dead'],
		['its process is stopped', at12(500, 'T'), {}, 'unknown'],
		['it is in another container', {}, { namespaces: 'pid:[9] time:[2]' }, 'unknown'],
		['it counts time otherwise', {}, { namespaces: 'pid:[1] time:[9]' }, 'unknown'],
		['it is on another computer, or from before a restart', {}, { boot: 'boot-2' }, 'unknown'],
		['it did not say where', {}, { boot: undefined, namespaces: undefined }, 'unknown'],
	])('%s: %s', (_, files, facts, fate) => {
		expect(machineOf(system(files)).fateOf(holder(facts))).toBe(fate);
	});

	test('is nothing about a process of another user that its /proc hides', () => {
		const hiding = system({}, { exists: () => true });
		expect(machineOf(hiding).fateOf(holder())).toBe('unknown');
	});

	test('is nothing if there is no /proc, or if it is that of another namespace', () => {
		const none = system({}, { read: () => null, readLink: () => null });
		const others = system({ '/proc/self/stat': stat(4711, 700) });
		const hidden = system({}, { read: (path) => (path === BOOT ? 'boot-1' : null) });
		for (const each of [none, others, hidden]) {
			const { self, fateOf } = machineOf(each);
			expect(self).toEqual({ pid: 7, host: 'here' });
			expect(fateOf(holder())).toBe('unknown');
			expect(fateOf(holder({ boot: undefined, namespaces: undefined }))).toBe('unknown');
		}
	});
});

test.each([
	['nobody', undefined, 'dead', { is: 'nobody' }],
	['a dead run', lockText(), 'dead', { is: 'dead', by: { pid: 99 } }],
	['a run', lockText(), 'alive', { is: 'alive', by: { pid: 99 } }],
	['perhaps a run of another computer', lockText(), 'unknown', { is: 'perhaps', by: { pid: 99 } }],
	['perhaps a run that has not written who it is', '', 'alive', { is: 'perhaps', by: null }],
	['perhaps a run of another version', '{}', 'alive', { is: 'perhaps', by: null }],
] as const)('%s is at work on a folder', async (_, text, fate, expected) => {
	const disk = new MemoryDisk();
	if (text !== undefined) disk.put('out/.lock', text);
	const machine = judging(7, () => fate);
	expect(await whoIsAtWork(disk, 'out', machine)).toMatchObject(expected);
});

test('this very system knows itself, a child at work, stopped and dead', async () => {
	const machine = machineOf(thisSystem);
	const lock = (facts: Partial<Holder>): Holder => holder({ ...machine.self, ...facts });
	expect(machine.self.pid).toBe(process.pid);
	expect(machine.fateOf(lock({}))).toBe('alive');
	expect(machine.fateOf(lock({ started: '1' }))).toBe('dead');
	const child = spawn('sleep', ['60']);
	const pid = child.pid!;
	const text = thisSystem.read(`/proc/${pid}/stat`)!;
	const started = text.slice(text.lastIndexOf(')') + 2).split(' ')[19]!;
	expect(machine.fateOf(lock({ pid, started }))).toBe('alive');
	child.kill('SIGSTOP');
	await until(() => machine.fateOf(lock({ pid, started })) !== 'alive');
	expect(machine.fateOf(lock({ pid, started }))).toBe('unknown');
	child.kill('SIGKILL');
	await once(child, 'exit');
	expect(machine.fateOf(lock({ pid, started }))).toBe('dead');
});

test('a lock that cannot be read names nobody', () => {
	expect(nameOf(null)).toBe('an unknown run');
});
