// The last step of `npm run build`: the folder of the nodes as it is packed and published (.cache/nodes-package), with a
// package.json for users alone.
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const FOLDER = '.cache/nodes-package';
const FOR_THIS_REPOSITORY = [
	'engines',
	'workspaces',
	'scripts',
	'devDependencies',
	'allowScripts',
	'prettier',
];

const manifest = JSON.parse(readFileSync('package.json', 'utf8'));
for (const name of FOR_THIS_REPOSITORY) delete manifest[name];
rmSync(FOLDER, { recursive: true, force: true });
mkdirSync(FOLDER, { recursive: true });
cpSync('dist', join(FOLDER, 'dist'), { recursive: true });
cpSync('LICENSE', join(FOLDER, 'LICENSE'));
cpSync('README.md', join(FOLDER, 'README.md'));
writeFileSync(join(FOLDER, 'package.json'), `${JSON.stringify(manifest, null, '\t')}\n`);
