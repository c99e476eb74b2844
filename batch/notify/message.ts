import { dayInWords } from '../../service/list/month';
import type { RunEnded, RunEvent } from '../run/events';
import { count } from '../text';

/** What a run was about, and what is new. */
export interface RunNews {
	/** Who it is for. */
	name: string;
	csv: string;
	outDir: string;
	/** Null if nothing could begin. */
	batch: string | null;
	/** How many briefs became ready in this run. */
	ready: number;
	/** The first of them. */
	newest: readonly NewBrief[];
}

type NewBrief = Pick<
	Extract<RunEvent, { event: 'brief_ready' }>,
	'product_name' | 'title' | 'url' | 'brief_id'
>;

const MEANING: Readonly<Record<number, string>> = {
	0: 'all is done',
	1: 'some rows failed, are invalid, changed or need attention',
	2: 'it cannot go on by itself',
	3: 'rows are left for later',
	4: 'key, scope or licence refused',
	5: 'it stopped early, and can be run again',
	130: 'interrupted',
};

/**
 * The end of a run for a webhook: all that --json says of it, with a `text` for people. Slack and Mattermost show the
 * text and leave the rest aside; a workflow of n8n has it all.
 */
export function messageOf(ended: RunEnded, run: RunNews, at: Date): object {
	const { name, csv, outDir: out, batch, ready, newest } = run;
	const new_briefs = newest.map(({ brief_id, product_name, title, url }) => ({
		brief_id,
		product_name,
		title,
		url,
	}));
	const facts = { name, at: at.toISOString(), csv, out, batch, new: ready, new_briefs };
	return { text: summaryText(ended, run), ...facts, ...ended };
}

function summaryText({ failure, exit_code, ...rows }: RunEnded, run: RunNews): string {
	const fresh = run.ready > 0 ? `${count(run.ready, 'new brief')}; ` : '';
	const lines = [
		`${run.name}, “${run.batch ?? run.csv}”: ${fresh}${countsOf(rows)}${MEANING[exit_code] ?? 'it has ended'} (exit code ${exit_code}).`,
		...(failure === null ? [] : [failure.what, failure.cure]),
		...newBriefs(run.newest, run.ready),
	];
	return withoutCommands(lines.join('\n'));
}

/** A line for each new brief with its title and link, and how many there are besides. */
export function newBriefs(newest: readonly NewBrief[], ready: number): string[] {
	const more = ready - newest.length;
	return [
		...newest.map(({ product_name, title, url }) => {
			const named = title === null || title === '' ? product_name : `${product_name}: ${title}`;
			const link = /^https?:\/\/\S+$/.test(url ?? '') ? ` ${url ?? ''}` : '';
			return `• ${named.replace(/\s+/g, ' ')}${link}`;
		}),
		...(more > 0 ? [`and ${count(more, 'more brief')}`] : []),
	];
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
