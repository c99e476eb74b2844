import { existsSync, readFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { repositoryRoot } from '../paths';

export interface NodeRuntime {
	/** The node executable itself. */
	bin: string;
	/** Goes first on PATH, so that npm and its scripts run on the same Node. */
	binDir: string;
	version: string;
}

/**
 * The Node that n8n is installed with and run by. n8n 2.3x and later refuses anything below 24, so it is the
 * devDependency `node` and not whatever this process happens to run on.
 */
export function nodeForN8n(): NodeRuntime {
	const manifest = join(repositoryRoot, 'node_modules', 'node', 'package.json');
	const bin = join(repositoryRoot, 'node_modules', 'node', 'bin', 'node');
	if (existsSync(bin) && existsSync(manifest)) {
		const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { version: string };
		return { bin, binDir: dirname(bin), version };
	}
	if (Number(process.versions.node.split('.')[0]) >= 24) {
		return {
			bin: process.execPath,
			binDir: dirname(process.execPath),
			version: process.versions.node,
		};
	}
	throw new Error(
		'n8n needs Node 24, which the devDependency "node" brings. Run "npm install" in the root of the repository first.',
	);
}

/**
 * The Node that is installed on this machine, on which brief-batch runs. It may be older than the one of npm's scripts,
 * which have node_modules/.bin with Node 24 first on their path.
 */
export function installedNode(): string {
	return (
		(process.env.PATH ?? '')
			.split(delimiter)
			.filter((folder) => !folder.includes('node_modules'))
			.map((folder) => join(folder, 'node'))
			.find((file) => existsSync(file)) ?? process.execPath
	);
}

/** The Node that is installed along with an n8n in this folder. */
export function nodeInstalledIn(dir: string, version: string): NodeRuntime {
	const binDir = join(dir, 'node_modules', nodePackage(), 'bin');
	return { bin: join(binDir, 'node'), binDir, version };
}

/** The npm package that holds the executable and the C++ headers of a Node release for this machine. */
export function nodePackage(): string {
	const platform = process.platform === 'win32' ? 'win' : process.platform;
	const name = `${platform}-${process.arch}`;
	// Somebody else's package has the usual name.
	return name === 'darwin-arm64' ? `node-bin-${name}` : `node-${name}`;
}
