import { Delays } from '../../../batch/cli/delays';
import { ServiceError, type ErrorFacts } from '../../../service/errors';
import { anError } from '../../support/builders';

const SECOND = 1000;

const error = (kind: ErrorFacts['kind'], changes: Partial<ErrorFacts> = {}) =>
	anError(kind, { operation: 'list_briefs', status: 503, ...changes });

/** The reports, each with its second, for requests that ended at these seconds. */
function reports(answers: Array<[second: number, error: ServiceError | null]>) {
	const delays = new Delays();
	return answers.flatMap(([second, error]) => {
		const text = delays.observe(error, second * SECOND);
		return text === null ? [] : [[second, text] as const];
	});
}

/** Since the second in which it began, and half an hour longer at most. */
const down = (minute: string, last: string) =>
	`The service could not be reached or failed (503). Retrying since 1970-01-01 00:${minute} UTC; nothing is lost, and the run ends if this lasts until 1970-01-01 00:${last} UTC.`;
const DOWN = down('00', '30');
const BACK = 'The service answers again.';

describe('a service that does not answer', () => {
	const failing = error('service_unavailable');

	test('is reported after a minute, and when it answers again', () => {
		expect(
			reports([
				[0, null],
				[10, failing],
				[69, failing],
				[70, failing],
				[130, failing],
				[150, null],
				[160, null],
			]),
		).toEqual([
			[70, DOWN],
			[150, BACK],
		]);
	});

	test('is not reported where another try helps within a minute', () => {
		expect(
			reports([
				[0, failing],
				[30, null],
				[60, failing],
				[100, null],
			]),
		).toEqual([]);
	});

	test('is reported every ten minutes, not at every try', () => {
		const tries = Array.from({ length: 31 }, (_, minute): [number, ServiceError] => [
			minute * 60,
			failing,
		]);
		expect(reports(tries).map(([second]) => second / 60)).toEqual([1, 11, 21]);
	});

	test.each(['unreadable_answer', 'in_doubt', 'rate_limited'] as const)(
		'counts as delayed by %s as well, whichever requests meet it',
		(kind) => {
			const failures = [
				[0, failing] as [number, ServiceError],
				[60, error(kind)] as [number, ServiceError],
			];
			expect(reports(failures)).toHaveLength(1);
		},
	);

	test('has answered when it refuses something for good', () => {
		expect(
			reports([
				[0, failing],
				[60, failing],
				[70, error('not_found', { status: 404 })],
			]),
		).toEqual([
			[60, DOWN],
			[70, BACK],
		]);
	});
});

describe('a rate limit', () => {
	const limit = (until: number) => error('rate_limited', { status: 429, retryAt: until * SECOND });

	test('that lasts is reported at once, with the time that it takes', () => {
		expect(
			reports([
				[0, limit(3000)],
				[1, limit(3000)],
				[3001, null],
			]),
		).toEqual([
			[
				0,
				'The service asked to slow down (429). Waiting 50 minutes, until 1970-01-01 00:50 UTC; nothing is lost.',
			],
			[3001, BACK],
		]);
	});

	test('that follows another is reported again', () => {
		const seconds = reports([
			[0, limit(1800)],
			[1800, limit(3600)],
		]).map(([second]) => second);
		expect(seconds).toEqual([0, 1800]);
	});

	test('of seconds is too short to report', () => {
		expect(reports([[0, limit(59)]])).toEqual([]);
	});

	test('that is not waited out is left to the error that ends the command', () => {
		expect(reports([[0, limit(3601)]])).toEqual([]);
	});
});

test('a slot that the service refuses is no delay: the run tells of it', () => {
	const busy = error('slots_busy', { status: 429, operation: 'create_brief' });
	expect(
		reports([
			[0, busy],
			[15, null],
			[75, busy],
			[135, busy],
		]),
	).toEqual([]);
});
