import { spawn } from 'node:child_process';

/** Runs a script in a Node process of its own, and insists on its exit code. */
export async function runNode(
	args: string[],
	env: Record<string, string>,
	cwd: string,
	exitCode: number,
): Promise<void> {
	const child = spawn(process.execPath, args, {
		cwd,
		env: { ...process.env, ...env },
		stdio: ['ignore', 'ignore', 'pipe'],
	});
	let said = '';
	child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
	const code = await new Promise<number | null>((done) => child.on('close', done));
	if (code !== exitCode) throw new Error(`${args.join(' ')} ended with ${String(code)}: ${said}`);
}
