import { Stop } from '../../batch/stop';
import { stopOf } from '../../batch/stop-of';
import { ServiceError } from '../../service/api/errors';

const AT = Date.parse('2026-11-20T09:00:00Z');

test.each<[ConstructorParameters<typeof Stop>[2], number]>([
	['unusable', 2],
	['interrupted', 130],
	['service', 5],
	['other_workspace', 2],
	['surprise', 2],
	['no_slot', 5],
	['in_use', 6],
	['lock_gone', 5],
	['lock_taken', 6],
	['journal_damaged', 2],
	['unexpected', 5],
])('a stop because of %s ends with %i', (reason, exitCode) => {
	expect(new Stop('It stopped.', 'Look.', reason)).toMatchObject({ exitCode });
});

test('a date in the words is of the time when it happened', () => {
	const error = new ServiceError({ kind: 'allowance_used_up', operation: 'list_briefs' });
	expect(stopOf(error, AT)).toMatchObject({ exitCode: 5, reason: 'service' });
	expect(stopOf(error, AT).cure).toContain('1 December 2026');
});

test('a refused key ends with 4', () => {
	const error = new ServiceError({ kind: 'key_refused', operation: 'list_licences', status: 401 });
	expect(stopOf(error, AT).onRecord).toMatchObject({
		reason: 'service',
		what: expect.stringContaining('The API key was refused') as string,
		exit_code: 4,
	});
});

test('a fault of this program is named, and loses nothing', () => {
	expect(stopOf(new Error('a bug'))).toMatchObject({
		what: 'Unexpected error: a bug',
		reason: 'unexpected',
		exitCode: 5,
	});
});

test('what has its words keeps them', () => {
	const stop = new Stop('--out is empty.', 'Name a folder.');
	expect(stopOf(stop)).toBe(stop);
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
