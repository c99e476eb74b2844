/** The exit codes. If several apply, the first one here wins. */
export const EXIT = {
	interrupted: 130,
	refused: 4,
	stoppedEarly: 5,
	leftForLater: 3,
	someFailed: 1,
	ok: 0,
	/** The command, the CSV, the folder or the key could not be used, and running again does not help. */
	unusable: 2,
	/** Another run holds the folder. */
	inUse: 6,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/**
 * An error that ends the command with a text for a person: what happened and what to do next, without a stack trace.
 */
export class Failure extends Error {
	constructor(
		readonly what: string,
		readonly cure: string,
		readonly exitCode: ExitCode = EXIT.unusable,
	) {
		super(`${what} ${cure}`);
		this.name = 'Failure';
	}

	/** Gives the reason as the journal keeps it. */
	get onRecord(): { what: string; cure: string; exit_code: ExitCode } {
		return { what: this.what, cure: this.cure, exit_code: this.exitCode };
	}
}

/** Gives the end by a signal before anything was ordered. */
export function interruptedEarly(): Failure {
	return new Failure(
		'Interrupted before anything was ordered.',
		'Run the same command again to go on.',
		EXIT.interrupted,
	);
}

const AGAIN = 'Then run the same command again: everything that was paid for is on record.';

interface SystemError extends NodeJS.ErrnoException {
	dest?: string;
}

function isOfSystem(error: unknown): error is SystemError {
	return typeof (error as Partial<SystemError> | null)?.syscall === 'string';
}

function unforeseen(error: unknown): Failure {
	return new Failure(
		`Unexpected error: ${error instanceof Error ? error.message : String(error)}`,
		'Nothing is lost: what was ordered is in the journal. Run the same command again.',
		EXIT.stoppedEarly,
	);
}

/**
 * Explains an error that nothing else explains: of the disk, or unexpected. A full disk may get room and a network
 * folder may come back, so running again may help. All else of a disk needs a person first.
 */
export function failureOf(error: unknown): Failure {
	if (error instanceof Failure) return error;
	if (!isOfSystem(error)) return unforeseen(error);
	const { code = '', message, path = '', syscall, dest } = error;
	const place = path === '' ? 'the folder of --out' : path;
	const passing = (what: string, cure: string) =>
		new Failure(what, `${cure} ${AGAIN}`, EXIT.stoppedEarly);
	const lasting = (what: string, cure: string) => new Failure(what, `${cure} ${AGAIN}`);
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
