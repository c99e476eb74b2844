import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { briefFileOf, writeBatchCsv, writeJournal } from './journal-file';
import { runNode } from './process';
import { startStub, type StubService } from './stub-service';
import { median, type Measured } from './table';

const DONE = 100_000;
const NEW = 4;
const LISTED = 5000;
const ROUNDS = 3;
const BARE = resolve(__dirname, 'parse-lines.js');
const USAGE = resolve(__dirname, 'usage.js');
const BIN = resolve(__dirname, '../batch/dist/batch/bin.js');

interface Usage {
	megabytes: number;
	cpuSeconds: number;
}

/** `status`, and a run up to its first order, over the journal of 100,000 rows, beside JSON.parse of its lines. */
export async function benchJournal(): Promise<Measured[]> {
	const folder = mkdtempSync(join(tmpdir(), 'bench-journal-'));
	try {
		const batch = {
			...{ name: 'products.csv', rows: DONE + NEW, done: DONE },
			baseUrl: 'http://127.0.0.1:1/v1',
		};
		const out = join(folder, 'out');
		mkdirSync(join(out, 'results'), { recursive: true });
		const [csv, journal] = [join(folder, batch.name), join(out, 'journal.jsonl')];
		await writeBatchCsv(csv, batch);
		await writeJournal(journal, batch);
		for (let i = 0; i < DONE; i += 1)
			for (const kind of ['md', 'json'])
				writeFileSync(join(out, 'results', `${briefFileOf(i)}.${kind}`), '');
		// A first run reads the whole list, and notes what it showed.
		await runToOrder(csv, out);
		const lines = readFileSync(journal);

		const measure = async (args: string[], env = {}): Promise<Usage> => {
			const usage = join(folder, 'usage.json');
			await runNode(['-r', USAGE, ...args], { ...env, USAGE_FILE: usage }, folder, 0);
			return JSON.parse(readFileSync(usage, 'utf8')) as Usage;
		};
		const rounds: { bare: Usage; status: Usage; order: number; requests: number }[] = [];
		for (let round = 0; round < ROUNDS; round += 1) {
			const bare = await measure([BARE, journal]);
			const status = await measure([BIN, 'status', '--out', out, '--quiet']);
			// The run is killed at its first order: the journal is put back as it was.
			const { seconds, requests } = await runToOrder(csv, out);
			writeFileSync(journal, lines);
			rounds.push({ bare, status, order: seconds, requests });
			console.log(JSON.stringify(rounds.at(-1)));
		}
		const ratio = (of: (round: (typeof rounds)[number]) => number) =>
			median(rounds.map((round) => of(round) / round.bare.cpuSeconds));
		return [
			{
				what: 'journal of 100,000 rows: `status`, CPU time ÷ JSON.parse of its lines',
				value: ratio(({ status }) => status.cpuSeconds),
				atMost: 4,
			},
			{
				what: '… `status`, memory (MB)',
				value: Math.max(...rounds.map(({ status }) => status.megabytes)),
				atMost: 350,
			},
			{
				what: '… `run`, time to the first order ÷ JSON.parse of its lines',
				value: ratio(({ order }) => order),
				atMost: 10,
			},
			{
				what: '… `run`, requests before the first order, with 5,000 briefs this month',
				value: Math.max(...rounds.map(({ requests }) => requests)),
				atMost: 3,
			},
		];
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
}

/** Runs up to the first order, and kills the run there. */
async function runToOrder(csv: string, out: string) {
	const service = await startStub(LISTED);
	try {
		const start = performance.now();
		const at = await firstOrder(service, csv, out);
		return { seconds: (at - start) / 1000, requests: service.requests.length - 1 };
	} finally {
		await service.close();
		rmSync(join(out, '.lock'), { force: true, recursive: true });
	}
}

async function firstOrder({ url, firstOrder }: StubService, csv: string, out: string) {
	const env = { CREATOR_BRIEFING_BASE_URL: url, CREATOR_BRIEFING_API_KEY: 'bench' };
	const args = [BIN, 'run', csv, '--out', out, '--quiet'];
	const child = spawn(process.execPath, args, {
		env: { ...process.env, ...env },
		stdio: 'inherit',
	});
	const ended = new Promise<never>((_, reject) => {
		child.on('close', (code) => reject(new Error(`run ended with ${String(code)} and no order`)));
	});
	ended.catch(() => undefined);
	try {
		return await Promise.race([firstOrder, ended]);
	} finally {
		const gone = new Promise((done) => child.on('close', done));
		child.kill('SIGKILL');
		await gone;
	}
}
