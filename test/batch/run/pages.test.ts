import type { ServiceRequest } from '../../../service/api/operations';
import { Desk, products } from '../../support/batch/desk';
import type { Fault } from '../../support/faults';
import { HOUR, MINUTE } from '../../support/time';

const STATUSES = [400, 401, 402, 403, 404, 405, 406, 407, 409, 410, 413, 422, 423, 451, 502];
const READS = ['list_licences', 'list_briefs', 'get_brief'] as const;

function page(status: number, headers: Record<string, string> = {}): Fault {
	return { answer: { status, headers, body: '<html><title>Access denied</title>' } };
}

/** A folder that knows an order at the address. */
async function deskWithOrder(): Promise<Desk> {
	const desk = new Desk();
	await desk.run(products(1));
	return desk;
}

/** From its nth request on, an operation meets the fault so many times. */
function meetFrom(desk: Desk, operation: ServiceRequest['operation'], nth: number, times: number) {
	const from = desk.service.count(operation) + nth;
	return (fault: Fault) =>
		desk.meet(operation, fault, () => {
			const now = desk.service.count(operation) + 1;
			return now >= from && now < from + times;
		});
}

describe('a page in the service’s place', () => {
	test.each(STATUSES)(
		'of %i is waited for, at the first request and in the middle',
		async (status) => {
			for (const operation of [...READS, 'create_brief'] as const)
				for (const nth of [1, 2]) {
					const desk = await deskWithOrder();
					meetFrom(desk, operation, nth, 3)(page(status));
					const { tally } = await desk.run(products(4));
					expect([operation, nth, tally]).toEqual([operation, nth, '0: 4 ready']);
					expect(desk.paid()).toHaveLength(4);
					desk.expectSound();
				}
		},
	);

	test.each(STATUSES)(
		'of %i on every create ends the run with 5, and every row is pending',
		async (status) => {
			for (const after of [false, true]) {
				const desk = new Desk();
				desk.meet('create_brief', { ...page(status), after });
				const { tally, failure } = await desk.run(products(5));
				if (!after) {
					expect(tally).toBe('5: 5 pending');
					expect(failure?.what).toMatch(/answered in the service’s place \(\d+\): “Access denied”/);
				}
				desk.service.mend();
				await desk.clock.pass(HOUR);
				expect((await desk.run(products(5))).tally).toBe('0: 5 ready');
				expect(desk.paid()).toHaveLength(5);
			}
		},
	);

	test.each([
		[403, MINUTE],
		[404, MINUTE],
		[200, MINUTE],
		[502, 32 * MINUTE],
	])('of %i on every first request ends the run with 5 soon enough', async (status, longest) => {
		const desk = await deskWithOrder();
		desk.meet('list_licences', page(status));
		const began = desk.clock.now();
		await expect(desk.run(products(2))).rejects.toMatchObject({ exitCode: 5 });
		const took = desk.clock.now() - began;
		expect(took).toBeLessThan(longest);
		expect(took).toBeGreaterThan(longest / 5);
	});

	test.each([404, 405, 410])(
		'of %i is a wrong address only if no order is known there',
		async (status) => {
			const desk = new Desk();
			desk.meet('list_licences', page(status));
			const began = desk.clock.now();
			await expect(desk.run(products(1))).rejects.toMatchObject({
				exitCode: 2,
				reason: 'wrong_address',
			});
			expect(desk.clock.now() - began).toBeLessThan(MINUTE / 10);
			desk.meet('list_briefs', page(status));
			await expect(desk.run(products(1))).rejects.toMatchObject({ exitCode: 5 });
		},
	);

	test.each([401, 403, 404, 502])(
		'of %i on every look ends a run in the middle after half an hour, with 5',
		async (status) => {
			const desk = new Desk();
			const isOrdered = () => desk.service.briefs.length > 0;
			desk.service.intercept = ({ method }) =>
				method === 'GET' && isOrdered() ? page(status) : undefined;
			const began = desk.clock.now();
			expect((await desk.run(products(2))).exitCode).toBe(5);
			expect(desk.clock.now() - began).toBeGreaterThan(30 * MINUTE);
			desk.service.mend();
			expect((await desk.run(products(2))).tally).toBe('0: 2 ready');
			expect(desk.paid()).toHaveLength(2);
		},
	);

	test('that asks to slow down holds all back for an hour at most, and says nothing of the month', async () => {
		for (const seconds of ['7', '3600', '7200', '90000']) {
			const desk = new Desk();
			desk.service.fail('create_brief', page(429, { 'retry-after': seconds }));
			const began = desk.clock.now();
			expect((await desk.run(products(3))).tally).toBe('0: 3 ready');
			const took = desk.clock.now() - began;
			expect([seconds, took > HOUR]).toEqual([seconds, seconds === '3600']);
		}
	});
});
