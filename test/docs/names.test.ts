import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const root = resolve(__dirname, '../..');

function listSources(...folders: string[]): string[] {
	return folders.flatMap((folder) =>
		readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
			.filter((file) => /^(?!.*\b(dist|node_modules)\b).*\.ts$/.test(file))
			.map((file) => join(folder, file)),
	);
}

test('no two exports of core and batch have the same name', () => {
	const names = listSources('core', 'batch').flatMap((file) => {
		const text = readFileSync(join(root, file), 'utf8');
		const exported =
			/^export (?:async )?(?:abstract )?(?:function\*?|const|class|interface|type) (\w+)/gm;
		return [...text.matchAll(exported)].map(([, name = '']) => name);
	});
	expect(names.filter((name, index) => names.indexOf(name) < index)).toEqual([]);
});
