import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { INodeParameters } from 'n8n-workflow';
import type { Sandbox } from '../../sandbox/sandbox';
import { CreatorBriefing } from '../../nodes/CreatorBriefing/CreatorBriefing.node';
import { action, create, sandboxWith, targetOf, wait } from '../support/engine/fixtures';
import { runNode, type TestNode } from '../support/engine/engine';
import { Poller } from '../support/engine/poller';

// n8n's editor shows these files as a preview of the output, so that later nodes can be mapped without running this one
// (docs/n8n-behaviour.md, “Files beside the compiled node”). It finds them by version, resource and operation.

interface Schema {
	type: string;
	properties?: Record<string, Schema>;
	items?: Schema;
}

const nodes = join(__dirname, '..', '..', 'nodes');
const pathOf = (node: string, ...parts: string[]) =>
	join(nodes, node, '__schema__', `${['v1.0.0', ...parts].join('/')}.json`);

function schemaOf(node: string, ...parts: string[]): Schema {
	return JSON.parse(readFileSync(pathOf(node, ...parts), 'utf8')) as Schema;
}

/** What is wrong with the schema for this value, field by field; null fits each type. */
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

async function outputOf(sandbox: Sandbox, node: TestNode): Promise<unknown> {
	const { id } = sandbox.addBrief({ status: 'ready' });
	const done = await runNode(targetOf(sandbox), [{ id, name: 'Glow Serum' }], node);
	return done.json(node.name)[0];
}

const byId = { briefId: { __rl: true, mode: 'id', value: '={{ $json.id }}' } };

describe('the preview of the output is what comes out', () => {
	it.each([
		['brief', 'create', create()],
		['brief', 'create', create({ waitUntilReady: true })],
		['brief', 'get', action('brief', 'get', byId)],
		['brief', 'getAll', action('brief', 'getAll')],
		['hook', 'getAll', action('hook', 'getAll')],
		['licence', 'getAll', action('licence', 'getAll')],
		['licence', 'getAllowance', action('licence', 'getAllowance')],
	])('of %s → %s', async (resource, operation, node) => {
		const output = await outputOf(await sandboxWith(), node);
		expect(differences(schemaOf('CreatorBriefing', resource, operation), output)).toEqual([]);
	});

	it('of Wait Until Ready', async () => {
		const output = await outputOf(await sandboxWith(), wait());
		expect(differences(schemaOf('CreatorBriefingWait'), output)).toEqual([]);
	});

	it('of the trigger, for the event that it has by default', async () => {
		const sandbox = await sandboxWith();
		const parameters: INodeParameters = { triggerOn: 'hooksRefreshed' };
		const items = await new Poller(targetOf(sandbox), parameters).test();
		expect(differences(schemaOf('CreatorBriefingTrigger'), items![0]!.json)).toEqual([]);
	});
});

it('each operation has a preview', () => {
	const { properties } = new CreatorBriefing().description;
	const operations = properties
		.filter(({ name }) => name === 'operation')
		.flatMap(({ displayOptions, options }) =>
			(options ?? []).map((option) => [
				displayOptions?.show?.['resource']?.[0] as string,
				'value' in option ? String(option.value) : '',
			]),
		);
	expect(operations).toHaveLength(6);
	for (const operation of operations) {
		expect([operation, existsSync(pathOf('CreatorBriefing', ...operation))]).toEqual([
			operation,
			true,
		]);
	}
});
