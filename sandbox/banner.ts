import { keys } from './keys';
import type { SandboxOptions } from './switches';
import type { Sandbox } from './sandbox';

/** What `node sandbox` prints when it is ready. */
export function banner(
	sandbox: Sandbox,
	{ speed = 1, faults = 'none', seed = '' }: SandboxOptions,
): string {
	const names = Object.values(keys).map(
		({ secret, purpose }) => `  ${secret.padEnd(26)}${purpose}`,
	);
	const length = (seconds: number) => `${Number((seconds / speed).toPrecision(2))} s`;
	return [
		`Sandbox of the Creator Briefing API on ${sandbox.url}`,
		`For AI assistants (Model Context Protocol) on ${sandbox.mcpUrl}`,
		'',
		'Keys',
		...names,
		'',
		`Speed ${speed}: a brief takes ${length(180)} to ${length(360)}. Allowance ${sandbox.options.allowance} a month. Faults: ${faults}.`,
		`Seed ${seed}: the same seed gives the same IDs, durations, failures and texts.`,
		'',
		`export CREATOR_BRIEFING_BASE_URL=${sandbox.url} CREATOR_BRIEFING_API_KEY=${sandbox.keys.allScopes}`,
	].join('\n');
}
