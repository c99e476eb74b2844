import type { Measured } from '../table';
import { BATCHES, benchAlone, BRIEFS, SPEED } from './alone';
import { missingFor, OURS, PEERS } from './contenders';
import { benchKilled, emptyProcess, KILLED_BATCHES, KILLED_BRIEFS, KILLS } from './killed';
import type { Figures } from './figures';
import { benchShared, SHARED_BRIEFS } from './shared';

const ALL_KILLED = KILLED_BATCHES * KILLED_BRIEFS;
const ALL_KILLS = KILLED_BATCHES * KILLS;

export interface PeerFigures {
	lines: Measured[];
	/** Who stands beside, in the order of the figures. */
	names: string[];
	/** What is to be known of each figure, as a list. */
	notes: string;
	/** Of the batches with the workspace for themselves, ours first. */
	alone: { name: string; figures: Figures }[];
}

/** The same batches through brief-batch and its peers, side by side. */
export async function benchPeers(): Promise<PeerFigures> {
	const there = PEERS.filter((peer) => missingFor(peer).length === 0);
	const contenders = [OURS, ...there];
	const alone = await benchAlone(contenders);
	const [shared, killed, empty] = await Promise.all([
		benchShared(contenders),
		benchKilled(contenders),
		emptyProcess(),
	]);

	function line<T>(
		what: string,
		figures: T[],
		of: (figures: T) => number,
		atMost?: number,
	): Measured {
		const values = figures.map(of);
		const peers = PEERS.map((peer) => values[contenders.indexOf(peer)]);
		return { what, value: values[0] ?? NaN, peers, ...(atMost === undefined ? {} : { atMost }) };
	}
	const lines = [
		{
			...line(
				`${BRIEFS} briefs, makespan ÷ lower bound of two machines`,
				alone,
				(f) => f.makespan,
				1.03,
			),
			...{ limit: 1.014, before: 1.033 },
		},
		line('… requests per brief, everything counted', alone, (f) => f.requests, 9),
		{
			...line('… p95 of the time from ready to noticed (s)', alone, (f) => f.noticed, 10),
			before: 15,
		},
		line(
			`${SHARED_BRIEFS} briefs in a shared workspace, makespan ÷ lower bound`,
			shared,
			(f) => f.makespan,
		),
		line('… requests per brief', shared, (f) => f.requests),
		line('… answers 429 per brief', shared, (f) => f.refused, 0.2),
		line(
			`${ALL_KILLED} briefs with ${ALL_KILLS} kills, briefs paid twice`,
			killed,
			(f) => f.paidTwice,
			0,
		),
		line('… products left without a brief', killed, (f) => f.unpaid, 0),
		line('… makespan ÷ lower bound', killed, (f) => f.makespan),
		line('… time to resume ÷ that of `node -e 0`', killed, (f) => f.resumed / empty),
	];
	const missing = PEERS.filter((peer) => !there.includes(peer)).map(
		(peer) =>
			`- ${peer.name} is not measured: ${missingFor(peer).join(', ')} is not installed here.\n`,
	);
	const figures = alone.map((each, i) => ({ name: contenders[i]?.name ?? '', figures: each }));
	const names = PEERS.map(({ name }) => name);
	return { lines, names, notes: NOTES + missing.join(''), alone: figures };
}

const NOTES = `- *p-limit and axios* is a script as tutorials show it (\`bench/peers/p-limit.mjs\`): two briefs at a time, a get of each every
  15 seconds, after a 429 the wait that the service names; a product whose file is there is left out. *GNU parallel and
  curl* is \`bench/peers/parallel.sh\`: two jobs, \`--joblog --resume\`, curl that waits out a 429, the same get every 15
  seconds. Neither sends an idempotency key, because neither keeps one.
- All run at the same time, each against a sandbox of its own with the same seed, so with the same durations, in time
  that runs ${SPEED} times as fast. A process that takes 10 ms to start costs a third of a second of that time: the start of a
  program counts for more than in daily work, for all alike.
- The ${BRIEFS} briefs take 180 to 360 seconds each; the value is the median of ${BATCHES} batches. The lower bound is what two
  machines need that know all durations before: the longest brief, or half of all, whichever is more. The batches are
  the first ones on which a runner without any delay would come within 0.5 % of that bound: on others the way the last
  briefs fall on the slots adds some 1.3 % on average, to any runner. What is left above 1 is the runner’s own. The limit is
  that of a look every 7.5 seconds, simulated below.
- In the shared workspace a colleague takes one of the two slots as soon as it is free, for five minutes of every ten.
  The batch was chosen for nothing: it is the first that came. The colleague’s briefs count in the lower bound.
- The kills are SIGKILL to the whole process group, one to six minutes after each start, at the same moments for all;
  four in each batch of ${KILLED_BRIEFS}, so that each batch is killed in its first briefs and in later ones, and started again at once. What is paid twice
  is counted by the sandbox: creates beyond one for each product. The lower bound is that of one brief for each product.
- The time to resume lasts from the start of the process until it looks at a brief or orders one. brief-batch first reads
  CSV and journal and looks at what it left; the first request of a peer is an order, of a brief that was paid before.
`;
