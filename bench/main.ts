import { writeFigures } from './performance-page';
import { benchPeers } from './peers/bench-peers';
import { benchPlan } from './bench-plan';
import { nodeVersion } from './process';
import { benchRefetch } from './bench-refetch';
import { benchStart } from './bench-start';
import { asTable, isPromiseKept } from './figures-table';

/**
 * `npm run bench`: measures side by side in one run, and writes its figures into docs/performance.md. Ends with 1 if a
 * promise is broken.
 */
async function main(): Promise<void> {
	const ourLines = [...(await benchStart()), ...(await benchPlan()), ...(await benchRefetch())];
	const peers = await benchPeers();
	const tables = { ours: asTable(ourLines), peers: asTable(peers.lines, peers.names) };
	const brokenPromises = [...ourLines, ...peers.lines].filter((line) => !isPromiseKept(line));
	writeFigures('Beside the peers', `${tables.peers}\n\n${peers.missingPeers}`);
	writeFigures('Start and CSV', `${tables.ours}\n\nOn Node ${nodeVersion()}.`);
	console.log(`${tables.peers}\n\n${tables.ours}`);
	for (const { what } of brokenPromises) console.error(`Broken: ${what}`);
	if (brokenPromises.length > 0) process.exitCode = 1;
}

void main();
