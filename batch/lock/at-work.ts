import type { Disk } from '../disk';
import { lockPath, readLock, type Holder } from './content';
import { machineOf, thisSystem, type Machine } from './machine';

/** Whether a run works on a folder. `perhaps` where it is on another machine: only its heart would tell, which takes time. */
export type AtWork =
	{ is: 'nobody' } | { is: 'dead' | 'alive'; by: Holder } | { is: 'perhaps'; by: Holder | null };

/** Looks at the lock of a folder once, and changes nothing. */
export async function whoIsAtWork(
	disk: Disk,
	folder: string,
	machine: Machine = machineOf(thisSystem),
): Promise<AtWork> {
	const found = await readLock(disk, lockPath(folder));
	if (found.is === 'absent') return { is: 'nobody' };
	if (found.is === 'unreadable') return { is: 'perhaps', by: null };
	const fate = machine.fateOf(found.by);
	return { is: fate === 'unknown' ? 'perhaps' : fate, by: found.by };
}
