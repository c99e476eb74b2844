import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { readAnchors } from '../support/anchors';

const root = resolve(__dirname, '../..');
const SKIPPED = /^(node_modules|dist|\.(git|cache))$/;

function filesUnder(folder: string): string[] {
	return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
		if (SKIPPED.test(entry.name)) return [];
		const path = join(folder, entry.name);
		if (entry.isDirectory()) return filesUnder(path);
		return entry.isFile() ? [relative(root, path)] : [];
	});
}

/** A link to a file of this repository on GitHub, for pages that are also shown on npm. */
const ON_GITHUB =
	/^https:\/\/(?:github\.com\/creator-briefing\/n8n-nodes-creator-briefing\/(?:blob|tree)|raw\.githubusercontent\.com\/creator-briefing\/n8n-nodes-creator-briefing)\/main\/(.+)$/;

const files = filesUnder(root);
const folders = new Set(
	readdirSync(root).filter((name) => statSync(join(root, name)).isDirectory()),
);
const read = (file: string) => readFileSync(join(root, file), 'utf8');
const documents = files.filter((file) => file.endsWith('.md'));
const sources = files.filter((file) => /\.(ts|js|mjs)$/.test(file));

/** Returns the files with this path, which can be a folder or lack extensions. */
function findFiles(path: string): string[] {
	const begin = path.replace(/\/$/, '');
	return files.filter(
		(file) => file.startsWith(begin) && ['', '/', '.'].includes(file.charAt(begin.length)),
	);
}

describe.each(documents)('%s', (document) => {
	const text = read(document);

	test('names only files that exist', () => {
		const named = [...text.matchAll(/`([\w.-]+)\/([\w./-]+)`/g)]
			.filter(([, folder = '']) => folders.has(folder) && !SKIPPED.test(folder))
			.map(([, folder, rest]) => `${folder}/${rest}`);
		expect(named.filter((name) => findFiles(name).length === 0)).toEqual([]);
	});

	test('names only tests that exist', () => {
		const named = [...text.matchAll(/(test\/[\w./-]+) -t '([^']+)'/g)];
		const missing = named.filter(
			([, path = '', words = '']) => !findFiles(path).some((file) => read(file).includes(words)),
		);
		expect(missing.map(([command]) => command)).toEqual([]);
	});

	test('links only to files and headings that exist', () => {
		const links = [...text.matchAll(/\]\(([^)\s]+)[^)]*\)/g)].map(([, link = '']) => link);
		const isMissing = (link: string) => {
			const onGithub = ON_GITHUB.exec(link)?.[1];
			if (onGithub === undefined && /^\w+:/.test(link)) return false;
			const [target = '', anchor] = (onGithub ?? link).split('#');
			const begin = onGithub === undefined ? dirname(document) : '';
			const path = target === '' ? document : join(begin, target);
			if (anchor !== undefined && !readAnchors(path).includes(anchor)) return true;
			return findFiles(path).length === 0;
		};
		expect(links.filter(isMissing)).toEqual([]);
	});
});

test('comments cite only sections and headings that exist', () => {
	const headings = (document: string) =>
		[...read(document).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => heading);
	const missing = sources.flatMap((file) => {
		// A sentence of a comment can continue on the next line.
		const text = read(file).replace(/\n\s*(\*|\/\/) /g, ' ');
		return [...text.matchAll(/(docs\/[\w-]+\.md)(?: section ([\d.]*\d)|,? “([^”]+)”)?/g)]
			.filter(([, document = '', section, heading]) => {
				if (!files.includes(document)) return true;
				if (section !== undefined)
					return !headings(document).some((title) => new RegExp(`^${section}\\.? `).test(title));
				return heading !== undefined && !headings(document).includes(heading);
			})
			.map(([citation]) => `${file}: ${citation}`);
	});
	expect(missing).toEqual([]);
});

test('no file contains conflict markers', () => {
	const marked = [...sources, ...documents].filter((file) =>
		/^(<{7}|={7}|>{7})( |$)/m.test(read(file)),
	);
	expect(marked).toEqual([]);
});
