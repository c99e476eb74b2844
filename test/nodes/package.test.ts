import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CreatorBriefingApi } from '../../credentials/CreatorBriefingApi.credentials';
import { nodesPackage } from '../../harness/paths';
import { readAnchors } from '../support/anchors';

const published = (file: string) => readFileSync(join(nodesPackage, file), 'utf8');

interface Codex {
	resources: Record<'credentialDocumentation' | 'primaryDocumentation', [{ url: string }]>;
}

/** Returns the links that n8n shows for a node, from the codex file next to the compiled node. */
function readCodexLinks(nodeFile: string): string[] {
	const { resources } = JSON.parse(published(nodeFile.replace(/\.js$/, '.json'))) as Codex;
	return Object.values(resources).map(([{ url }]) => url);
}

describe('the nodes as they are published', () => {
	test('have a package.json without the fields that only this repository uses', () => {
		const manifest = JSON.parse(published('package.json')) as Record<string, unknown>;
		expect(Object.keys(manifest)).toEqual([
			...['name', 'version', 'description', 'keywords', 'license', 'homepage', 'author'],
			...['repository', 'files', 'n8n', 'peerDependencies'],
		]);
	});

	test('have the README of the repository, whose relative links npm resolves', () => {
		expect(published('README.md')).toMatch(/^# n8n-nodes-creator-briefing\n/);
	});

	test('link each node and the credential to headings of this repository’s documents', () => {
		const { n8n, homepage } = JSON.parse(published('package.json')) as {
			n8n: { nodes: string[] };
			homepage: string;
		};
		const links = n8n.nodes.flatMap(readCodexLinks);
		expect(links).toHaveLength(2 * n8n.nodes.length);
		const documents = `${homepage}/blob/main/`;
		for (const link of [...links, new CreatorBriefingApi().documentationUrl]) {
			expect(link).toContain(documents);
			const [document = '', anchor] = link.slice(documents.length).split('#');
			expect(readAnchors(document)).toContain(anchor);
		}
	});
});
