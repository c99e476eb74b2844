import { promises as fs } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openTable } from '../../../batch/csv/table';

let folder: string;
beforeEach(async () => (folder = await fs.mkdtemp(join(tmpdir(), 'change-'))));
afterEach(() => fs.rm(folder, { recursive: true }));

async function opened(text: string) {
	const file = join(folder, 'products.csv');
	await fs.writeFile(file, text);
	const table = await openTable(file, { map: [], set: {} });
	await table.watch();
	return { file, table };
}

const CSV = 'product_name\nBrush\n';

test('a CSV that nobody touches has not changed', async () => {
	const { table } = await opened(CSV);
	expect(await table.hasChanged()).toBe(false);
});

test('an edited one has, also where it is as long as before', async () => {
	const { file, table } = await opened(CSV);
	await fs.writeFile(file, CSV.replace('Brush', 'Crush'));
	await fs.utimes(file, 1, 1);
	expect(await table.hasChanged()).toBe(true);
});

test('one that is written anew with the same content has not, as an export does every hour', async () => {
	const { file, table } = await opened(CSV);
	await fs.writeFile(`${file}.new`, CSV);
	await fs.rename(`${file}.new`, file);
	expect(await table.hasChanged()).toBe(false);
	await fs.writeFile(file, `${CSV}Mug\n`);
	expect(await table.hasChanged()).toBe(true);
});

test('one that is gone is told as what it is', async () => {
	const { file, table } = await opened(CSV);
	await fs.rm(file);
	await expect(table.hasChanged()).rejects.toThrow('There is no file');
});
