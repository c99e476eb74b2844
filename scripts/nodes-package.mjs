// The last step of `npm run build`: writes the package of the nodes, as it is published, to .cache/nodes-package. Its
// package.json has no fields that only this repository uses.
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const FOLDER = '.cache/nodes-package';
const REPOSITORY_FIELDS = [
	'engines',
	'workspaces',
	'scripts',
	'devDependencies',
	'allowScripts',
	'prettier',
];

const manifest = JSON.parse(readFileSync('package.json', 'utf8'));
for (const name of REPOSITORY_FIELDS) delete manifest[name];
rmSync(FOLDER, { recursive: true, force: true });
mkdirSync(FOLDER, { recursive: true });
cpSync('dist', join(FOLDER, 'dist'), { recursive: true });
cpSync('LICENSE', join(FOLDER, 'LICENSE'));
cpSync('README.md', join(FOLDER, 'README.md'));
writeFileSync(join(FOLDER, 'package.json'), `${JSON.stringify(manifest, null, '\t')}\n`);
