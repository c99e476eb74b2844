import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { exampleFolder } from '../../harness/workflows/examples';
import type { Workflow, WorkflowNode } from '../../harness/workflows/workflow';

const files = readdirSync(exampleFolder).filter((file) => file.endsWith('.json'));
const workflows = files.map(
	(file) => JSON.parse(readFileSync(join(exampleFolder, file), 'utf8')) as Workflow,
);
const examples = files.map((file, index) => [file, workflows[index]!] as const);
const allNodes = workflows.flatMap(({ nodes }) => nodes);

function isNote({ type }: WorkflowNode): boolean {
	return type === 'n8n-nodes-base.stickyNote';
}

/** The position and size of a node with its label, or of a note, in the editor of n8n 2.41. */
interface Box {
	readonly left: number;
	readonly top: number;
	readonly right: number;
	readonly bottom: number;
}

const NODE_SIZE = 96;
const AGENT_WIDTH = 256;
const LABEL_HEIGHT = 44;
/** n8n draws a note with this color in grey, and a note without a color in yellow. */
const SECTION_COLOR = 7;

function getBox({ type, position, parameters }: WorkflowNode): Box {
	const { width, height } = parameters as { width?: number; height?: number };
	const [left, top] = position ?? [0, 0];
	const right = left + (width ?? (type.endsWith('.agent') ? AGENT_WIDTH : NODE_SIZE));
	return { left, top, right, bottom: top + (height ?? NODE_SIZE + LABEL_HEIGHT) };
}

function isOverlap(a: Box, b: Box): boolean {
	return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}

function isInside(inner: Box, outer: Box): boolean {
	const isWithinWidth = inner.left >= outer.left && inner.right <= outer.right;
	return isWithinWidth && inner.top >= outer.top && inner.bottom <= outer.bottom;
}

/** Returns the names of nodes or notes that cover each other. */
function findOverlaps(nodes: readonly WorkflowNode[]): string[] {
	return nodes.flatMap((node, index) =>
		nodes
			.slice(index + 1)
			.filter((other) => isOverlap(getBox(node), getBox(other)))
			.map((other) => `${node.name}, ${other.name}`),
	);
}

describe.each(examples)('%s', (file, { nodes }) => {
	const notes = nodes.filter(isNote);
	const texts = notes.map(({ parameters }) => String(parameters['content']));

	test('has no overlapping nodes, and each node is in a grey section', () => {
		expect(findOverlaps(nodes.filter((node) => !isNote(node)))).toEqual([]);
		expect(findOverlaps(notes)).toEqual([]);
		const sections = notes.filter(({ parameters }) => parameters['color'] === SECTION_COLOR);
		const outside = nodes
			.filter((node) => !isNote(node))
			.filter((node) => !sections.some((section) => isInside(getBox(node), getBox(section))));
		expect(outside.map(({ name }) => name)).toEqual([]);
	});

	test('has a yellow note that explains how it works and how to set it up', () => {
		const others = notes.filter(({ parameters }) => parameters['color'] !== SECTION_COLOR);
		expect(others.map(({ name }) => name)).toEqual(['Read me']);
		const content = others[0]?.parameters['content'];
		expect(content).toMatch(/^## .*\n\n### How it works\n[^]*\n\n### Setup\n1\. /);
	});

	test('is written for marketers, or says that it is for engineers', () => {
		const isForEngineers = ['any-other-endpoint.json', 'assistant-protocol-agent.json'];
		if (isForEngineers.includes(file)) expect(texts[0]).toMatch(/^## For engineers: /);
		else expect(texts.join('\n')).not.toMatch(/idempotency|exit code|predefined credential/i);
	});

	test('needs no code, and has at most thirteen nodes', () => {
		const text = JSON.stringify(nodes);
		expect(text).not.toMatch(/Object\.assign|n8n-nodes-base\.code/);
		expect(nodes.length - notes.length).toBeLessThanOrEqual(13);
	});

	test('names every node with something to choose, and each channel', () => {
		const text = texts.join('\n');
		for (const { name, parameters } of nodes) {
			const { value } = (parameters['channelId'] ?? {}) as { value?: string };
			if (value !== undefined) expect(text).toContain(`*${name}* (${value})`);
			if (JSON.stringify(parameters).includes('YOUR_')) expect(text).toContain(`*${name}*`);
		}
	});
});

interface Mapping {
	value: Record<string, string>;
	matchingColumns: string[];
}

test('each node that saves matches by the ID of the row, continues on an error, and never empties a link', () => {
	const saving = allNodes.filter(({ parameters }) => parameters['operation'] === 'update');
	expect(saving).toHaveLength(10);
	for (const { name, type, parameters, onError } of saving) {
		const { value, matchingColumns } = parameters['columns'] as Mapping;
		const isDataTable = type.endsWith('.dataTable');
		const id = type.endsWith('.googleSheets') ? 'row_number' : 'id';
		expect([name, onError]).toEqual([name, 'continueRegularOutput']);
		if (isDataTable) expect(JSON.stringify(parameters['filters'])).toContain('{{ $json.id }}');
		else expect([matchingColumns, value[id]]).toEqual([[id], `={{ $json.${id} }}`]);
		const link = value['Brief Link'] ?? value['link'];
		expect(link).toBe(/link/.test(name) ? '={{ $json.brief_url }}' : undefined);
	}
});

test('only a node after Ready saves a link', () => {
	const sources = workflows.flatMap(({ connections }) =>
		Object.entries(connections).flatMap(([from, { main = [] }]) =>
			main.flatMap((targets, output) =>
				(targets ?? []).filter(({ node }) => /^Save the link/.test(node)).map(() => [from, output]),
			),
		),
	);
	expect(sources.length).toBeGreaterThan(0);
	for (const source of sources) expect(source).toEqual([expect.stringMatching(/ready/i), 0]);
});

test('Create reads columns by name, or each optional column has a fallback and the name has none', () => {
	const isCreate = ({ type, parameters }: WorkflowNode) =>
		type.endsWith('.creatorBriefing') && parameters['operation'] === 'create';
	const creating = allNodes.filter(isCreate);
	const byName = creating.filter(({ parameters }) => 'mappingMode' in parameters);
	const byField = creating.filter(({ parameters }) => !('mappingMode' in parameters));
	expect([byName.length, byField.length]).toEqual([1, 5]);
	for (const { onError } of creating) expect(onError).toBe('continueRegularOutput');
	for (const { parameters } of byField) {
		const { audience, approvedFacts, additionalFields, productName } = parameters;
		const { productId } = additionalFields as { productId: string };
		for (const optional of [audience, approvedFacts, productId])
			expect(optional).toMatch(/^=\{\{ \$json.* \?\? '' \}\}$/);
		expect(productName).not.toContain('??');
	}
});

test('no example decides by already_existed, and no tool orders more than one brief', () => {
	expect(JSON.stringify(workflows)).not.toContain('already_existed');
	const ordering = allNodes.filter(
		({ type, parameters }) => type.endsWith('Tool') && 'productName' in parameters,
	);
	expect(ordering.map(({ parameters }) => parameters['maxBriefs'])).toEqual([1, 1, 1]);
});
