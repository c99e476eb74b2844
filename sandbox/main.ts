import { randomBytes } from 'node:crypto';
import { ArgumentError, formatHelp, parseArguments } from './command-line';
import { keys } from './keys';
import type { SandboxOptions } from './options';
import { startSandbox, type Sandbox } from './sandbox';

async function main(): Promise<void> {
	const options = parseArguments(process.argv.slice(2));
	if (options === 'help') {
		console.log(formatHelp());
		return;
	}
	// With the same IDs after a restart, a client would mistake new briefs for old ones.
	const seed = options.seed ?? randomBytes(4).toString('hex');
	const sandbox = await startSandbox({ ...options, seed });
	console.log(formatBanner(sandbox, { ...options, seed }));
	for (const signal of ['SIGINT', 'SIGTERM'] as const) {
		process.once(signal, () => void sandbox.close());
	}
}

function formatBanner(
	{ url, mcpUrl, options }: Sandbox,
	{ speed = 1, faults = 'none', seed = '' }: SandboxOptions,
): string {
	const keyLines = Object.values(keys).map(
		({ secret, purpose }) => `  ${secret.padEnd(26)}${purpose}`,
	);
	const seconds = (duration: number) => `${Number((duration / speed).toPrecision(2))} s`;
	return [
		`Sandbox of the Creator Briefing API on ${url}`,
		`For AI assistants (Model Context Protocol) on ${mcpUrl}`,
		'',
		'Keys',
		...keyLines,
		'',
		`Speed ${speed}: a brief takes ${seconds(180)} to ${seconds(360)}. Allowance ${options.allowance} a month. Faults: ${faults}.`,
		`Seed ${seed}: the same seed gives the same IDs, durations, failures and texts.`,
		'',
		`export CREATOR_BRIEFING_BASE_URL=${url} CREATOR_BRIEFING_API_KEY=${keys.allScopes.secret}`,
	].join('\n');
}

main().catch((error: unknown) => {
	const { code, port } = error as { code?: string; port?: number };
	if (error instanceof ArgumentError) {
		console.error(`${error.message}. See node sandbox --help`);
	} else if (code === 'EADDRINUSE' || code === 'EACCES') {
		console.error(`Cannot use port ${port ?? ''} (${code}). Pass another --port, or --port 0`);
	} else {
		throw error;
	}
	process.exitCode = 2;
});
