import { randomUUID } from 'node:crypto';
import { DataTable } from '../../../harness/client/data-table';
import { dataTableColumns, sheetColumns } from '../../../harness/workflows/examples';
import { client, n8n } from './rig';

/** What the user types into a row of a table of products. */
export interface ProductRow {
	isComplete?: boolean;
	sku?: string;
	name?: string;
	id?: string;
	audience?: string;
	facts?: string;
	link?: string;
}

/** What an example has written into a row. */
interface SavedRow {
	status: unknown;
	link: unknown;
	note: unknown;
}

/** The table from which an example reads products, and to which it writes links. */
export interface ProductTable {
	/** The values for the example's placeholders. */
	values: Record<string, string>;
	/** Types into a row, counted from 0. */
	edit: (row: number, change: ProductRow) => void | Promise<void>;
	readSaved: () => SavedRow[] | Promise<SavedRow[]>;
}

type Names = Partial<Record<keyof ProductRow | keyof SavedRow, string>>;
type Cells = Record<string, unknown>;

const SHEET_NAMES = {
	isComplete: 'Order',
	sku: 'SKU',
	name: 'Product Name',
	id: 'Product ID',
	audience: 'Audience',
	facts: 'Approved Facts',
	status: 'Brief Status',
	link: 'Brief Link',
	note: 'Brief Note',
};
const DATA_TABLE_NAMES = {
	isComplete: 'order',
	name: 'product_name',
	id: 'product_id',
	audience: 'audience',
	facts: 'approved_facts',
	status: 'status',
	link: 'link',
	note: 'note',
};

function toCells(row: ProductRow, names: Names): Cells {
	const cells = Object.entries(row).flatMap(([field, value]) => {
		const name = names[field as keyof ProductRow];
		return name === undefined ? [] : [[name, value]];
	});
	return Object.fromEntries(cells) as Cells;
}

function toSaved(cells: Cells, { status, link, note }: Record<keyof SavedRow, string>): SavedRow {
	return { status: cells[status] ?? '', link: cells[link] ?? '', note: cells[note] ?? '' };
}

export function addSheet(rows: ProductRow[]): ProductTable {
	const sheet = randomUUID();
	const { sheets } = n8n();
	const toLine = (row: ProductRow) => {
		const { Order: isComplete, ...cells } = toCells(row, SHEET_NAMES);
		const all: Cells = { Order: isComplete ? 'Yes' : '', ...cells };
		return sheetColumns.map((column) => (all[column] as string | undefined) ?? '');
	};
	// As in Google Sheets, a row ends with its last cell that is not empty.
	const lines = rows.map(toLine).map((line) => line.slice(0, line.findLastIndex(Boolean) + 1));
	sheets.addSheet(sheet, 'Products', [sheetColumns, ...lines]);
	return {
		values: { YOUR_SPREADSHEET_ID: sheet },
		edit: (row, change) => {
			const cells = sheets.rows(sheet, 'Products')[row + 1] ?? [];
			for (const [column, cell] of toLine(change).entries()) if (cell !== '') cells[column] = cell;
		},
		readSaved: () =>
			sheets.records(sheet, 'Products').map((record) => toSaved(record, SHEET_NAMES)),
	};
}

export function addAirtable(rows: ProductRow[]): ProductTable {
	const [base, table] = [`app${randomUUID().replaceAll('-', '')}`, 'tblProducts'];
	const toFields = (row: ProductRow) => toCells(row, SHEET_NAMES);
	const records = n8n().airtable.addRecords(base, table, rows.map(toFields));
	return {
		values: { YOUR_BASE_ID: base, YOUR_TABLE_ID: table },
		edit: (row, change) => void Object.assign(records[row]!.fields, toFields(change)),
		readSaved: () => records.map(({ fields }) => toSaved(fields, SHEET_NAMES)),
	};
}

export async function addDataTable(rows: ProductRow[]): Promise<ProductTable> {
	const name = randomUUID();
	const toColumns = (row: ProductRow) => toCells(row, DATA_TABLE_NAMES);
	const table = await DataTable.create(client().session, name, dataTableColumns);
	await table.insert(rows.map(toColumns));
	return {
		values: { '"value":"Products"': `"value":"${name}"` },
		edit: async (row, change) => {
			const { id } = (await table.rows())[row]!;
			await table.update(id, toColumns(change));
		},
		readSaved: async () => (await table.rows()).map((saved) => toSaved(saved, DATA_TABLE_NAMES)),
	};
}
