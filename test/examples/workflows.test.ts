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

	test('a note has room for its text, and the nodes in it are below that', () => {
		const wrong = notes.flatMap(({ name, frame, text }) => [
			...(text.bottom > frame.bottom ? [`${name} is ${text.bottom - frame.bottom} too low`] : []),
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
