import { ServiceError } from '../../../core/api/errors';
import { SlotsBusyError } from '../../../core/workspace/slot-gate';
import { CliError } from '../../../batch/cli-error';
import { toCliError } from '../../../batch/to-cli-error';

const NOW = Date.UTC(2026, 10, 28);

function describeError(error: unknown): string {
	const { exitCode, message } = toCliError(error, NOW, (id) => id.slice(0, 8));
	return `${exitCode} ${message}`;
}

test('a message for the user stays as it is', () => {
	const error = new CliError('a.csv is empty.', 'Check that it is the right file.');
	expect(toCliError(error, NOW)).toBe(error);
	expect([error.exitCode, error.nextSteps]).toEqual([
		2,
		[{ text: 'Check that it is the right file.' }],
	]);
});

test('running briefs are named by their short IDs, with exit code 5', () => {
	expect(describeError(new SlotsBusyError(['70a42f64-1111']))).toBe(
		'5 No slot became free: brief 70a42f64 was still running.',
	);
	expect(describeError(new SlotsBusyError([]))).toBe(
		'5 No slot became free: other briefs were still running.',
	);
});

test.each([
	['key_refused', 4],
	['scope_missing', 4],
	['licence_missing', 4],
	['service_unavailable', 5],
	['rate_limited', 5],
] as const)('the error %s of the service ends with %d', (kind, exitCode) => {
	const error = new ServiceError({ kind, operation: 'list_briefs' });
	expect(toCliError(error, NOW).exitCode).toBe(exitCode);
});

test('an error of the disk names the file, with exit code 5', () => {
	const error = Object.assign(new Error(), {
		syscall: 'open',
		code: 'ENOSPC',
		path: 'briefs/a.md',
	});
	expect(describeError(error)).toBe('5 Cannot read or write briefs/a.md (ENOSPC).');
});

test.each([new TypeError('x is not a function'), 'text'])(
	'any other error is a bug, with exit code 5: %s',
	(error) => {
		expect(describeError(error)).toMatch(/^5 Unexpected error: (?:x is|text)/);
	},
);
