import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { benchJournal } from './journal';
import { benchMakespan } from './makespan';
import { benchPlan } from './plan';
import { pollingTable } from './polling/main';
import { asTable, isKept } from './table';

/**
 * `npm run bench`: measures side by side in one run, and writes docs/performance.md. Ends with 1 where a promise is
 * broken.
 */
async function main(): Promise<void> {
	const lines = [...(await benchPlan()), ...(await benchJournal()), ...(await benchMakespan())];
	const text = `# Performance

Written by \`npm run bench\`. Ratios, taken side by side in one run, because absolute times say more about the machine.

${asTable(lines)}

- The bare csv-parse loop is the one its documentation shows (\`columns: true\`, \`for await\`), over the same file, taking
  turns; it checks nothing. \`plan\` checks every field, finds duplicates and holds each row against the journal.
- The journal is that of 100,000 rows that are done: 400,000 lines, 147 MB. The time to the first order counts from the
  start of the process, with four new rows, on a service that has 5,000 briefs of this month. An earlier run has read
  that list, and the run is killed at its first order.
- The forty briefs take 180 to 360 seconds each, in time that runs 30 times as fast, median of three batches. The
  lower bound is what two machines need that know all durations before: the longest brief, or half of all, whichever is
  more. The batches are the first ones on which a runner without any delay would come within 0.5 % of that bound: on
  others the way the last briefs fall on the slots adds some 1.3 % on average, to any runner.
  The plain poll runs at the same time against a second sandbox with the same seed: it orders without looking whether a
  slot is free, keeps no record, and gets each brief every 15 seconds.

## When to look, simulated

Forty briefs through two slots, with 500 seeds on a clock of their own (\`npx tsx bench/polling/main.ts\` prints this
table alone). Reads include the fetch of each finished brief; its create comes on top. Each way in which the service
may behave is there, as its documentation leaves it open.

${pollingTable(500)}
`;
	writeFileSync(join(__dirname, '..', 'docs', 'performance.md'), text);
	console.log(asTable(lines));
	if (!lines.every(isKept)) process.exitCode = 1;
}

void main();
