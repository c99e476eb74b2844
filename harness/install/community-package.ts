import { mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { nodesPackage } from '../paths';
import { nodeForN8n } from './node-runtime';
import { npmEnvironment } from './npm-environment';
import { runCommand } from '../process/run-command';
import { communityNodes } from '../server/user-folder';

interface PackedPackage {
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
export async function packPackage(): Promise<PackedPackage> {
	const folder = await mkdtemp(join(tmpdir(), 'packed-'));
	const remove = () => rm(folder, { recursive: true, force: true });
	try {
		const env = npmEnvironment(nodeForN8n());
		const args = ['pack', '--json', '--pack-destination', folder];
		const output = await runCommand('npm', args, { cwd: nodesPackage, env, timeoutMs: 5 * minute });
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
	const json = JSON.parse(output.slice(start)) as PackEntry[] | Record<string, PackEntry>;
	const [entry] = Object.values(json);
	if (!entry) throw new Error('npm pack packed nothing.');
	return entry;
}

/**
 * Puts a tarball where n8n looks for community nodes, in the same steps as n8n's own installer: unpack, strip the peer,
 * optional and dev dependencies from the manifest, let npm fetch the rest without running any script, and add the
 * package to the folder's list. n8n finds it at its next start.
 */
export async function installIntoUserFolder(
	packedPackage: Pick<PackedPackage, 'name' | 'version' | 'tarball'>,
	userFolder: string,
): Promise<string> {
	const nodes = communityNodes(userFolder);
	const target = join(nodes, 'node_modules', packedPackage.name);
	const env = npmEnvironment(nodeForN8n());
	await rm(target, { recursive: true, force: true });
	await mkdir(target, { recursive: true });
	const unpack = ['-xzf', packedPackage.tarball, '-C', target, '--strip-components=1'];
	await runCommand('tar', unpack, { cwd: nodes, env, timeoutMs: minute });

	const manifest = await readJson(join(target, 'package.json'));
	for (const field of ['devDependencies', 'peerDependencies', 'optionalDependencies']) {
		Reflect.deleteProperty(manifest, field);
	}
	await writeJson(join(target, 'package.json'), manifest);
	await runCommand('npm', installerArguments, { cwd: target, env, timeoutMs: 5 * minute });

	const list = join(nodes, 'package.json');
	const nothing: Record<string, unknown> = {};
	const packages = await readJson(list).catch(() => nothing);
	await writeJson(list, {
		name: 'installed-nodes',
		private: true,
		...packages,
		dependencies: {
			...(packages['dependencies'] as object),
			[packedPackage.name]: packedPackage.version,
		},
	});
	return target;
}

const installerArguments = [
	'install',
	'--audit=false',
	'--fund=false',
	'--bin-links=false',
	'--install-strategy=shallow',
	'--ignore-scripts=true',
	'--package-lock=false',
];

async function readJson(file: string): Promise<Record<string, unknown>> {
	return JSON.parse(await readFile(file, 'utf8')) as Record<string, unknown>;
}

async function writeJson(file: string, value: unknown): Promise<void> {
	await writeFile(file, JSON.stringify(value, null, 2));
}
