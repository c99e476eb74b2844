import { EXIT, Failure } from '../failure';

/** The text for a person where something that must be on record could not be written. */
export function diskFailure(error: unknown): Failure {
	if (error instanceof Failure) return error;
	const { code = '', message, path = '' } = error as NodeJS.ErrnoException;
	const where = path === '' ? 'the folder of --out' : path;
	const again = 'Then run the same command again: nothing was paid that is not on record.';
	switch (code) {
		case 'ENOSPC':
		case 'EDQUOT':
			return new Failure(
				`The disk is full, so ${where} could not be written.`,
				`Make room. ${again}`,
				EXIT.stoppedEarly,
			);
		case 'EFBIG':
			return new Failure(
				`A file may not become so large here, so ${where} could not be written (EFBIG).`,
				`Raise the limit (ulimit -f), or choose a --out on another disk. ${again}`,
				EXIT.stoppedEarly,
			);
		case 'ENOTDIR':
		case 'EEXIST':
		case 'EISDIR':
			return new Failure(
				`${where} is a ${code === 'EISDIR' ? 'folder' : 'file'} where a ${code === 'EISDIR' ? 'file' : 'folder'} is needed (${code}).`,
				`Move it away, or choose another --out. ${again}`,
				EXIT.stoppedEarly,
			);
		case 'EROFS':
		case 'EACCES':
		case 'EPERM':
			return new Failure(
				`${where} may not be written (${code}).`,
				`Allow it, or choose another --out. ${again}`,
				EXIT.stoppedEarly,
			);
		case 'ENOENT':
			return new Failure(`${where} is gone.`, `Bring it back. ${again}`, EXIT.stoppedEarly);
		default:
			return new Failure(
				`The run stopped: ${message}.`,
				`See to it that the folder of --out can be written. ${again}`,
				EXIT.stoppedEarly,
			);
	}
}

/** A failure once briefs may have been ordered: whatever it is, the same command goes on from there. */
export function begunFailure(error: unknown): Failure {
	const { what, cure, exitCode } = diskFailure(error);
	return new Failure(what, cure, exitCode === EXIT.unusable ? EXIT.stoppedEarly : exitCode);
}
