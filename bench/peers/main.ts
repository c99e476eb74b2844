import { isN8nInstalled } from '../../harness/install/install-n8n';
import type { N8nWithPackage } from '../../harness/n8n-with-package';
import type { Measured } from '../table';
import { BATCHES, benchAlone, BRIEFS } from './alone';
import { POLL_SECONDS, SPEED } from './contender';
import type { Figures } from './figures';
import { benchKilled, KILLED_BATCHES, KILLED_BRIEFS, KILLS, type KilledFigures } from './killed';
import { NAMES_IN_N8N, withN8n, type InN8n } from './n8n';
import { benchKilledInN8n } from './n8n-killed';
import { missingFor, OURS, PEERS, type Program } from './programs';

export interface PeerFigures {
	lines: Measured[];
	/** Who stands beside, in the order of the figures. */
	names: string[];
	/** What is to be known of each figure, as a list. */
	notes: string;
}

/** What was measured, each list in the order of the names. */
interface Results {
	names: string[];
	alone: Figures[];
	killed: KilledFigures[];
}

/** The same batches through brief-batch and its peers, side by side. */
export async function benchPeers(): Promise<PeerFigures> {
	const programs = [OURS, ...PEERS.filter((peer) => missingFor(peer).length === 0)];
	const hasN8n = await isN8nInstalled();
	const results = hasN8n
		? await withN8n((n8n, inN8n) => measure(programs, inN8n, n8n))
		: await measure(programs);
	const names = [...PEERS.map(({ name }) => name), ...NAMES_IN_N8N];
	const missing = [
		...PEERS.map((peer) => ({ name: peer.name, needs: missingFor(peer) })),
		{ name: NAMES_IN_N8N.join('; '), needs: hasN8n ? [] : ['n8n (`npm run n8n` installs it)'] },
	].filter(({ needs }) => needs.length > 0);
	const notes = missing.map(
		({ name, needs }) => `- Not measured: ${name}. Not installed here: ${needs.join(', ')}.\n`,
	);
	return { lines: linesOf(results, names), names, notes: NOTES + notes.join('') };
}

/** All at the same time. Only n8n's kills come afterwards, because its starts would hold up the others. */
async function measure(
	programs: readonly Program[],
	inN8n: readonly InN8n[] = [],
	n8n?: N8nWithPackage,
): Promise<Results> {
	const contenders = [...programs, ...inN8n];
	const alone = await benchAlone(contenders);
	const killed = await benchKilled(programs);
	const later = n8n ? await benchKilledInN8n(n8n, inN8n) : [];
	return { names: contenders.map(({ name }) => name), alone, killed: [...killed, ...later] };
}

function linesOf(results: Results, names: readonly string[]): Measured[] {
	const figures = <T>(of: (figures: T) => number, all: readonly T[]) => {
		const [value = NaN, ...others] = all.map(of);
		const peers = names.map((name) => {
			const place = results.names.indexOf(name);
			return place < 0 ? 'not installed' : (others[place - 1] ?? '–');
		});
		return { value, peers };
	};
	const { alone, killed } = results;
	return [
		{
			what: `${BRIEFS} briefs, makespan ÷ lower bound of two machines`,
			atMost: 1.02,
			...figures(({ makespan }) => makespan, alone),
		},
		{
			what: '… requests per brief, everything counted',
			atMost: 9,
			...figures(({ requests }) => requests, alone),
		},
		{
			what: '… p95 of the time from ready to noticed (s)',
			atMost: 10,
			...figures(({ noticed }) => noticed, alone),
		},
		{
			what: `${KILLED_BATCHES * KILLED_BRIEFS} briefs with ${KILLED_BATCHES * KILLS} kills, briefs paid twice`,
			atMost: 0,
			...figures(({ paidTwice }) => paidTwice, killed),
		},
		{
			what: '… products left without a brief',
			atMost: 0,
			...figures(({ unpaid }) => unpaid, killed),
		},
	];
}

const NOTES = `- *p-limit and axios* is a script as tutorials show it (\`bench/peers/p-limit.mjs\`): two briefs at a time, a get of each every
  15 seconds, after a 429 the wait that the service names; a product whose file is there is left out. *GNU parallel and
  curl* is \`bench/peers/parallel.sh\`: two jobs, \`--joblog --resume\`, curl that waits out a 429, the same get every 15
  seconds.
- *n8n, HTTP Request* is a workflow as guides show it (\`bench/peers/n8n-workflows.ts\`), in a real n8n: Loop Over Items,
  HTTP Request that creates, Wait of 15 seconds, HTTP Request that gets, If ready, otherwise back to Wait; after a 429 a
  Wait as long as the service names. A sheet says which products are done. Such a loop carries one brief at a time, so it
  is executed twice, for every other row each. *n8n, our Create* reads and writes the same sheet, with Brief → Create,
  Wait Until Ready and an Order Key between: one execution for all rows.
- The scripts and the workflow of HTTP Request send no idempotency key, because they keep none.
- All run at the same time, each against a sandbox of its own with the same seed, so with the same durations, in time
  that runs ${SPEED} times as fast. n8n’s Wait of 15 seconds is ${POLL_SECONDS} s of this machine. What a program takes
  itself counts ${SPEED}-fold, for all alike.
- The ${BRIEFS} briefs take 180 to 360 seconds each; the value is the median of ${BATCHES} batches. The lower bound is what two
  machines need that know all durations before: the longest brief, or half of all, whichever is more. The batches are
  the first ones on which a runner without any delay would come within 0.5 % of that bound: on others the way the last
  briefs fall on the slots adds some 1.3 % on average, to any runner. What is left above 1 is the runner’s own.
- The kills are SIGKILL to the whole process group, one to six minutes after each start, at the same moments for all;
  four in each batch of ${KILLED_BRIEFS}, so that each batch is killed in its first briefs and in later ones, and started again at
  once. The sandbox counts what is paid twice: creates beyond one for each product.
- n8n is killed with all workflows in it, so all at the moments of the first batch, and after the others have ended. It
  goes on with no execution that was running: it marks them as crashed. A person executes each workflow again as soon as
  n8n answers.
`;
