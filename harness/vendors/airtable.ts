import { randomBytes } from 'node:crypto';
import { getBearerToken, type Vendor, type VendorAnswer, type VendorRequest } from './vendor';

type Fields = Record<string, unknown>;

interface AirtableRecord {
	id: string;
	createdTime: string;
	fields: Fields;
}

const TOKEN = 'patLocal.stand-in';

/** A stand-in for Airtable, with the calls that n8n's node needs to find and update records. It omits empty fields. */
export class AirtableStandIn implements Vendor {
	readonly hosts = ['api.airtable.com'];
	/** The records of a table, by `base/table`. */
	private readonly tables = new Map<string, AirtableRecord[]>();
	/** The credential that this stand-in accepts. */
	readonly credential = { type: 'airtableTokenApi', data: { accessToken: TOKEN } };

	/** Adds records to a table, which is created if it does not exist, and returns them. */
	addRecords(base: string, table: string, rows: Fields[]): AirtableRecord[] {
		const added = rows.map((fields) => ({
			id: `rec${randomBytes(7).toString('hex')}`,
			createdTime: new Date().toISOString(),
			fields: { ...fields },
		}));
		const path = `${base}/${table}`;
		this.tables.set(path, [...(this.tables.get(path) ?? []), ...added]);
		return added;
	}

	answer(request: VendorRequest): VendorAnswer {
		if (getBearerToken(request) !== TOKEN) return refuse(401, 'AUTHENTICATION_REQUIRED');
		const records = this.tables.get(request.path.replace('/v0/', ''));
		if (!records) return refuse(404, 'NOT_FOUND');
		if (request.method === 'PATCH') {
			const { records: changes } = request.body as { records: AirtableRecord[] };
			return { body: { records: changes.map((change) => update(records, change)) } };
		}
		const formula = request.query.get('filterByFormula') ?? '';
		const found = records.filter(({ fields }) => isTrue(formula, fields));
		return { body: { records: found.map(withoutEmptyFields) } };
	}
}

/** Evaluates `AND(…)` of terms such as `{Order}` and `NOT({Brief Link})`, which are all that the examples use. */
function isTrue(formula: string, fields: Fields): boolean {
	const terms = formula.replace(/^AND\((.*)\)$/, '$1').split(', ');
	return terms.every((term) => {
		const [, not, name = ''] = /^(NOT\()?\{(.+?)\}\)?$/.exec(term) ?? [];
		return isEmpty(fields[name]) === (not !== undefined);
	});
}

function isEmpty(value: unknown): boolean {
	return value === undefined || value === null || value === '' || value === false;
}

function update(records: AirtableRecord[], { id, fields }: AirtableRecord): AirtableRecord {
	const record = records.find((each) => each.id === id);
	if (!record) throw new Error(`The stand-in for Airtable has no record ${id}.`);
	Object.assign(record.fields, fields);
	return withoutEmptyFields(record);
}

function withoutEmptyFields({ fields, ...record }: AirtableRecord): AirtableRecord {
	const shown = Object.entries(fields).filter(([, value]) => !isEmpty(value));
	return { ...record, fields: Object.fromEntries(shown) };
}

function refuse(status: number, type: string): VendorAnswer {
	return { status, body: { error: { type, message: type } } };
}
