import type { WireResponse } from '../../../service/ports';
import { DAY, Desk, products } from '../../support/batch/desk';
import type { MemoryOptions } from '../../support/memory-service';

jest.setTimeout(60_000);

const STEP = 150_000;

/** A workspace in which others have had so many briefs this month, one each two and a half minutes, and this row. */
async function busy(others: number, options: MemoryOptions = {}): Promise<Desk> {
	const desk = new Desk({ allowance: 10_000, ...options }, Date.UTC(2026, 10, 10, 12));
	const now = desk.clock.now();
	for (let i = 0; i < others; i += 1) {
		const brief = desk.service.startOther(0, `Somebody else’s product ${i}`);
		brief.created = brief.started = brief.ended = now - (others - i) * STEP;
	}
	const { exitCode } = await desk.run(['A']);
	expect(exitCode).toBe(0);
	return desk;
}

/** What the next run asks before it sends its first order, or at all. */
async function next(desk: Desk, rows: readonly string[]) {
	const from = desk.service.requests.length;
	const ran = await desk.run(rows);
	const requests = desk.service.requests.slice(from).map(({ operation }) => operation);
	const first = requests.indexOf('create_brief');
	return { ...ran, requests, before: requests.slice(0, first < 0 ? undefined : first) };
}

/** Lets the service give other answers, until the function that is returned is called. */
function answering(desk: Desk, change: (answer: WireResponse) => void): () => void {
	const { send } = desk.service;
	const changed: typeof send = async (request, signal) => {
		const answer = await send(request, signal);
		change(answer);
		return answer;
	};
	Object.assign(desk.service, { send: changed });
	return () => void Object.assign(desk.service, { send });
}

describe('a run after one that has read the list', () => {
	test('reads what came since, and counts the month as if it had read all', async () => {
		const desk = await busy(1200);
		const { before, events } = await next(desk, ['A', 'B']);
		expect(before).toEqual(['list_licences', 'list_briefs']);
		expect(events).toContainEqual(expect.objectContaining({ event: 'run_started', used: 1201 }));
		expect(desk.paid().slice(-2)).toEqual(['A', 'B']);
	});

	test('orders nothing beyond the allowance, of which others have had some meanwhile', async () => {
		const desk = await busy(300, { allowance: 303 });
		desk.service.startOther(0);
		const { exitCode, counts } = await next(desk, ['A', 'B', 'C']);
		expect([exitCode, counts.deferred]).toEqual([3, 1]);
		expect(desk.paid().at(-1)).toBe('B');
		desk.expectSound();
	});

	test('counts what others order while it runs', async () => {
		const desk = await busy(300, { allowance: 303 });
		desk.onEvent = ({ event }) => {
			if (event === 'brief_accepted') desk.service.startOther(1000);
		};
		const { counts, requests } = await next(desk, ['A', 'B', 'C', 'D', 'E']);
		expect(counts.deferred).toBe(3);
		// The service was never asked for more than it has.
		expect(requests.filter((operation) => operation === 'create_brief')).toHaveLength(1);
	});

	test('reads little after a run of many orders too', async () => {
		const desk = await busy(150);
		await desk.run(['A', ...products(130)]);
		const { before } = await next(desk, ['A', ...products(131)]);
		expect(before).toEqual(['list_licences', 'list_briefs']);
	});

	test('reads the whole list where that shows the newest one no more', async () => {
		const desk = await busy(350);
		const [newest] = desk.service.briefs.slice(-2);
		desk.service.remove(newest?.id ?? '');
		const { before, events } = await next(desk, ['A', 'B']);
		expect(before.filter((operation) => operation === 'list_briefs')).toHaveLength(4);
		expect(events).toContainEqual(expect.objectContaining({ event: 'run_started', used: 350 }));
		const third = await next(desk, ['A', 'B', 'C']);
		expect(third.before).toEqual(['list_licences', 'list_briefs']);
	});

	test('takes over a brief that only the earlier run saw', async () => {
		const desk = await busy(300);
		const { exitCode, requests } = await next(desk, ['A', 'Somebody else’s product 7']);
		expect(exitCode).toBe(0);
		expect(requests).not.toContain('create_brief');
		expect(requests.filter((operation) => operation === 'list_briefs')).toHaveLength(1);
	});

	test('orders a row of which the earlier run saw a brief that was deleted since', async () => {
		const desk = await busy(300);
		desk.service.remove(desk.service.briefs[7]?.id ?? '');
		const { exitCode } = await next(desk, ['A', 'Somebody else’s product 7']);
		expect(exitCode).toBe(0);
		expect(desk.paid().at(-1)).toBe('Somebody else’s product 7');
	});

	test('believes nothing of it in another workspace, and orders nothing there', async () => {
		const desk = await busy(300);
		desk.service.briefs.splice(0);
		desk.service.startOther(0);
		const creates = desk.service.count('create_brief');
		await expect(desk.run(['A', 'B'])).rejects.toThrow('seems to be of another workspace');
		expect(desk.service.count('create_brief')).toBe(creates);
		// For `status`: otherwise the morning after it would show the end of an earlier run.
		expect(desk.records().notBegun).toMatchObject({ csv: 'products.csv', exit_code: 2 });
	});

	test('does not trust what was read while the clock was ahead', async () => {
		const desk = new Desk({ allowance: 303 }, Date.UTC(2026, 10, 10, 12));
		for (let i = 300; i > 0; i -= 1) desk.service.startOther(0).created -= i * STEP;
		const mend = answering(desk, (answer) => {
			const date = new Date(desk.clock.now() + 40 * DAY).toUTCString();
			answer.headers = { ...answer.headers, date };
		});
		await desk.run(['A']);
		mend();
		const { exitCode, counts, requests } = await next(desk, ['A', 'B', 'C', 'D']);
		expect([exitCode, counts.deferred]).toEqual([3, 1]);
		// The service was never asked for more than it has.
		expect(requests.filter((operation) => operation === 'create_brief')).toHaveLength(2);
	});

	test('reads on below a brief that is dated in the future', async () => {
		const desk = await busy(0, { allowance: 202 });
		const odd = desk.service.startOther(0);
		const dated = new RegExp(`("id":"${odd.id}".*?"created_at":)"[^"]*"`);
		answering(desk, (answer) => {
			answer.body = answer.body.replace(dated, '$1"2099-01-01T00:00:00.000Z"');
		});
		await desk.run(['A', 'B']);
		for (let i = 0; i < 200; i += 1) desk.service.startOther(0);
		// It stays the first of the list.
		desk.service.remove(odd.id);
		desk.service.briefs.push(odd);
		const { requests } = await next(desk, ['A', 'B', 'C', 'D']);
		expect(requests.filter((operation) => operation === 'create_brief')).toHaveLength(0);
	});

	test('does not trust a list whose pages do not follow each other', async () => {
		const desk = await busy(300, { startsOver: true });
		expect(desk.records().listed).toBeNull();
	});
});
