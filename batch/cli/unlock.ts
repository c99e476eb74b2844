import { steadyClock } from '../clock';
import { realDisk } from '../disk';
import { EXIT, type ExitCode } from '../failure';
import { renewJournalFile } from '../journal/journal';
import { lockPath, readLock } from '../lock/content';
import { nameOf } from '../lock/failures';
import { lockFolder } from '../lock/lock';
import { diskFailure } from '../run/disk-failure';
import type { Console } from './console';
import { terminalText } from './format';
import { journalPath } from './journal-file';

/** Says whose the lock of a folder is, and removes it where that run is dead. */
export async function unlock(
	outDir: string,
	console: Console,
	interruption: AbortSignal,
	{ yes = false }: { yes?: boolean } = {},
): Promise<ExitCode> {
	const say = (text: string) => console.say(terminalText(text));
	try {
		const found = await readLock(realDisk, lockPath(outDir));
		const holder = found.is === 'held' ? found.by : null;
		if (found.is === 'absent') {
			console.json({ event: 'unlock', holder, removed: false });
			say(`There is no lock in ${outDir}.`);
			return EXIT.ok;
		}
		say(
			`The lock in ${outDir} is of ${holder === null ? 'a run that did not come to write who it is' : nameOf(holder)}.`,
		);
		const lock = await lockFolder(realDisk, outDir, steadyClock(), {
			say,
			mayTakeSilent: async () => {
				say('An earlier version made it, so whether that run is alive cannot be seen.');
				return yes || (await console.confirm('Has it surely ended?', interruption));
			},
			signal: interruption,
			onTakeOver: (own) => renewJournalFile(own, journalPath(outDir)),
		});
		await lock.release();
		console.json({ event: 'unlock', holder, removed: true });
		say('That run is dead. Its lock is removed, and its journal is kept: the next run goes on.');
		return EXIT.ok;
	} catch (error) {
		throw diskFailure(error);
	}
}
