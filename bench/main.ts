import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startN8nWithPackage } from '../harness/n8n-with-package';
import { repositoryRoot } from '../harness/paths';
import { measureBatches } from './batches/measure-batches';
import { measureWorkerSeconds } from './batches/worker-seconds';
import { ITEMS, measureForeignRows, measureItems } from './items-in-n8n';
import { buildPage } from './page';
import { measurePlan, measureStart, measureTests } from './programs';

const PAGE = join(repositoryRoot, 'docs', 'performance.md');

/** `npm run bench`: measures all figures and writes docs/performance.md. Ends with 1 if a target is missed. */
async function main(): Promise<void> {
	console.log('Measuring the tests …');
	const tests = [measureTests()];
	console.log('Measuring brief-batch …');
	const program = [await measureStart(), ...(await measurePlan())];
	const n8n = await startN8nWithPackage();
	try {
		console.log(`Measuring ${ITEMS} items in n8n …`);
		const items = await measureItems(n8n);
		program.push(await measureForeignRows(n8n));
		console.log('Measuring a worker of n8n …');
		const worker = [await measureWorkerSeconds(n8n)];
		console.log('Measuring batches …');
		const batches = await measureBatches(n8n);
		writeFileSync(PAGE, buildPage({ tests, program, items, worker, batches }, n8n.version));
		for (const { name, value, target } of [...tests, ...program, ...items, ...worker, ...batches]) {
			const isMissed = value > target;
			console.log(`${isMissed ? 'MISSED ' : ''}${name}: ${value} (target ${target})`);
			if (isMissed) process.exitCode = 1;
		}
	} finally {
		await n8n.dispose();
	}
}

main().catch((error: unknown) => {
	console.error(error);
	process.exitCode = 1;
});
