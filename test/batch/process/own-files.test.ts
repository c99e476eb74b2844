import { copyFileSync, mkdirSync } from 'node:fs';
import { deskOf, products, type Desk } from '../../support/batch/brief-batch';

jest.setTimeout(120_000);

const DEFERRED = 'briefs/deferred.csv';
const FAILED = 'briefs/failed.csv';
const RESULTS = 'briefs/results.csv';

/** Of four rows one is in failed.csv and two are in deferred.csv; now the service has more to give. */
async function ran(): Promise<Desk> {
	const desk = await deskOf(
		[...products(1), 'Lamp (discontinued),17290009,S-9', 'Mug,,', 'Pan,,'],
		{
			allowance: 2,
		},
	);
	expect((await desk.order()).code).toBe(3);
	desk.sandbox.options.allowance = 100;
	return desk;
}

test('failed.csv and deferred.csv list rows with their own columns, and why', async () => {
	const desk = await ran();
	expect(desk.read(FAILED)).toMatch(
		/^\ufeffProduct Name,Product ID,SKU,brief_status,brief_error_code,brief_error\nLamp \(discontinued\),17290009,S-9,failed,product_unavailable,.+\n$/,
	);
	const deferred = desk.read(DEFERRED).split('\n');
	expect(deferred[1]).toMatch(/^Mug,,,deferred,,Not ordered: .* \(UTC\)\.$/);
	expect(deferred).toHaveLength(4);
	expect((await desk.order()).code).toBe(1);
	expect([desk.exists(FAILED), desk.exists(DEFERRED)]).toEqual([true, false]);
	desk.expectPaid(4);
});

describe('a list that brief-batch wrote is refused, with the command to run', () => {
	let desk: Desk;
	beforeAll(async () => (desk = await ran()));

	test.each([
		['deferred.csv', DEFERRED, [], 'run products.csv'],
		['failed.csv', FAILED, [], 'retry products.csv'],
		['results.csv', RESULTS, [], 'run products.csv'],
		['a copy of deferred.csv, with a folder of its own', DEFERRED, ['december'], 'run FILE.csv'],
	])('%s', async (_, list, [out], command) => {
		const csv = out === undefined ? list : 'copy.csv';
		if (csv !== list) copyFileSync(desk.path(list), desk.path(csv));
		const there = out === undefined ? [] : ['--out', out];
		for (const name of ['plan', 'run', 'retry']) {
			const said = 'is a list that brief-batch wrote, to read and not to run: it has the column';
			const cure = `\n         brief-batch ${[command, ...there].join(' ')}\n`;
			await desk.expectEnd(
				[name, csv, ...there, ...(name === 'plan' ? [] : ['--yes'])],
				2,
				said,
				cure,
			);
		}
		expect(desk.exists('december')).toBe(false);
		desk.expectPaid(2);
	});

	test('which goes on with what was deferred, and with what failed', async () => {
		expect((await desk.paste('brief-batch run products.csv')).code).toBe(1);
		expect(desk.statuses()).toEqual(['ready', 'failed', 'ready', 'ready']);
		expect((await desk.paste('brief-batch retry products.csv --yes')).code).toBe(1);
		expect(desk.sandbox.createdCount()).toBe(5);
	});

	test('also in the folder of another client', async () => {
		await desk.order('--out', 'clients/acme');
		const said = '\n         brief-batch run products.csv --out clients/acme\n';
		await desk.expectEnd('run clients/acme/results.csv', 2, said);
	});
});

test('a list with the name of a file that a run writes is not run in that folder', async () => {
	const desk = await deskOf();
	const lists = ['failed.csv', 'deferred.csv', 'results.csv', 'failed-new.csv', 'results-new.csv'];
	for (const name of lists) {
		desk.csv(name, products(1));
		for (const command of ['plan', 'run']) {
			const said = [`writes or removes a ${name} there by itself`, 'Save it under another name'];
			await desk.expectEnd(`${command} ${name} --out .`, 2, ...said);
		}
		expect(desk.read(name)).toBe(`${products(1).join('\n')}\n`);
	}
	expect(desk.exists('journal.jsonl')).toBe(false);
	mkdirSync(desk.path('elsewhere'));
	expect((await desk.run('run failed.csv --out elsewhere')).code).toBe(0);
	desk.expectPaid(1);
});

test('an encoding is not used if the mark of the file contradicts it, and the output says so', async () => {
	const desk = await deskOf();
	desk.write('p.csv', '\ufeffName\nBürste\n');
	const said = 'byte order mark of utf-8: it is read as that, not as windows-1252';
	await desk.expectEnd('plan p.csv --encoding windows-1252', 0, said, /row 2 +new +Bürste/);
});
