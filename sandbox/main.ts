import { randomBytes } from 'node:crypto';
import { BadArgument, helpText, readArguments } from './arguments';
import { banner } from './banner';
import { startSandbox } from './sandbox';

async function main(): Promise<void> {
	const options = readArguments(process.argv.slice(2));
	if (options === 'help') {
		console.log(helpText());
		return;
	}
	// With the same IDs after a restart, a client would take new briefs for old ones.
	const seed = options.seed ?? randomBytes(4).toString('hex');
	const sandbox = await startSandbox({ ...options, seed });
	console.log(banner(sandbox, { ...options, seed }));
	for (const signal of ['SIGINT', 'SIGTERM'] as const) {
		process.once(signal, () => void sandbox.close());
	}
}

main().catch((error: unknown) => {
	const { code, port } = error as { code?: string; port?: number };
	if (error instanceof BadArgument) {
		console.error(`${error.message}. See node sandbox --help`);
	} else if (code === 'EADDRINUSE' || code === 'EACCES') {
		console.error(
			`Port ${port ?? ''} cannot be used (${code}). Try another with --port, or --port 0`,
		);
	} else {
		throw error;
	}
	process.exitCode = 2;
});
