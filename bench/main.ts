import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { measureCost } from './cost';
import { benchDone } from './done';
import { benchJournal } from './journal';
import { benchPeers } from './peers/main';
import { benchPlan } from './plan';
import { costPlot, makespanPlot } from './plots';
import { pollingTable, simulateAll } from './polling/main';
import { nodeVersion } from './process';
import { benchStart } from './start';
import { asTable, isKept } from './table';

const DOCS = join(__dirname, '..', 'docs');

/**
 * `npm run bench`: measures side by side in one run, and writes docs/performance.md. Ends with 1 where a promise is
 * broken.
 */
async function main(): Promise<void> {
	const start = await benchStart();
	const own = [
		...start.lines,
		...(await benchPlan()),
		...(await benchJournal()),
		...(await benchDone()),
	];
	const cost = await measureCost();
	const peers = await benchPeers();
	const simulated = simulateAll(500);
	const tables = { own: asTable(own), peers: asTable(peers.lines, peers.names) };
	mkdirSync(join(DOCS, 'performance'), { recursive: true });
	writeFileSync(join(DOCS, 'performance', 'makespan.svg'), makespanPlot(peers.alone, simulated));
	writeFileSync(join(DOCS, 'performance', 'cost.svg'), costPlot(cost));
	const broken = [...own, ...peers.lines].filter((line) => !isKept(line));
	const text = `# Performance

Written by \`npm run bench\`. Ratios, taken side by side in one run, because absolute times say more about the machine.
All processes run on the Node that this machine has, ${nodeVersion()}, unless another is named. *Limit* is the least that anybody could reach, where it is known; *before* is the first measurement, on another day.
${broken.map(({ what }) => `\nBroken in this run: ${what}.\n`).join('')}
## Beside the peers

${tables.peers}

${peers.notes}
![Makespan against requests](performance/makespan.svg)

Further left and further down is better. *Simulated* are four ways to look at the service as it is expected, from the
table at the end, with the create on top of the reads; those runners do nothing else.

What the nodes cost in n8n: [performance-n8n.md](performance-n8n.md).

## Start, files and memory

${tables.own}

- The start of the commands is measured by the clock, because a person waits for it: the quickest of 21 rounds. All
  else is CPU time, because others may use the machine meanwhile.
- The bare csv-parse loop is the one its documentation shows (\`columns: true\`, \`for await\`), over the same file, taking
  turns; it checks nothing. \`plan\` checks every field, finds duplicates and holds each row against the journal.
- The journal is that of 100,000 rows that are done: 400,000 lines, 147 MB. The time to the first order counts from the
  start of the process, with four new rows, on a service that has 5,000 briefs of this month. An earlier run has read
  that list, and the run is ended at its first order.
- Node 24 starts an empty process in less than half the time, so the same work is more of it. Its memory: docs/decisions.md.
- The done rows are a whole run again over a batch in which nothing is left to do; the files of the briefs are empty.

Where the time of the short commands goes, by V8’s profiler (\`node --cpu-prof\`):

${start.profile}

![Cost against rows](performance/cost.svg)

Both axes are logarithmic. A straight line that rises one decade in each decade costs the same for each row; up to some
thousand rows the start of the process is what costs.

## When to look, simulated

Forty briefs through two slots, with 500 seeds on a clock of their own (\`npx tsx bench/polling/main.ts\` prints this
table alone). Reads include the fetch of each finished brief; its create comes on top. Each way in which the service
may behave is there, as its documentation leaves it open.

${pollingTable(simulated)}
`;
	writeFileSync(join(DOCS, 'performance.md'), text);
	console.log(`${tables.peers}\n\n${tables.own}`);
	for (const { what } of broken) console.error(`Broken: ${what}`);
	if (broken.length > 0) process.exitCode = 1;
}

void main();
