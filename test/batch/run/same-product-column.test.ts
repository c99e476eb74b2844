import { resolve } from 'node:path';
import type { TableOptions } from '../../../batch/csv/table';
import { Desk } from '../../support/batch/desk';
import { open } from '../../support/batch/read-csv';

/** The same CSV on another day: its name stays, whatever it holds. */
const csv = async (
	content: string,
	options: Partial<TableOptions> = {},
	file = 'products.csv',
) => ({
	...(await open(content, options)),
	file: resolve('/lists', file),
});
const mapped = (header: string): Partial<TableOptions> => ({
	map: [{ header, field: 'product_name' }],
});

const LINKS = 'Link,Audience\nhttps://shop.example/1,Teens\nhttps://shop.example/2,Teens\n';
const NAMED =
	'Name,Link,Audience\nLamp,https://shop.example/1,Teens\nMug,https://shop.example/2,Teens\n';
const PAID = ['https://shop.example/1', 'https://shop.example/2'];

let desk: Desk;
beforeEach(() => (desk = new Desk()));

describe('a run whose products come from another column than in the last one orders nothing', () => {
	test('where a column was added that is taken for the product', async () => {
		await desk.run(await csv(LINKS));
		await expect(desk.run(await csv(NAMED))).rejects.toMatchObject({
			exitCode: 2,
			what: expect.stringContaining(
				'read from the column “Name”, and were read from the column “Link” in the last run',
			) as string,
			cure: expect.stringContaining('--map "Link=product_name"') as string,
		});
		expect(desk.paid()).toEqual(PAID);
	});

	test('where a --map was forgotten', async () => {
		const content = 'Produktname,Link\nLampe,https://shop.example/1\n';
		await desk.run(await csv(content, mapped('Produktname')));
		await expect(desk.run(await csv(content))).rejects.toMatchObject({ exitCode: 2 });
		expect(desk.paid()).toEqual(['Lampe']);
	});

	test('where the column of the last run was taken out', async () => {
		await desk.run(await csv(NAMED, mapped('Link')));
		await expect(
			desk.run(await csv('Name,Audience\nLamp,Teens\nMug,Teens\n')),
		).rejects.toMatchObject({
			exitCode: 2,
			cure: expect.stringContaining('put the column “Link” back') as string,
		});
	});

	test('where a --set gave the product, and was forgotten', async () => {
		const content = 'Name,Audience\nLamp,Teens\n';
		await desk.run(await csv('Audience\nTeens\n', { set: { product_name: 'The brand' } }));
		await expect(desk.run(await csv(content))).rejects.toMatchObject({
			exitCode: 2,
			cure: expect.stringContaining('--set "product_name=The brand"') as string,
		});
	});

	test('where the CSV of a part is read by another column', async () => {
		await desk.run(await csv(NAMED, mapped('Link')), { max: 1 });
		const part = { reads: 'deferred.csv' as const, whole: null };
		const rest = 'Name,Link,Audience\nMug,https://shop.example/2,Teens\n';
		await expect(desk.run(await csv(rest, {}, 'deferred.csv'), { part })).rejects.toMatchObject({
			exitCode: 2,
		});
		await desk.run(await csv(rest, mapped('Link'), 'deferred.csv'), { part });
		expect(desk.paid()).toEqual(PAID);
	});

	test('and leaves for `status` why', async () => {
		await desk.run(await csv(LINKS));
		await expect(desk.run(await csv(NAMED))).rejects.toThrow();
		expect(desk.records().notBegun).toMatchObject({ exit_code: 2 });
	});
});

describe('it goes on', () => {
	test('where --map names the column as before, and where it names another on purpose', async () => {
		await desk.run(await csv(LINKS));
		const before = await desk.run(await csv(NAMED, mapped('Link')));
		expect([before.exitCode, desk.paid()]).toEqual([0, PAID]);
		await desk.run(await csv(NAMED, mapped('Name')));
		expect(desk.paid()).toEqual([...PAID, 'Lamp', 'Mug']);
	});

	test('where only the header has another name', async () => {
		await desk.run(await csv('Title\nLamp\n'));
		await desk.run(await csv('Product Name\nLamp\nMug\n'));
		expect(desk.paid()).toEqual(['Lamp', 'Mug']);
	});

	test('where another CSV of the batch has other columns', async () => {
		await desk.run(await csv(LINKS));
		await desk.run(await csv('Name\nLamp\n', {}, 'february.csv'));
		await desk.run(await csv(LINKS));
		expect(desk.paid()).toEqual([...PAID, 'Lamp']);
	});
});
