import { MINUTE, HOUR } from '../support/time';
import { Random } from './random';

/*
 * A history as data, so that it can be printed and shrunk. Each history first draws which actions, faults and behaviors of
 * the service it uses, and then draws only from these: a rare combination needs few kinds, and not all of them at once.
 * Rows are numbered from 0, and a fault happens after `skip` opportunities.
 *
 *     A         edits row 0 to Mug, Cooks  then 1 s
 *     A         run, row 0  --only this row  {lost after the work, after 0}  then 3660 s
 *     n8n       useUnlessFailed: Mug, Cooks  at once with the next
 *     colleague orders Pan  then 1 s
 */
export interface History {
	readonly service: SwarmService;
	readonly actions: readonly Action[];
}

export interface SwarmService {
	readonly lagMs: number;
	readonly keys: 'for ever' | 'an hour' | 'an hour from the first request';
	readonly inputs: 'shown' | 'hidden' | 'rewritten';
	/** `created_at` differs by at most this many seconds from the time of the creation. */
	readonly shiftSeconds: number;
	readonly failing: 'none' | 'first' | 'some' | 'all';
}

export const ACTORS = ['A', 'B', 'n8n', 'colleague'] as const;
export type Actor = (typeof ACTORS)[number];

const COMMANDS = ['run', 'retry', 'reorder', 'accept-edits', 'use-brief'] as const;
const EDITS = ['edit', 'undo', 'add', 'duplicate', 'delete', 'sort'] as const;
const OPTIONS = ['max', 'only', 'no ids', 'at once', 'again'] as const;
type Kind = (typeof COMMANDS | typeof EDITS)[number];

export interface Action {
	readonly actor: Actor;
	/** For n8n, `run` is *Use It* and `retry` is *Use It Unless It Failed*. */
	readonly kind: Kind;
	/** The index of a row, modulo the number of rows. */
	readonly row: number;
	readonly content: number;
	readonly max: number | null;
	readonly isOnly: boolean;
	readonly hasIds: boolean;
	/** Whether the next action begins while this action is still in progress. */
	readonly isAtOnce: boolean;
	readonly faults: readonly PlannedFault[];
	readonly passMs: number;
}

/** A fault that happens at its next opportunity, after `skip` opportunities. */
export interface PlannedFault {
	readonly name: string;
	readonly skip: number;
}

export const REFUSALS = ['400', '402', '403', '404', '409', '422', '429', '503'];
const CREATE_FAULTS = [
	...['lost before the work', 'lost after the work', '500 before', '500 after', 'slow answer'],
	...['never answered in this run', 'Ctrl-C', 'dies before the work', 'dies after the work'],
];
const DEATHS = ['before a line', 'in a line', 'after a line', 'before a file', 'after a file'];
const FAULTS = [
	...CREATE_FAULTS,
	...DEATHS.map((when) => `dies ${when}`),
	...REFUSALS.map((status) => `create: ${status}`),
	...['list: lost', 'list: 500', 'slow GET', 'disk is full'],
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
	const gaps = [1000, random.pick(GAPS), ...random.subset(GAPS)];
	const drawAction = (actor = random.pick<Actor>(actors)): Action => ({
		actor,
		kind: random.pick<Kind>(kinds.filter((kind) => canDo(actor, kind))),
		row: random.next(3),
		content: random.next(CONTENTS.length),
		max: options.includes('max') && random.chance(30) ? random.next(3) : null,
		isOnly: options.includes('only') && random.chance(30),
		hasIds: !(options.includes('no ids') && random.chance(50)),
		isAtOnce: options.includes('at once') && random.chance(40),
		faults: drawFaults(random, faults),
		passMs: random.pick(gaps),
	});
	const drawn = Array.from({ length: 3 + random.next(10) }, () => drawAction());
	const actions = drawn.flatMap((each) =>
		options.includes('again') && random.chance(30) ? [each, { ...each, faults: [] }] : [each],
	);
	return { service, actions };
}

function canDo(actor: Actor, kind: Kind): boolean {
	if (actor === 'n8n') return kind === 'run' || kind === 'retry';
	return actor !== 'colleague' || kind === 'run';
}

function drawService(random: Random): SwarmService {
	return {
		lagMs: random.pick([0, 0, MINUTE, 5 * MINUTE, 9 * MINUTE]),
		keys: random.pick(['for ever', 'an hour', 'an hour from the first request'] as const),
		inputs: random.pick(['shown', 'shown', 'shown', 'hidden', 'hidden', 'rewritten'] as const),
		shiftSeconds: random.pick([0, 30]),
		failing: random.pick(['none', 'first', 'some', 'all'] as const),
	};
}

function drawFaults(random: Random, names: readonly string[]): PlannedFault[] {
	if (names.length === 0 || random.chance(40)) return [];
	const count = 1 + random.next(3);
	return Array.from({ length: count }, () => ({
		name: random.pick(names),
		skip: random.next(1 + random.next(4)),
	}));
}

/** Two products of several contents: briefs of one product are candidates for each other's orders. */
export const CONTENTS = [
	{ product_name: 'Mug', audience: 'Bakers' },
	{ product_name: 'Mug', audience: 'Cooks' },
	{ product_name: 'Mug', audience: 'Kids' },
	{ product_name: 'Pan', audience: 'Bakers' },
	{ product_name: 'Pan' },
] as const;

/** Returns a line for the service and a line per action. */
export function printHistory({ service, actions }: History): string {
	return [JSON.stringify(service), ...actions.map(printAction)].join('\n');
}

function printAction(action: Action): string {
	const { actor, max, isOnly, hasIds, isAtOnce, faults, passMs } = action;
	return [
		`${actor.padEnd(9)} ${printKind(action)}`,
		...(max === null ? [] : [`--max ${max}`]),
		...(isOnly ? ['--only this row'] : []),
		...(hasIds ? [] : ['without --id']),
		...faults.map(({ name, skip }) => `{${name}, after ${skip}}`),
		isAtOnce ? 'at once with the next' : `then ${passMs / 1000} s`,
	].join('  ');
}

function printKind({ actor, kind, row, content }: Action): string {
	const name = Object.values(getInput(content)).join(', ');
	if (actor === 'colleague') return `orders ${name}`;
	if (actor === 'n8n') {
		const policy = kind === 'retry' ? 'useUnlessFailed' : 'use';
		const next = row === 0 ? '' : ` and ${Object.values(getInput(content + row)).join(', ')}`;
		return `${policy}: ${name}${next}`;
	}
	if (kind === 'add') return `adds ${name}`;
	return kind === 'edit' ? `edits row ${row} to ${name}` : `${kind}, row ${row}`;
}

export function getInput(content: number) {
	return CONTENTS[content % CONTENTS.length] ?? CONTENTS[0];
}
