import { folderCommand } from '../../command-text';
import { nameOf, type AtWork } from '../../folder/lock/holder';
import { ok, notKnown, warning, type Check } from './check';

/**
 * Says whose the folder's lock is. A run would say the same when it begins, and end or take it over.
 * @param atWork null if the lock cannot be read
 */
export function checkLock(atWork: AtWork | null, outDir: string): Check {
	if (atWork === null) return notKnown('lock', 'it cannot be read');
	if (atWork.is === 'nobody') return ok('lock', 'no run holds the folder');
	const holder = nameOf(atWork.by);
	if (atWork.is === 'dead')
		return ok('lock', `left by ${holder}, which has ended: the next run takes it over`);
	if (atWork.is === 'alive') {
		const what = `${holder}, holds the folder and is at work.`;
		return warning('lock', what, 'Wait until it is done: a second run would end with 6.');
	}
	return warning(
		'lock',
		`The folder has a lock of ${holder}. Nothing here shows whether that run is alive.`,
		{ text: 'See with:', command: folderCommand('unlock', outDir) },
	);
}
