import { dayInWords } from '../../service/month';
import type { RunEnded } from '../run/events';

/** What a run was about. */
export interface RunNames {
	csv: string;
	outDir: string;
	/** Null where nothing could begin. */
	batch: string | null;
}

const MEANING: Readonly<Record<number, string>> = {
	0: 'all is done',
	1: 'some rows failed, are invalid, changed or need a person',
	2: 'it cannot go on before somebody sees to it',
	3: 'rows are left for later',
	4: 'key, scope or licence refused',
	5: 'it stopped early, and can be run again',
	130: 'interrupted',
};

/**
 * The end of a run for a webhook: all that --json says of it, with a `text` for people. Slack and Mattermost show the
 * text and leave the rest aside; a workflow of n8n has it all.
 */
export function messageOf(ended: RunEnded, names: RunNames, at: Date): object {
	const { csv, outDir: out, batch } = names;
	return { text: textOf(ended, names), at: at.toISOString(), csv, out, batch, ...ended };
}

function textOf({ failure, exit_code, ...rows }: RunEnded, { batch, csv }: RunNames): string {
	const lines = [
		`brief-batch “${batch ?? csv}”: ${countsOf(rows)}${MEANING[exit_code] ?? 'it has ended'} (exit code ${exit_code}).`,
		...(failure === null ? [] : [failure.what, failure.cure]),
	];
	return withoutCommands(lines.join('\n'));
}

function countsOf({ resets_at, ...rows }: Partial<RunEnded>): string {
	const until = resets_at === undefined ? '' : ` until ${dayInWords(Date.parse(resets_at))}`;
	const counts = [
		[rows.ready, 'ready', ''],
		[rows.failed, 'failed', knownText(rows.known?.failed)],
		[rows.invalid, 'invalid', knownText(rows.known?.invalid)],
		[rows.parked, 'parked', ''],
		[rows.changed, 'changed', ''],
		[rows.deferred, 'deferred', until],
		[rows.pending, 'pending', ''],
	] as const;
	const said = counts.flatMap(([n = 0, what, more]) => (n > 0 ? [`${n} ${what}${more}`] : []));
	return said.length === 0 ? '' : `${said.join(', ')}; `;
}

function knownText(known = 0): string {
	return known > 0 ? ` (${known} known)` : '';
}

/** Without what Slack and Mattermost would take for a link or for a call of everybody: <!channel>, @here. */
function withoutCommands(text: string): string {
	return text.replace(/[<>]/g, '’').replace(/@(?=\w)/g, '@\u200b');
}
