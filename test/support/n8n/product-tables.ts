import { randomUUID } from 'node:crypto';
import { DataTable } from '../../../harness/client/data-table';
import { dataTableColumns, sheetColumns } from '../../../harness/workflows/examples';
import { client, n8n } from './rig';

type Fields = Record<string, unknown>;

/** A row of a user's table of products. */
export interface ProductRow {
	/** Whether the user has typed yes, or set the tick. */
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

/** The table that an example reads products from and writes links to. */
export interface ProductTable {
	/** What to put in place of the example's placeholders. */
	values: Record<string, string>;
	/** Types into a row, counted from 0. */
	edit: (row: number, change: ProductRow) => void | Promise<void>;
	saved: () => SavedRow[] | Promise<SavedRow[]>;
}

export function sheetWith(rows: ProductRow[]): ProductTable {
	const sheet = randomUUID();
	const { sheets } = n8n();
	sheets.addSheet(sheet, 'Products', [sheetColumns, ...rows.map(toCells)]);
	return {
		values: { YOUR_SPREADSHEET_ID: sheet },
		edit: (row, change) => {
			const cells = sheets.rows(sheet, 'Products')[row + 1] ?? [];
			for (const [column, cell] of toCells(change).entries()) if (cell !== '') cells[column] = cell;
		},
		saved: () => sheets.records(sheet, 'Products').map(toSaved),
	};
}

/** Returns the cells of a row. As in Google Sheets, a row ends with its last cell that is not empty. */
function toCells({ isComplete, sku, name, id, audience, facts, link }: ProductRow): string[] {
	const cells = [isComplete ? 'Yes' : undefined, sku, name, id, audience, facts, undefined, link];
	const last = cells.findLastIndex((cell) => cell !== undefined);
	return cells.slice(0, last + 1).map((cell) => cell ?? '');
}

export function airtableWith(rows: ProductRow[]): ProductTable {
	const [base, table] = [`app${randomUUID().replaceAll('-', '')}`, 'tblProducts'];
	const records = n8n().airtable.addRecords(base, table, rows.map(toFields));
	return {
		values: { YOUR_BASE_ID: base, YOUR_TABLE_ID: table },
		edit: (row, change) => void Object.assign(records[row]!.fields, toFields(change)),
		saved: () => records.map(({ fields }) => toSaved(fields)),
	};
}

function toFields({ isComplete, name, id, audience, facts, link }: ProductRow): Fields {
	return withoutUndefined({
		Order: isComplete,
		'Product Name': name,
		'Product ID': id,
		Audience: audience,
		'Approved Facts': facts,
		'Brief Link': link,
	});
}

export async function dataTableWith(rows: ProductRow[]): Promise<ProductTable> {
	const name = randomUUID();
	const table = await DataTable.create(client().session, name, dataTableColumns);
	await table.insert(rows.map(toColumns));
	return {
		values: { '"value":"Products"': `"value":"${name}"` },
		edit: async (row, change) => {
			const { id } = (await table.rows())[row]!;
			await table.update(id, toColumns(change));
		},
		saved: async () =>
			(await table.rows()).map(({ status, link, note }) => ({
				status: status ?? '',
				link: link ?? '',
				note: note ?? '',
			})),
	};
}

function toColumns({ isComplete, name, id, audience, facts, link }: ProductRow): Fields {
	return withoutUndefined({
		order: isComplete,
		product_name: name,
		product_id: id,
		audience,
		approved_facts: facts,
		link,
	});
}

function withoutUndefined(fields: Fields): Fields {
	return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

function toSaved(row: Fields): SavedRow {
	return {
		status: row['Brief Status'] ?? '',
		link: row['Brief Link'] ?? '',
		note: row['Brief Note'] ?? '',
	};
}
