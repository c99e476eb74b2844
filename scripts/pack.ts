import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { nodesPackage } from '../harness/paths';

/**
 * `npm run packages`: both tarballs, as they are published, into .cache/packages. With `--tag v1.2.3` it is refused
 * unless the tag, the two versions and CHANGELOG.md agree.
 */
const root = resolve(__dirname, '..');
const target = join(root, '.cache/packages');

interface Manifest {
	name: string;
	version: string;
}
const manifestOf = (folder: string) =>
	JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as Manifest;

function problems(tag: string | undefined): string[] {
	const [nodes, batch] = [manifestOf('.'), manifestOf('batch')];
	const { version } = nodes;
	const list: string[] = [];
	if (batch.version !== version)
		list.push(`${nodes.name} is ${version}, ${batch.name} is ${batch.version}`);
	if (tag === undefined) return list;
	if (tag !== `v${version}`) list.push(`the tag is ${tag}, the version ${version}`);
	const changes = readFileSync(join(root, 'CHANGELOG.md'), 'utf8');
	const dated = new RegExp(
		`^## ${version.replaceAll('.', '\\.')} \\(\\d{4}-\\d\\d-\\d\\d\\)$`,
		'm',
	);
	if (!dated.test(changes)) list.push(`CHANGELOG.md has no dated heading for ${version}`);
	return list;
}

/** npm as a script, because Windows starts no npm.cmd without a shell. */
function npm(...args: string[]): void {
	const script = process.env.npm_execpath;
	if (script === undefined) throw new Error('Start it with: npm run packages');
	execFileSync(process.execPath, [script, ...args], { cwd: root, stdio: 'inherit' });
}

const { values } = parseArgs({ options: { tag: { type: 'string' } } });
const problemList = problems(values.tag);
for (const problem of problemList) console.error(`Not packed: ${problem}.`);
if (problemList.length > 0) process.exitCode = 1;
else {
	rmSync(target, { recursive: true, force: true });
	mkdirSync(target, { recursive: true });
	npm('pack', nodesPackage, '--pack-destination', target);
	npm('pack', '--workspace', 'batch', '--pack-destination', target);
}
