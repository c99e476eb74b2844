import { failureOf } from '../../../batch/failure';

test.each([
	['ENOSPC', '', 5, 'The disk is full, so out/x could not be written.'],
	['EDQUOT', '', 5, 'The disk is full, so out/x could not be written.'],
	['ENOENT', 'open', 5, 'out/x is gone.'],
	['EIO', '', 5, 'The run stopped: broken.'],
	['EFBIG', '', 2, 'A file may not become so large here, so out/x could not be written (EFBIG).'],
	['EROFS', '', 2, 'There is no permission to write out/x (EROFS).'],
	['EISDIR', '', 2, 'out/x is a folder where a file is needed (EISDIR).'],
	['ELOOP', '', 2, 'out/x cannot be used as a path: its links lead in a circle (ELOOP).'],
	['ENOENT', 'mkdir', 2, 'No folder can be made at out/x (ENOENT).'],
])('a disk that says %s (%s) ends the run with %i and a text', (code, syscall, exitCode, what) => {
	const failure = failureOf(Object.assign(new Error('broken'), { code, syscall, path: 'out/x' }));
	expect(failure).toMatchObject({ what, exitCode });
	expect(failure.cure).toContain('run the same command again');
	expect(failureOf(failure)).toBe(failure);
});
