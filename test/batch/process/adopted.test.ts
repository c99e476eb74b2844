import { chmodSync, copyFileSync, renameSync, rmSync } from 'node:fs';
import { startSandbox, type SandboxOptions } from '../../../sandbox/sandbox';
import { JOURNAL, AS_ANYBODY, deskOf, products, type Desk } from '../../support/batch/brief-batch';
import { DAY } from '../../support/time';

jest.setTimeout(120_000);

/** Two rows that are ready, and a service that has forgotten their keys when the next run comes. */
async function ordered(options: SandboxOptions = {}): Promise<Desk> {
	const desk = await deskOf(2, { keyMemoryMs: 1, ...options });
	expect((await desk.order()).code).toBe(0);
	return desk;
}

/** Rows that wait for a person: the service does not show what their briefs were made from. */
async function parked(): Promise<Desk> {
	const desk = await ordered({ inputShape: 'empty' });
	rmSync(desk.path('briefs'), { recursive: true });
	expect((await desk.order()).code).toBe(1);
	return desk;
}

const idsOf = ({ sandbox }: Desk) => sandbox.briefs().map(({ id }) => id);

test('without its journal a run takes its briefs over, and plan prices only what is new', async () => {
	const desk = await ordered();
	rmSync(desk.path(JOURNAL));
	desk.csv('products.csv', [...products(2), 'Lamp,17290009,SKU-9']);
	await desk.expectEnd(
		'plan products.csv',
		0,
		`row 2     taken over  Product 1  brief ${idsOf(desk)[0]}`,
		/taken over +2 +the workspace or results\/ has their briefs.*\n +new +1\n/,
		/this run takes +1\n/,
	);
	const by_row = [
		{ is: 'taken_over' },
		{ is: 'taken_over' },
		{ row: 4, is: 'new', ordered: 'now' },
	];
	expect(await desk.json('plan products.csv')).toMatchObject({ by_row, taken_over: 2, takes: 1 });
	const { out } = await desk.expectEnd(
		'run products.csv',
		0,
		'2 briefs were taken back from results/',
	);
	expect(out).not.toContain('--order-again');
	desk.expectPaid(3);
	await desk.expectEnd('status', 0, '1 paid (1 in ');
});

test('status repeats all that was typed for a run that could not begin, so that its command orders nothing else', async () => {
	const desk = await ordered();
	desk.csv('products.csv', ['Product Name', 'Lamp']);
	const adopt = `--adopt 2=${idsOf(desk)[0]}`;
	await desk.expectEnd(`run products.csv --out new ${adopt}`, 2, 'is a brief of “Product 1”');
	const command = `brief-batch run products.csv --out new ${adopt}`;
	await desk.expectEnd('status new', 2, `${command}\n`);
	expect((await desk.paste(`${command} --yes`)).code).toBe(0);
	desk.expectPaid(2);
	expect((await desk.run('status new')).out).not.toContain('--adopt');
});

describe('what lies in results/ is not paid for again', () => {
	/** The plan and the run of a list whose journal is gone and whose briefs the list does not show any more. */
	async function expectTakenBack(desk: Desk, service = desk.sandbox): Promise<void> {
		const requests = service.requests.length;
		desk.env.CREATOR_BRIEFING_BASE_URL = service.url;
		const taken = 'A run takes 2 briefs back from results/';
		await desk.expectEnd('plan products.csv', 0, taken, /new +0/);
		await desk.expectEnd('run products.csv', 0, '2 briefs were taken back from results/');
		expect(service.requests.slice(requests).some(({ method }) => method === 'POST')).toBe(false);
		desk.expectFiles();
	}

	test('months later without a journal, beside other files', async () => {
		const desk = await ordered();
		rmSync(desk.path(JOURNAL));
		desk.sandbox.advance(70 * DAY);
		for (const text of ['{"status":"ready"}', 'no JSON', '[]'])
			desk.write(`briefs/results/${text.length}.json`, text);
		await expectTakenBack(desk);
		const { out } = await desk.expectEnd('run products.csv', 0);
		expect(out).not.toContain('taken back');
	});

	test('even if the service does not know the briefs any more', async () => {
		const desk = await ordered();
		const [{ brief_file } = {}] = desk.results();
		const before = desk.read(`briefs/${brief_file}`);
		rmSync(desk.path(JOURNAL));
		const other = await startSandbox({ clock: desk.clock, requestsPerMinute: 0 });
		await expectTakenBack(desk, other).finally(() => other.close());
		expect(desk.read(`briefs/${brief_file}`)).toBe(before);
	});

	test('but held for a person if they do not show what they were made from', async () => {
		const desk = await ordered({ inputShape: 'empty' });
		rmSync(desk.path(JOURNAL));
		desk.sandbox.advance(70 * DAY);
		expect(await desk.comesTo()).toBe('1: parked, parked; 2 paid');
	});

	test('after a damaged journal was moved away, as its message says', async () => {
		const desk = await ordered();
		desk.sandbox.advance(70 * DAY);
		desk.write(JOURNAL, desk.read(JOURNAL).replace('Product 1', 'Product 9'));
		const said = 'move it away: the next run takes back the briefs in results/';
		await desk.expectEnd('run products.csv', 2, said);
		renameSync(desk.path(JOURNAL), desk.path('moved-away.jsonl'));
		await expectTakenBack(desk);
	});

	test('and nothing is ordered if results/ cannot be read', async () => {
		const desk = await ordered();
		rmSync(desk.path(JOURNAL));
		chmodSync(desk.path('briefs/results'), 0o300);
		for (const command of ['plan', 'run']) {
			const { code, err } = await desk.start(`${command} products.csv`, {}, AS_ANYBODY).ended;
			expect([command, code]).toEqual([command, 2]);
			expect(err).toContain('results (EACCES).\nGive the user');
		}
		chmodSync(desk.path('briefs/results'), 0o700);
		desk.expectPaid(2);
	});
});

test('older briefs of these products are reported, and ordered in a new folder only with --yes', async () => {
	const desk = await ordered();
	desk.sandbox.advance(40 * DAY);
	const message = 'The workspace has briefs of 2 products in this list, the newest of ';
	await desk.expectEnd('plan products.csv --out new', 0, message);
	// A schedule that lost its folder: nobody is there to be asked.
	for (const quiet of ['', ' --quiet'])
		await desk.expectEnd(`run products.csv --out new${quiet}`, 2, message);
	expect(desk.sandbox.createdCount()).toBe(2);
	await desk.expectEnd('run products.csv --out new --yes', 0, message);
	expect(desk.sandbox.createdCount()).toBe(4);
});

test.each([
	['is ready', 'Product 1', 'Product 1,17290001,OTHER-AUDIENCE'],
	['has failed', 'Product 1 (discontinued)', 'Product 1 (discontinued),17290001,OTHER'],
])(
	'an edited row whose folder is lost and whose brief %s pays for nothing unasked',
	async (_, name, edited) => {
		const columns = 'Product Name,Product ID,Audience';
		const desk = await deskOf(1, { keyMemoryMs: 1 });
		desk.write('products.csv', [columns, `${name},17290001,Runners`].join('\n'));
		await desk.order();
		rmSync(desk.path('briefs'), { recursive: true });
		desk.write('products.csv', [columns, edited].join('\n'));
		await desk.expectEnd('run products.csv', 2, 'has briefs of 1 product in this list');
		expect(desk.sandbox.createdCount()).toBe(1);
	},
);

test('retry with an older copy of the journal takes over the brief that the copy does not know', async () => {
	const desk = await deskOf(1, { keyMemoryMs: 1, failureShare: 1 });
	const { sandbox } = desk;
	expect((await desk.order()).code).toBe(1);
	copyFileSync(desk.path(JOURNAL), desk.path('copy'));
	sandbox.options.failureShare = 0;
	expect((await desk.run('retry products.csv --yes')).code).toBe(0);
	copyFileSync(desk.path('copy'), desk.path(JOURNAL));
	rmSync(desk.path('briefs/results'), { recursive: true });
	await desk.expectEnd('retry products.csv --yes', 0, '1 row was taken over');
	expect(sandbox.createdCount()).toBe(2);
	expect(desk.results()[0]?.brief_id).toBe(idsOf(desk)[1]);
	// What --order-again asks for is ordered all the same.
	expect((await desk.order('--order-again', '2')).code).toBe(0);
	expect(sandbox.createdCount()).toBe(3);
});

test('plan counts a changed row with a listed brief once', async () => {
	const desk = await ordered();
	copyFileSync(desk.path(JOURNAL), desk.path('copy'));
	desk.csv('products.csv', ['Product Name,Product ID,Audience', 'Product 1,1729000000,chefs']);
	await desk.order('--order-changed', '--yes');
	copyFileSync(desk.path('copy'), desk.path(JOURNAL));
	const plan = await desk.json('plan products.csv --order-changed');
	expect(plan).toMatchObject({ rows: 1, changed: 0, taken_over: 1, takes: 0 });
});

describe('--order-again', () => {
	test('says of a row whose brief this folder ordered that nothing is done for it, and pays in a new folder for the rows that it names', async () => {
		const desk = await deskOf(2);
		await desk.order();
		const said =
			'Row 3 is not ordered again: this folder ordered its brief itself, and it is ready.';
		for (const command of ['plan', 'run'])
			await desk.expectEnd(`${command} products.csv --order-again 3`, 0, said);
		expect(desk.sandbox.createdCount()).toBe(2);
		const { out } = await desk.expectEnd('run products.csv --out new --order-again 3', 0);
		expect(out).not.toMatch(/is not ordered|with other content/);
		expect(desk.sandbox.createdCount()).toBe(3);
	});

	test('and --order-changed say of each row that they name in vain why it is not ordered', async () => {
		const desk = await deskOf(['Product Name', 'Mug', 'Pan (discontinued)', 'x']);
		await desk.order();
		desk.csv('products.csv', ['Product Name', 'Mug', 'Pan (discontinued)', 'x', 'Lid']);
		await desk.expectEnd(
			'plan products.csv --order-again 3,4',
			1,
			'Row 3 is not ordered again: it failed, and only brief-batch retry orders it again.',
			'Row 4 is not ordered again: it is invalid.',
		);
		await desk.expectEnd(
			'plan products.csv --order-changed 2-3,5',
			1,
			'Rows 2-3 are not ordered again: nothing in them has changed since the order.',
			'Row 5 is not ordered again: it was not ordered before.',
		);
	});

	test('of a row that --where leaves out is refused', async () => {
		const desk = await deskOf(['Product Name,Status', 'Mug,active', 'Pan,draft']);
		for (const options of ['--order-again 3', '--order-changed 3', '--only 3'])
			await desk.expectEnd(
				`plan products.csv --where Status=active ${options}`,
				2,
				'names row 3, which --where leaves out.',
			);
	});

	let desk: Desk;
	beforeAll(async () => (desk = await ordered()));

	test.each([
		['--order-again', '--order-again names no rows, so it means all of them. Nothing was ordered.'],
		['--order-changed', '--order-changed names no rows'],
		['--order-again 9', '--order-again names row 9, and the CSV has rows 2 to 3'],
		['--order-again b.csv', 'A file name goes before --order-again.'],
	])('%s costs nothing and says what to write', async (options, message) => {
		await desk.expectEnd(`run products.csv ${options}`, 2, message);
		desk.expectPaid(2);
	});

	test('with --yes orders all rows that have no order, once', async () => {
		rmSync(desk.path(JOURNAL));
		for (let times = 0; times < 2; times += 1)
			expect(await desk.comesTo('--order-again', '--yes')).toBe('0: ready, ready; 4 paid');
	});

	test('orders a parked row again that it names, and retry orders none', async () => {
		const parkedDesk = await parked();
		const { sandbox } = parkedDesk;
		expect(await parkedDesk.json('plan products.csv --order-again')).toMatchObject({
			again: 2,
			parked: 0,
			takes: 2,
			exit_code: 0,
		});
		await parkedDesk.expectEnd('status', 1, /row 2 .*\n.*\n.*\n +brief-batch .*--order-again 2\n/);
		await parkedDesk.expectEnd('retry products.csv --yes', 1);
		expect(sandbox.createdCount()).toBe(2);
		expect(await parkedDesk.comesTo('--order-again', '2')).toBe('1: ready, parked; 3 paid');
		expect(await parkedDesk.comesTo('--order-again', '2-3')).toBe('0: ready, ready; 4 paid');
	});
});

test('without its journal and its --set a row is parked, and the text names --set', async () => {
	const desk = await deskOf(1, { keyMemoryMs: 1 });
	await desk.order('--set', 'objective=sell');
	rmSync(desk.path('briefs/journal.jsonl'));
	await desk.expectEnd('plan products.csv', 1, /row 2 +parked +Product 1 .*--set may be missing/);
	expect(await desk.comesTo()).toBe('1: parked; 1 paid');
	expect(desk.results()[0]?.brief_error).toContain('differs in objective: a --set may be missing');
});

describe('--adopt', () => {
	test('gives parked rows their briefs for nothing, if the printed commands are pasted', async () => {
		const desk = await parked();
		const [ids, sent] = [idsOf(desk), desk.creates()];
		for (const [at, row] of desk.results().entries()) {
			const command = `brief-batch run products.csv --adopt ${at + 2}=${ids[at]}`;
			expect(row.brief_error).toContain(`costs nothing: ${command}. `);
			expect(desk.read('briefs/report.html')).toContain(command);
			const { code, out } = await desk.paste(command);
			expect(out).toContain(`Row ${at + 2} has brief ${ids[at]} now, as --adopt asks.`);
			expect(code).toBe(at === 0 ? 1 : 0);
		}
		expect(desk.results().map(({ brief_id }) => brief_id)).toEqual(ids);
		expect(desk.creates()).toBe(sent);
	});

	test('gives a new row a brief by the variable too, and orders the other rows', async () => {
		const desk = await deskOf(2);
		const { id } = desk.sandbox.addBrief({ product_name: 'Something else', status: 'ready' });
		desk.env.CREATOR_BRIEFING_ADOPT = `3=${id}`;
		const asked = `--adopt gives row 3 (“Product 2”) brief ${id}, which is a brief of “Something else”.`;
		await desk.expectEnd('run products.csv', 2, asked);
		expect(desk.read(JOURNAL)).not.toContain('adopted');
		const said = `has brief ${id} now, as --adopt asks, although that is a brief of “Some`;
		await desk.expectEnd('run products.csv --yes', 0, said);
		expect(desk.results()[1]).toMatchObject({ brief_status: 'ready', brief_id: id });
		// The variable can stay.
		const inVain = `Row 3 has brief ${id} already, so --adopt changes nothing.`;
		await desk.expectEnd('run products.csv', 0, inVain);
		expect(desk.creates()).toBe(1);
	});

	test('waits for a brief that is still running, and a later run resumes it', async () => {
		const desk = await deskOf(1, { speed: 100 });
		const { id } = desk.sandbox.addBrief({ product_name: 'Another', durationMs: 1_000_000 });
		await desk.killAt(/row 2 +pending/, `run products.csv --yes --adopt 2=${id}`);
		expect((await desk.order()).code).toBe(0);
		expect(desk.creates()).toBe(0);
		expect(desk.results()[0]).toMatchObject({ brief_status: 'ready', brief_id: id });
	});

	test('replaces the order that holds a changed row back', async () => {
		const desk = await parked();
		desk.csv('products.csv', ['Product Name,Product ID,Audience', 'Product 1,1729000000,chefs']);
		const [id = ''] = idsOf(desk);
		expect((await desk.order('--adopt', `2=${id}`)).code).toBe(0);
		expect(desk.results()[0]).toMatchObject({ brief_status: 'ready', brief_id: id });
		desk.expectPaid(2);
	});

	test('is refused with the reason before anything is spent', async () => {
		const desk = await deskOf([...products(2), 'Product 1,1729000000,SKU-1', ',1729000009,S-9']);
		await desk.order('--max', '1');
		const [own = ''] = idsOf(desk);
		const free = desk.sandbox.addBrief({ product_name: 'Product 2', status: 'ready' }).id;
		const before = desk.read(JOURNAL);
		const none = '00000000-0000-4000-8000-000000000000';
		for (const [adopt, text] of [
			[`5=${free}`, 'row 5 is invalid.'],
			[`4=${free}`, 'row 4 has the same content as row 2, and shares its brief.'],
			[`2=${free}`, `row 2 has brief ${own} already.`],
			[`3=${own}`, 'this is the brief of row 2 (“Product 1”).'],
			[`3=${none}`, 'the service has no such brief (404).'],
			['3=no-uuid', 'the service has no such brief (400).'],
			// A good one is not recorded beside a bad one.
			[`3=${free}\n9=${none}`, 'there is no row 9.'],
		]) {
			desk.env.CREATOR_BRIEFING_ADOPT = adopt;
			await desk.expectEnd('run products.csv', 2, text!);
			expect(desk.read(JOURNAL)).toBe(before);
		}
		desk.expectPaid(2);
		desk.env.CREATOR_BRIEFING_ADOPT = undefined;
		// The brief that a row has is no error.
		expect((await desk.order('--adopt', `4=${own}`, '--adopt', `3=${free}`)).code).toBe(1);
		expect(desk.results().map(({ brief_id }) => brief_id)).toEqual([own, free, own, '']);
	});
});
