import type { ErrorKind } from '../../../service/api/errors';
import { NEW_ORDER } from '../../../service/order/life';
import { judgeRefusal } from '../../../service/order/driver';
import type { Fault } from '../../support/faults';
import { failureOf } from '../../support/failure-of';
import { rig } from '../../support/service/rig';
import { anError } from '../../support/builders';
import { HOUR, SECOND } from '../../support/time';

const refused = (kind: ErrorKind) =>
	anError(kind, { status: 400, code: 'no', message: 'Their words', requestId: 'req_1' });

/** Judges a refusal in a workspace with so many running briefs. */
function judged(kind: ErrorKind, { running = 0, faults = [] as Fault[] }) {
	const all = rig();
	for (let i = 0; i < running; i += 1) all.memory.startOther(HOUR);
	all.memory.fail('list_briefs', ...faults);
	const refusal = refused(kind);
	const stop = new AbortController();
	const verdict = judgeRefusal({ ...NEW_ORDER, refusal }, all.tools, stop.signal);
	return { ...all, refusal, verdict, stop };
}

test('a refusal is for want of a slot if both are taken, in the words of the service', async () => {
	const { verdict } = judged('invalid_input', { running: 2 });
	expect(await verdict).toMatchObject({ kind: 'slots_busy', message: 'Their words' });
});

test('a refusal is what it says if a slot is free', async () => {
	const { verdict, refusal } = judged('invalid_input', { running: 1 });
	expect(await verdict).toBe(refusal);
});

test('a look that fails is made again', async () => {
	const faults: Fault[] = [{ answer: { status: 503 } }, { lost: 'before' }];
	const { verdict, time } = judged('invalid_input', { running: 2, faults });
	expect(await verdict).toMatchObject({ kind: 'slots_busy' });
	expect(time()).toBe(2 + 4);
});

describe('if no look succeeds', () => {
	const faults: Fault[] = [{ answer: { status: 401 } }];

	test('the order is not refused for good', async () => {
		const { verdict } = judged('invalid_input', { faults });
		expect(await verdict).toMatchObject({ kind: 'key_refused', operation: 'list_briefs' });
	});

	test('a conflict stays one, for the brief of its key may exist', async () => {
		const { verdict, refusal } = judged('conflict', { faults });
		expect(await verdict).toBe(refusal);
	});
});

test('a look that is made again ends with the signal', async () => {
	const faults = Array<Fault>(9).fill({ answer: { status: 503 } });
	const { verdict, stop, clock } = judged('invalid_input', { faults });
	const failed = failureOf(verdict);
	await clock.pass(SECOND);
	stop.abort(new Error('stop'));
	expect((await failed).message).toBe('stop');
	expect(clock.sleeping).toBe(0);
});

test('an order that was not refused cannot be judged: that is a fault of this program', async () => {
	const { tools, memory } = rig();
	expect((await failureOf(judgeRefusal(NEW_ORDER, tools))).message).toMatch(/Only a refusal/);
	expect(memory.requests).toEqual([]);
});
