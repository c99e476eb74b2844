import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parse } from 'csv-parse/sync';
import { installedNode } from '../../../harness/install/node-runtime';
import type { Sandbox, SandboxOptions } from '../../../sandbox/sandbox';
import { IN_FAST_TIME, startFastSandbox, type FastClock } from '../fast-clock/fast-sandbox';
import { started, type Ended, type Running } from '../started';
import { journalIn } from './journal-events';
import { command } from './streams';

const ROOT = resolve(__dirname, '../../..');
/** Of a run that names no other folder. */
export const JOURNAL = 'briefs/journal.jsonl';
export const BIN = join(ROOT, 'batch/dist/batch/bin.js');

const NODE = installedNode();

type StartBatch = (
	args: string[],
	env: Record<string, string | undefined>,
	cwd: string,
	via?: string[],
) => Running;

/**
 * Starts brief-batch as a process of its own.
 * @param via a command and its arguments that start it in their turn: `bash -c 'ulimit …; exec "$@"'`
 */
const startBatch: StartBatch = (args, env, cwd, via = []) => {
	const [command = NODE, ...rest] = [...via, NODE, ...IN_FAST_TIME, BIN, ...args];
	const child = spawn(command, rest, {
		cwd,
		env: { PATH: process.env.PATH, TZ: 'America/New_York', ...env },
		stdio: ['ignore', 'pipe', 'pipe'],
	});
	return started(child, (ended) => expectLastEvent(args, ended));
};

function expectLastEvent(args: readonly string[], { code, out }: Ended): void {
	const [command = ''] = args;
	if (args.includes('--json') && /^(run|retry)$/.test(command)) readEvents(out, code);
}

/** The events of a run with --json, of which the last says how the process ended. */
export function readEvents(out: string, code: number | null): Array<Record<string, unknown>> {
	const lines = out.split('\n').filter((line) => line !== '');
	const events = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
	if (code === null) return events;
	const { event, exit_code } = events.at(-1) ?? {};
	if (event !== 'run_ended' || exit_code !== code)
		throw new Error(`It ended with ${code}, and its last line is ${lines.at(-1) ?? 'missing'}`);
	return events;
}

/** A folder of its own with a CSV in it, and brief-batch pointed at a sandbox, in whose time it runs. */
export class Desk {
	readonly folder = mkdtempSync(join(tmpdir(), 'brief-batch-'));
	/** The variables of all commands. */
	readonly env: Record<string, string | undefined>;
	private readonly begun: ChildProcess[] = [];

	constructor(
		readonly sandbox: Sandbox,
		readonly clock: FastClock,
		private readonly startBatch: StartBatch,
	) {
		this.env = {
			CREATOR_BRIEFING_BASE_URL: sandbox.url,
			CREATOR_BRIEFING_API_KEY: sandbox.keys.allScopes,
			...clock.env,
		};
	}

	path(name: string): string {
		return join(this.folder, name);
	}

	csv(name: string, lines: string[]): string {
		this.write(name, `${lines.join('\n')}\n`);
		return name;
	}

	/** @param args what is typed behind brief-batch; a text is cut at its blanks */
	start(args: string | string[], env: Desk['env'] = {}, via: string[] = []): Running {
		const words = typeof args === 'string' ? args.split(' ') : args;
		const running = this.startBatch(words, { ...this.env, ...env }, this.folder, via);
		this.begun.push(running.child);
		return running;
	}

	/** The command without a process of its own, which is quicker. */
	async run(args: string | string[], env: Desk['env'] = {}): Promise<Ended> {
		const words = typeof args === 'string' ? args.split(' ') : args;
		process.chdir(this.folder);
		const ended = await this.clock
			.during(() => command(words, { ...this.env, ...env }))
			.finally(() => process.chdir(ROOT));
		expectLastEvent(words, ended);
		return ended;
	}

	/** The usual command, with these options. */
	order(...options: string[]): Promise<Ended> {
		return this.run(['run', 'products.csv', ...options]);
	}

	/** What it comes to: "1: ready, changed; 2 paid" with its exit code, the rows of results.csv and all briefs ever made. */
	async comesTo(...options: string[]): Promise<string> {
		const { code } = await this.order(...options);
		return `${code}: ${this.statuses().join(', ')}; ${this.sandbox.createdCount()} paid`;
	}

	/** Runs a command, which ends with this code and says this. */
	async expectEnd(
		args: string | string[],
		code: number,
		...texts: Array<string | RegExp>
	): Promise<Ended> {
		const ended = await this.run(args);
		expect([args, ended.code]).toEqual([args, code]);
		for (const text of texts) expect(ended.out + ended.err).toMatch(text);
		return ended;
	}

	/** Runs what a message shows, as a person pastes it. */
	async paste(command: string): Promise<Ended> {
		expect(command).toMatch(/^brief-batch /);
		return await this.start([], {}, ['bash', '-c', `"$@" ${command.slice(12)}`, 'bash']).ended;
	}

	/** Starts a command, and kills it as soon as it has said this. */
	async killAt(text: RegExp, args = 'run products.csv', via?: string[]): Promise<void> {
		const running = this.start(args, {}, via);
		await running.prints(text);
		await running.kill();
	}

	/** What `--json` prints at its end. */
	async json<Document = Record<string, unknown>>(
		args: string | string[],
		env: Desk['env'] = {},
	): Promise<Document> {
		const words = typeof args === 'string' ? args.split(' ') : args;
		const { out, err } = await this.run([...words, '--json'], env);
		const last = out.trimEnd().split('\n').at(-1) ?? '';
		if (last === '') throw new Error(err);
		return JSON.parse(last) as Document;
	}

	read(path: string): string {
		return readFileSync(this.path(path), 'utf8');
	}

	write(path: string, content: string | Uint8Array): void {
		writeFileSync(this.path(path), content);
	}

	exists(path: string): boolean {
		return existsSync(this.path(path));
	}

	results(): Array<Record<string, string>> {
		return parse(this.read('briefs/results.csv'), { columns: true, bom: true });
	}

	statuses(): string[] {
		return this.results().map(({ brief_status = '' }) => brief_status);
	}

	journal(): ReturnType<typeof journalIn> {
		return journalIn(readFileSync(this.path(JOURNAL)), JOURNAL);
	}

	/** How many creates came; since then, if an earlier number of requests is given. */
	creates(since = 0): number {
		return this.sandbox.requests.slice(since).filter(({ method }) => method !== 'GET').length;
	}

	/** P1, P2: nothing was sent whose intent is not on record, and nothing was paid twice. */
	expectOnRecord(): void {
		const keys = this.journal()
			.records.all()
			.map(({ key }) => key);
		for (const { idempotencyKeys } of this.sandbox.briefs())
			expect(keys).toEqual(expect.arrayContaining(idempotencyKeys));
		this.expectPaid(this.sandbox.createdCount());
	}

	/** Each row has a brief in a whole file. */
	expectFiles(): void {
		for (const { brief_file } of this.results())
			expect(this.read(`briefs/${brief_file}`)).toMatch(/\S\n$/);
	}

	/** P1: so many briefs, and no product has two. */
	expectPaid(n: number): void {
		const names = this.sandbox.briefs().map(({ product_name }) => product_name);
		expect(names).toHaveLength(n);
		expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
	}

	remove(): void {
		for (const child of this.begun) child.kill('SIGKILL');
		// Windows lets go of the files of a killed process a moment later.
		rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
	}
}

const desks: Desk[] = [];
afterAll(async () => {
	for (const desk of desks.splice(0)) {
		await desk.sandbox.close();
		desk.remove();
	}
});

/** 3 to 6 minutes become 0.36 to 0.72 seconds, and nothing fails by chance. */
export const QUICK: SandboxOptions = {
	speed: 500,
	seed: 'process',
	failureShare: 0,
	requestsPerMinute: 0,
};

/** A sandbox and a folder with products.csv in it, until the tests of the file have ended. */
export async function deskOf(
	lines: string[] | number = [],
	options: SandboxOptions = {},
	start = startBatch,
): Promise<Desk> {
	const { sandbox, clock } = await startFastSandbox({ ...QUICK, ...options });
	const desk = new Desk(sandbox, clock, start);
	desks.push(desk);
	desk.csv('products.csv', typeof lines === 'number' ? products(lines) : lines);
	return desk;
}

/** So many believable rows, all different. */
export function products(n: number): string[] {
	const rows = Array.from(
		{ length: n },
		(_, i) => `Product ${i + 1},${String(1_729_000_000 + i)},SKU-${i + 1}`,
	);
	return ['Product Name,Product ID,SKU', ...rows];
}

const isRoot = process.getuid?.() === 0;

/** Root may write everywhere; without these two rights it is bound by a file's mode like everybody else. */
export const AS_ANYBODY = isRoot
	? ['setpriv', '--bounding-set=-dac_override,-dac_read_search']
	: [];
