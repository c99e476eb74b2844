import { randomUUID } from 'node:crypto';
import type { Clock } from '../../service/ports';
import type { Disk } from '../disk';
import { claim, type Claimant } from './claim';
import { lockPath } from './content';
import { fencedDisk, type Fence } from './fence';
import { HeldLock } from './held-lock';
import { machineOf, thisSystem, type Machine } from './machine';
import { PACE } from './pace';

export interface Lock extends Fence {
	/** The disk, on which nothing is changed once the lock is lost. */
	readonly disk: Disk;
	release(): Promise<void>;
}

export interface LockOptions extends Partial<
	Pick<Claimant, 'machine' | 'pace' | 'say' | 'mayTakeSilent' | 'signal'>
> {
	/** Done before anything else in a folder that was another run's. Where it fails, the next run does it. */
	onTakeOver?: (disk: Disk) => Promise<void>;
}

const thisMachine: Machine = machineOf(thisSystem);

/**
 * Makes sure that one run at a time works on a folder. A lock whose holder is dead is taken over.
 * @throws {Failure} where another run holds it, saying who
 */
export async function lockFolder(
	disk: Disk,
	folder: string,
	clock: Clock,
	options: LockOptions = {},
): Promise<Lock> {
	const { machine = thisMachine, pace = PACE, onTakeOver } = options;
	const claimant: Claimant = {
		disk,
		folder,
		clock,
		machine,
		pace,
		own: {
			...machine.self,
			since: new Date(clock.now()).toISOString(),
			nonce: randomUUID(),
			beat: pace.beat,
		},
		say: options.say ?? (() => undefined),
		mayTakeSilent: options.mayTakeSilent ?? (() => Promise.resolve(false)),
		signal: options.signal,
	};
	const path = lockPath(folder);
	const claimed = await claim(claimant, path);
	const held = new HeldLock(claimant, path, claimed);
	const own = fencedDisk(disk, held);
	try {
		if (claimed.isTakenOver) await onTakeOver?.(own);
	} catch (error) {
		await held.stop();
		throw error;
	}
	return { disk: own, check: () => held.check(), release: () => held.release() };
}
