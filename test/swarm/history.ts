import { MINUTE, HOUR } from '../support/time';
import { CONTENTS } from './contents';
import { CREATE_FAULTS, drawFaults, FAULTS, type PlannedFault } from './faults';
import { Random } from './random';

/*
 * A history as data, so that it can be printed and shrunk. Each history first draws which actions, faults and behaviors of
 * the service it uses, and then draws only from these: a rare combination needs few kinds, and not all of them at once.
 * Rows are numbered from 0, and a fault happens after `skip` opportunities.
 *
 *     A         edits row 0 to Mug, Cooks  then 1 s
 *     A         run, row 0  --only this row  {lost after the work, after 0, 1 times}  then 3660 s
 *     n8n       useUnlessFailed: Mug, Cooks  ends  at once with the next
 *     colleague orders Pan  then 1 s
 */
export interface History {
	readonly service: SwarmService;
	readonly actions: readonly Action[];
}

/** The behavior of the service where docs/api.md leaves it open. The first value of each is the simplest. */
const SERVICE = {
	lagMs: [0, 0, MINUTE, 5 * MINUTE, 9 * MINUTE],
	/** Whether briefs that were created within ten minutes are listed in another sequence. */
	isDisordered: [false, false, true],
	pageSize: [100, 100, 2],
	keys: ['for ever', 'an hour', 'an hour from the first request'],
	inputs: [
		'shown',
		'shown',
		'shown',
		'hidden',
		'hidden',
		'rewritten',
		'renamed',
		'hidden for some',
	],
	/** `created_at`: how far it is from the creation, or its form. */
	times: ['exact', 'exact', 'off by 5 s', 'off by 60 s', 'whole minutes', 'unreadable'],
	hasDate: [true, true, true, false],
	failing: ['none', 'first', 'some', 'all'],
	allowance: [100_000, 100_000, 100_000, 6, 3],
	/** What happens to a third brief; null if it is accepted. */
	thirdBrief: [null, null, 'queue', 'refuse', 400, 403, 409],
} as const;
export type SwarmService = {
	readonly [Name in keyof typeof SERVICE]: (typeof SERVICE)[Name][number];
};

export const ACTORS = ['A', 'B', 'n8n', 'colleague'] as const;
export type Actor = (typeof ACTORS)[number];

const COMMANDS = ['run', 'retry', 'reorder', 'accept-edits', 'use-brief'] as const;
const EDITS = [
	...(['edit', 'undo', 'edit all', 'undo all', 'add', 'duplicate', 'delete', 'sort'] as const),
	...(['lose journal', 'restore journal'] as const),
] as const;
const OPTIONS = ['max', 'only', 'no ids', 'ids later', 'at once', 'again', 'spellings'] as const;
type Kind = (typeof COMMANDS | typeof EDITS)[number];

/** How an execution of n8n continues after its first run of the node. */
const FLOWS = ['ends', 'loops', 'waits', 'waits, then n8n restarts', 'is tried again'] as const;

export interface Action {
	readonly actor: Actor;
	/** For n8n, `run` is *Use It*, `retry` is *Use It Unless It Failed*, and `reorder` has items of both. */
	readonly kind: Kind;
	/** The index of a row, modulo the number of rows. For n8n, the number of further items. */
	readonly row: number;
	readonly content: number;
	readonly spelling: number;
	readonly max: number | null;
	readonly isOnly: boolean;
	readonly hasIds: boolean;
	readonly flow: (typeof FLOWS)[number];
	/** Whether the next action begins while this action is still in progress. */
	readonly isAtOnce: boolean;
	readonly faults: readonly PlannedFault[];
	readonly passMs: number;
}

const PLAIN = { kind: 'run', row: 0, max: null, isOnly: false, isAtOnce: false } as const;
const REFUSED = [{ name: 'create: 400', skip: 0, times: 1 }];
const UNANSWERED = [{ name: 'never answered in this run', skip: 0, times: 1 }];

/** How some histories begin, so that enough orders are in rare states. */
const OPENINGS: ReadonlyArray<ReadonlyArray<Partial<Action>>> = [
	...[[], [], [], []],
	[{ faults: REFUSED, passMs: 1000 }, { kind: 'reorder' }],
	[{ faults: UNANSWERED, passMs: 61 * MINUTE }, {}],
];

const GAPS = [1000, 2 * MINUTE, 13 * MINUTE, 57 * MINUTE, 61 * MINUTE, 3 * HOUR, 25 * HOUR];

export function drawHistory(seed: number): History {
	const random = new Random(seed);
	const service = drawService(random);
	const edits = random.subset(EDITS);
	const commands = random.subset(COMMANDS);
	const kinds = ['run', 'run', ...commands, ...commands, ...edits] as const;
	const options = random.subset(OPTIONS);
	const faults = [...random.subset(CREATE_FAULTS), ...random.subset(FAULTS)];
	const actors = ['A', ...random.subset(ACTORS)] as const;
	const flows = ['ends', ...random.subset(FLOWS)] as const;
	const gaps = [1000, random.pick(GAPS), ...random.subset(GAPS)];
	const firstWithIds = options.includes('ids later') ? random.next(8) : 0;
	const drawAction = (index: number, actor = random.pick<Actor>(actors)): Action => ({
		actor,
		kind: random.pick<Kind>(kinds.filter((kind) => canDo(actor, kind))),
		row: random.next(3),
		content: random.next(CONTENTS.length),
		spelling: options.includes('spellings') && random.chance(50) ? 1 + random.next(2) : 0,
		max: options.includes('max') && random.chance(30) ? random.next(3) : null,
		isOnly: options.includes('only') && random.chance(30),
		hasIds: index >= firstWithIds && !(options.includes('no ids') && random.chance(50)),
		flow: random.pick<Action['flow']>(flows),
		isAtOnce: options.includes('at once') && random.chance(40),
		faults: drawFaults(random, faults),
		passMs: random.pick(gaps),
	});
	const drawn = Array.from({ length: 3 + random.next(10) }, (_, index) => drawAction(index));
	const actions = drawn.flatMap((each) =>
		options.includes('again') && random.chance(30) ? [each, { ...each, faults: [] }] : [each],
	);
	const opening = random
		.pick(OPENINGS)
		.map((fixed) => ({ ...drawAction(0, 'A'), ...PLAIN, ...fixed }));
	return { service, actions: [...opening, ...actions] };
}

function canDo(actor: Actor, kind: Kind): boolean {
	if (actor === 'n8n') return kind === 'run' || kind === 'retry' || kind === 'reorder';
	return actor !== 'colleague' || kind === 'run';
}

function drawService(random: Random): SwarmService {
	return Object.fromEntries(
		Object.entries(SERVICE).map(([name, values]) => [name, random.pick<unknown>(values)]),
	) as SwarmService;
}

/** Returns services that are simpler in one respect. */
export function listSimplerServices(service: SwarmService): SwarmService[] {
	return Object.entries(SERVICE).flatMap(([name, [simplest]]) => {
		const simpler = { ...service, [name]: simplest };
		return simpler[name as keyof SwarmService] === service[name as keyof SwarmService]
			? []
			: [simpler];
	});
}
