import { execFileSync, spawn } from 'node:child_process';
import { installedNode } from '../harness/install/node-runtime';

/** Everything is measured on the Node that people have, which is not the one that runs the benchmarks. */
export const NODE = installedNode();

export function nodeVersion(): string {
	return execFileSync(NODE, ['--version'], { encoding: 'utf8' }).trim();
}

/** The Node that runs the benchmarks, where it is another one. */
export const OTHER_NODE =
	NODE === process.execPath
		? null
		: { bin: process.execPath, name: `Node ${process.versions.node.split('.')[0] ?? ''}` };

/** Runs a script in a Node process of its own, and insists on its exit code. */
export async function runNode(
	args: string[],
	env: Record<string, string>,
	cwd: string,
	exitCode: number,
	node = NODE,
): Promise<void> {
	const child = spawn(node, args, {
		cwd,
		env: { ...process.env, ...env },
		stdio: ['ignore', 'ignore', 'pipe'],
	});
	let said = '';
	child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
	const code = await new Promise<number | null>((done) => child.on('close', done));
	if (code !== exitCode) throw new Error(`${args.join(' ')} ended with ${String(code)}: ${said}`);
}
