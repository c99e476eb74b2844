import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { benchPeers } from './peers/main';
import { benchPlan } from './plan';
import { nodeVersion } from './process';
import { benchStart } from './start';
import { asTable, isKept } from './table';

/**
 * `npm run bench`: measures side by side in one run, and writes docs/performance.md. Ends with 1 if a promise is broken.
 */
async function main(): Promise<void> {
	const own = [...(await benchStart()), ...(await benchPlan())];
	const peers = await benchPeers();
	const tables = { own: asTable(own), peers: asTable(peers.lines, peers.names) };
	const broken = [...own, ...peers.lines].filter((line) => !isKept(line));
	const text = `# Performance

Written by \`npm run bench\`. Ratios, taken side by side in one run, because absolute times say more about the machine.
All processes run on the Node that this machine has, ${nodeVersion()}.
${broken.map(({ what }) => `\nBroken in this run: ${what}.\n`).join('')}
## Beside the peers

${tables.peers}

${peers.notes}
What the nodes cost in n8n: [performance-n8n.md](performance-n8n.md).

## Start and CSV

${tables.own}

- The start of the commands is measured by the clock, because a person waits for it: the quickest of 21 rounds. All
  else is CPU time, because others may use the machine meanwhile.
- The bare csv-parse loop is the one its documentation shows (\`columns: true\`, \`for await\`), over the same file, taking
  turns; it checks nothing. \`plan\` checks every field, finds duplicates and holds each row against the journal.
`;
	writeFileSync(join(__dirname, '..', 'docs', 'performance.md'), text);
	console.log(`${tables.peers}\n\n${tables.own}`);
	for (const { what } of broken) console.error(`Broken: ${what}`);
	if (broken.length > 0) process.exitCode = 1;
}

void main();
