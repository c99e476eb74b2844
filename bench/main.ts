import { writeFigures } from './page';
import { benchPeers } from './peers/main';
import { benchPlan } from './plan';
import { nodeVersion } from './process';
import { benchRefetch } from './refetch';
import { benchStart } from './start';
import { asTable, isKept } from './table';

/**
 * `npm run bench`: measures side by side in one run, and writes its figures into docs/performance.md. Ends with 1 if a
 * promise is broken.
 */
async function main(): Promise<void> {
	const ourLines = [...(await benchStart()), ...(await benchPlan()), ...(await benchRefetch())];
	const peers = await benchPeers();
	const tables = { ours: asTable(ourLines), peers: asTable(peers.lines, peers.names) };
	const broken = [...ourLines, ...peers.lines].filter((line) => !isKept(line));
	writeFigures('Beside the peers', `${tables.peers}\n\n${peers.missing}`);
	writeFigures('Start and CSV', `${tables.ours}\n\nOn Node ${nodeVersion()}.`);
	console.log(`${tables.peers}\n\n${tables.ours}`);
	for (const { what } of broken) console.error(`Broken: ${what}`);
	if (broken.length > 0) process.exitCode = 1;
}

void main();
