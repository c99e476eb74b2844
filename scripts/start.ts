import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { repositoryRoot } from '../harness/paths';
import { runOnSandbox, SPEED } from './run-on-sandbox';

/**
 * `npm start`: runs brief-batch on the example products and the sandbox. Ends with 0 if every row has the status that
 * the example intends.
 */
const CSV = 'examples/products.csv';
const OUT = 'example-output';

/** The commands above name the installed program, and the sandbox has ended. */
const NEXT = `In this clone, brief-batch is node batch/dist/batch/main.js. These commands need no sandbox:
  node batch/dist/batch/main.js status ${OUT}
  node batch/dist/batch/main.js plan YOUR.csv
To order briefs, start node sandbox in a second terminal, and paste the line that it prints.`;

/** The rows of the example that get no finished brief. */
const EXCEPTIONS: Readonly<Record<number, { status: string; reason: string }>> = {
	7: { status: 'invalid', reason: 'a spreadsheet has rounded its product ID' },
	10: { status: 'failed', reason: 'the product is discontinued' },
};

async function main(): Promise<void> {
	rmSync(join(repositoryRoot, OUT), { recursive: true, force: true });
	console.log(
		`The sandbox takes the place of the service. Here, time runs ${SPEED} times as fast.\n`,
	);
	console.log(`> brief-batch run ${CSV} --out ${OUT} --yes\n`);
	const args = ['run', CSV, '--out', OUT, '--yes'];
	const exitCode = await runOnSandbox(args, repositoryRoot, 'inherit');
	const differingRows = printRows();
	console.log(`\nOpen ${OUT}/report.html in a browser, or ${OUT}/results.csv.`);
	if (differingRows > 0 || exitCode !== 1) {
		console.log(
			`The example intends another result: ${differingRows} rows differ, and brief-batch ended with ${exitCode}.`,
		);
		process.exitCode = 1;
		return;
	}
	const reasons = Object.entries(EXCEPTIONS).map(([row, { reason }]) => `row ${row}: ${reason}`);
	console.log(
		`As the example intends, ten rows have a brief and two have none (${reasons.join('; ')}).`,
	);
	console.log(`\n${NEXT}`);
}

/** Prints the result of each row, and returns how many rows have another status than intended. */
function printRows(): number {
	const results = readFileSync(join(repositoryRoot, OUT, 'results.csv'));
	const rows = parse<Record<string, string>>(results, { columns: true, bom: true });
	console.log('\nThe result of each row:');
	const differing = rows.filter((row, index) => {
		const number = index + 2;
		const status = row['brief_status'] ?? '';
		const text = row['brief_error'] || row['brief_title'] || '';
		const name = row['Product Name'] ?? '';
		console.log(`  row ${String(number).padEnd(3)} ${status.padEnd(8)} ${name}: ${text}`);
		return status !== (EXCEPTIONS[number]?.status ?? 'ready');
	});
	return differing.length;
}

void main();
