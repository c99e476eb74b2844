import { readdirSync, readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';

const root = resolve(__dirname, '../..');

function sourcesOf(...rooms: string[]): string[] {
	return rooms.flatMap((room) =>
		readdirSync(join(root, room), { recursive: true, encoding: 'utf8' })
			.filter((file) => /^(?!.*\b(dist|node_modules)\b).*\.ts$/.test(file))
			.map((file) => join(room, file)),
	);
}

/** Gives what has a name that something before it has. */
function namedTwice(names: readonly string[]): string[] {
	return names.filter((name, at) => names.indexOf(name) < at);
}

test('no two files have one name, but where each room has its own of a kind', () => {
	const files = sourcesOf('service', 'nodes', 'batch', 'sandbox', 'harness', 'bench', 'scripts');
	// What starts each room; n8n's file for each resource; a command, and what it shows.
	const OF_A_KIND = /^(main|getAll\.operation|plan)\.ts$/;
	const names = files.map((file) => basename(file)).filter((name) => !OF_A_KIND.test(name));
	expect(namedTwice(names)).toEqual([]);
});

test('no two exports have one name, but the parts of n8n’s nodes', () => {
	// The sandbox has its own of some, because it imports nothing of the service.
	const names = sourcesOf('service', 'nodes', 'batch').flatMap((file) => {
		const text = readFileSync(join(root, file), 'utf8');
		const exported =
			/^export (?:async )?(?:abstract )?(?:function\*?|const|class|interface|type) (\w+)/gm;
		return [...text.matchAll(exported)].map(([, name = '']) => name);
	});
	const partsOfNodes = new Set(['description', 'execute', 'operations']);
	expect(namedTwice(names).filter((name) => !partsOfNodes.has(name))).toEqual([]);
});
