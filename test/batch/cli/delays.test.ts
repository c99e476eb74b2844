import { Delays } from '../../../batch/cli/delays';
import { ServiceError, type ErrorFacts } from '../../../service/errors';
import type { OperationId } from '../../../service/operations';

const SECOND = 1000;

const error = (kind: ErrorFacts['kind'], changes: Partial<ErrorFacts> = {}) =>
	new ServiceError({
		...{ kind, operation: 'list_briefs', status: 503, code: '', message: '', details: [] },
		...{ requestId: '', retryAt: null },
		...changes,
	});

/** The reports, each with its second, for requests that ended at these seconds. */
function reports(answers: Array<[second: number, error: ServiceError | null, OperationId?]>) {
	const delays = new Delays();
	return answers.flatMap(([second, error, operation = 'list_briefs']) => {
		const text = delays.observe(operation, error, second * SECOND);
		return text === null ? [] : [[second, text] as const];
	});
}

const DOWN =
	'Held up, and trying again; nothing is lost by it. The service could not be reached or failed (503).';
const BACK = 'The service answers again.';

describe('a service that does not answer', () => {
	const down = error('service_unavailable');

	test('is reported after a minute, and when it answers again', () => {
		expect(
			reports([
				[0, null],
				[10, down],
				[69, down],
				[70, down],
				[130, down],
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
				[0, down],
				[30, null],
				[60, down],
				[100, null],
			]),
		).toEqual([]);
	});

	test('is reported every ten minutes, not at every try', () => {
		const tries = Array.from({ length: 31 }, (_, minute): [number, ServiceError] => [
			minute * 60,
			down,
		]);
		expect(reports(tries).map(([second]) => second / 60)).toEqual([1, 11, 21]);
	});

	test.each(['unreadable_answer', 'in_doubt', 'rate_limited'] as const)(
		'counts as delayed by %s as well, whichever requests meet it',
		(kind) => {
			const failures = [
				[0, down] as [number, ServiceError],
				[60, error(kind)] as [number, ServiceError],
			];
			expect(reports(failures)).toHaveLength(1);
		},
	);

	test('has answered when it refuses something for good', () => {
		expect(
			reports([
				[0, down],
				[60, down],
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
				'Held up for 50 minutes, and nothing is lost by it. The service asked to slow down (429).',
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

describe('a slot that the list shows as free and the service refuses', () => {
	const busy = error('slots_busy', { status: 429, operation: 'create_brief' });
	const NOTICE =
		'The service refuses another brief although its list shows a free slot. Trying again, about once a minute.';

	test('is reported after a minute, although the list answers all the time', () => {
		expect(
			reports([
				[0, busy, 'create_brief'],
				[15, null],
				[15, busy, 'create_brief'],
				[60, null],
				[75, busy, 'create_brief'],
				[135, busy, 'create_brief'],
			]),
		).toEqual([[75, NOTICE]]);
	});

	test('is forgotten once a brief is accepted', () => {
		expect(
			reports([
				[0, busy, 'create_brief'],
				[30, null, 'create_brief'],
				[100, busy, 'create_brief'],
			]),
		).toEqual([]);
	});
});
