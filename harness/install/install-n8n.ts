import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { cacheRoot } from '../paths';
import {
	findNodeForN8n,
	getInstalledNode,
	getNodePackage,
	makeNpmEnvironment,
} from './node-runtime';
import { useImage } from './n8n-image';
import { defaultVersion, peers, findRecipe } from './versions';

export interface InstalledN8n {
	version: string;
	/** Returns what runs `n8n start` or `n8n worker` with these settings. */
	makeCommand: (command: string, settings: Readonly<Record<string, string>>) => N8nCommand;
}

export interface N8nCommand {
	program: string;
	args: string[];
	/** The folder of the program, for PATH; null if it is on PATH. */
	binDir: string | null;
	/** Ends what the end of the program leaves running. */
	kill: () => void;
}

const MINUTE = 60_000;

/**
 * Returns the n8n of the image that N8N_IMAGE names, or in the folder that N8N_DIR names. Otherwise it installs n8n into
 * .cache/n8n/<version> if it is not there.
 */
export async function installN8n(wanted?: string): Promise<InstalledN8n> {
	const image = process.env['N8N_IMAGE'];
	if (image) return useImage(image);
	const n8nDir = process.env['N8N_DIR'];
	if (n8nDir) return readN8nDir(resolve(n8nDir), wanted);
	const version = wanted ?? defaultVersion;
	const dir = join(cacheRoot, version);
	if (!existsSync(dir)) {
		console.log(`Installing n8n ${version}: about 4 minutes and 2.4 GB in .cache/n8n/${version}.`);
		// The folder gets its final name at the end, so that an interrupted installation is not used.
		const newDir = `${dir}.new`;
		await rm(newDir, { recursive: true, force: true });
		await installInto(newDir, version);
		await rename(newDir, dir);
		console.log(`Installed n8n ${version}.`);
	}
	return describeInstallation(version, dir);
}

function readN8nDir(dir: string, wanted?: string): InstalledN8n {
	const manifest = join(dir, 'node_modules', 'n8n', 'package.json');
	if (!existsSync(manifest)) throw new Error(`N8N_DIR has no node_modules/n8n: ${dir}`);
	const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { version: string };
	if (wanted !== undefined && wanted !== version) {
		throw new Error(`N8N_DIR has n8n ${version}, not ${wanted}: ${dir}`);
	}
	return describeInstallation(version, dir);
}

function describeInstallation(version: string, dir: string): InstalledN8n {
	const recipe = findRecipe(version);
	const node = recipe.node === undefined ? findNodeForN8n() : getInstalledNode(dir, recipe.node);
	const program = join(dir, 'node_modules', 'n8n', 'bin', 'n8n');
	return {
		version,
		makeCommand: (command) => ({
			program: node.bin,
			args: [program, command],
			binDir: node.binDir,
			kill: () => undefined,
		}),
	};
}

async function installInto(dir: string, version: string): Promise<void> {
	const { node = findNodeForN8n().version, overrides, native } = findRecipe(version);
	const manifest = {
		private: true,
		dependencies: { n8n: version, [getNodePackage()]: node, ...peers },
		overrides,
		// npm 12 only runs the install scripts that are listed here, also for a rebuild.
		allowScripts: Object.fromEntries(native.map((name) => [name, true])),
	};
	await mkdir(dir, { recursive: true });
	await writeFile(join(dir, 'package.json'), JSON.stringify(manifest));
	// Without --legacy-peer-deps, npm never finishes resolving the peer dependencies of the AI libraries. The install scripts
	// of `native` run later, and those of the other packages never.
	const fetchAll = ['install', '--legacy-peer-deps', '--ignore-scripts', '--no-audit', '--no-fund'];
	await runNpm(dir, fetchAll, makeNpmEnvironment(findNodeForN8n().binDir));
	console.log(`Downloaded n8n ${version}. Building ${native.join(' and ')}.`);
	const env = {
		...makeNpmEnvironment(getInstalledNode(dir, node).binDir),
		// node-gyp takes the headers from the npm package, because many build machines block its own download.
		npm_config_nodedir: join(dir, 'node_modules', getNodePackage()),
	};
	await runNpm(dir, ['rebuild', ...native, '--foreground-scripts'], env).catch((error: unknown) => {
		throw new Error(
			`${String(error)}\n\nCannot build ${native.join(' and ')} for n8n ${version}. Install the build tools ` +
				'(Debian: apt-get install -y python3 make g++), then run the command again.',
		);
	});
}

async function runNpm(cwd: string, args: string[], env: NodeJS.ProcessEnv): Promise<void> {
	// npm can resolve peer dependencies forever.
	const limits = { timeout: 20 * MINUTE, maxBuffer: Infinity };
	await promisify(execFile)('npm', [...args, '--loglevel=error'], { cwd, env, ...limits });
}
