import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { nodesPackage } from '../paths';
import { findNodeForN8n, makeNpmEnvironment } from './node-runtime';

interface PackedPackage {
	name: string;
	version: string;
	/** The paths in the tarball. */
	files: string[];
}

const run = promisify(execFile);

/** Returns the folder in which n8n finds community packages. */
export function getCommunityFolder(userFolder: string): string {
	return join(userFolder, '.n8n', 'nodes');
}

/**
 * Packs the package of the last build, and unpacks it where n8n's own installer puts it. n8n would also install
 * dependencies, but this package has none.
 */
export async function installPackage(userFolder: string): Promise<PackedPackage> {
	const folder = await mkdtemp(join(tmpdir(), 'packed-'));
	try {
		const env = makeNpmEnvironment(findNodeForN8n().binDir);
		const args = ['pack', '--json', '--pack-destination', folder];
		const { stdout } = await run('npm', args, { cwd: nodesPackage, env });
		const { name, version, filename, files } = readPackEntry(stdout);
		const nodes = getCommunityFolder(userFolder);
		const target = join(nodes, 'node_modules', name);
		await mkdir(target, { recursive: true });
		await run('tar', ['-xzf', join(folder, filename), '-C', target, '--strip-components=1']);
		const manifest = { name: 'installed-nodes', private: true, dependencies: { [name]: version } };
		await writeFile(join(nodes, 'package.json'), JSON.stringify(manifest));
		return { name, version, files: files.map(({ path }) => path) };
	} finally {
		await rm(folder, { recursive: true, force: true });
	}
}

interface PackEntry {
	name: string;
	version: string;
	filename: string;
	files: Array<{ path: string }>;
}

/** npm prints an array, and npm 12 an object by package name. */
function readPackEntry(output: string): PackEntry {
	const [entry] = Object.values(JSON.parse(output) as PackEntry[] | Record<string, PackEntry>);
	if (!entry) throw new Error('npm pack packed nothing.');
	return entry;
}
