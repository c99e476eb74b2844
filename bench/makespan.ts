import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { durationOf } from '../sandbox/briefs/life';
import { startSandbox, type Sandbox } from '../sandbox/sandbox';
import { plainPoll } from './plain-poll';
import { runNode } from './process';
import { median, quantile, type Measured } from './table';

const BRIEFS = 40;
/** Time runs this many times as fast, so a request or a sync of 10 ms counts as a third of a second. */
const SPEED = 30;
const BATCHES = 3;
/** How near a runner without any delay must come to the lower bound on a batch that is measured. */
const FAIR = 1.005;
const BIN = resolve(__dirname, '../batch/dist/batch/bin.js');

interface Figures {
	makespan: number;
	requests: number;
	noticed: number;
}

/** Forty briefs of 180 to 360 seconds through two slots, beside a plain poll every 15 seconds at the same time. */
export async function benchMakespan(): Promise<Measured[]> {
	const pairs = await Promise.all(fairSeeds().map(benchSeed));
	const ours = pairs.map(([figures]) => figures);
	const peers = pairs.map(([, figures]) => figures);
	const of = (figures: Figures[], name: keyof Figures) => median(figures.map((each) => each[name]));
	return [
		{
			what: '40 briefs, makespan ÷ lower bound of two machines',
			value: of(ours, 'makespan'),
			atMost: 1.03,
		},
		{ what: '… of a plain poll every 15 s', value: of(peers, 'makespan') },
		{
			what: '40 briefs, requests per brief, everything counted',
			value: of(ours, 'requests'),
			atMost: 9,
		},
		{ what: '… of a plain poll every 15 s', value: of(peers, 'requests') },
		{
			what: '40 briefs, p95 of the time from ready to noticed (s)',
			value: of(ours, 'noticed'),
			atMost: 10,
		},
		{ what: '… of a plain poll every 15 s', value: of(peers, 'noticed') },
	];
}

/**
 * Who takes the next brief as soon as a slot is free comes near the lower bound or not by luck: how evenly the last
 * briefs fall on the two slots. That is no runner's doing, so the batches are the first ones on which a runner without
 * any delay is as good as the bound, and what is measured above it is the runner's own.
 */
function fairSeeds(): string[] {
	const seeds: string[] = [];
	for (let i = 1; seeds.length < BATCHES; i += 1) {
		const seed = `forty-${i}`;
		const durations = Array.from({ length: BRIEFS }, (_, ordinal) => durationOf(seed, ordinal));
		const slots = [0, 0];
		for (const duration of durations) {
			const first = slots.indexOf(Math.min(...slots));
			slots[first] = (slots[first] ?? 0) + duration;
		}
		if (Math.max(...slots) / lowerBound(durations) <= FAIR) seeds.push(seed);
	}
	return seeds;
}

function lowerBound(durations: readonly number[]): number {
	return Math.max(...durations, durations.reduce((sum, each) => sum + each, 0) / 2);
}

async function benchSeed(seed: string): Promise<[Figures, Figures]> {
	const options = { speed: SPEED, seed, failureShare: 0, requestsPerMinute: 0 };
	const own = await startSandbox(options);
	const other = await startSandbox(options);
	const folder = mkdtempSync(join(tmpdir(), 'bench-makespan-'));
	try {
		await Promise.all([briefBatch(own, folder), plainPoll(other, BRIEFS, 15_000 / SPEED)]);
		const figures: [Figures, Figures] = [figuresOf(own), figuresOf(other)];
		console.log(
			`${seed}: brief-batch ${JSON.stringify(figures[0])}, plain poll ${JSON.stringify(figures[1])}`,
		);
		return figures;
	} finally {
		await Promise.all([own.close(), other.close()]);
		rmSync(folder, { recursive: true, force: true });
	}
}

async function briefBatch(sandbox: Sandbox, folder: string): Promise<void> {
	const rows = Array.from({ length: BRIEFS }, (_, i) => `Product ${i + 1}`);
	writeFileSync(join(folder, 'products.csv'), `Product Name\n${rows.join('\n')}\n`);
	const interval = [
		'--poll-interval',
		String(15 / SPEED),
		'--poll-interval-max',
		String(30 / SPEED),
	];
	const env = {
		CREATOR_BRIEFING_BASE_URL: sandbox.url,
		CREATOR_BRIEFING_API_KEY: sandbox.keys.allScopes,
	};
	await runNode([BIN, 'run', 'products.csv', '--quiet', ...interval], env, folder, 0);
}

/** What the sandbox saw, in its own time. */
function figuresOf(sandbox: Sandbox): Figures {
	const briefs = sandbox.briefs();
	const durations = briefs.map(({ durationMs }) => durationMs);
	const bound = lowerBound(durations);
	const noticed = briefs.map((brief) => {
		const ready = brief.readyAt ?? Infinity;
		const look = sandbox.requests.find(
			({ method, briefId, sandboxAt, operation }) =>
				method === 'GET' &&
				sandboxAt >= ready &&
				(operation === 'list_briefs' || briefId === brief.id),
		);
		return { at: look?.sandboxAt ?? Infinity, after: (look?.sandboxAt ?? Infinity) - ready };
	});
	const start = Math.min(...briefs.map(({ createdAt }) => createdAt));
	return {
		makespan: (Math.max(...noticed.map(({ at }) => at)) - start) / bound,
		requests: sandbox.requests.length / briefs.length,
		noticed:
			quantile(
				noticed.map(({ after }) => after),
				0.95,
			) / 1000,
	};
}
