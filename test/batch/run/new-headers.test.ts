import { openTable } from '../../../batch/csv/table';
import { Desk } from '../../support/batch/desk';
import { fileOf } from '../../support/batch/read-csv';

/*
 * Header names that have served no field before, and lines that were rows before: a journal of an earlier version knows
 * the rows as they were then.
 */

const tableOf = (csv: string) => openTable(fileOf(csv), { map: [], set: {} });

test.each([
	['Zielgruppe', 'Eltern', 'audience'],
	['Objetivo', 'Vender más', 'objective'],
	['Produkt-ID', '1729481234567890123', 'product_id'],
	['Conditions de la campagne', '10 %', 'campaign_terms'],
])(
	'rows ordered before “%s” was sent are changed, and not paid for again',
	async (header, cell, field) => {
		const desk = new Desk();
		await desk.run(['Brush', 'Mug']);
		const ran = await desk.run(await tableOf(`Name,${header}\nBrush,${cell}\nMug,\n`));
		expect(ran.counts).toMatchObject({ changed: 1, ready: 1, pending: 0 });
		expect(desk.paid()).toEqual(['Brush', 'Mug']);
		expect(desk.results()[0]?.brief_error).toContain(`${field}: was empty, now “${cell}”`);
	},
);

test('a name in another language takes the place of no product that was ordered', async () => {
	const desk = new Desk();
	const link = 'https://shop.example.com/1';
	await desk.run([link]);
	const ran = await desk.run(await tableOf(`Produktname;Link\nBürste;${link}\n`));
	expect([ran.exitCode, desk.paid()]).toEqual([0, [link]]);
});

test('what an earlier version ordered of a template line costs nothing more, and holds nothing up', async () => {
	const desk = new Desk();
	await desk.run(['Mandatory', 'Mug']);
	const ran = await desk.run(await tableOf('Name,Price\nMandatory,Optional\nMug,3\nPan,4\n'));
	expect([ran.exitCode, desk.paid()]).toEqual([0, ['Mandatory', 'Mug', 'Pan']]);
	expect(desk.results().map(({ Name }) => Name)).toEqual(['Mug', 'Pan']);
});

test('a header without rows ends well, with a results.csv of the header', async () => {
	const desk = new Desk();
	const { exitCode, counts } = await desk.run(await tableOf('Name,Price\n'));
	expect([exitCode, counts.ready, desk.paid()]).toEqual([0, 0, []]);
	expect(desk.disk.text('out/results.csv')).toMatch(/^Name,Price,brief_id,.*\n$/);
});
