import { EXIT, Failure } from '../failure';
import type { Holder, LockContent } from './content';

/** "process 12 on host-1, since 2026-11-20T09:00:00.000Z" */
export function nameOf({ pid, host, since }: Holder): string {
	return `process ${pid} on ${host}, since ${since}`;
}

/** How it is known that a run is alive. */
const SIGNS = {
	process: 'That run is alive: its process is at work. ',
	heart: 'That run is alive: its heart beats. ',
	/** An earlier version made the lock, without a heart. */
	none: '',
	/** It was there a moment ago. */
	haste: '',
};

export function inUse(folder: string, found: LockContent, sign: keyof typeof SIGNS): Failure {
	const who = found.is === 'held' ? nameOf(found.by) : 'another run';
	const more =
		sign === 'none'
			? `An earlier version made its lock, so whether it is alive cannot be seen. If it has surely ended: brief-batch unlock --yes --out ${folder}`
			: 'Once it has ended or was killed, the same command takes the folder over by itself.';
	return new Failure(
		`The folder ${folder} is in use by ${who}.`,
		`${SIGNS[sign]}Wait until it is done, or use another --out. ${more}`,
		EXIT.inUse,
	);
}

/**
 * A run at work has lost its lock.
 * @param found what is in its place; null where another run is just taking it over
 */
export function lost(folder: string, found: LockContent | null): Failure {
	if (found?.is === 'absent') {
		return new Failure(
			`The lock of the folder ${folder} is gone: another run has taken it over and ended since, or somebody removed the lock or the folder.`,
			'Nothing more was written or ordered here. If the folder was moved, bring it back. Then run the same command again.',
			EXIT.stoppedEarly,
		);
	}
	const who = found?.is === 'held' ? ` (${nameOf(found.by)})` : '';
	return new Failure(
		`This run stood still for so long that another run${who} has taken over the folder ${folder}.`,
		'Nothing more was written or ordered here. What this run had ordered is on record, and the other run goes on with it.',
		EXIT.inUse,
	);
}
