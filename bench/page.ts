import { NAMES } from './batches/measure-batches';
import type { Figure } from './figure';
import { nodeVersion } from './process';

interface Figures {
	program: Figure[];
	items: Figure[];
	batches: Figure[];
}

/** Returns docs/performance.md, text and figures. */
export function buildPage({ program, items, batches }: Figures, n8nVersion: string): string {
	return `# Performance

\`npm run bench\` writes this page, and ends with 1 if a figure misses its target. It takes about 20 minutes on an idle
machine. Most figures are ratios, because times depend on the machine. They are of brief-batch on Node.js
${nodeVersion()} and of n8n ${n8nVersion}.

## Batches of briefs

${formatTable(NAMES, batches)}

*p-limit and axios* is a script like those in tutorials, and *HTTP Request* is the n8n workflow of the usual guides: two
briefs at a time, a GET of each every 15 seconds, a wait after 429, no idempotency key. *Create* is our n8n node with Wait
Until Ready. All of them run at the same time, in accelerated time, each with a sandbox of its own.

- **Time ÷ lower bound** is the time until the last brief is noticed, divided by the least time that two slots
  need.
- **Requests** counts every request, also those that create or list briefs.
- **Ready → noticed** is the time from a brief's end until the first answer that shows it.
- **Kills** are SIGKILL at the same moments for all, each followed by a new start. n8n is killed as a whole.

The figures of 40 briefs are means of twelve batches (brief-batch) or three (the others).

## brief-batch on one machine

${formatTable(['brief-batch'], program)}

The bare loop is the example in the documentation of csv-parse, which checks nothing.

## n8n nodes

${formatTable(['our nodes'], items)}

HTTP Request gets the same briefs by their IDs, in the same n8n. Create finds the existing brief of each item by its
content. n8n and the sandbox are on the same machine, without latency.
`;
}

function formatTable(columns: readonly string[], figures: readonly Figure[]): string {
	const rows = figures.map(({ name, value, target, peers = [] }) => [
		name,
		target === 0 ? '0' : `≤ ${target}`,
		...[value, ...peers].map(formatNumber),
	]);
	const head = ['figure', 'target', ...columns];
	return [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');
}

/** Formats a number with three significant decimals at most. */
function formatNumber(value: number): string {
	const decimals = value < 10 ? 3 : value < 100 ? 1 : 0;
	return String(Number(value.toFixed(decimals)));
}
