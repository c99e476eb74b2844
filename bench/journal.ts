import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { inFolder } from './folder';
import { briefFileOf, writeBatchCsv, writeJournal } from './journal-file';
import { NODE } from './process';
import { startStub, type StubService } from './stub-service';
import { median, type Measured } from './table';
import { NOTE_USAGE, readUsage, usageOf, type Usage } from './usage';

const DONE = 100_000;
const NEW = 4;
const LISTED = 5000;
const ROUNDS = 3;
const BARE = resolve(__dirname, 'parse-lines.js');
const BIN = resolve(__dirname, '../batch/dist/batch/bin.js');

/** `status`, and a run up to its first order, over the journal of 100,000 rows, beside JSON.parse of its lines. */
export async function benchJournal(): Promise<Measured[]> {
	return inFolder(async (folder) => {
		const { csv, out } = await writeDone(folder, DONE, NEW);
		const journal = join(out, 'journal.jsonl');
		// A first run reads the whole list, and notes what it showed.
		await runToOrder(csv, out);
		const lines = readFileSync(journal);

		const rounds: { bare: Usage; status: Usage; order: Usage; requests: number }[] = [];
		for (let round = 0; round < ROUNDS; round += 1) {
			const bare = await usageOf([BARE, journal], folder);
			const status = await usageOf([BIN, 'status', '--out', out, '--quiet'], folder);
			// The run is killed at its first order: the journal is put back as it was.
			const { usage: order, requests } = await runToOrder(csv, out);
			writeFileSync(journal, lines);
			rounds.push({ bare, status, order, requests });
			console.log(JSON.stringify(rounds.at(-1)));
		}
		const ratio = (of: (round: (typeof rounds)[number]) => number) =>
			median(rounds.map((round) => of(round) / round.bare.cpuSeconds));
		return [
			{
				what: 'journal of 100,000 rows: `status`, CPU time ÷ JSON.parse of its lines',
				value: ratio(({ status }) => status.cpuSeconds),
				atMost: 4,
				limit: 1,
				before: 11.6,
			},
			{
				what: '… `status`, memory (MB)',
				value: Math.max(...rounds.map(({ status }) => status.megabytes)),
				atMost: 350,
				before: 688,
			},
			{
				what: '… `run`, CPU time to the first order ÷ JSON.parse of its lines',
				value: ratio(({ order }) => order.cpuSeconds),
				atMost: 10,
				before: 33,
			},
			{
				what: '… `run`, requests before the first order, with 5,000 briefs this month',
				value: Math.max(...rounds.map(({ requests }) => requests)),
				atMost: 3,
				limit: 2,
				before: 51,
			},
		];
	});
}

/** The CSV, the journal and the files of a run that has done its first rows; the files are empty. */
export async function writeDone(folder: string, done: number, left: number) {
	const batch = { name: 'products.csv', rows: done + left, done, baseUrl: 'http://127.0.0.1:1/v1' };
	const out = join(folder, `out-${done}`);
	mkdirSync(join(out, 'results'), { recursive: true });
	const csv = join(folder, batch.name);
	await writeBatchCsv(csv, batch);
	await writeJournal(join(out, 'journal.jsonl'), batch);
	for (let i = 0; i < done; i += 1)
		for (const kind of ['md', 'json'])
			writeFileSync(join(out, 'results', `${briefFileOf(i)}.${kind}`), '');
	return { csv, out };
}

/** Runs up to the first order, and kills the run there. */
async function runToOrder(csv: string, out: string) {
	const service = await startStub(LISTED);
	const file = join(out, 'usage.json');
	try {
		await endAtOrder(service, csv, out, file);
		return { usage: readUsage(file), requests: service.requests.length - 1 };
	} finally {
		await service.close();
		rmSync(file, { force: true });
		rmSync(join(out, '.lock'), { force: true, recursive: true });
	}
}

async function endAtOrder(
	{ url, firstOrder }: StubService,
	csv: string,
	out: string,
	usageFile: string,
): Promise<void> {
	const args = ['-r', NOTE_USAGE, BIN, 'run', csv, '--out', out, '--quiet'];
	const child = spawn(NODE, args, {
		env: {
			...process.env,
			CREATOR_BRIEFING_BASE_URL: url,
			CREATOR_BRIEFING_API_KEY: 'bench',
			USAGE_FILE: usageFile,
		},
		stdio: 'inherit',
	});
	const gone = once(child, 'close');
	const ended = gone.then(([code]) => {
		throw new Error(`run ended with ${String(code)} and no order`);
	});
	ended.catch(() => undefined);
	await Promise.race([firstOrder, ended]);
	// Ends it on the spot, with a note of what it used.
	child.kill('SIGUSR2');
	await gone;
}
