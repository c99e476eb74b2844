// `npm run scan`: runs n8n's package scanner on the sources and on the packed tarball, and checks the files of the tarball.
// Ends with 1 on errors and on warnings, which the scanner hides if there are no errors.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { analyzePackage, buildScanConfig } from '@n8n/scan-community-package/scanner/scanner.mjs';
import { createRequire } from 'node:module';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const published = join(root, '.cache/nodes-package');
const SOURCES = ['package.json', '{nodes,credentials,core}/**/*.{js,ts,json}'];
const PACKED = ['**/*.js', '**/*.ts', '**/*.json'];
const ALLOWED =
	/^(package\.json|README\.md|LICENSE|dist\/(nodes|credentials|core)\/.*\.(js|json|svg))$/;

// The scanner's configuration is for the scanner's version of ESLint.
const scanner = createRequire(
	import.meta.resolve('@n8n/scan-community-package/scanner/scanner.mjs'),
);
const { ESLint } = scanner('eslint');

async function scan(what, folder, patterns) {
	const verdict = await analyzePackage(folder, patterns);
	const eslint = new ESLint({
		cwd: folder,
		allowInlineConfig: false,
		errorOnUnmatchedPattern: false,
		overrideConfigFile: true,
		overrideConfig: await buildScanConfig(),
	});
	const results = await eslint.lintFiles(patterns);
	const warnings = results.flatMap(({ filePath, messages }) =>
		messages.map(({ line, ruleId, message }) => `${filePath}:${line} ${ruleId}: ${message}`),
	);
	if (verdict.passed && warnings.length === 0) {
		console.log(`n8n's scanner: ${what} (${results.length} files), no errors and no warnings`);
		return true;
	}
	console.log(`n8n's scanner: ${what}\n${verdict.details ?? ''}${warnings.join('\n')}`);
	return false;
}

const folder = mkdtempSync(join(tmpdir(), 'scan-'));
try {
	const packed = execFileSync(
		'npm',
		['pack', '--json', '--ignore-scripts', '--pack-destination', folder],
		{ cwd: published, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] },
	);
	const listed = JSON.parse(packed);
	const { filename, files } = Array.isArray(listed) ? listed[0] : Object.values(listed)[0];
	execFileSync('tar', ['-xzf', join(folder, filename), '-C', folder]);
	const unexpected = files.map(({ path }) => path).filter((path) => !ALLOWED.test(path));
	const { dependencies = {} } = JSON.parse(readFileSync(join(published, 'package.json'), 'utf8'));
	if (unexpected.length > 0)
		console.log(`The tarball contains unexpected files: ${unexpected.join(', ')}`);
	if (Object.keys(dependencies).length > 0) console.log('The package has runtime dependencies.');
	const verdicts = [
		await scan('sources', root, SOURCES),
		await scan('packed tarball', join(folder, 'package'), PACKED),
		unexpected.length === 0,
		Object.keys(dependencies).length === 0,
	];
	if (verdicts.includes(false)) process.exitCode = 1;
} finally {
	rmSync(folder, { recursive: true, force: true });
}
