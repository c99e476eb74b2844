import { JOURNAL, deskOf, products, type Desk } from '../../support/batch/brief-batch';
import { until } from '../../support/until';

jest.setTimeout(60_000);

/** The command with the key of another workspace. */
async function expectRefused(desk: Desk, args: string): Promise<void> {
	const key = desk.sandbox.keys.otherWorkspace;
	const { code, err } = await desk.run(args, { CREATOR_BRIEFING_API_KEY: key });
	expect(err).toMatch(
		/The API key seems to be of another workspace: .* the folder briefs[^]*another --out/,
	);
	expect([code, err]).toEqual([2, expect.not.stringContaining(key)]);
}

test('run, retry and plan refuse the key of another workspace, and order nothing', async () => {
	const desk = await deskOf([...products(2), 'Lamp (discontinued),17290009,S-3', 'Mug,17290010,S']);
	await desk.order('--max', '3');
	const journal = desk.read(JOURNAL);
	for (const args of ['run products.csv', 'retry products.csv --yes', 'plan products.csv'])
		await expectRefused(desk, args);
	desk.expectPaid(3);
	const after = desk.read(JOURNAL);
	expect(after.startsWith(journal)).toBe(true);
	const added = after.slice(journal.length).trimEnd().split('\n');
	expect(added.filter((line) => !line.includes('"outcome":"not_begun"'))).toEqual([]);
	expect((await desk.order()).code).toBe(1);
	desk.expectPaid(4);
});

test('the key of another workspace is refused also if nothing is new', async () => {
	const desk = await deskOf(2);
	await desk.order();
	for (const args of ['run products.csv', 'plan products.csv']) await expectRefused(desk, args);
	await desk.expectEnd('status', 2, 'seems to be of another workspace');
	expect((await desk.order()).code).toBe(0);
	desk.expectPaid(2);
});

test('the key of another workspace is refused while an order has no answer, which is paid once', async () => {
	const desk = await deskOf(3, { speed: 100 });
	const { sandbox } = desk;
	sandbox.faults.add({ operation: 'create_brief', kind: 'cut', skip: 1, times: 100 });
	const running = desk.start('run products.csv');
	await running.prints(/row \d +ordered/);
	await until(() => sandbox.createdCount() > 1);
	await running.kill();
	sandbox.faults.clear();
	await expectRefused(desk, 'run products.csv');
	await desk.order();
	expect(sandbox.briefs().map(({ workspace }) => workspace)).toEqual(Array(3).fill('ws_studio'));
});
