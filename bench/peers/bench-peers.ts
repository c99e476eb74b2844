import { isN8nInstalled } from '../../harness/install/install-n8n';
import type { N8nWithPackage } from '../../harness/n8n-with-package';
import type { Figure } from '../figures-table';
import { benchAlone, BRIEFS } from './alone';
import type { Figures } from './figures';
import { benchKilled, KILLED_BATCHES, KILLED_BRIEFS, KILLS, type KilledFigures } from './killed';
import { NAMES_IN_N8N, withN8n, type InN8n } from './in-n8n';
import { benchKilledInN8n } from './n8n-killed';
import { missingFor, OURS, PEERS, type Program } from './peer-programs';

export interface PeerFigures {
	lines: Figure[];
	/** The peers, in the order of the figures. */
	names: string[];
	/** The peers that are not installed here, as a list. */
	missingPeers: string;
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
	const missingPeers = [
		...PEERS.map((peer) => ({ name: peer.name, needs: missingFor(peer) })),
		{ name: NAMES_IN_N8N.join('; '), needs: hasN8n ? [] : ['n8n (`npm run n8n` installs it)'] },
	].filter(({ needs }) => needs.length > 0);
	const notMeasured = missingPeers.map(
		({ name, needs }) => `- Not measured: ${name}. Not installed here: ${needs.join(', ')}.\n`,
	);
	return { lines: linesOf(results, names), names, missingPeers: notMeasured.join('') };
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
	const killedInN8n = n8n ? await benchKilledInN8n(n8n, inN8n) : [];
	return { names: contenders.map(({ name }) => name), alone, killed: [...killed, ...killedInN8n] };
}

function linesOf(results: Results, names: readonly string[]): Figure[] {
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
			what: `${BRIEFS} briefs, makespan ÷ lower bound of two machines, mean`,
			atMost: 1.022,
			...figures(({ makespan }) => makespan, alone),
		},
		{
			what: '… requests per brief, everything counted, mean',
			atMost: 9.2,
			...figures(({ requests }) => requests, alone),
		},
		{
			what: '… p95 of the time from ready to noticed (s), mean',
			atMost: 9,
			...figures(({ noticeDelay }) => noticeDelay, alone),
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
