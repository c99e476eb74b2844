import { DAY, Desk, MINUTE, products } from '../../support/batch/desk';

const REFUSED = {
	exitCode: 2,
	what: expect.stringContaining('seems to be of another workspace') as string,
	cure: expect.stringContaining('run the others with another --out') as string,
};

/** Runs a batch of three, then takes briefs away, and comes back two months later: the list no longer shows them. */
async function given(...deleted: number[]): Promise<Desk> {
	const desk = new Desk();
	await desk.run(products(3));
	const ids = desk.service.briefs.map(({ id }) => id);
	// So many newer ones of others that its own are not on the first page.
	for (let i = 0; i < 100; i += 1) {
		const brief = desk.service.startOther(0);
		Object.assign(brief, { started: brief.created, ended: brief.created });
	}
	for (const index of deleted) desk.service.remove(ids[index]!);
	for (let month = 0; month < 3; month += 1) await desk.clock.pass(20 * DAY);
	return desk;
}

/** How many briefs a run gets before it orders. */
async function getsBeforeOrder(desk: Desk): Promise<number> {
	const before = desk.service.requests.length;
	await desk.run(products(4));
	const operations = desk.service.requests.slice(before).map(({ operation }) => operation);
	const until = operations.indexOf('create_brief');
	return operations.slice(0, until).filter((operation) => operation === 'get_brief').length;
}

describe('before it orders, a run looks for the briefs of its journal', () => {
	test.each([
		['none', [], 1],
		['the newest', [2], 2],
		['the two newest', [2, 1], 3],
	])('and goes on where its owner has deleted %s', async (_, deleted, gets) => {
		const desk = await given(...deleted);
		expect(await getsBeforeOrder(desk)).toBe(gets);
		expect(desk.paid().at(-1)).toBe('Product 4');
	});

	test('and stops where none is left, before anything is ordered', async () => {
		const desk = await given(0, 1, 2);
		const journal = desk.disk.text('out/journal.jsonl');
		await expect(desk.run(products(4))).rejects.toMatchObject(REFUSED);
		// The one line more tells `status` why nothing began; of the orders it says nothing.
		const after = desk.disk.text('out/journal.jsonl');
		expect(after.startsWith(journal)).toBe(true);
		expect(after.slice(journal.length)).toMatch(/^\{.*"type":"not_begun".*\}\n$/);
		expect(desk.records().notBegun).toMatchObject({ csv: 'products.csv', exit_code: 2 });
		expect(desk.paid()).not.toContain('Product 4');
	});

	test('but not where nothing is left to be ordered', async () => {
		const desk = await given(0, 1, 2);
		expect((await desk.run(products(3))).exitCode).toBe(0);
	});

	test('and waits for a get that lags behind, where a brief was ordered a moment ago', async () => {
		const desk = new Desk({ getLag: MINUTE, listLag: 5 * MINUTE });
		desk.onEvent = ({ event }) => {
			if (event === 'brief_accepted') desk.interruption.abort();
		};
		await desk.run(products(3), { leaveSlots: 1 });
		desk.onEvent = () => undefined;
		expect((await desk.run(products(3))).exitCode).toBe(0);
		desk.expectSound();
	});
});
