import { makeProducts, openClientFolder } from '../../support/client-folder';

jest.setTimeout(60_000);

test('returns 0 when every row is ready, and the same command again orders nothing', async () => {
	const folder = await openClientFolder(2);
	expect(await folder.getCodeAndBriefs('run products.csv')).toEqual([0, 2]);
	expect(await folder.getCodeAndBriefs('run products.csv')).toEqual([0, 2]);
	expect(folder.findFaults()).toEqual([]);
});

test('returns 0 when help is printed', async () => {
	const folder = await openClientFolder(1);
	for (const args of ['help', 'help run', '--help', 'run --help', '--version']) {
		const { code, err } = await folder.run(args);
		expect([args, code, err]).toEqual([args, 0, '']);
	}
});

test('returns 1 when rows failed or are invalid, and 0 for a retry of nothing', async () => {
	const folder = await openClientFolder([...makeProducts(1), 'Lamp (discontinued),,', 'n/a,,']);
	expect(await folder.getCodeAndBriefs('run products.csv')).toEqual([1, 2]);
	expect(folder.statuses()).toEqual(['ready', 'failed', 'invalid']);
	expect((await folder.run('status')).code).toBe(1);
	expect(await folder.getCodeAndBriefs('retry products.csv --only 2')).toEqual([0, 2]);
	expect(folder.findFaults()).toEqual([]);
});

test('returns 2 when the command, the CSV or the folder cannot be used', async () => {
	const folder = await openClientFolder(1);
	folder.writeCsv('empty.csv', ['Product Name']);
	folder.write('file', '');
	for (const args of [
		'run missing.csv',
		'run empty.csv',
		'run products.csv --max none',
		'run products.csv --out file',
		'status elsewhere',
	])
		expect([args, (await folder.run(args)).code]).toEqual([args, 2]);
	expect(folder.sandbox.createdCount()).toBe(0);
});

test('returns 3 when rows are beyond --max or the allowance', async () => {
	const folder = await openClientFolder(3, { allowance: 2 });
	expect(await folder.getCodeAndBriefs('run products.csv --max 1')).toEqual([3, 1]);
	expect(await folder.getCodeAndBriefs('run products.csv')).toEqual([3, 2]);
	expect(folder.statuses()).toEqual(['ready', 'ready', 'deferred']);
	expect(folder.findFaults()).toEqual([]);
});

test('returns 4 when the service refuses the key, and does not print the key', async () => {
	const folder = await openClientFolder(1);
	const key = folder.sandbox.keys.revoked;
	const end = await folder.run('run products.csv', { env: { CREATOR_BRIEFING_API_KEY: key } });
	expect(end.code).toBe(4);
	expect(end.out + end.err).not.toContain(key);
	expect((await folder.run('status')).code).toBe(4);
	expect(folder.sandbox.createdCount()).toBe(0);
});

test('returns 5 when the service is not reachable, and status shows the reason', async () => {
	const folder = await openClientFolder(1);
	const env = { CREATOR_BRIEFING_BASE_URL: 'http://127.0.0.1:9/v1' };
	expect(await folder.getCodeAndBriefs('run products.csv', { env })).toEqual([5, 0]);
	expect((await folder.run('status')).code).toBe(5);
});
