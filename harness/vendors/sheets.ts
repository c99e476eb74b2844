import { generateKeyPairSync } from 'node:crypto';
import { sheetColumnName, parseRange, type SheetRange } from './sheet-range';
import { isRecord } from '../is-record';
import { bearerOf, type Vendor, type VendorAnswer, type VendorRequest } from './vendor';

export type Cell = string | number | boolean;

interface Sheet {
	sheetId: number;
	title: string;
	rows: Cell[][];
}

const accessToken = 'ya29.local-stand-in';

/**
 * As much of Google Sheets as its n8n node needs to read, append and update rows, with the token service before it.
 * Rows are kept as they were written; no formula is worked out.
 */
export class SheetsStandIn implements Vendor {
	readonly hosts = ['sheets.googleapis.com', 'oauth2.googleapis.com', 'www.googleapis.com'];
	private readonly spreadsheets = new Map<string, Sheet[]>();
	/** How many of the next requests to a spreadsheet find Google out of order. */
	outage = 0;
	/** Whether the spreadsheets are shared for looking only. */
	readOnly = false;

	/** The credential of type googleApi (service account) that this stand-in takes, made of its own key. */
	readonly credential = {
		type: 'googleApi',
		data: {
			region: 'us-central1',
			email: 'n8n@local.iam.gserviceaccount.com',
			privateKey: newKey(),
		},
	};

	/** The credential of type googleSheetsOAuth2Api, which has been through Google's consent already. */
	get oauthCredential() {
		const oauthTokenData = {
			access_token: accessToken,
			refresh_token: '1//local-stand-in',
			token_type: 'Bearer',
			expires_in: 3599,
		};
		const data = { clientId: 'local', clientSecret: 'local', oauthTokenData };
		return { type: 'googleSheetsOAuth2Api', data };
	}

	/** Makes a sheet in a spreadsheet. The first row is its header. Returns its sheet ID (gid). */
	addSheet(spreadsheetId: string, title: string, rows: Cell[][]): number {
		const sheets = this.spreadsheets.get(spreadsheetId) ?? [];
		this.spreadsheets.set(spreadsheetId, sheets);
		// The first sheet of a real spreadsheet has 0, the others arbitrary numbers.
		const sheetId = sheets.length === 0 ? 0 : 1000 + sheets.length;
		sheets.push({ sheetId, title, rows: rows.map((row) => [...row]) });
		return sheetId;
	}

	/** What a person does who types a new line into the sheet. */
	appendRow(spreadsheetId: string, title: string, row: Cell[]): void {
		this.rows(spreadsheetId, title).push([...row]);
	}

	/** All rows of a sheet, the header included. */
	rows(spreadsheetId: string, title: string): Cell[][] {
		return this.sheet(spreadsheetId, title)?.rows ?? [];
	}

	/** The rows under the header, by its names. */
	records(spreadsheetId: string, title: string): Array<Record<string, Cell>> {
		const [header = [], ...rows] = this.rows(spreadsheetId, title);
		return rows.map((row) =>
			Object.fromEntries(header.map((name, column) => [String(name), row[column] ?? ''])),
		);
	}

	answer(request: VendorRequest): VendorAnswer {
		if (request.host === 'oauth2.googleapis.com') return token(request);
		if (bearerOf(request) !== accessToken) return failure(401, 'UNAUTHENTICATED', 'Bad token.');
		if (request.path === '/drive/v3/files') return this.files();
		const [, id = '', rest = ''] = /^\/v4\/spreadsheets\/([^/:]+)(.*)$/.exec(request.path) ?? [];
		const sheets = this.spreadsheets.get(id);
		if (!sheets) return failure(404, 'NOT_FOUND', 'Requested entity was not found.');
		if (this.outage > 0) {
			this.outage -= 1;
			return failure(503, 'UNAVAILABLE', 'The service is currently unavailable.');
		}
		if (this.readOnly && request.method !== 'GET') {
			return failure(403, 'PERMISSION_DENIED', 'The caller does not have permission');
		}
		if (rest === '') return { body: { spreadsheetId: id, sheets: sheets.map(properties) } };
		if (rest === ':batchUpdate') return { body: { spreadsheetId: id, replies: [{}] } };
		if (rest === '/values:batchUpdate') return this.writeMany(id, request.body);
		const [, notation = '', verb = ''] = /^\/values\/(.+?)(:append|:clear)?$/.exec(rest) ?? [];
		return this.values(id, decodeURIComponent(notation), verb, request);
	}

	private values(id: string, notation: string, verb: string, request: VendorRequest): VendorAnswer {
		const range = parseRange(notation);
		const sheet = this.sheet(id, range.sheet);
		if (!sheet) return failure(400, 'INVALID_ARGUMENT', `Unable to parse range: ${notation}`);
		if (request.method === 'GET') {
			const values = read(sheet, range);
			// Google omits the field if there is nothing.
			return {
				body: { range: notation, majorDimension: 'ROWS', ...(values.length ? { values } : {}) },
			};
		}
		if (verb === ':clear') {
			clear(sheet, range);
			return { body: { spreadsheetId: id, clearedRange: notation } };
		}
		const values = valuesOf(request.body);
		const place = verb === ':append' ? { ...range, top: sheet.rows.length } : range;
		const updates = write(id, sheet, place, values);
		return { body: verb === ':append' ? { spreadsheetId: id, updates } : updates };
	}

	private writeMany(id: string, body: unknown): VendorAnswer {
		const data = isRecord(body) && Array.isArray(body['data']) ? (body['data'] as unknown[]) : [];
		const responses: unknown[] = [];
		for (const entry of data) {
			const range = parseRange(isRecord(entry) ? String(entry['range']) : '');
			const sheet = this.sheet(id, range.sheet);
			if (!sheet) return failure(400, 'INVALID_ARGUMENT', `No sheet "${range.sheet}".`);
			responses.push(write(id, sheet, range, valuesOf(entry)));
		}
		return { body: { spreadsheetId: id, totalUpdatedRows: data.length, responses } };
	}

	private files(): VendorAnswer {
		const files = [...this.spreadsheets.keys()].map((id) => ({
			id,
			name: id,
			webViewLink: `https://docs.google.com/spreadsheets/d/${id}/edit`,
		}));
		return { body: { files } };
	}

	private sheet(spreadsheetId: string, title: string): Sheet | undefined {
		return this.spreadsheets.get(spreadsheetId)?.find((sheet) => sheet.title === title);
	}
}

function properties({ sheetId, title, rows }: Sheet, index: number): unknown {
	const columnCount = Math.max(26, ...rows.map(({ length }) => length));
	const gridProperties = { rowCount: Math.max(1000, rows.length), columnCount };
	return { properties: { sheetId, title, index, sheetType: 'GRID', gridProperties } };
}

function read(sheet: Sheet, { top, left, bottom, right }: SheetRange): Cell[][] {
	return sheet.rows.slice(top, bottom + 1).map((row) => row.slice(left, right + 1));
}

function clear(sheet: Sheet, range: SheetRange): void {
	for (const row of sheet.rows.slice(range.top, range.bottom + 1)) {
		row.fill('', range.left, Math.min(row.length, range.right + 1));
	}
	while (sheet.rows.at(-1)?.every((cell) => cell === '')) sheet.rows.pop();
}

function write(id: string, sheet: Sheet, { top, left }: SheetRange, values: unknown[][]): unknown {
	let cells = 0;
	for (const [down, line] of values.entries()) {
		while (sheet.rows.length <= top + down) sheet.rows.push([]);
		const row = sheet.rows[top + down] ?? [];
		for (const [across, value] of line.entries()) {
			// null means: leave what is there.
			if (value === null || value === undefined) continue;
			while (row.length < left + across) row.push('');
			row[left + across] = value as Cell;
			cells++;
		}
	}
	const width = Math.max(1, ...values.map(({ length }) => length));
	const end = `${sheetColumnName(left + width - 1)}${top + values.length}`;
	const updatedRange = `${sheet.title}!${sheetColumnName(left)}${top + 1}:${end}`;
	return { spreadsheetId: id, updatedRange, updatedRows: values.length, updatedCells: cells };
}

function valuesOf(body: unknown): unknown[][] {
	return isRecord(body) && Array.isArray(body['values']) ? (body['values'] as unknown[][]) : [];
}

/** Google's answer to a signed request of a service account, and to a refresh token. */
function token({ body }: VendorRequest): VendorAnswer {
	const granted = isRecord(body) && (body['assertion'] ?? body['refresh_token']);
	if (!granted) return { status: 400, body: { error: 'invalid_grant' } };
	return { body: { access_token: accessToken, expires_in: 3599, token_type: 'Bearer' } };
}

function failure(code: number, status: string, message: string): VendorAnswer {
	return { status: code, body: { error: { code, status, message } } };
}

function newKey(): string {
	const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
	return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
}
