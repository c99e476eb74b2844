import { ServiceError } from '../../../core/api/errors';
import { CsvProblem } from '../../../batch/csv/csv-problem';
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

test.each<[what: string, facts: Partial<ServiceError>, code: string, exitCode: number]>([
	['a page with 404', { source: 'page', status: 404 }, 'address_wrong', 2],
	['a proxy that failed', { proxy: 'HTTPS_PROXY' }, 'proxy_failed', 5],
	['a proxy that asks for a password', { source: 'page', status: 407 }, 'proxy_failed', 5],
	[
		'a page that came through a proxy',
		{ source: 'page', status: 503, proxy: 'HTTPS_PROXY' },
		'service_unavailable',
		5,
	],
])('%s is the code %s', (_what, facts, code, exitCode) => {
	const error = new ServiceError({
		kind: 'service_unavailable',
		operation: 'list_briefs',
		...facts,
	});
	expect(toCliError(error, NOW)).toMatchObject({ code, exitCode });
});

test('a CSV that cannot be used ends with 2, and its options are named', () => {
	const step = { text: 'Name the column:', options: { id: 'Item No.' } };
	const problem = new CsvProblem('the CSV has no column “SKU”.', [step], {
		name: 'id',
		value: 'SKU',
	});
	expect(toCliError(problem, NOW)).toMatchObject({
		exitCode: 2,
		message: '--id "SKU": the CSV has no column “SKU”.',
		nextSteps: [{ text: 'Name the column:', commands: [['--id', 'Item No.']] }],
	});
});
