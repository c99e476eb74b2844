import { mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { npmEnvironment } from './install';
import { nodeForN8n, repositoryRoot } from './paths';
import { run } from './run';

export interface PackedPackage {
	name: string;
	version: string;
	tarball: string;
	/** The paths in the tarball. */
	files: string[];
	/** Removes the temporary folder the tarball is in. */
	remove: () => Promise<void>;
}

const minute = 60_000;

/** Packs the package in `dir`, with its own scripts, exactly as `npm publish` would. */
export async function packPackage(dir = repositoryRoot): Promise<PackedPackage> {
	const folder = await mkdtemp(join(tmpdir(), 'packed-'));
	const remove = () => rm(folder, { recursive: true, force: true });
	try {
		const env = npmEnvironment(nodeForN8n());
		const args = ['pack', '--json', '--pack-destination', folder, '--workspaces=false'];
		const output = await run('npm', args, { cwd: dir, env, timeoutMs: 5 * minute });
		const { name, version, files } = firstPacked(output);
		const tarball = (await readdir(folder)).find((file) => file.endsWith('.tgz'));
		if (!tarball) throw new Error(`npm pack left no tarball in ${folder}.`);
		return {
			name,
			version,
			tarball: join(folder, tarball),
			files: files.map(({ path }) => path),
			remove,
		};
	} catch (error) {
		await remove();
		throw error;
	}
}

interface PackEntry {
	name: string;
	version: string;
	files: Array<{ path: string }>;
}

/** npm prints an array, npm 12 an object by package name, and the package's own scripts may print before either. */
function firstPacked(output: string): PackEntry {
	const start = output.search(/^[[{]$/m);
	if (start < 0) throw new Error(`npm pack --json printed no JSON:\n${output}`);
	const parsed = JSON.parse(output.slice(start)) as PackEntry[] | Record<string, PackEntry>;
	const [entry] = Object.values(parsed);
	if (!entry) throw new Error('npm pack packed nothing.');
	return entry;
}

/**
 * Puts a tarball where n8n looks for community nodes, the way n8n does it: peer, optional and dev dependencies are
 * stripped from its manifest, then npm installs it for production and runs none of its scripts. n8n finds it at its
 * next start.
 */
export async function installIntoUserFolder(
	packed: Pick<PackedPackage, 'name' | 'tarball'>,
	userFolder: string,
): Promise<string> {
	const nodes = join(userFolder, '.n8n', 'nodes');
	const target = join(nodes, 'node_modules', packed.name);
	const env = npmEnvironment(nodeForN8n());
	await mkdir(target, { recursive: true });
	await writeFile(
		join(nodes, 'package.json'),
		JSON.stringify({ name: 'installed-nodes', private: true, dependencies: {} }, null, '\t'),
	);
	await run('tar', ['-xzf', packed.tarball, '-C', target, '--strip-components=1'], {
		cwd: nodes,
		env,
		timeoutMs: minute,
	});
	const file = join(target, 'package.json');
	const manifest = JSON.parse(await readFile(file, 'utf8')) as Record<string, unknown>;
	for (const field of ['devDependencies', 'peerDependencies', 'optionalDependencies']) {
		Reflect.deleteProperty(manifest, field);
	}
	await writeFile(file, JSON.stringify(manifest, null, '\t'));
	const quiet = ['--no-audit', '--no-fund', '--loglevel=error'];
	await run(
		'npm',
		['install', '--omit=dev', '--omit=peer', '--ignore-scripts', '--package-lock=false', ...quiet],
		{ cwd: target, env, timeoutMs: 5 * minute },
	);
	return target;
}
