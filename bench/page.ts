import { NAMES } from './batches/measure-batches';
import { WAITS } from './batches/worker-seconds';
import { MISSED, type Figure } from './figure';
import { nodeVersion } from './process';

interface Figures {
	tests: Figure[];
	program: Figure[];
	items: Figure[];
	worker: Figure[];
	batches: Figure[];
}

/** Returns docs/performance.md, text and figures. */
export function buildPage(
	{ tests, program, items, worker, batches }: Figures,
	n8nVersion: string,
): string {
	return `# Performance

How fast brief-batch and the n8n nodes are, compared with a script and a workflow that users could write themselves.

\`npm run bench\` writes this page. It takes about 25 minutes on an idle machine. A release fails while this page has a missed
target. Most figures are ratios, because times depend on the machine. Two programs that a ratio compares are measured in
alternation. The figures were measured with brief-batch on Node.js ${nodeVersion()} and with n8n ${n8nVersion}.

## Batches of briefs

${formatTable(NAMES, batches)}

*p-limit and axios* is a script like those in tutorials, and *HTTP Request* is an n8n workflow like those in guides. Both run
two briefs at a time, get each brief every 15 seconds, wait after a 429, and send no idempotency key. *Create* is our n8n
node with Wait Until Ready. All four run at the same time, in accelerated time, each with a separate sandbox.

- **Time ÷ lower bound** is the time until the last brief is noticed, divided by the shortest possible time
  with two slots.
- **Requests** counts all requests, including requests that create or list briefs.
- **Ready → noticed** is the time from a brief's end until the first answer that shows it.
- **Kills**: each program gets a SIGKILL at the same moments, and is started again. All processes of n8n are killed.

The figures of 40 briefs are means of twelve batches for brief-batch, and of three batches for the others.

## brief-batch on one machine

${formatTable(['brief-batch'], program)}

The bare loop is the example in the documentation of csv-parse, which checks nothing. The rows whose briefs another folder
ordered are in no journal of this folder. So \`plan\` fetches and compares each brief, as Create does with *Check Only*. Its
time includes the start of the program.

## n8n nodes

${formatTable(['our nodes'], items)}

HTTP Request gets the same briefs by their IDs, in the same n8n. Create finds the existing brief of each item by its
content. n8n and the sandbox are on the same machine, without latency.

${formatTable(WAITS, worker)}

The seconds are those in which n8n runs nodes, in accelerated time. *Asleep* has the loops of the example products-asleep,
without the time in n8n's Wait. *Waiting in Create* is Create with Wait Until Ready.

## Tests

${formatTable(['two idle cores'], tests)}
`;
}

function formatTable(columns: readonly string[], figures: readonly Figure[]): string {
	const rows = figures.map(({ name, value, target, peers = [] }) => [
		name,
		target === 0 ? '0' : `≤ ${target}`,
		value > target ? `${formatNumber(value)} ${MISSED}` : formatNumber(value),
		...peers.map(formatNumber),
	]);
	const head = ['figure', 'target', ...columns];
	return [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');
}

/** Formats a number with three significant decimals at most. */
function formatNumber(value: number): string {
	const decimals = value < 10 ? 3 : value < 100 ? 1 : 0;
	return String(Number(value.toFixed(decimals)));
}
