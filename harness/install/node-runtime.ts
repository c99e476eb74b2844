import { existsSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { repositoryRoot } from '../paths';

export interface NodeRuntime {
	/** The node executable. */
	bin: string;
	/** Its folder, to be the first on PATH. */
	binDir: string;
	version: string;
}

/** Returns the Node of the devDependency `node`, because n8n refuses every Node below 24. */
export function nodeForN8n(): NodeRuntime {
	const folder = join(repositoryRoot, 'node_modules', 'node');
	const binDir = join(folder, 'bin');
	if (!existsSync(join(binDir, 'node'))) {
		throw new Error(
			'n8n needs Node 24, which the devDependency "node" contains. Run this first: npm install',
		);
	}
	const manifest = readFileSync(join(folder, 'package.json'), 'utf8');
	const { version } = JSON.parse(manifest) as { version: string };
	return { bin: join(binDir, 'node'), binDir, version };
}

/** Returns a Node that was installed in the folder of an n8n. */
export function nodeInstalledIn(dir: string, version: string): NodeRuntime {
	const binDir = join(dir, 'node_modules', nodePackage(), 'bin');
	return { bin: join(binDir, 'node'), binDir, version };
}

/** Returns the npm package that contains a Node release and its C++ headers for this machine. */
export function nodePackage(): string {
	const platform = process.platform === 'win32' ? 'win' : process.platform;
	const name = `${platform}-${process.arch}`;
	// The usual name belongs to an unrelated package.
	return name === 'darwin-arm64' ? `node-bin-${name}` : `node-${name}`;
}

/**
 * Returns the Node of this machine, which brief-batch runs on. npm scripts have node_modules/.bin, with Node 24, first on
 * their PATH.
 */
export function installedNode(): string {
	const files = (process.env['PATH'] ?? '')
		.split(delimiter)
		.filter((folder) => !folder.includes('node_modules'))
		.map((folder) => join(folder, 'node'));
	return files.find((file) => existsSync(file)) ?? process.execPath;
}

/** Returns the environment for an npm that runs on this Node, without the settings of this repository's npm scripts. */
export function npmEnvironment(binDir: string): NodeJS.ProcessEnv {
	const isOurs = /^npm_(config_(local_prefix|prefix|workspace|workspaces)|package_|lifecycle_)/i;
	const inherited = Object.entries(process.env).filter(([name]) => !isOurs.test(name));
	return {
		...Object.fromEntries(inherited),
		PATH: binDir + delimiter + (process.env['PATH'] ?? ''),
		npm_config_update_notifier: 'false',
	};
}
