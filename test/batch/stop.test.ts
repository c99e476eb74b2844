import { stopOf } from '../../batch/stop-of';
import { ServiceError } from '../../service/api/errors';

const AT = Date.parse('2026-11-20T09:00:00Z');

test('a date in the words is of the time when it happened', () => {
	const error = new ServiceError({ kind: 'allowance_used_up', operation: 'list_briefs' });
	expect(stopOf(error, AT)).toMatchObject({ exitCode: 5, reason: 'service' });
	expect(stopOf(error, AT).cure).toContain('1 December 2026');
});

test('a fault of this program is named, and loses nothing', () => {
	expect(stopOf(new Error('a bug'))).toMatchObject({
		what: 'Unexpected error: a bug',
		reason: 'unexpected',
		exitCode: 5,
	});
});

test.each([
	['ENOSPC', '', 5, 'The disk is full, so out/x could not be written.'],
	['EDQUOT', '', 5, 'The disk is full, so out/x could not be written.'],
	['ENOENT', 'open', 5, 'out/x is gone.'],
	['EIO', '', 5, 'The run stopped: broken.'],
	['EFBIG', '', 2, 'A file may not become so large here, so out/x could not be written (EFBIG).'],
	['EROFS', '', 2, 'out/x could not be written: what it lies on can only be read (EROFS).'],
	['EISDIR', '', 2, 'out/x is a folder where a file is needed (EISDIR).'],
	['ELOOP', '', 2, 'out/x cannot be used as a path: its links lead in a circle (ELOOP).'],
	['ENXIO', 'open', 2, 'out/x is no file but a pipe, a socket or a device.'],
	['ENOENT', 'mkdir', 2, 'No folder can be made at out/x (ENOENT).'],
])('a disk that says %s (%s) ends the run with %i and a text', (code, syscall, exitCode, what) => {
	const stop = stopOf(Object.assign(new Error('broken'), { code, syscall, path: 'out/x' }));
	expect(stop).toMatchObject({ what, exitCode });
	expect(stop.cure).toContain('run the same command again');
});
