import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { MISSED } from '../bench/figure';
import { nodesPackage, repositoryRoot } from '../harness/paths';

/**
 * `npm run packages`: packs both packages into .cache/packages. With `--tag v1.2.3` it refuses to, unless the tag, both
 * versions and CHANGELOG.md agree, and all figures of docs/performance.md meet their targets.
 */
function main(): void {
	const { values } = parseArgs({ options: { tag: { type: 'string' } } });
	const problems = findProblems(values.tag);
	for (const problem of problems) console.error(`Not packed: ${problem}.`);
	if (problems.length > 0) {
		process.exitCode = 1;
		return;
	}
	const target = join(repositoryRoot, '.cache', 'packages');
	rmSync(target, { recursive: true, force: true });
	mkdirSync(target, { recursive: true });
	npm('pack', nodesPackage, '--pack-destination', target);
	npm('pack', '--workspace', 'batch', '--pack-destination', target);
}

function findProblems(tag: string | undefined): string[] {
	const nodes = readManifest('.');
	const batch = readManifest('batch');
	const { version } = nodes;
	const problems: string[] = [];
	if (batch.version !== version) {
		problems.push(`${nodes.name} is ${version}, ${batch.name} is ${batch.version}`);
	}
	if (tag === undefined) return problems;
	if (tag !== `v${version}`) problems.push(`the tag is ${tag}, the version ${version}`);
	const headings = readFileSync(join(repositoryRoot, 'CHANGELOG.md'), 'utf8').split('\n');
	const hasHeading = headings.some(
		(line) => line.startsWith(`## ${version} (`) && /\(\d{4}-\d\d-\d\d\)$/.test(line),
	);
	if (!hasHeading) problems.push(`CHANGELOG.md has no dated heading for ${version}`);
	const page = readFileSync(join(repositoryRoot, 'docs', 'performance.md'), 'utf8').split('\n');
	for (const line of page.filter((each) => each.includes(MISSED)))
		problems.push(`docs/performance.md has a missed target: ${line}`);
	return problems;
}

function readManifest(folder: string): { name: string; version: string } {
	const text = readFileSync(join(repositoryRoot, folder, 'package.json'), 'utf8');
	return JSON.parse(text) as { name: string; version: string };
}

/** Runs npm as a script, because Windows starts no npm.cmd without a shell. */
function npm(...args: string[]): void {
	const script = process.env.npm_execpath;
	if (script === undefined) throw new Error('Start this script with: npm run packages');
	execFileSync(process.execPath, [script, ...args], { cwd: repositoryRoot, stdio: 'inherit' });
}

main();
