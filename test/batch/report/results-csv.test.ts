import { parse } from 'csv-parse/sync';
import type { Table } from '../../../batch/csv/types';
import { escapeFormula } from '../../../batch/report/formula';
import { renderResults } from '../../../batch/report/results-csv';
import { matchRows } from '../../../batch/orders/match-rows';
import { listCurrentRows, makeReport } from '../../../batch/report/report';
import { makeBrief, makeOrders, makeRow, STATES, type OrderSketch } from '../support/order-builder';
import { makeTable } from '../support/world';

const mug = { product_name: 'Mug', product_id: '111111' };
const pan = { product_name: 'Pan', product_id: '222222' };
const cup = { product_name: 'Cup', product_id: '333333' };
const plain = makeTable([
	makeRow(2, mug, { cells: ['A1', 'Mug', '=1+1'], rowId: 'A1' }),
	makeRow(3, pan, { cells: ['A2', 'Pan', '222222'], rowId: 'A2' }),
]);
const table: Table = {
	...plain,
	headers: ['SKU', 'Product', 'Product ID'],
	columns: { product_name: 'Product', product_id: 'Product ID' },
	options: { ...plain.options, id: 'SKU' },
};

function render(sketches: readonly OrderSketch[], from = table): string {
	const orders = makeOrders(...sketches);
	const rows = listCurrentRows(from.rows, matchRows(from.rows, orders, 0));
	const buildCommand = (...words: string[]) => words;
	const wording = { buildCommand, shortenId: orders.shortenId };
	const report = makeReport({
		orders,
		rows,
		allowanceLeft: null,
		monthlyLimit: null,
		now: 0,
		wording,
	});
	return renderResults(from, report).toString();
}

const read = (...sketches: OrderSketch[]) =>
	parse<Record<string, string>>(render(sketches), { bom: true, columns: true });

test('the columns of the CSV are first, with its delimiter, followed by ten columns about the brief', () => {
	const [header] = render([], { ...table, delimiter: ';' }).split('\n');
	expect(header).toBe(
		'\ufeffSKU;Product;Product ID;brief_id;brief_status;brief_title;brief_url;brief_file;brief_error_code;brief_error;brief_created_at;brief_finished_at;brief_warnings',
	);
});

test('a row whose brief is being written has its ID and no link', () => {
	const [row] = read({ input: mug, rowId: 'A1', state: STATES.accepted() });
	expect(row).toMatchObject({ brief_id: 'B1', brief_status: 'pending', brief_url: '' });
});

test('the brief of a removed row has a line with row ID, product ID and name', () => {
	const [, , removed] = read({ input: cup, rowId: 'A3', state: STATES.ready('B3') });
	expect(removed).toMatchObject({
		SKU: 'A3',
		Product: 'Cup',
		'Product ID': '333333',
		brief_id: 'B3',
		brief_file: 'results/B3.md',
	});
});

test('a brief that was replaced by a retry keeps a line with its error', () => {
	const lines = read(
		{ input: mug, rowId: 'A1', state: STATES.failed('B1') },
		{ input: mug, rowId: 'A1', state: STATES.ready('B2'), previousOrderId: 1 },
	);
	expect(lines.map((line) => [line['SKU'], line['brief_id'], line['brief_error_code']])).toEqual([
		['A1', 'B2', ''],
		['A2', '', ''],
		['A1', 'B1', 'generation_failed'],
	]);
});

test('cells of the user are unchanged, and a title from the service cannot run as a formula', () => {
	const brief = { ...makeBrief('B1'), title: '=HYPERLINK("https://evil.example")' };
	const [line] = read({
		input: mug,
		state: { kind: 'ready', brief, source: 'own', file: 'mug', warnings: [] },
	});
	expect(line?.['Product ID']).toBe('=1+1');
	expect(line?.['brief_title']).toBe(`'=HYPERLINK("https://evil.example")`);
});

test.each([
	['=1+1', "'=1+1"],
	['+1', "'+1"],
	['-1', "'-1"],
	['@SUM(A1)', "'@SUM(A1)"],
	['＝1+1', "'＝1+1"],
	[' \u200b=1+1', "' \u200b=1+1"],
	['\tMug', "'\tMug"],
	['\rMug', "'\rMug"],
	['Mug;=1+1', "Mug;'=1+1"],
	['Mug; "=1+1', `Mug; "'=1+1`],
	['Mug,=1+1', "Mug,'=1+1"],
	['Mug\n@SUM(A1)', "Mug\n'@SUM(A1)"],
	['Mug, - red - blue', 'Mug, - red - blue'],
	['Five ways: 1+1=2', 'Five ways: 1+1=2'],
])('the cell %j is written as %j', (cell, expected) => {
	expect(escapeFormula(cell)).toBe(expected);
});

test('a long cell of delimiters is escaped in linear time', () => {
	const cell = `${';'.repeat(200_000)}Mug`;
	const began = performance.now();
	expect(escapeFormula(cell)).toBe(cell);
	// A search in quadratic time would take minutes.
	expect(performance.now() - began).toBeLessThan(10_000);
});
