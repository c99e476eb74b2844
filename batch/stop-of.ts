import { explain, wayOf } from '../service/api/explain';
import { concernsAll, ServiceError } from '../service/api/errors';
import { EXIT } from './exit-codes';
import { Stop } from './stop';

/**
 * Puts what was thrown into words.
 * @param now in milliseconds, by the service's clock if there is one
 */
export function stopOf(error: unknown, now = Date.now()): Stop {
	if (error instanceof Stop) return error;
	if (error instanceof ServiceError) {
		const { what, cure } = explain(error, now);
		// The next run looks for the brief by itself, with the key on record.
		const again = `Run the same command again: it finds out, and pays for nothing twice. ${wayOf(error)}`;
		const next = error.kind === 'in_doubt' ? again.trimEnd() : cure;
		const exitCode = concernsAll(error.kind) ? EXIT.refused : EXIT.stoppedEarly;
		return new Stop(what, next, 'service', exitCode);
	}
	if (isOfSystem(error)) return diskStop(error);
	return new Stop(
		`Unexpected error: ${error instanceof Error ? error.message : String(error)}`,
		'Nothing is lost: what was ordered is in the journal. Run the same command again.',
		'unexpected',
	);
}

interface SystemError extends NodeJS.ErrnoException {
	dest?: string;
}

function isOfSystem(error: unknown): error is SystemError {
	return typeof (error as Partial<SystemError> | null)?.syscall === 'string';
}

/** Codes that need a person: a full disk may get room, and a network folder may come back. */
const LASTING: ReadonlySet<string> = new Set([
	...['EFBIG', 'EISDIR', 'ENOTDIR', 'EEXIST', 'ELOOP', 'ENAMETOOLONG'],
	...['EROFS', 'EACCES', 'EPERM', 'ENXIO'],
]);

function diskStop(error: SystemError): Stop {
	const { code = '', syscall } = error;
	const { what, cure } = diskWords(error);
	const isLasting = LASTING.has(code) || (code === 'ENOENT' && syscall === 'mkdir');
	return new Stop(
		what,
		`${cure} Then run the same command again: everything that was paid for is on record.`,
		'disk',
		isLasting ? EXIT.unusable : EXIT.stoppedEarly,
	);
}

function diskWords({ code = '', syscall, message, path = '', dest }: SystemError) {
	const place = path === '' ? 'the folder of --out' : path;
	const OTHER_OUT = 'choose another --out.';
	switch (code) {
		case 'ENOSPC':
		case 'EDQUOT':
			return { what: `The disk is full, so ${place} could not be written.`, cure: 'Make room.' };
		case 'EFBIG':
			return {
				what: `A file may not become so large here, so ${place} could not be written (EFBIG).`,
				cure: 'Raise the limit (ulimit -f), or choose a --out on another disk.',
			};
		case 'EISDIR':
			return {
				what: `${dest ?? place} is a folder where a file is needed (EISDIR).`,
				cure: `Move it away, or ${OTHER_OUT}`,
			};
		case 'ENOTDIR':
		case 'EEXIST':
			return {
				what: `${place} is a file where a folder is needed, or a link that leads nowhere (${code}).`,
				cure: `Move it away, or ${OTHER_OUT}`,
			};
		case 'ENXIO':
			return {
				what: `${place} is no file but a pipe, a socket or a device.`,
				cure: 'Remove it, or name another folder with --out.',
			};
		case 'ELOOP':
		case 'ENAMETOOLONG':
			return {
				what: `${place} cannot be used as a path: ${code === 'ELOOP' ? 'its links lead in a circle' : 'it is too long'} (${code}).`,
				cure: 'Choose another --out.',
			};
		case 'EROFS':
			return {
				what: `${place} could not be written: what it lies on can only be read (EROFS).`,
				cure: 'Choose another --out.',
			};
		case 'EACCES':
		case 'EPERM':
			return {
				what: `There is no permission to ${syscall === 'scandir' ? 'read' : 'write'} ${place} (${code}).`,
				cure: `Give the user who runs brief-batch that permission, or ${OTHER_OUT}`,
			};
		case 'ENOENT':
			return syscall === 'mkdir'
				? { what: `No folder can be made at ${place} (ENOENT).`, cure: 'Choose another --out.' }
				: { what: `${place} is gone.`, cure: 'Bring it back.' };
		default:
			return {
				what: `The run stopped: ${message}.`,
				cure: 'Make sure that the folder of --out can be written.',
			};
	}
}
