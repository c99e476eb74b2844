import { isN8nInstalled } from '../../harness/install/install-n8n';
import type { N8nWithPackage } from '../../harness/n8n-with-package';
import type { Measured } from '../table';
import { BATCHES, benchAlone, BRIEFS, SPEED } from './alone';
import type { Contender } from './contenders';
import { emptyProcess } from './empty-process';
import type { Figures } from './figures';
import { benchKilled, KILLED_BATCHES, KILLED_BRIEFS, KILLS, type KilledFigures } from './killed';
import { NAMES_IN_N8N, withN8n, type InN8n } from './n8n';
import { benchKilledInN8n } from './n8n-killed';
import { missingFor, OURS, PEERS, type Program } from './programs';
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

/** What was measured, each list in the order of the names. */
interface Results {
	names: string[];
	alone: Figures[];
	shared: Figures[];
	/** `resumed` is ÷ the time of a Node process that does nothing. */
	killed: KilledFigures[];
}

/** The same batches through brief-batch and its peers, side by side. */
export async function benchPeers(): Promise<PeerFigures> {
	const programs = [OURS, ...PEERS.filter((peer) => missingFor(peer).length === 0)];
	const hasN8n = await isN8nInstalled();
	const results = hasN8n
		? await withN8n((n8n, inN8n) => measure(programs, inN8n, n8n))
		: await measure(programs);
	const { alone, shared, killed } = results;
	const names = [...PEERS.map(({ name }) => name), ...NAMES_IN_N8N];

	function line<T>(
		what: string,
		figures: readonly T[],
		of: (figures: T) => number | undefined,
		atMost?: number,
	): Measured {
		const [value = NaN, ...others] = figures.map(of);
		const peers = names.map((name) => {
			const place = results.names.indexOf(name);
			return place < 0 ? 'not installed' : (others[place - 1] ?? '–');
		});
		return { what, value, peers, ...(atMost === undefined ? {} : { atMost }) };
	}
	const lines = [
		{
			...line(
				`${BRIEFS} briefs, makespan ÷ lower bound of two machines`,
				alone,
				(f) => f.makespan,
				1.02,
			),
			limit: 1.014,
			before: 1.033,
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
		line('… time to resume ÷ that of `node -e 0`', killed, (f) => f.resumed),
	];
	const missing = [
		...PEERS.map((peer) => ({ name: peer.name, needs: missingFor(peer) })),
		{ name: NAMES_IN_N8N.join('; '), needs: hasN8n ? [] : ['n8n (`npm run n8n` installs it)'] },
	].filter(({ needs }) => needs.length > 0);
	const notes = missing.map(
		({ name, needs }) => `- Not measured: ${name}. Not installed here: ${needs.join(', ')}.\n`,
	);
	const measured = alone.map((figures, i) => ({ name: results.names[i] ?? '', figures }));
	return { lines, names, notes: NOTES + notes.join(''), alone: measured };
}

/** All at the same time. Only n8n's kills come afterwards, because its starts would hold up the others. */
async function measure(
	programs: readonly Program[],
	inN8n: readonly InN8n[] = [],
	n8n?: N8nWithPackage,
): Promise<Results> {
	const contenders: readonly Contender[] = [...programs, ...inN8n];
	const alone = await benchAlone(contenders);
	const [shared, killed] = await Promise.all([
		benchShared(contenders),
		besideEmptyProcess(benchKilled(programs)),
	]);
	const later = n8n ? await besideEmptyProcess(benchKilledInN8n(n8n, inN8n)) : [];
	return {
		names: contenders.map(({ name }) => name),
		alone,
		shared,
		killed: [...killed, ...later],
	};
}

async function besideEmptyProcess(killed: Promise<KilledFigures[]>): Promise<KilledFigures[]> {
	const [figures, empty] = await Promise.all([killed, emptyProcess()]);
	return figures.map((each) => ({ ...each, resumed: each.resumed / empty }));
}

const NOTES = `- *p-limit and axios* is a script as tutorials show it (\`bench/peers/p-limit.mjs\`): two briefs at a time, a get of each every
  15 seconds, after a 429 the wait that the service names; a product whose file is there is left out. *GNU parallel and
  curl* is \`bench/peers/parallel.sh\`: two jobs, \`--joblog --resume\`, curl that waits out a 429, the same get every 15
  seconds.
- *n8n, HTTP Request* is a workflow as guides show it (\`bench/peers/n8n-workflows.ts\`), in a real n8n: Loop Over Items,
  HTTP Request that creates, Wait of 15 seconds, HTTP Request that gets, If ready, otherwise back to Wait; after a 429 a
  Wait as long as the service names. A sheet says which products are done. Such a loop carries one brief at a time, so it
  is executed twice, for every other row each. *n8n, our Create* reads and writes the same sheet, with Brief → Create, Wait Until Ready and an Order Key
  between: one execution for all rows.
- The scripts and the workflow of HTTP Request send no idempotency key, because they keep none.
- All run at the same time, each against a sandbox of its own with the same seed, so with the same durations, in time
  that runs ${SPEED} times as fast. A process that takes 10 ms to start costs a fifth of a second of that time: the start of a
  program counts for more than in daily work, for all alike. n8n’s Wait of 15 seconds is ${15 / SPEED} s of this machine,
  which n8n keeps in memory as it does with any below 65 seconds; what its nodes take besides comes on top of it.
- The ${BRIEFS} briefs take 180 to 360 seconds each; the value is the median of ${BATCHES} batches. The lower bound is what two
  machines need that know all durations before: the longest brief, or half of all, whichever is more. The batches are
  the first ones on which a runner without any delay would come within 0.5 % of that bound: on others the way the last
  briefs fall on the slots adds some 1.3 % on average, to any runner. What is left above 1 is the runner’s own. The limit is
  that of a look every 7.5 seconds, simulated below. There, where answers take no time, brief-batch comes to 1.016: the rest
  is this machine’s time, which counts ${SPEED}-fold.
- In the shared workspace a colleague takes one of the two slots as soon as it is free, for five minutes of every ten.
  The batch was chosen for nothing: it is the first that came. The colleague’s briefs count in the lower bound.
- The kills are SIGKILL to the whole process group, one to six minutes after each start, at the same moments for all;
  four in each batch of ${KILLED_BRIEFS}, so that each batch is killed in its first briefs and in later ones, and started again at once. What is paid twice
  is counted by the sandbox: creates beyond one for each product. The lower bound is that of one brief for each product.
- n8n is killed with all workflows in it, so all at the moments of the first batch, and after the others have ended. It
  goes on with no execution that was running: it marks them as crashed. A person executes each workflow again
  as soon as n8n answers. Its start takes as long as several minutes of the sandbox’s time, so a makespan would say nothing
  of the workflows and is left out.
- The time to resume lasts from the start of the process until it looks at a brief or orders one. brief-batch first reads
  CSV and journal and looks at what it left; the first request of a script is an order, of a brief that was paid before. In n8n the start of n8n is in it.
`;
