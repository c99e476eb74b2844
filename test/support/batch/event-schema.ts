import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import Ajv from 'ajv';

const file = resolve(__dirname, '../../../batch/events.schema.json');
export const publishedSchema = readFileSync(file, 'utf8');

/** Without the leave that the published schema gives to later versions: a field that it does not name is wrong. */
function strict(schema: unknown): unknown {
	if (Array.isArray(schema)) return schema.map(strict);
	if (typeof schema !== 'object' || schema === null) return schema;
	const inner = Object.fromEntries(
		Object.entries(schema).map(([name, one]) => [name, strict(one)]),
	);
	return 'properties' in schema ? { ...inner, additionalProperties: false } : inner;
}

const ajv = new Ajv({ allErrors: true, allowUnionTypes: true, validateFormats: false });
const check = ajv.compile(strict(JSON.parse(publishedSchema)) as object);

/** An event as --json prints it, held against the schema of the package. */
export function expectEvent(event: object): void {
	if (check(event)) return;
	const errors = check.errors ?? [];
	const kindOf = ({ schemaPath }: { schemaPath: string }) => schemaPath.split('/properties')[0];
	const others = errors.filter(({ instancePath }) => instancePath === '/event').map(kindOf);
	const why = errors
		.filter((error) => error.keyword !== 'anyOf' && !others.includes(kindOf(error)))
		.map(
			({ instancePath, message, params }) =>
				`${instancePath} ${message ?? ''} ${JSON.stringify(params)}`,
		);
	throw new Error(`${JSON.stringify(event)} is not as the schema says:\n${why.join('\n')}`);
}

/** The events of a run with --json: each line fits the schema, and the last says how the process ended. */
export function readEvents(out: string, code: number | null): Array<Record<string, unknown>> {
	const lines = out.split('\n').filter((line) => line !== '');
	const events = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
	for (const event of events) expectEvent(event);
	if (code === null) return events;
	const { event, exit_code } = events.at(-1) ?? {};
	if (event !== 'run_ended' || exit_code !== code)
		throw new Error(`It ended with ${code}, and its last line is ${lines.at(-1) ?? 'missing'}`);
	return events;
}
