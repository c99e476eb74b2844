import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { nodesPackage } from '../../harness/paths';

const published = (file: string) => readFileSync(join(nodesPackage, file), 'utf8');

describe('the nodes as they are published', () => {
	it('have a package.json for who installs them, without what only this repository needs', () => {
		const manifest = JSON.parse(published('package.json')) as Record<string, unknown>;
		expect(Object.keys(manifest)).toEqual([
			...['name', 'version', 'description', 'keywords', 'license', 'homepage', 'author'],
			...['repository', 'files', 'n8n', 'peerDependencies'],
		]);
	});

	it('have a README for n8n, whose links and pictures are found from anywhere', () => {
		const readme = published('README.md');
		expect(readme).toMatch(/^# n8n-nodes-creator-briefing\n/);
		const links = [...readme.matchAll(/\]\(([^)]+)\)/g)].map(([, link = '']) => link);
		expect(links.filter((link) => !link.startsWith('https://'))).toEqual([]);
	});
});
