import { EXIT, Failure, type ExitCode } from '../failure';

const AGAIN = 'Then run the same command again: everything that was paid for is on record.';

interface DiskError extends NodeJS.ErrnoException {
	dest?: string;
}

/**
 * What to say if something that must be on record could not be written. A full disk may get room and a network folder
 * may come back, so running again may help. All else needs a person first.
 */
export function diskFailure(error: unknown): Failure {
	if (error instanceof Failure) return error;
	const { code = '', message, path = '', syscall, dest } = error as DiskError;
	const place = path === '' ? 'the folder of --out' : path;
	const passing = (what: string, cure: string) => failure(what, cure, EXIT.stoppedEarly);
	const lasting = (what: string, cure: string) => failure(what, cure, EXIT.unusable);
	switch (code) {
		case 'ENOSPC':
		case 'EDQUOT':
			return passing(`The disk is full, so ${place} could not be written.`, 'Make room.');
		case 'EFBIG':
			return lasting(
				`A file may not become so large here, so ${place} could not be written (EFBIG).`,
				'Raise the limit (ulimit -f), or choose a --out on another disk.',
			);
		case 'EISDIR':
			return lasting(
				`${dest ?? place} is a folder where a file is needed (EISDIR).`,
				'Move it away, or choose another --out.',
			);
		case 'ENOTDIR':
		case 'EEXIST':
			return lasting(
				`${place} is a file where a folder is needed, or a link that leads nowhere (${code}).`,
				'Move it away, or choose another --out.',
			);
		case 'ELOOP':
		case 'ENAMETOOLONG':
			return lasting(
				`${place} cannot be used as a path: ${code === 'ELOOP' ? 'its links lead in a circle' : 'it is too long'} (${code}).`,
				'Choose another --out.',
			);
		case 'EROFS':
		case 'EACCES':
		case 'EPERM':
			return lasting(
				`There is no permission to ${syscall === 'scandir' ? 'read' : 'write'} ${place} (${code}).`,
				'Give the user who runs brief-batch that permission, or choose another --out.',
			);
		case 'ENOENT':
			return syscall === 'mkdir'
				? lasting(`No folder can be made at ${place} (ENOENT).`, 'Choose another --out.')
				: passing(`${place} is gone.`, 'Bring it back.');
		default:
			return passing(
				`The run stopped: ${message}.`,
				'Make sure that the folder of --out can be written.',
			);
	}
}

function failure(what: string, cure: string, exitCode: ExitCode): Failure {
	return new Failure(what, `${cure} ${AGAIN}`, exitCode);
}
