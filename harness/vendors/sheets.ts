import { getBearerToken, type Vendor, type VendorAnswer, type VendorRequest } from './vendor';

type Cell = string | number | boolean | null;
type Rows = Cell[][];

const ACCESS_TOKEN = 'ya29.local-stand-in';

/**
 * A stand-in for Google Sheets and its token service, with the calls that n8n's node needs to read, append and update rows.
 * Cells keep their text, and formulas are not calculated.
 */
export class SheetsStandIn implements Vendor {
	readonly hosts = ['sheets.googleapis.com', 'oauth2.googleapis.com'];
	/** By spreadsheet, then by title. */
	private readonly spreadsheets = new Map<string, Map<string, Rows>>();

	/** The credential that this stand-in accepts, after Google's consent. */
	readonly credential = {
		type: 'googleSheetsOAuth2Api',
		data: {
			clientId: 'local',
			clientSecret: 'local',
			oauthTokenData: {
				access_token: ACCESS_TOKEN,
				refresh_token: '1//local-stand-in',
				token_type: 'Bearer',
				expires_in: 3599,
			},
		},
	};

	/** Adds a sheet to a spreadsheet. The first row is the header. */
	addSheet(spreadsheetId: string, title: string, rows: Rows): void {
		const sheets = this.spreadsheets.get(spreadsheetId) ?? new Map<string, Rows>();
		this.spreadsheets.set(spreadsheetId, sheets);
		const copy = rows.map((row) => [...row]);
		sheets.set(title, copy);
	}

	/** Returns the rows of a sheet with the header. A test can change them, as a user of the sheet does. */
	rows(spreadsheetId: string, title: string): Rows {
		return this.spreadsheets.get(spreadsheetId)?.get(title) ?? [];
	}

	/** Returns the rows below the header, by column. */
	records(spreadsheetId: string, title: string): Array<Record<string, Cell>> {
		const [header = [], ...rows] = this.rows(spreadsheetId, title);
		return rows.map((row) =>
			Object.fromEntries(header.map((name, column) => [String(name), row[column] ?? ''])),
		);
	}

	answer(request: VendorRequest): VendorAnswer {
		if (request.host === 'oauth2.googleapis.com') {
			return { body: { access_token: ACCESS_TOKEN, expires_in: 3599, token_type: 'Bearer' } };
		}
		if (getBearerToken(request) !== ACCESS_TOKEN) return refuse(401, 'UNAUTHENTICATED');
		const [, id = '', action = ''] = /^\/v4\/spreadsheets\/([^/:]+)(.*)$/.exec(request.path) ?? [];
		const sheets = this.spreadsheets.get(id);
		if (!sheets) return refuse(404, 'NOT_FOUND');
		if (action === '') return { body: { spreadsheetId: id, sheets: describeSheets(sheets) } };
		// n8n adds empty rows with this call. The stand-in adds rows when they are written.
		if (action === ':batchUpdate') return { body: { spreadsheetId: id, replies: [{}] } };
		if (action === '/values:batchUpdate') {
			const { data } = request.body as { data: Array<{ range: string; values: Rows }> };
			for (const { range, values } of data) write(sheets, parseRange(range), values);
			return { body: { spreadsheetId: id, totalUpdatedRows: data.length } };
		}
		return useValues(sheets, decodeURIComponent(action.replace('/values/', '')), request);
	}
}

/** Answers a request for the values of a range. */
function useValues(
	sheets: Map<string, Rows>,
	notation: string,
	{ method, body }: VendorRequest,
): VendorAnswer {
	const range = parseRange(notation.replace(/:append$/, ''));
	const rows = sheets.get(range.sheet);
	if (!rows) return refuse(400, 'INVALID_ARGUMENT');
	if (method === 'GET') {
		const values = rows
			.slice(range.top, range.bottom + 1)
			.map((row) => row.slice(range.left, range.right + 1));
		// Google omits the field if there are no values.
		const found = values.length > 0 ? { values } : {};
		return { body: { range: notation, majorDimension: 'ROWS', ...found } };
	}
	const { values } = body as { values: Rows };
	const top = notation.endsWith(':append') ? rows.length : range.top;
	write(sheets, { ...range, top }, values);
	return { body: { updates: { updatedRows: values.length } } };
}

function describeSheets(sheets: Map<string, Rows>): object[] {
	return [...sheets].map(([title, rows], index) => {
		const gridProperties = { rowCount: Math.max(1000, rows.length), columnCount: 26 };
		return { properties: { sheetId: index, title, index, sheetType: 'GRID', gridProperties } };
	});
}

function write(sheets: Map<string, Rows>, { sheet, top, left }: SheetRange, values: Rows): void {
	const rows = sheets.get(sheet) ?? [];
	for (const [down, cells] of values.entries()) {
		while (rows.length <= top + down) rows.push([]);
		const row = rows[top + down] ?? [];
		for (const [across, value] of cells.entries()) {
			// null leaves the cell as it is.
			if (value === null) continue;
			while (row.length < left + across) row.push('');
			row[left + across] = value;
		}
	}
}

/** A range of cells, counted from 0. An open end is infinite. */
interface SheetRange {
	sheet: string;
	top: number;
	left: number;
	bottom: number;
	right: number;
}

/** Reads `Sheet1`, `'My sheet'!A:Z`, `Sheet1!2:3`, `Sheet1!B2:C4` and `Sheet1!B2`. */
function parseRange(notation: string): SheetRange {
	const [, name = '', cells = ''] = /^(.*?)(?:!([^!]*))?$/.exec(notation) ?? [];
	const [from = '', to = from] = cells.split(':');
	const start = parseCell(from);
	const end = parseCell(to);
	return {
		sheet: name.replace(/^'(.*)'$/, '$1'),
		top: start.row ?? 0,
		left: start.column ?? 0,
		bottom: end.row ?? Infinity,
		right: end.column ?? Infinity,
	};
}

function parseCell(cell: string): { column: number | undefined; row: number | undefined } {
	const [, letters = '', digits = ''] = /^([A-Z]*)(\d*)$/.exec(cell) ?? [];
	const column = Array.from(letters).reduce(
		(sum, letter) => sum * 26 + letter.charCodeAt(0) - 64,
		0,
	);
	return {
		column: letters === '' ? undefined : column - 1,
		row: digits === '' ? undefined : Number(digits) - 1,
	};
}

function refuse(code: number, status: string): VendorAnswer {
	return { status: code, body: { error: { code, status, message: status } } };
}
