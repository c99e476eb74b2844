import { ServiceError } from '../../../core/api/errors';
import { toCliError } from '../../../batch/commands/to-cli-error';

const NOW = Date.UTC(2026, 10, 28);

test.each([
	[new TypeError('x is not a function'), 'Unexpected error: x is not a function'],
	['text', 'Unexpected error: text'],
])('%s is shown with exit code 5', (error, message) => {
	const shown = toCliError(error, NOW);
	expect([shown.exitCode, shown.message]).toEqual([5, message]);
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
