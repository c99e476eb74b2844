import { steadyClock } from '../clock';
import { realDisk } from '../folder/disk';
import { EXIT, type ExitCode } from '../exit-codes';
import { nameOf } from '../folder/lock/holder';
import { lockPath, readLock } from '../folder/lock/lock-file';
import type { Console } from '../screen/console';
import { terminalText } from '../screen/format';
import { unlockedText } from '../screen/status/status-text';
import { lockOf } from '../folder/out-folder';

/** Says whose the lock of a folder is, and removes it if that run is dead. */
export async function unlock(outDir: string, console: Console): Promise<ExitCode> {
	const { interruption: signal } = console;
	const say = (text: string) => console.say(terminalText(text));
	const { is, by: holder } = await readLock(realDisk, lockPath(outDir));
	if (is === 'absent') {
		console.json({ event: 'unlock', holder, removed: false });
		say(`There is no lock in ${outDir}.`);
		return EXIT.ok;
	}
	say(`The lock in ${outDir} is of ${nameOf(holder)}.`);
	const lock = await lockOf({ outDir, clock: steadyClock(), say, signal });
	await lock.release();
	console.json({ event: 'unlock', holder, removed: true });
	console.say(unlockedText(outDir));
	return EXIT.ok;
}
