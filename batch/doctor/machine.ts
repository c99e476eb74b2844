import { CLOCK_DIFFERENCE_MS } from '../../service/assumptions';
import { dayInWords } from '../../service/month';
import { EXIT } from '../failure';
import { nameOf } from '../lock/failures';
import type { LockContent } from '../lock/content';
import type { Fate } from '../lock/machine';
import { ok, problem, unknown, warning, type Check } from './check';

/** As in package.json. */
export const OLDEST_NODE = '20.12.0';

/** @param version as process.version gives it: "v20.12.0" */
export function checkNode(version: string): Check {
	const [major = 0, minor = 0] = numbers(version);
	const [oldestMajor = 0, oldestMinor = 0] = numbers(OLDEST_NODE);
	if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor))
		return ok('node', `${version} (${OLDEST_NODE} or newer is needed)`);
	return problem('node', {
		what: `This is Node.js ${version}, which is too old.`,
		cure: `Install ${OLDEST_NODE} or newer.`,
		exitCode: EXIT.unusable,
	});
}

function numbers(version: string): number[] {
	return version.replace(/^v/, '').split('.').map(Number);
}

/** @param offset how far the service's clock is ahead, in milliseconds; null where no answer had a date */
export function checkClocks(offset: number | null, now: number): Check {
	if (offset === null)
		return unknown(
			'clocks',
			'no answer of the service has shown its time, so this machine’s counts',
		);
	const seconds = Math.round(Math.abs(offset) / 1000);
	const distance = duration(seconds);
	if (Math.abs(offset) <= CLOCK_DIFFERENCE_MS)
		return ok('clocks', `the service’s and this machine’s differ by ${distance}`);
	return warning(
		'clocks',
		`This machine’s clock is ${distance} ${offset > 0 ? 'behind' : 'ahead of'} the service’s (${dayInWords(now)} here).`,
		'Let a time server set this machine’s clock. Until then brief-batch goes by the service’s clock, so no brief counts in a wrong month.',
	);
}

function duration(seconds: number): string {
	if (seconds < 120) return `${seconds} s`;
	const minutes = Math.round(seconds / 60);
	return minutes < 120 ? `${minutes} minutes` : `${Math.round(minutes / 60)} hours`;
}

/** Whose a folder's lock is. A run would say the same when it begins, and end or take it over. */
export function checkLock(found: LockContent, fate: Fate, outDir: string): Check {
	if (found.is === 'absent') return ok('lock', 'no run holds the folder');
	const holder = found.is === 'held' ? nameOf(found.by) : 'a run that did not write who it is';
	if (found.is === 'held' && fate === 'alive') {
		return warning(
			'lock',
			`${holder}, holds the folder and is at work.`,
			'Wait until it is done: a second run would end with 6.',
		);
	}
	if (found.is === 'held' && fate === 'dead') {
		return ok('lock', `left by ${holder}, which has ended: the next run takes it over`);
	}
	return warning(
		'lock',
		`The folder has a lock of ${holder}. Whether that run is alive cannot be told at once.`,
		`See with: brief-batch unlock --out ${outDir}`,
	);
}
