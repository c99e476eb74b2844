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

	test('a note is as high as its text, and the nodes in it are below that', () => {
		const wrong = notes.flatMap(({ name, frame, text }) => [
			...(text.bottom > frame.bottom || text.bottom < frame.bottom - 48
				? [`${name} has ${frame.bottom - text.bottom} below its text`]
				: []),
			...[...boxes].flatMap(([other, box]) =>
				overlap(box, text) || (overlap(box, frame) && !isInside(box, frame))
					? [`${name}, ${other}`]
					: [],
			),
		]);
		expect(wrong).toEqual([]);
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

test('a night takes eight nodes', () => {
	const text = readFileSync(join(exampleFolder, 'products-overnight.json'), 'utf8');
	const { nodes } = JSON.parse(text) as Workflow;
	expect(nodes.filter(({ type }) => type !== 'n8n-nodes-base.stickyNote')).toHaveLength(8);
});
