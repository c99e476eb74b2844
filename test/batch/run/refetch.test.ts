import { DAY, Desk, products } from '../../support/batch/desk';

const FILE = /^out\/results\/.*\.(md|json)$/;

/** A finished batch whose files were deleted. */
async function given(count = 3): Promise<Desk> {
	const desk = new Desk();
	await desk.run(products(count));
	await removeFiles(desk);
	await desk.clock.pass(DAY);
	return desk;
}

async function removeFiles(desk: Desk): Promise<void> {
	for (const path of desk.disk.files().filter((one) => FILE.test(one)))
		await desk.disk.remove(path);
}

const filesOf = ({ disk }: Desk) => disk.files().filter((path) => FILE.test(path));

describe('finished briefs whose files were deleted', () => {
	test('are fetched by the next run beside its own work, under the same names', async () => {
		const desk = await given();
		const { exitCode, events } = await desk.run(products(4));
		expect(exitCode).toBe(0);
		expect(filesOf(desk)).toHaveLength(8);
		expect(desk.paid()).toHaveLength(4);
		expect(events).toContainEqual({
			event: 'notice',
			text: 'Files of 3 finished briefs are gone from results/: fetched again, which costs nothing.',
		});
		const again = await desk.run(products(4));
		expect(again.events.map(({ event }) => event)).not.toContain('notice');
	});

	test('that the service has no more are named, and stay ready', async () => {
		const desk = await given();
		const [first] = desk.service.briefs;
		desk.service.remove(first!.id);
		const { exitCode, events } = await desk.run(products(3));
		expect([exitCode, filesOf(desk).length]).toEqual([0, 4]);
		expect(events).toContainEqual({
			event: 'notice',
			text: `Row 2: the files of its brief are gone, and the service has no brief ${first!.id} with a text any more.`,
		});
		expect(desk.statuses()).toMatchObject({ 'Product 1': 'ready' });
	});

	test('that cannot be got now hold up no order, and the run ends with 5', async () => {
		const desk = await given();
		const [{ id } = { id: '' }] = desk.service.briefs;
		desk.service.intercept = ({ path }) => (path.endsWith(id) ? { lost: 'before' } : undefined);
		const { exitCode } = await desk.run(products(4));
		expect([exitCode, desk.paid().length, filesOf(desk).length]).toEqual([5, 4, 6]);
		desk.service.mend();
		expect((await desk.run(products(4))).exitCode).toBe(0);
		expect(filesOf(desk)).toHaveLength(8);
	});

	test('end a run whose disk fails, and nothing is paid that is not on record', async () => {
		const desk = await given();
		desk.disk.fail({
			at: 1,
			forever: true,
			on: ({ path }) => FILE.test(path.replace(/\.\w{16}\.part$/, '')),
		});
		expect((await desk.run(products(3))).exitCode).toBe(5);
		desk.disk.mend();
		expect((await desk.run(products(3))).exitCode).toBe(0);
		expect(filesOf(desk)).toHaveLength(6);
	});

	test('are noticed by a look at the folder, however many there are', async () => {
		const desk = new Desk();
		await desk.run(products(20));
		const before = desk.disk.calls.length;
		await desk.run(products(20));
		const calls = desk.disk.calls.slice(before);
		// The first look is for briefs that the journal does not know.
		expect(calls.filter(({ operation }) => operation === 'list')).toHaveLength(2);
		// The report reads each brief once.
		expect(calls.filter(({ path }) => FILE.test(path))).toHaveLength(20);
	});
});
