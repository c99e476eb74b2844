import {
	CLOCK_DIFFERENCE_MS,
	CREATE_TRIES,
	FIRST_TRIES,
	GET_LAG_MS,
	GIVEN_UP_AFTER_MS,
	KEY_TRUSTED_MS,
	KEY_TRUSTED_UNSEEN_MS,
	LIST_LAG_MS,
	READ_TRIES,
	SAME_TRY_MS,
} from '../../service/assumptions';
import { CUT } from '../support/faults';
import { failureOf } from '../support/failure-of';
import { rig } from '../support/service/rig';
import { MINUTE } from '../support/time';

describe('what is taken for granted about the service', () => {
	test('lets a key be trusted at least until the list shows what came of it', () => {
		expect(KEY_TRUSTED_UNSEEN_MS).toBeLessThanOrEqual(KEY_TRUSTED_MS);
		expect(LIST_LAG_MS).toBeLessThan(KEY_TRUSTED_MS);
		expect(KEY_TRUSTED_MS).toBeLessThan(GIVEN_UP_AFTER_MS);
	});

	test('has a record of tries that is far finer than the lag of the list', () => {
		expect(SAME_TRY_MS * 10).toBeLessThanOrEqual(LIST_LAG_MS);
		expect(CLOCK_DIFFERENCE_MS).toBeLessThan(LIST_LAG_MS);
		expect(GET_LAG_MS).toBeLessThanOrEqual(LIST_LAG_MS);
	});

	test('never says that something is tried less than once, and is more patient once the service has answered', () => {
		for (const tries of [READ_TRIES, CREATE_TRIES, FIRST_TRIES]) {
			expect(Math.min(tries.failures, tries.rateLimits, tries.conflicts)).toBeGreaterThanOrEqual(1);
		}
		expect(FIRST_TRIES.failures).toBeLessThan(READ_TRIES.failures);
	});
});

test('a slow brief of an order in doubt keeps its slot for as long as the list may lag (P4)', async () => {
	const listLag = 9 * MINUTE;
	const all = rig({ listLag, third: 'queue', duration: () => 14 * MINUTE });
	all.memory.intercept = ({ body }) => (body?.includes('doubtful') === true ? CUT : undefined);
	expect((await failureOf(all.create('doubtful'))).kind).toBe('in_doubt');
	await Promise.all(['a', 'b'].map((name) => all.create(name)));
	expect(all.memory.briefs).toHaveLength(3);
	expect(all.memory.mostRunning).toBe(2);
});
