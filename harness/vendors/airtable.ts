import { randomBytes } from 'node:crypto';
import { isRecord } from '../is-record';
import { bearerOf, type Vendor, type VendorAnswer, type VendorRequest } from './vendor';

type Fields = Record<string, unknown>;

export interface AirtableRecord {
	id: string;
	createdTime: string;
	fields: Fields;
}

const token = 'patLocal.stand-in';

/** The parts of Airtable that its n8n node needs to find and update records. As in Airtable, no record shows an empty field. */
export class AirtableStandIn implements Vendor {
	readonly hosts = ['api.airtable.com'];
	private readonly tables = new Map<string, AirtableRecord[]>();

	/** The credential of type airtableTokenApi that this stand-in accepts. */
	readonly credential = { type: 'airtableTokenApi', data: { accessToken: token } };

	/** Adds records to a table of a base, which are made if they do not exist. */
	addRecords(base: string, table: string, rows: Fields[]): AirtableRecord[] {
		const added = rows.map((fields) => ({
			id: `rec${randomBytes(7).toString('hex')}`,
			createdTime: new Date().toISOString(),
			fields: { ...fields },
		}));
		this.tables.set(`${base}/${table}`, [...this.records(base, table), ...added]);
		return added;
	}

	records(base: string, table: string): AirtableRecord[] {
		return this.tables.get(`${base}/${table}`) ?? [];
	}

	answer(request: VendorRequest): VendorAnswer {
		if (bearerOf(request) !== token) return refuse(401, 'AUTHENTICATION_REQUIRED');
		const records = this.tables.get(request.path.replace('/v0/', ''));
		if (!records) return refuse(404, 'NOT_FOUND');
		if (request.method === 'PATCH') return update(records, request.body);
		const formula = request.query.get('filterByFormula') ?? '';
		const found = records.filter(({ fields }) => isTrue(formula, fields));
		return { body: { records: found.map(withoutEmptyFields) } };
	}
}

/** Evaluates `AND(…)` of terms such as `{Order}` and `NOT({Brief Link})`, which is all that the examples use. */
function isTrue(formula: string, fields: Fields): boolean {
	return formula
		.replace(/^AND\((.*)\)$/, '$1')
		.split(', ')
		.every((term) => {
			const [, not, name = ''] = /^(NOT\()?\{(.+?)\}\)?$/.exec(term) ?? [];
			return isEmpty(fields[name]) === (not !== undefined);
		});
}

function isEmpty(value: unknown): boolean {
	return value === undefined || value === null || value === '' || value === false;
}

function update(records: AirtableRecord[], body: unknown): VendorAnswer {
	const changes = isRecord(body) && Array.isArray(body['records']) ? body['records'] : [];
	const updated: AirtableRecord[] = [];
	for (const { id, fields } of changes as AirtableRecord[]) {
		const record = records.find((each) => each.id === id);
		if (!record) return refuse(404, 'NOT_FOUND');
		Object.assign(record.fields, fields);
		updated.push(withoutEmptyFields(record));
	}
	return { body: { records: updated } };
}

function withoutEmptyFields({ fields, ...record }: AirtableRecord): AirtableRecord {
	const shown = Object.entries(fields).filter(([, value]) => !isEmpty(value));
	return { ...record, fields: Object.fromEntries(shown) };
}

function refuse(status: number, type: string): VendorAnswer {
	return { status, body: { error: { type, message: type } } };
}
