import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CreatorBriefing } from '../../nodes/CreatorBriefing/CreatorBriefing.node';
import { runNode } from '../support/engine/engine';
import { action, create, get, openService, wait } from '../support/engine/fixtures';
import { makeHooksTrigger } from '../support/engine/triggers';

interface Schema {
	type: string;
	properties?: Record<string, Schema>;
	items?: Schema;
}

function readSchema(node: string, ...path: string[]): Schema {
	const file = `${['v1.0.0', ...path].join('/')}.json`;
	return JSON.parse(
		readFileSync(join(__dirname, '../../nodes', node, '__schema__', file), 'utf8'),
	) as Schema;
}

/** Returns the differences between a schema and a value, field by field. Every type can be null. */
function findDifferences(schema: Schema | undefined, value: unknown, path = 'item'): string[] {
	if (schema === undefined) return [`${path} is not in the schema`];
	if (value === null) return [];
	const type = Array.isArray(value) ? 'array' : typeof value;
	if (type !== schema.type) return [`${path} is ${type} and not ${schema.type}`];
	if (Array.isArray(value))
		return value.flatMap((each) => findDifferences(schema.items, each, `${path}[]`));
	if (type !== 'object') return [];
	const fields = value as Record<string, unknown>;
	const names = [...new Set([...Object.keys(fields), ...Object.keys(schema.properties ?? {})])];
	return names.flatMap((name) =>
		name in fields
			? findDifferences(schema.properties?.[name], fields[name], `${path}.${name}`)
			: [`${path}.${name} is not in the output`],
	);
}

// n8n's editor shows these files as a preview of the output, so that the user can map later nodes before this node has run
// (docs/architecture.md, “Output previews”). It finds them by version, resource and operation.
describe('the preview of the output has the fields of the output', () => {
	test.each([
		['brief', 'create', create()],
		['brief', 'create', create({ waitUntilReady: true })],
		['brief', 'get', get()],
		['brief', 'getAll', action('brief', 'getAll')],
		['hook', 'getAll', action('hook', 'getAll')],
		['licence', 'getAll', action('licence', 'getAll')],
		['licence', 'getAllowance', action('licence', 'getAllowance')],
	])('of %s %s', async (resource, operation, node) => {
		const sandbox = await openService();
		const items = sandbox.addBriefs('ready').map((item) => ({ ...item, name: 'Glow Serum' }));
		const [output] = (await runNode(sandbox, items, node)).json(node.name);
		const schema = readSchema('CreatorBriefing', resource, operation);
		expect(findDifferences(schema, output)).toEqual([]);
	});

	test('of Wait Until Ready', async () => {
		const sandbox = await openService();
		const [output] = (await runNode(sandbox, sandbox.addBriefs('ready'), wait())).json('Wait');
		expect(findDifferences(readSchema('CreatorBriefingWait'), output)).toEqual([]);
	});

	test('of the default event of the trigger', async () => {
		const items = await makeHooksTrigger(await openService()).test();
		expect(findDifferences(readSchema('CreatorBriefingTrigger'), items![0]!.json)).toEqual([]);
	});
});

test('each operation has a preview of its output', () => {
	const { properties } = new CreatorBriefing().description;
	const operations = properties.filter(({ name }) => name === 'operation');
	for (const { displayOptions, options } of operations)
		for (const option of options!) {
			const resource = displayOptions!.show!['resource']![0] as string;
			const { value } = option as { value: string };
			expect(readSchema('CreatorBriefing', resource, value).type).toBe('object');
		}
});
