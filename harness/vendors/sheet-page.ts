import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Cell, SheetsStandIn } from './sheets';

interface SheetPage {
	url: string;
	close: () => Promise<void>;
}

/** A page that shows sheets of a spreadsheet as they are now, and again every other second. */
export async function startSheetPage(
	sheets: SheetsStandIn,
	spreadsheetId: string,
	titles: readonly string[],
): Promise<SheetPage> {
	const server = createServer((_request, response) => {
		const tables = titles.map((title) => tableOf(title, sheets.rows(spreadsheetId, title)));
		response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
		response.end(`${HEAD}${tables.join('')}`);
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const { port } = server.address() as AddressInfo;
	const close = async () => {
		server.closeAllConnections();
		await new Promise((resolve) => server.close(resolve));
	};
	return { url: `http://127.0.0.1:${port}`, close };
}

const HEAD = `<!doctype html><meta charset="utf-8"><meta http-equiv="refresh" content="2"><title>The sheet</title>
<style>body{font:14px sans-serif}table{border-collapse:collapse}td,th{border:1px solid #ccc;padding:4px 8px;text-align:left}</style>`;

function tableOf(title: string, [header = [], ...rows]: Cell[][]): string {
	const width = header.length;
	const line = (cells: Cell[], tag: string) =>
		`<tr>${Array.from({ length: width }, (_, at) => `<${tag}>${escape(cells[at])}</${tag}>`).join('')}</tr>`;
	return `<h2>${escape(title)}</h2><table>${line(header, 'th')}${rows.map((row) => line(row, 'td')).join('')}</table>`;
}

function escape(cell: Cell = ''): string {
	return String(cell).replace(/[<>&]/g, (letter) => `&#${letter.charCodeAt(0)};`);
}
