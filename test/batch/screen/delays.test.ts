import { Delays } from '../../../batch/screen/delays';
import { ServiceError } from '../../../service/api/errors';
import { anError } from '../../support/builders';
import { SECOND } from '../../support/time';

const error = (kind: ServiceError['kind'], changes: Partial<ServiceError> = {}) =>
	anError(kind, { operation: 'list_briefs', status: 503, ...changes });

const limit = (until: number) => error('rate_limited', { status: 429, retryAt: until * SECOND });

const ANSWERS: Record<string, ServiceError | null> = {
	ok: null,
	down: error('service_unavailable'),
	gone: error('not_found', { status: 404 }),
	busy: error('slots_busy', { status: 429, operation: 'create_brief' }),
	unreadable: error('unreadable_answer'),
	in_doubt: error('in_doubt'),
	limited: error('rate_limited'),
};

/** The reports, each with its second, for requests that ended so: "10 down 20 ok", or "0 3000" for a limit until then. */
function reports(answers: string) {
	const delays = new Delays();
	const words = [...answers.matchAll(/(\d+) (\w+)/g)];
	return words.flatMap(([, second, answer = '']) => {
		const met = ANSWERS[answer];
		const text = delays.observe(
			met === undefined ? limit(Number(answer)) : met,
			Number(second) * SECOND,
		);
		return text === null ? [] : [[Number(second), text] as const];
	});
}

/** Since the second in which it began, and half an hour longer at most. */
const down = (minute: string, last: string) =>
	`The service is down (503). Retrying since 1970-01-01 00:${minute} UTC; nothing is lost, and the run ends if this lasts until 1970-01-01 00:${last} UTC.`;
const DOWN = down('00', '30');
const BACK = 'The service answers again.';
const report = (second: number, n: number): [number, string] => [second, n === 0 ? DOWN : BACK];

describe('a service that does not answer', () => {
	const helped = '0 down 30 ok 60 down 100 ok';
	test.each<[string, string, Array<[number, string]>]>([
		['is reported after a minute', '0 ok 10 down 69 down 70 down 130 down', [[70, DOWN]]],
		['and again if it answers', '10 down 70 down 150 ok 160 ok', [70, 150].map(report)],
		['is not reported if a try helps within a minute', helped, []],
		['has answered if it refuses for good', '10 down 70 down 80 gone', [70, 80].map(report)],
	])('%s', (_, answers, expected) => expect(reports(answers)).toEqual(expected));

	test('is reported every ten minutes, not at every try', () => {
		const tries = Array.from({ length: 31 }, (_, minute) => `${minute * 60} down`);
		expect(reports(tries.join(' ')).map(([second]) => second / 60)).toEqual([1, 11, 21]);
	});

	test.each(['unreadable', 'in_doubt', 'limited'])(
		'counts as delayed by an answer that is %s too, whichever requests meet it',
		(kind) => expect(reports(`0 down 60 ${kind}`)).toHaveLength(1),
	);
});

describe('a rate limit', () => {
	test('that lasts is reported at once with its time, and so is the next one', () => {
		const text =
			'The service asked to slow down (429). Waiting 50 minutes, until 1970-01-01 00:50 UTC; nothing is lost.';
		expect(reports('0 3000 1 3000 3001 ok')).toEqual([
			[0, text],
			[3001, BACK],
		]);
		expect(reports('0 1800 1800 3600').map(([second]) => second)).toEqual([0, 1800]);
	});

	test('is not reported if it is short, or so long that it ends the command', () => {
		expect([reports('0 59'), reports('0 3601')]).toEqual([[], []]);
	});
});

test('a slot that the service refuses is no delay: the run reports it', () => {
	expect(reports('0 busy 15 ok 75 busy 135 busy')).toEqual([]);
});

test('before the first answer a delay is reported at once, if that is asked for', () => {
	const delays = new Delays(true);
	expect(delays.observe(error('service_unavailable'), 0)).toMatch(
		/^The service is down \(503\)\..* Retrying since/,
	);
	expect(delays.observe(null, SECOND)).toBe('The service answers again.');
	expect(delays.observe(error('service_unavailable'), 2 * SECOND)).toBeNull();
});

test('before the first answer a page that is not waited for is not reported: the command ends soon', () => {
	const page = (status: number, more = {}) =>
		error('service_unavailable', { status, page: 'first', ...more });
	const reported = (met: ServiceError) => new Delays(true).observe(met, 0) !== null;
	expect([page(403), page(404), page(503)].map(reported)).toEqual([false, false, true]);
	expect(reported(page(429, { kind: 'rate_limited' }))).toBe(true);
	expect(reported(page(403, { page: 'later' }))).toBe(true);
});
