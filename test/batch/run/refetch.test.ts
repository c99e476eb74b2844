import { Desk, products } from '../../support/batch/desk';
import { CUT } from '../../support/faults';
import { DAY } from '../../support/time';

const FILE = /^out\/results\/.*\.(md|json)$/;

const filesOf = ({ disk }: Desk) => disk.files().filter((path) => FILE.test(path));

/** Three finished briefs whose files were deleted. */
async function given(): Promise<Desk> {
	const desk = new Desk();
	await desk.run(products(3));
	for (const path of filesOf(desk)) await desk.disk.remove(path);
	await desk.clock.pass(DAY);
	return desk;
}

describe('finished briefs whose files were deleted', () => {
	test('are fetched by the next run beside its own work, under the same names', async () => {
		const desk = await given();
		const { exitCode, notices } = await desk.run(products(4));
		expect([exitCode, filesOf(desk).length, desk.paid().length]).toEqual([0, 8, 4]);
		expect(notices).toEqual([
			'Files of 3 finished briefs are gone from results/: fetched again, which costs nothing.',
		]);
		expect((await desk.run(products(4))).notices).toEqual([]);
		await desk.disk.remove(filesOf(desk)[0] ?? '');
		const gets = desk.service.count('get_brief');
		await desk.run(products(4));
		expect(filesOf(desk)).toHaveLength(8);
		expect(desk.service.count('get_brief')).toBe(gets + 1);
	});

	test('wait until it is found out what became of orders without an answer', async () => {
		const desk = await given();
		desk.service.fail('create_brief', CUT);
		desk.onEvent = ({ event }) => {
			if (event === 'sent') void desk.clock.pass(1000).then(() => desk.interruption.abort());
		};
		await desk.run(products(4));
		expect(desk.stages()).toContain('in_doubt');
		desk.onEvent = () => {};
		for (const path of filesOf(desk)) await desk.disk.remove(path);
		await desk.clock.pass(DAY);
		const { events } = await desk.run(products(4));
		const told = events.map(({ event }) => event);
		expect(told.filter((event) => /accepted|files_removed/.test(event))).toEqual([
			'accepted',
			'files_removed',
		]);
	});

	test('are named if the service has them no more, and stay ready', async () => {
		const desk = await given();
		const { id } = desk.service.briefs[0]!;
		desk.service.remove(id);
		const { exitCode, notices } = await desk.run(products(3));
		expect([exitCode, filesOf(desk).length]).toEqual([0, 4]);
		expect(notices).toContain(
			`Row 2: the files of its brief are gone, and the service has no brief ${id} with a text any more.`,
		);
		expect(desk.statuses()).toMatchObject({ 'Product 1': 'ready' });
	});

	test('hold up no order if they cannot be fetched now, and the run ends with 5', async () => {
		const desk = await given();
		const { id } = desk.service.briefs[0]!;
		desk.meet('get_brief', { answerLost: 'before' }, ({ path }) => path.endsWith(id));
		const { exitCode } = await desk.run(products(4));
		expect([exitCode, desk.paid().length, filesOf(desk).length]).toEqual([5, 4, 6]);
		desk.service.mend();
		expect((await desk.run(products(4))).exitCode).toBe(0);
		expect(filesOf(desk)).toHaveLength(8);
	});

	test('end a run whose disk fails, and nothing is paid that is not on record', async () => {
		const desk = await given();
		const isFile = ({ path }: { path: string }) => FILE.test(path.replace(/\.\w{16}\.part$/, ''));
		desk.disk.fail({ at: 1, forever: true, on: isFile });
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
