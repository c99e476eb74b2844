import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { INodeProperties } from 'n8n-workflow';
import { PRODUCT_NAME_LENGTH, TEXT_MAX_LENGTH } from '../../core/api/limits';
import { INPUT_FIELDS } from '../../core/input/input-fields';
import { description as parameters } from '../../nodes/CreatorBriefing/actions/brief/create.operation';
import { loadContract } from '../../sandbox/contract';

/** The text about each field in a document or a form. */
type FieldTexts = Readonly<Record<string, string>>;

const MAX_LENGTHS = { product_name: PRODUCT_NAME_LENGTH.max, ...TEXT_MAX_LENGTH };

/** A row of a table, by the name of a field in a form or a CSV, or in the API. */
const LABELED_ROW = /^\| ([A-Z][\w ]+) \| .*$/gm;
const NAMED_ROW = /^\| `(\w+)` \| .*$/gm;

/** Returns the field with a label such as “Product Name”. */
function toField(label: string): string {
	return label.replaceAll(' ', '_').toLowerCase();
}

/** Returns the rows of the tables of a section. */
function readRows(document: string, heading: string, pattern: RegExp): FieldTexts {
	const text = readFileSync(resolve(__dirname, '../..', document), 'utf8');
	const section = text.split(/^#+ /m).find((each) => each.startsWith(`${heading}\n`)) ?? '';
	const rows = [...section.matchAll(pattern)];
	return Object.fromEntries(rows.map(([row, name = '']) => [toField(name), row]));
}

async function readSchema(): Promise<FieldTexts> {
	const { body } = (await loadContract()).describe('create_brief');
	const { properties } = body as { properties: object };
	const entries = Object.entries(properties);
	return Object.fromEntries(entries.map(([field, schema]) => [field, JSON.stringify(schema)]));
}

function readForm(): FieldTexts {
	const { options } = parameters.find(({ name }) => name === 'additionalFields')!;
	const all = [...parameters, ...(options as INodeProperties[])];
	return Object.fromEntries(
		all.map(({ displayName, description = '' }) => [toField(displayName), description]),
	);
}

const API = readRows('docs/api.md', '4.3 Create a brief', NAMED_ROW);

test('docs/api.md 4.3 has the fields of the code, in the same sequence', () => {
	expect(Object.keys(API)).toEqual([...INPUT_FIELDS, 'idempotency_key']);
});

test('batch/README.md has the column of every field, in the same sequence', () => {
	expect(Object.keys(readRows('batch/README.md', 'Your CSV', LABELED_ROW))).toEqual(INPUT_FIELDS);
});

test.each([
	['docs/api.md', () => API],
	['sandbox/openapi.yaml', readSchema],
	['the form of Create', readForm],
	['nodes/README.md', () => readRows('nodes/README.md', 'Create brief', LABELED_ROW)],
])('%s has every field, with the limit of each text', async (_place, read) => {
	const texts = await read();
	const isStated = ([field, limit]: readonly [string, number]) => {
		const numbers: string[] = texts[field]?.replaceAll(',', '').match(/\d+/g) ?? [];
		return numbers.includes(String(limit));
	};
	expect({
		missing: INPUT_FIELDS.filter((field) => texts[field] === undefined),
		withoutLimit: Object.entries(MAX_LENGTHS).filter((each) => !isStated(each)),
	}).toEqual({ missing: [], withoutLimit: [] });
});
