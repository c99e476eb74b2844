import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CreatorBriefing } from '../../nodes/CreatorBriefing/CreatorBriefing.node';
import { runNode } from '../support/engine/engine';
import {
	action,
	create,
	get,
	addBriefs,
	openService,
	getTarget,
	wait,
} from '../support/engine/fixtures';
import { Poller } from '../support/engine/poller';

// n8n's editor shows these files as a preview of the output, so that later nodes can be mapped without running this one
// (docs/n8n.md, “Output previews”). It finds them by version, resource and operation.
describe('the preview of the output', () => {
	interface Schema {
		type: string;
		properties?: Record<string, Schema>;
		items?: Schema;
	}

	const nodes = join(__dirname, '..', '..', 'nodes');
	const pathOf = (node = '', ...parts: string[]) =>
		join(nodes, node, '__schema__', `${['v1.0.0', ...parts].join('/')}.json`);
	const schemaOf = (...parts: string[]) =>
		JSON.parse(readFileSync(pathOf(...parts), 'utf8')) as Schema;

	/** Returns the differences between a schema and a value, field by field. Every type can be null. */
	function differences(schema: Schema | undefined, value: unknown, path = 'item'): string[] {
		if (schema === undefined) return [`${path} is not in the schema`];
		if (value === null) return [];
		const type = Array.isArray(value) ? 'array' : typeof value;
		if (type !== schema.type) return [`${path} is ${type} and not ${schema.type}`];
		if (Array.isArray(value)) {
			return value.flatMap((each) => differences(schema.items, each, `${path}[]`));
		}
		if (type !== 'object') return [];
		const fields = value as Record<string, unknown>;
		const names = [...new Set([...Object.keys(fields), ...Object.keys(schema.properties ?? {})])];
		return names.flatMap((name) =>
			name in fields
				? differences(schema.properties?.[name], fields[name], `${path}.${name}`)
				: [`${path}.${name} is not in the output`],
		);
	}

	it.each([
		[['CreatorBriefing', 'brief', 'create'], create()],
		[['CreatorBriefing', 'brief', 'create'], create({ waitUntilReady: true })],
		[['CreatorBriefing', 'brief', 'get'], get()],
		[['CreatorBriefing', 'brief', 'getAll'], action('brief', 'getAll')],
		[['CreatorBriefing', 'hook', 'getAll'], action('hook', 'getAll')],
		[['CreatorBriefing', 'licence', 'getAll'], action('licence', 'getAll')],
		[['CreatorBriefing', 'licence', 'getAllowance'], action('licence', 'getAllowance')],
		[['CreatorBriefingWait'], wait()],
	])('has the fields of the output: %j', async (path, node) => {
		const sandbox = await openService();
		const items = addBriefs(sandbox, 'ready');
		const done = await runNode(sandbox, [{ ...items[0], name: 'Glow Serum' }], node);
		expect(differences(schemaOf(...path), done.json(node.name)[0])).toEqual([]);
	});

	it('has the fields of the default event of the trigger', async () => {
		const sandbox = await openService();
		const items = await new Poller(getTarget(sandbox), { triggerOn: 'hooksRefreshed' }).test();
		expect(differences(schemaOf('CreatorBriefingTrigger'), items![0]!.json)).toEqual([]);
	});

	it('exists for each operation', () => {
		const { properties } = new CreatorBriefing().description;
		const files = properties
			.filter(({ name }) => name === 'operation')
			.flatMap(({ displayOptions, options = [] }) =>
				options.map((option) =>
					pathOf(
						'CreatorBriefing',
						displayOptions?.show?.['resource']?.[0] as string,
						'value' in option ? String(option.value) : '',
					),
				),
			);
		expect(files).toHaveLength(6);
		expect(files.filter((file) => !existsSync(file))).toEqual([]);
	});
});
