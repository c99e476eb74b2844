import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { exampleFolder } from '../../harness/workflows/examples';
import type { Workflow, WorkflowNode } from '../../harness/workflows/workflow';

/** Where n8n's editor draws the parts of a workflow, as measured in n8n 2.41 and rounded up. */
const SIZE = 96;
const SUB_NODE_SIZE = 80;
const AGENT_WIDTH = 256;
const GRID = 16;
const LETTER = 8;
const LINE = 20;
const LABEL_WIDTH = 192;
/** The one that n8n draws in grey. A note without a colour is yellow. */
const SECTION_COLOR = 7;

interface Box {
	left: number;
	top: number;
	right: number;
	bottom: number;
}

interface Point {
	x: number;
	y: number;
}

interface Wire {
	name: string;
	points: Point[];
}

interface Layout {
	/** Nodes and the labels under them, by a name that says which. */
	boxes: Map<string, Box>;
	notes: Array<{ name: string; frame: Box; text: Box; isSection: boolean }>;
	wires: Wire[];
}

const overlap = (a: Box, b: Box): boolean =>
	a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;

const isInside = (inner: Box, outer: Box): boolean =>
	inner.left >= outer.left &&
	inner.right <= outer.right &&
	inner.top >= outer.top &&
	inner.bottom <= outer.bottom;

const runsThrough = ({ points }: Wire, box: Box): boolean =>
	points.some(({ x, y }) => x > box.left && x < box.right && y > box.top && y < box.bottom);

function layoutOf({ nodes, connections }: Workflow): Layout {
	const isNote = ({ type }: WorkflowNode) => type === 'n8n-nodes-base.stickyNote';
	const outputs = ({ name }: WorkflowNode) => connections[name]?.['main']?.length ?? 1;
	const isSubNode = ({ name }: WorkflowNode) =>
		Object.keys(connections[name] ?? {}).some((kind) => kind !== 'main');
	const isAgent = ({ type }: WorkflowNode) => type.endsWith('.agent');
	const drawn = nodes.filter((node) => !isNote(node));

	const bodies = new Map(
		drawn.map((node) => {
			const [left, top] = placeOf(node);
			const size = isSubNode(node) ? SUB_NODE_SIZE : SIZE;
			const width = isAgent(node) ? AGENT_WIDTH : size;
			const height = size + Math.max(0, outputs(node) - 2) * 2 * GRID;
			return [node.name, { left, top, right: left + width, bottom: top + height }];
		}),
	);
	const boxes = new Map(bodies);
	for (const node of drawn) {
		const body = bodies.get(node.name);
		// An agent's label is in its box.
		if (body && !isAgent(node)) boxes.set(`the label of ${node.name}`, labelUnder(body, node.name));
	}

	const wires = Object.entries(connections).flatMap(([from, kinds]) =>
		(kinds['main'] ?? []).flatMap((targets, output, { length }) =>
			(targets ?? []).flatMap(({ node: to }) => {
				const [a, b] = [bodies.get(from), bodies.get(to)];
				if (!a || !b) return [];
				const start = { x: a.right, y: a.top + ((a.bottom - a.top) * (output + 1)) / (length + 1) };
				const end = { x: b.left, y: (b.top + b.bottom) / 2 };
				return [{ name: `${from} → ${to}`, points: pathOf(start, end) }];
			}),
		),
	);
	return { boxes, notes: nodes.filter(isNote).map(noteOf), wires };
}

function labelUnder({ left, right, bottom }: Box, name: string): Box {
	const middle = (left + right) / 2;
	const width = Math.min(LABEL_WIDTH, name.length * LETTER);
	const lines = Math.ceil((name.length * LETTER) / LABEL_WIDTH);
	const top = bottom + 4;
	// The line below the name says what the node does.
	return {
		left: middle - width / 2,
		top,
		right: middle + width / 2,
		bottom: top + (lines + 1) * LINE,
	};
}

function noteOf(note: WorkflowNode): Layout['notes'][number] {
	const { content, width, height, color } = note.parameters as {
		content: string;
		width: number;
		height: number;
		color?: number;
	};
	const [left, top] = placeOf(note);
	const inner = width - 2 * GRID;
	const heights = content.split('\n').map((line) => {
		if (line === '') return 10;
		const [letter, height] = letterOf(line);
		const indent = /^\d\. /.test(line) ? 24 : 0;
		return Math.ceil((line.length * letter) / (inner - indent)) * height;
	});
	const text = heights.reduce((sum, each) => sum + each, GRID);
	const frame = { left, top, right: left + width, bottom: top + height };
	const isSection = color === SECTION_COLOR;
	return { name: note.name, frame, text: { ...frame, bottom: top + text }, isSection };
}

/** How wide a letter of a line is, and how high the line. */
function letterOf(line: string): [number, number] {
	if (line.startsWith('### ')) return [8.5, 26];
	return line.startsWith('#') ? [12, 32] : [6.1, LINE];
}

/** n8n draws a wire to the right as a curve, and one back to the left round below its node. */
function pathOf(start: Point, end: Point): Point[] {
	const steps = Array.from({ length: 101 }, (_, step) => step / 100);
	if (end.x >= start.x - 20) {
		const bend = (end.x - start.x) / 2;
		return steps.map((t) => ({
			x: start.x + bend * 3 * t * (1 - t) + (end.x - start.x) * t ** 3,
			y: start.y + (end.y - start.y) * (3 * t ** 2 - 2 * t ** 3),
		}));
	}
	const below = start.y + 130;
	const corners = [
		start,
		{ x: start.x + 40, y: start.y },
		{ x: start.x + 40, y: below },
		{ x: end.x - 40, y: below },
		{ x: end.x - 40, y: end.y },
		end,
	];
	return corners.slice(1).flatMap((corner, index) => {
		const { x, y } = corners[index] ?? corner;
		return steps.map((t) => ({ x: x + (corner.x - x) * t, y: y + (corner.y - y) * t }));
	});
}

function placeOf({ position = [0, 0] }: WorkflowNode): [number, number] {
	return position;
}

const files = readdirSync(exampleFolder).filter((file) => file.endsWith('.json'));

describe.each(files)('%s on the canvas', (file) => {
	const workflow = JSON.parse(readFileSync(join(exampleFolder, file), 'utf8')) as Workflow;
	const { boxes, notes, wires } = layoutOf(workflow);

	test('no node or label covers another', () => {
		const all = [...boxes];
		const covered = all.flatMap(([name, box], index) =>
			all
				.slice(index + 1)
				.flatMap(([other, its]) => (overlap(box, its) ? `${name}, ${other}` : [])),
		);
		expect(covered).toEqual([]);
	});

	test('a note is as high as its text and the nodes in it, which are below the text', () => {
		const wrong = notes.flatMap(({ name, frame, text }) => {
			const inside = [...boxes.values()].filter((box) => isInside(box, frame));
			const lowest = Math.max(text.bottom, ...inside.map(({ bottom }) => bottom));
			const left = frame.bottom - lowest;
			return [
				...(left < 0 || left > 48 ? [`${name} has ${left} below what is in it`] : []),
				...[...boxes].flatMap(([other, box]) => (overlap(box, text) ? [`${name}, ${other}`] : [])),
			];
		});
		expect(wrong).toEqual([]);
	});

	test('each node is in one grey section, and the yellow note beside them says how it works and how to set it up', () => {
		const sections = notes.filter(({ isSection }) => isSection);
		for (const [name, box] of boxes) {
			const around = sections.filter(({ frame }) => isInside(box, frame));
			expect([name, around.map((section) => section.name)]).toEqual([name, [expect.anything()]]);
		}
		const others = notes.filter(({ isSection }) => !isSection);
		expect(others.map(({ name }) => name)).toEqual(['Read me']);
		const { content } = workflow.nodes.find(({ name }) => name === 'Read me')!.parameters;
		expect(content).toMatch(/^## .*\n\n### How it works\n[^]*\n\n### Setup\n1\. /);
		for (const [index, { frame }] of notes.entries())
			for (const other of notes.slice(index + 1)) expect(overlap(frame, other.frame)).toBe(false);
	});

	test('no wire runs through a node, a label or the text of a note', () => {
		const texts = notes.map(({ name, text }) => [`the note ${name}`, text] as const);
		const crossed = wires.flatMap((wire) =>
			[...boxes, ...texts].flatMap(([name, box]) =>
				runsThrough(wire, box) ? `${wire.name} crosses ${name}` : [],
			),
		);
		expect(crossed).toEqual([]);
	});
});

/** Whom these are for: they say so. */
const FOR_ENGINEERS = ['any-other-endpoint.json', 'assistant-protocol-agent.json'];

describe.each(files)('%s in its words', (file) => {
	const text = readFileSync(join(exampleFolder, file), 'utf8');
	const { nodes } = JSON.parse(text) as Workflow;
	const notes = nodes.flatMap(({ parameters: { content } }) =>
		typeof content === 'string' ? [content] : [],
	);

	test('speaks to a marketer, or says that it is for engineers', () => {
		const terms = /idempotency|exit code|predefined credential/i;
		if (FOR_ENGINEERS.includes(file)) expect(notes[0]).toMatch(/^## For engineers: /);
		else expect(notes.join('\n')).not.toMatch(terms);
	});

	test('needs no Order Key and no code to keep a row', () => {
		expect(text).not.toMatch(/"idempotencyKey"|Object\.assign|n8n-nodes-base\.code/);
	});

	test('names every node with something to choose, and each channel', () => {
		const said = notes.join('\n');
		for (const { name, parameters } of nodes) {
			const { value } = (parameters['channelId'] ?? {}) as { value?: string };
			if (value !== undefined) expect(said).toContain(`*${name}* (${value})`);
			if (JSON.stringify(parameters).includes('YOUR_')) expect(said).toContain(`*${name}*`);
		}
	});
});

const workflows = files.map(
	(file) => JSON.parse(readFileSync(join(exampleFolder, file), 'utf8')) as Workflow,
);
const allNodes = workflows.flatMap(({ nodes }) => nodes);

interface Mapping {
	value: Record<string, string>;
	matchingColumns: string[];
}

test('no example has more than twelve nodes', () => {
	const sizes = workflows.map(
		({ nodes }) => nodes.filter(({ type }) => !type.endsWith('.stickyNote')).length,
	);
	expect(Math.max(...sizes)).toBe(12);
});

test('each node that saves matches by the ID of the row, continues on an error, and never empties a link', () => {
	const saving = allNodes.filter(({ parameters }) => parameters['operation'] === 'update');
	expect(saving).toHaveLength(8);
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
	for (const { connections } of workflows) {
		for (const [from, { main = [] }] of Object.entries(connections)) {
			for (const [output, targets] of main.entries()) {
				const savesLink = (targets ?? []).some(({ node }) => /^Save the link/.test(node));
				if (savesLink) expect([from, output]).toEqual([expect.stringMatching(/ready/i), 0]);
			}
		}
	}
});

test('each optional column of Create has a fallback, and the product name has none', () => {
	const isCreate = ({ type, parameters }: WorkflowNode) =>
		type.endsWith('.creatorBriefing') && parameters['operation'] === 'create';
	const creating = allNodes.filter(isCreate);
	expect(creating).toHaveLength(5);
	for (const { parameters, onError } of creating) {
		const { audience, approvedFacts, additionalFields, productName } = parameters;
		const { productId } = additionalFields as { productId: string };
		for (const optional of [audience, approvedFacts, productId])
			expect(optional).toMatch(/^=\{\{ \$json.* \?\? '' \}\}$/);
		expect(productName).not.toContain('??');
		expect(onError).toBe('continueRegularOutput');
	}
});

test('no example decides by already_existed, and no tool orders more than one brief', () => {
	expect(JSON.stringify(workflows)).not.toContain('already_existed');
	const ordering = allNodes.filter(
		({ type, parameters }) => type.endsWith('Tool') && 'productName' in parameters,
	);
	expect(ordering.map(({ parameters }) => parameters['maxBriefs'])).toEqual([1, 1]);
});
