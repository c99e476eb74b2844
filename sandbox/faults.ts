import { operationIds, type OperationId } from './contract';
import { createRandom, type Random, type Seed } from './random';

export const FAULT_KINDS = [
	'reset',
	'cut',
	'broken-json',
	'html',
	'5xx',
	'slow',
	'429',
	'redirect',
] as const;

export type FaultKind = (typeof FAULT_KINDS)[number];

/** A fault strikes the next matching requests, or any matching request with a chance. */
export interface Fault {
	kind: FaultKind;
	/** Whether the work of the request is done before the fault strikes (default: see `faultKinds`). */
	at?: 'before-work' | 'after-work';
	/** Status of the answer (default: see `faultKinds`). */
	status?: number;
	/** Retry-After in seconds of the client. By default only a 429 has it, and it is 1. */
	retryAfter?: number;
	/** Delay of a slow answer in ms. */
	delayMs?: number;
	/** Strikes only requests of this operation. */
	operation?: OperationId;
	/** Strikes each matching request with this chance, in place of the next requests. */
	chance?: number;
	/** How many matching requests it strikes (default: 1). */
	times?: number;
	/** How many matching requests pass first (default: 0). */
	skip?: number;
}

/** A fault with the time at which it strikes. */
export type StrikingFault = Fault & Required<Pick<Fault, 'at'>>;

interface FaultKindDescription {
	at: NonNullable<Fault['at']>;
	/** Whether the fault always strikes after the work. */
	isFixed?: true;
	/** Draws the fields of a fault by chance. */
	draw?: (dice: Random) => Partial<Fault>;
	/** How many requests in a row a fault by chance strikes. */
	burst?: number;
}

const faultKinds: Readonly<Record<FaultKind, FaultKindDescription>> = {
	/** The connection is reset without an answer. */
	reset: { at: 'before-work' },
	/** The connection breaks after half of the answer. */
	cut: { at: 'after-work', isFixed: true },
	/** The answer is a 2xx with half of a JSON text. */
	'broken-json': { at: 'after-work', isFixed: true },
	/** The answer is a page of a sign-in, firewall or proxy. */
	html: { at: 'before-work', draw: (dice) => ({ status: dice.pick([200, 403, 407, 502]) }) },
	/** The answer is an error of the service. */
	'5xx': {
		at: 'before-work',
		draw: (dice) => dice.pick([{ status: 500 }, { status: 503, retryAfter: 1 }]),
	},
	/** The answer is late. */
	slow: { at: 'before-work', draw: (dice) => ({ delayMs: dice.int(500, 4000) }) },
	/** The rate limit is reached, which usually concerns several requests. */
	'429': { at: 'before-work', burst: 3 },
	/** The answer redirects to localhost in place of 127.0.0.1. The request log shows whether a client followed. */
	redirect: { at: 'before-work' },
};

/** The faults of the next requests: planned faults in sequence, otherwise faults by chance. */
export class Faults {
	private planned: Array<Fault & { times: number; skip: number }> = [];
	private readonly likely: Array<Fault & { chance: number }> = [];
	private requests = 0;

	constructor(private readonly seed: Seed) {}

	add(fault: Fault): void {
		const { chance, times = 1, skip = 0 } = fault;
		if (chance === undefined) this.planned.push({ ...fault, times, skip });
		else this.likely.push({ ...fault, chance });
	}

	/** How many requests the planned faults have yet to strike. */
	get remainingHits(): number {
		return this.planned.reduce((sum, { times }) => sum + times, 0);
	}

	/** Returns the fault that strikes this request, if any. */
	take(operation: OperationId | undefined): StrikingFault | undefined {
		this.requests += 1;
		const fault = this.takePlanned(operation) ?? this.drawLikely(operation);
		return fault && { ...fault, at: fault.at ?? faultKinds[fault.kind].at };
	}

	private takePlanned(operation: OperationId | undefined): Fault | undefined {
		let next: Fault | undefined;
		for (const fault of this.planned) {
			if (fault.operation !== undefined && fault.operation !== operation) continue;
			if (fault.skip > 0) {
				fault.skip -= 1;
			} else if (next === undefined) {
				fault.times -= 1;
				next = fault;
			}
		}
		this.planned = this.planned.filter(({ times }) => times > 0);
		return next;
	}

	/** Draws a fault, which depends only on the seed and the number of the request. */
	private drawLikely(operation: OperationId | undefined): Fault | undefined {
		const dice = createRandom(this.seed, 'fault', this.requests);
		for (const { chance, ...fault } of this.likely) {
			const isHit = dice.chance(chance);
			if (!isHit || (fault.operation !== undefined && fault.operation !== operation)) continue;
			const { draw, burst = 1 } = faultKinds[fault.kind];
			if (burst > 1) this.add({ ...fault, times: burst - 1 });
			return { ...draw?.(dice), ...fault };
		}
		return undefined;
	}
}

/** The list of `--faults default`. */
export const DEFAULT_FAULTS =
	'reset-before:0.02,reset-after:0.02,cut:0.02,broken-json:0.01,html:0.01,5xx-before:0.03,5xx-after:0.02,slow:0.03,429:0.01';

export const FAULT_SYNTAX = '[operation/]kind[-before|-after]:chance or …@n';

/**
 * Reads faults as the command line writes them: `reset-after:0.05` strikes by chance, `create_brief/cut@3` strikes the
 * third matching request. Throws an Error with a message of one line.
 */
export function parseFaults(list: string): Fault[] {
	return (list === 'default' ? DEFAULT_FAULTS : list).split(',').map(parseFault);
}

function parseFault(text: string): Fault {
	const [match, operationName, kindName, when, ordinal, chance] =
		/^(?:(\w+)\/)?([a-z0-9-]+?)(?:-(before|after))?(?:@(\d+)|:([\d.]+))$/.exec(text.trim()) ?? [];
	const operation = operationIds.find((id) => id === operationName);
	const kind = FAULT_KINDS.find((each) => each === kindName);
	if (!match || !kind || (operationName !== undefined && !operation)) {
		throw new Error(
			`"${text}" is not a fault. Write ${FAULT_SYNTAX}, kinds: ${FAULT_KINDS.join(' ')}`,
		);
	}
	if (when === 'before' && faultKinds[kind].isFixed) {
		throw new Error(`"${text}": ${kind} always strikes after the work`);
	}
	if (ordinal === '0') throw new Error(`"${text}": requests are counted from 1`);
	if (Number(chance) > 1) throw new Error(`"${text}": a chance is from 0 to 1`);
	return {
		kind,
		...(when && { at: when === 'before' ? 'before-work' : 'after-work' }),
		...(operation && { operation }),
		...(ordinal === undefined ? { chance: Number(chance) } : { skip: Number(ordinal) - 1 }),
	};
}
