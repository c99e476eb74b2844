import { existsSync, readFileSync } from 'node:fs';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { withLock } from './with-lock';
import { nodeForN8n, nodeInstalledIn, nodePackage, type NodeRuntime } from './node-runtime';
import { npmEnvironment } from './npm-environment';
import { cacheRoot } from '../paths';
import { CommandError, runCommand } from '../process/run-command';
import { defaultVersion, peers, recipeFor, type Recipe } from './versions';

export interface InstalledN8n {
	version: string;
	dir: string;
	/** n8n's command-line program, to be run with `node.bin`. */
	program: string;
	node: NodeRuntime;
}

interface InstallOptions {
	/** Gets each line of progress. */
	say?: (line: string) => void;
}

interface Stamp {
	version: string;
	node: string;
	recipe: Recipe;
	installedAt: string;
	seconds: number;
}

const minute = 60_000;

/**
 * Returns the n8n in the folder that N8N_DIR names, or installs n8n into .cache/n8n/<version>, once. The stamp is
 * written last: an installation that was interrupted has none, and is removed and done again.
 */
export async function installN8n(
	wanted?: string,
	{ say = console.log }: InstallOptions = {},
): Promise<InstalledN8n> {
	const n8nDir = process.env['N8N_DIR'];
	if (n8nDir) return readN8nDir(resolve(n8nDir), wanted);
	const version = wanted ?? defaultVersion;
	const recipe = recipeFor(version);
	const place = placeOf(version, recipe);
	const { dir, node } = place;
	if (await isInstalled(dir, version, recipe, node)) return place;

	await withLock(
		`${dir}.lock`,
		() => say(`Another process is installing n8n ${version}. Waiting for it.`),
		async () => {
			if (await isInstalled(dir, version, recipe, node)) return;
			say(`Installing n8n ${version}, once: about 4 minutes and 2.3 GB in .cache/n8n/${version}.`);
			const startedAt = Date.now();
			const heartbeat = setInterval(() => {
				say(`  … still installing, ${Math.round((Date.now() - startedAt) / 1000)} s so far`);
			}, 30_000);
			try {
				await install(dir, version, recipe, node, say);
			} finally {
				clearInterval(heartbeat);
			}
			const seconds = Math.round((Date.now() - startedAt) / 1000);
			await writeStamp(dir, {
				version,
				node: node.version,
				recipe,
				installedAt: new Date().toISOString(),
				seconds,
			});
			say(`n8n ${version} is installed (${seconds} s).`);
		},
	);
	return place;
}

/** Whether n8n can be started without an installation first. */
export async function isN8nInstalled(): Promise<boolean> {
	if (process.env['N8N_DIR']) return true;
	const recipe = recipeFor(defaultVersion);
	const { dir, node } = placeOf(defaultVersion, recipe);
	return isInstalled(dir, defaultVersion, recipe, node);
}

function readN8nDir(dir: string, wanted?: string): InstalledN8n {
	const manifest = join(dir, 'node_modules', 'n8n', 'package.json');
	if (!existsSync(manifest)) throw new Error(`N8N_DIR has no node_modules/n8n: ${dir}`);
	const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { version: string };
	if (wanted !== undefined && wanted !== version) {
		throw new Error(`N8N_DIR has n8n ${version}, not ${wanted}: ${dir}`);
	}
	return placeOf(version, recipeFor(version), dir);
}

function placeOf(version: string, recipe: Recipe, dir = join(cacheRoot, version)): InstalledN8n {
	const node = recipe.node ? nodeInstalledIn(dir, recipe.node) : nodeForN8n();
	return { version, dir, node, program: join(dir, 'node_modules', 'n8n', 'bin', 'n8n') };
}

async function install(
	dir: string,
	version: string,
	recipe: Recipe,
	node: NodeRuntime,
	say: (line: string) => void,
): Promise<void> {
	await rm(dir, { recursive: true, force: true });
	await mkdir(dir, { recursive: true });
	const headers = nodePackage();
	await writeFile(
		join(dir, 'package.json'),
		JSON.stringify(
			{
				private: true,
				dependencies: { n8n: version, [headers]: node.version, ...peers },
				overrides: recipe.overrides,
				// Newer npm runs the install scripts of no package that is not named here, in a rebuild either.
				allowScripts: Object.fromEntries(recipe.native.map((name) => [name, true])),
			},
			null,
			'\t',
		),
	);
	const logFile = join(dir, 'install.log');
	const env = npmEnvironment(nodeForN8n());
	// Without --legacy-peer-deps npm does not come to an end on the peers of the AI libraries. The install scripts
	// of some 2000 packages are skipped, because only the few that n8n cannot start without are worth the trouble.
	const quietly = ['--no-audit', '--no-fund', '--loglevel=error'];
	const fetchAll = ['install', '--legacy-peer-deps', '--ignore-scripts', ...quietly];
	try {
		await runCommand('npm', fetchAll, { cwd: dir, env, timeoutMs: 20 * minute, logFile });
	} catch (error) {
		throw explain(error, `n8n ${version} could not be fetched.`);
	}
	say(`  fetched; now building ${recipe.native.join(' and ')}`);
	const build = ['rebuild', ...recipe.native, '--foreground-scripts', '--loglevel=error'];
	// Headers from the registry spare node-gyp a download that many build machines do not allow.
	const buildEnv = {
		...npmEnvironment(node),
		npm_config_nodedir: join(dir, 'node_modules', headers),
	};
	try {
		await runCommand('npm', build, { cwd: dir, env: buildEnv, timeoutMs: 15 * minute, logFile });
	} catch (error) {
		throw explain(
			error,
			`The native parts of n8n ${version} (${recipe.native.join(', ')}) could not be built. Without ready-made ` +
				'binaries to download, that takes python3, make and g++ ' +
				'(on Debian: apt-get install -y python3 make g++).',
		);
	}
}

async function isInstalled(
	dir: string,
	version: string,
	recipe: Recipe,
	node: NodeRuntime,
): Promise<boolean> {
	const text = await readFile(join(dir, 'installed.json'), 'utf8').catch(() => undefined);
	const packages = ['n8n', ...Object.keys(peers)];
	const isThere = packages.every((name) => existsSync(join(dir, 'node_modules', name)));
	if (text === undefined || !isThere) return false;
	const stamp = JSON.parse(text) as Stamp;
	const major = (release: string) => release.split('.')[0];
	return (
		stamp.version === version &&
		major(stamp.node) === major(node.version) &&
		sameContents(stamp.recipe, recipe)
	);
}

/** The version a recipe starts from says nothing about what was installed by it. */
function sameContents(a: Recipe, b: Recipe): boolean {
	const contents = ({ overrides, node, native }: Recipe) =>
		JSON.stringify({ overrides, node, native });
	return contents(a) === contents(b);
}

async function writeStamp(dir: string, stamp: Stamp): Promise<void> {
	const file = join(dir, 'installed.json');
	await writeFile(`${file}.new`, JSON.stringify(stamp, null, '\t'));
	await rename(`${file}.new`, file);
}

function explain(error: unknown, summary: string): Error {
	if (!(error instanceof CommandError)) return error as Error;
	const end = error.output.trimEnd().split('\n').slice(-25).join('\n');
	return new Error(`${summary}\n${error.message}\n${end}`);
}
