import { spawn } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { parse } from 'csv-parse/sync';
import { briefBatch } from '../harness/paths';
import { IN_FAST_TIME, startFastSandbox } from '../test/support/fast-clock/fast-sandbox';

/**
 * `npm start`: the sandbox and brief-batch on the example products, with time running sixty times as fast for both, and a
 * word on what each row came to. Ends with 0 when that is what the example intends.
 */
const SPEED = 60;
const root = resolve(__dirname, '..');
const csv = join('examples', 'products.csv');
const outDir = 'example-output';

/** The rows of the example that are not meant to have a finished brief. */
const INTENDED: Readonly<Record<number, { status: string; because: string }>> = {
	7: { status: 'invalid', because: 'a spreadsheet has rounded its product ID' },
	10: { status: 'failed', because: 'the product is discontinued' },
};

async function start(): Promise<number> {
	const fast = { speed: SPEED, seed: 'example', failureShare: 0 };
	const { sandbox, clock } = await startFastSandbox(fast);
	try {
		rmSync(join(root, outDir), { recursive: true, force: true });
		console.log(
			`The sandbox, a stand-in for the service, listens at ${sandbox.url}. In this example time runs ${SPEED} times as fast.`,
		);
		const options = ['--out', outDir, '--yes'];
		console.log(`> brief-batch run ${csv} ${options.join(' ')}\n`);
		const exitCode = await runBriefBatch(['run', csv, ...options], {
			...clock.env,
			CREATOR_BRIEFING_BASE_URL: sandbox.url,
			CREATOR_BRIEFING_API_KEY: sandbox.keys.allScopes,
		});
		return judge(exitCode);
	} finally {
		await sandbox.close();
	}
}

function runBriefBatch(args: string[], env: Record<string, string>): Promise<number> {
	const child = spawn(process.execPath, [...IN_FAST_TIME, briefBatch, ...args], {
		cwd: root,
		stdio: 'inherit',
		env: { ...process.env, ...env },
	});
	return new Promise((done) => child.on('close', (code) => done(code ?? 1)));
}

function judge(exitCode: number): number {
	const results = join(root, outDir, 'results.csv');
	const rows = parse<Record<string, string>>(readFileSync(results), { columns: true, bom: true });
	console.log('\nWhat each row came to:');
	const surprises = rows.filter((row, index) => {
		const number = index + 2;
		const intended = INTENDED[number];
		const status = row.brief_status ?? '';
		const why = row.brief_error || row.brief_title || '';
		console.log(
			`  row ${String(number).padEnd(3)} ${status.padEnd(8)} ${row['Product Name'] ?? ''}: ${why}`,
		);
		return status !== (intended?.status ?? 'ready');
	});
	console.log(
		`\nRead the briefs in ${join(outDir, 'report.html')} (open it in a browser) or ${relative('.', results)}.`,
	);
	if (surprises.length > 0 || exitCode !== 1) {
		console.log(
			`That is not what the example intends: ${surprises.length} rows differ, brief-batch ended with ${exitCode}.`,
		);
		return 1;
	}
	const reasons = Object.entries(INTENDED).map(([row, { because }]) => `row ${row}: ${because}`);
	console.log(
		`As the example intends: ten briefs, and two rows without one (${reasons.join('; ')}).`,
	);
	return 0;
}

void start().then((code) => {
	process.exitCode = code;
});
