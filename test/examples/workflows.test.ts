import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { exampleFolder } from '../../harness/workflows/examples';
import type { Workflow } from '../../harness/workflows/workflow';
import { isInside, layoutOf, overlap, runsThrough } from '../support/layout';

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

test('a night takes nine nodes', () => {
	const text = readFileSync(join(exampleFolder, 'products-overnight.json'), 'utf8');
	const { nodes } = JSON.parse(text) as Workflow;
	expect(nodes.filter(({ type }) => type !== 'n8n-nodes-base.stickyNote')).toHaveLength(9);
});
