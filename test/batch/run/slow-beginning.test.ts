import { Desk, MINUTE, products } from '../../support/batch/desk';
import type { Fault } from '../../support/faults';

const NEW_MONTH = Date.UTC(2026, 11, 1);
const IN_15_MINUTES: Fault = { answer: { status: 503, headers: { 'retry-after': '900' } } };
const LICENCE = { product: 'creator-briefs', name: 'Creator Briefs', channels: ['api'] };

/** A workspace that has used up its month, of which five minutes are left. */
function lastMinutes(allowance: number): Desk {
	const desk = new Desk({ allowance }, NEW_MONTH - 60 * MINUTE);
	for (let n = 1; n <= allowance; n += 1) desk.service.startOther(MINUTE);
	desk.clock.set(NEW_MONTH - 5 * MINUTE);
	return desk;
}

describe('what was used of a month that turns while a run begins is not counted for the next one', () => {
	test('where the list comes long after the licences', async () => {
		const desk = lastMinutes(2);
		const use = { monthly_allowance: 2, used_this_month: 2, renews_or_ends_at: null };
		const body = JSON.stringify({ data: [{ ...LICENCE, ...use }] });
		desk.service.fail('list_licences', { answer: { status: 200, body } });
		desk.service.fail('list_briefs', IN_15_MINUTES);
		const { exitCode, counts } = await desk.run(products(1));
		expect([exitCode, counts.ready]).toEqual([0, 1]);
	});

	test('where it takes long to find out whether the workspace is the right one', async () => {
		const desk = new Desk({ allowance: 2 }, NEW_MONTH - 60 * MINUTE);
		await desk.run(products(1));
		// The list does not show its brief any more, so it is asked for.
		desk.service.remove(desk.service.briefs[0]!.id);
		for (let n = 1; n <= 2; n += 1) desk.service.startOther(MINUTE);
		desk.clock.set(NEW_MONTH - 5 * MINUTE);
		const brief = { id: desk.records().all()[0]!.brief_id, status: 'ready' };
		const found = { answer: { status: 200, body: JSON.stringify(brief) } };
		desk.service.fail('get_brief', IN_15_MINUTES, found);
		const { exitCode, counts } = await desk.run(products(2));
		expect([exitCode, counts.ready]).toEqual([0, 2]);
	});
});

test('a brief that another folder has ordered while the licences were waited for is taken over (P10)', async () => {
	const desk = new Desk();
	const another = new Desk({}, undefined, desk);
	desk.service.fail('list_licences', IN_15_MINUTES);
	const [ran] = await Promise.all([
		desk.run(products(1)),
		desk.clock.sleep(MINUTE).then(() => another.run(products(1), { batch: 'another.csv' })),
	]);
	expect(ran.exitCode).toBe(0);
	expect(desk.paid()).toEqual(products(1));
});
