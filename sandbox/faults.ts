import { operationIds, type OperationId } from './contract';
import { random, type Seed } from './random';

/**
 * `reset`: the connection is reset. `cut`: the answer is cut in the middle. `broken-json`: a 2xx with half a JSON
 * text. `html`: an HTML page of something between. `5xx`: a server error. `slow`: the answer comes late. `429`: too many
 * requests. `redirect`: to another host.
 */
const kinds = ['reset', 'cut', 'broken-json', 'html', '5xx', 'slow', '429', 'redirect'] as const;

export type FaultKind = (typeof kinds)[number];

export interface Fault {
	kind: FaultKind;
	/**
	 * Whether the request's work is done before the fault. The default depends on the kind, see `defaultAt`. A cut or
	 * broken answer always comes after the work.
	 */
	at?: 'before-work' | 'after-work';
	/** Of a 5xx (default 503), a page (default 200) or a redirect (default 307). */
	status?: number;
	/** Retry-After of a 5xx, page or 429, in seconds of the client. By default only on a 429, and 1. */
	retryAfter?: number;
	/** Body of a 5xx: an error of docs/api.md section 7, a gateway's page, or nothing. Default json. */
	body?: 'json' | 'html' | 'empty';
	/** Of a slow answer, in real ms. Default 2000. */
	delayMs?: number;
	/** Of a redirect. The default is the same server under the name localhost. */
	location?: string;
}

export interface PlannedFault extends Fault {
	/** Only requests of this operation. */
	operation?: OperationId;
	/** How many matching requests it hits. Default 1. */
	times?: number;
	/** How many matching requests go by first. Default 0. */
	skip?: number;
}

/** A fault by chance. */
export interface LikelyFault extends Fault {
	operation?: OperationId;
	chance: number;
}

const defaultAt: Readonly<Record<FaultKind, NonNullable<Fault['at']>>> = {
	reset: 'before-work',
	cut: 'after-work',
	'broken-json': 'after-work',
	html: 'before-work',
	'5xx': 'before-work',
	slow: 'before-work',
	'429': 'before-work',
	redirect: 'before-work',
};

export type SettledFault = Fault & { at: NonNullable<Fault['at']> };

/** Planned faults in order, and otherwise faults by chance. */
export class Faults {
	private plannedFaults: (PlannedFault & { times: number; skip: number })[] = [];
	private likelyFaults: LikelyFault[] = [];
	private requests = 0;

	constructor(private readonly seed: Seed) {}

	/** Hits the next matching requests. */
	add(fault: PlannedFault): void {
		this.plannedFaults.push({ ...fault, times: fault.times ?? 1, skip: fault.skip ?? 0 });
	}

	/** From now on, by chance. */
	addChance(fault: LikelyFault): void {
		this.likelyFaults.push(fault);
	}

	clear(): void {
		this.plannedFaults = [];
		this.likelyFaults = [];
	}

	/** How many planned hits are still to come. */
	get hitsToCome(): number {
		return this.plannedFaults.reduce((sum, { times }) => sum + times, 0);
	}

	/** The fault that hits this request, if any. */
	take(operation: OperationId | undefined): SettledFault | undefined {
		this.requests += 1;
		const fault = this.takePlanned(operation) ?? this.drawLikely(operation);
		return fault && { ...fault, at: fault.at ?? defaultAt[fault.kind] };
	}

	private takePlanned(operation: OperationId | undefined): Fault | undefined {
		let next: Fault | undefined;
		for (const fault of this.plannedFaults) {
			if (fault.operation !== undefined && fault.operation !== operation) continue;
			if (fault.skip > 0) {
				fault.skip -= 1;
			} else if (next === undefined) {
				fault.times -= 1;
				next = fault;
			}
		}
		this.plannedFaults = this.plannedFaults.filter(({ times }) => times > 0);
		return next;
	}

	/** Depends on the seed and on the number of the request alone. */
	private drawLikely(operation: OperationId | undefined): Fault | undefined {
		const dice = random(this.seed, 'fault', this.requests);
		for (const { operation: only, chance, ...fault } of this.likelyFaults) {
			if (!dice.chance(chance) || (only !== undefined && only !== operation)) continue;
			switch (fault.kind) {
				case '5xx':
					return { ...dice.pick(serverErrors), ...fault };
				case 'html':
					return { status: dice.pick(pageStatuses), ...fault };
				case 'slow':
					return { delayMs: dice.int(500, 4000), ...fault };
				case '429':
					// Too many requests come in bursts: two more are refused.
					this.add({ ...fault, times: 2 });
					return fault;
				case 'reset':
				case 'cut':
				case 'broken-json':
				case 'redirect':
					return fault;
			}
		}
		return undefined;
	}
}

/** docs/api.md section 7: server errors are not shown. These are the usual ones. */
const serverErrors: readonly Omit<Fault, 'kind'>[] = [
	{ status: 500, body: 'json' },
	{ status: 502, body: 'html' },
	{ status: 503, body: 'json', retryAfter: 1 },
	{ status: 503, body: 'empty' },
];

/** Those of a sign-in, a firewall and a proxy. A 404 may pass for a wrong address. */
const pageStatuses = [200, 403, 407];

/** The mixture of `--faults default`. */
export const DEFAULT_FAULTS =
	'reset-before:0.02,reset-after:0.02,cut:0.02,broken-json:0.01,html:0.01,5xx-before:0.03,5xx-after:0.02,slow:0.03,429:0.01';

export const FAULT_SYNTAX = '[operation/]kind[-before|-after]:chance or @n';

/**
 * Reads faults as the command line writes them: `reset-after:0.05` by chance, `create_brief/cut@3` at the third
 * request that matches. Throws an Error with a one-line message.
 */
export function addFaults(faults: Faults, text: string): void {
	const entries = text === 'default' ? DEFAULT_FAULTS : text;
	for (const entry of entries.split(',')) {
		const parts = /^(?:(\w+)\/)?([a-z0-9-]+?)(?:-(before|after))?(?:@(\d+)|:([\d.]+))$/.exec(
			entry.trim(),
		);
		const operation = operationIds.find((id) => id === parts?.[1]);
		const kind = kinds.find((one) => one === parts?.[2]);
		if (!parts || !kind || (parts[1] !== undefined && !operation)) {
			throw new Error(
				`"${entry}" is not a fault. Write ${FAULT_SYNTAX}, kinds: ${kinds.join(' ')}`,
			);
		}
		if (parts[3] === 'before' && (kind === 'cut' || kind === 'broken-json')) {
			throw new Error(`"${entry}": ${kind} always comes after the work`);
		}
		const at =
			parts[3] === undefined ? {} : { at: `${parts[3] as 'before' | 'after'}-work` as const };
		const fault = { kind, ...at, ...(operation ? { operation } : {}) };
		if (parts[4] !== undefined) {
			if (Number(parts[4]) < 1) throw new Error(`"${entry}": requests are counted from 1`);
			faults.add({ ...fault, skip: Number(parts[4]) - 1 });
			continue;
		}
		const chance = Number(parts[5]);
		if (!(chance >= 0 && chance <= 1)) throw new Error(`"${entry}": a chance is from 0 to 1`);
		faults.addChance({ ...fault, chance });
	}
}
