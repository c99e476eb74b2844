import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import Ajv2020 from 'ajv/dist/2020';

const file = resolve(__dirname, '../../../batch/events.schema.json');
export const eventSchema = JSON.parse(readFileSync(file, 'utf8')) as {
	$defs: Record<string, object>;
	oneOf: Array<{ $ref: string }>;
};

/** Without the leave that the published schema gives to later versions: a field that it does not name is wrong. */
function strict(schema: unknown): unknown {
	if (Array.isArray(schema)) return schema.map(strict);
	if (typeof schema !== 'object' || schema === null) return schema;
	const inner = Object.fromEntries(
		Object.entries(schema).map(([name, one]) => [name, strict(one)]),
	);
	return 'properties' in schema ? { ...inner, additionalProperties: false } : inner;
}

const ajv = new Ajv2020({ allErrors: true, allowUnionTypes: true, discriminator: false });
ajv.addFormat('uuid', /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
const check = ajv.compile({ ...(strict(eventSchema) as object), $id: 'strict' });

/** An event as --json prints it, held against the schema of the package. */
export function expectEvent(event: object): void {
	const name = String((event as { event?: unknown }).event);
	if (check(event)) return;
	const own = (check.errors ?? []).filter(({ schemaPath }) => schemaPath.includes(`/${name}/`));
	const why = (own.length > 0 ? own : (check.errors ?? [])).map(
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
