import { durationOf, planOf } from '../../sandbox/briefs/life';
import { random } from '../../sandbox/random';
import type { BriefStatus } from '../../service/resources';

/** How one brief fares: the statuses that it goes through, with the age at which each ends. Milliseconds. */
export interface Life {
	readonly stages: ReadonlyArray<{ status: BriefStatus; until: number }>;
	readonly end: 'ready' | 'failed';
}

/** A way in which the service may behave. */
export interface World {
	readonly name: string;
	/** How far the list lags behind. */
	readonly listLag?: number;
	life(seed: string, ordinal: number, of: number): Life;
}

type Shares = ReadonlyArray<{ status: string; share: number }>;

function lifeOf(durationMs: number, shares: Shares, end: Life['end'] = 'ready'): Life {
	const total = shares.reduce((sum, { share }) => sum + share, 0);
	let age = 0;
	const stages = shares.map(({ status, share }) => {
		age += (durationMs * share) / total;
		return { status, until: age };
	});
	return { stages, end };
}

function usual(seed: string, ordinal: number, durationMs = durationOf(seed, ordinal)): Life {
	return lifeOf(durationMs, sharesOf(seed, ordinal));
}

function sharesOf(seed: string, ordinal: number): Shares {
	return planOf(seed, ordinal, { product_name: 'Product' }, 0).stages;
}

/** Of a share of briefs `otherwise`, of the others as usual. */
function mixed(share: number, otherwise: (seed: string, ordinal: number) => Life): World['life'] {
	return (seed, ordinal) =>
		random(seed, 'mixed', ordinal).chance(share) ? otherwise(seed, ordinal) : usual(seed, ordinal);
}

function scaledHalfway(factor: number): World['life'] {
	return (seed, ordinal, of) =>
		usual(seed, ordinal, durationOf(seed, ordinal) * (ordinal < of / 2 ? 1 : factor));
}

/** The statuses as the service is expected to show them, then all that its documentation leaves open. */
export const WORLDS: readonly World[] = [
	{ name: 'as expected', life: (seed, ordinal) => usual(seed, ordinal) },
	{
		name: '5 % failures',
		life: mixed(0.05, (seed, ordinal) => {
			const age = random(seed, 'failure', ordinal).int(5_000, durationOf(seed, ordinal));
			const stages = usual(seed, ordinal).stages.filter(({ until }) => until < age);
			const at = usual(seed, ordinal).stages[stages.length];
			return { stages: [...stages, { status: at?.status ?? 'queued', until: age }], end: 'failed' };
		}),
	},
	{
		name: 'heavy tail',
		life: mixed(0.05, (seed, ordinal) =>
			usual(
				seed,
				ordinal,
				durationOf(seed, ordinal) * (2 + 2 * random(seed, 'tail', ordinal).next()),
			),
		),
	},
	{ name: 'durations × 1.8 halfway', life: scaledHalfway(1.8) },
	{ name: 'durations × 0.55 halfway', life: scaledHalfway(0.55) },
	{
		name: 'checking too short to be seen',
		life: (seed, ordinal) =>
			lifeOf(
				durationOf(seed, ordinal),
				sharesOf(seed, ordinal).map(({ status, share }) => ({
					status,
					share: status === 'checking' ? share / 40 : share,
				})),
			),
	},
	{
		name: 'no stages shown',
		life: (seed, ordinal) => lifeOf(durationOf(seed, ordinal), [{ status: 'queued', share: 1 }]),
	},
	{
		name: 'unknown last status',
		life: (seed, ordinal) =>
			lifeOf(
				durationOf(seed, ordinal),
				sharesOf(seed, ordinal).map(({ status, share }) => ({
					status: status === 'checking' ? 'polishing' : status,
					share,
				})),
			),
	},
	{
		name: 'stages independent of each other',
		life: (seed, ordinal) => {
			const dice = random(seed, 'stages', ordinal);
			const stages = [
				{ status: 'queued', share: 5 + dice.next() * 20 },
				{ status: 'researching', share: 60 + dice.next() * 90 },
				{ status: 'writing', share: 60 + dice.next() * 90 },
				{ status: 'checking', share: 10 + dice.next() * 50 },
			];
			return lifeOf(1000 * stages.reduce((sum, { share }) => sum + share, 0), stages);
		},
	},
	{
		name: 'checking is the longest stage',
		life: (seed, ordinal) =>
			lifeOf(
				durationOf(seed, ordinal),
				sharesOf(seed, ordinal).map(({ status, share }) => ({
					status,
					share: status === 'checking' ? 1.5 : share,
				})),
			),
	},
	{ name: 'list 10 s behind', listLag: 10_000, life: (seed, ordinal) => usual(seed, ordinal) },
];
