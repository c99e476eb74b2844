import type { ServiceRequest } from '../../core/api/operations';
import type { WireResponse } from '../../core/api/ports';
import { Oracle } from '../support/oracle';
import type { Random } from './random';

/** A fault that happens at its next opportunities, after `skip` opportunities. */
export interface PlannedFault {
	readonly name: string;
	readonly skip: number;
	/** How often it happens. */
	readonly times: number;
}

/** What happens to a create request in the service, on its way or in the process. */
export const CREATE_FAULTS = [
	...['lost before the work', 'lost after the work', '500 before', '500 after', 'slow answer'],
	...['never answered in this run', 'Ctrl-C', 'dies before the work', 'dies after the work'],
] as const;
const REFUSALS = [
	...['400', '402', '403', '404', '409', '422', '422 about the key', '503', '503 for 90 s'],
	...[
		'429',
		'429 for 20 s',
		'429 for 3000 s',
		'429 for 7200 s',
		'page 200',
		'page 404',
		'page 502',
	],
];
const GET_FAULTS = ['lost', '404', '429', '429 for 900 s', '500', 'page 200', 'page 502'];
const LIST_FAULTS = ['lost', '403', '429', '429 for 900 s', '500', 'page 200', 'page 502'];
const DEATHS = ['before a line', 'in a line', 'after a line', 'before a file', 'after a file'];

/** The prefix of a fault names the operation whose answer the fault replaces. */
const PREFIXES: Partial<Record<ServiceRequest['operation'], string>> = {
	create_brief: 'create: ',
	get_brief: 'GET: ',
	list_briefs: 'list: ',
};
const REPLACED = new Map([
	['create: ', REFUSALS],
	['GET: ', GET_FAULTS],
	['list: ', LIST_FAULTS],
]);
/** A gateway replaces the answer after the service has done its work. */
export const REPLACED_AFTER = ['create: page 200 after', 'create: page 502 after'];

/** The faults of the disk, and those that are chosen when the service has handled the request. */
const OTHER_FAULTS = [...DEATHS.map((when) => `dies ${when}`), ...REPLACED_AFTER, 'disk is full'];

export const FAULTS = [
	...CREATE_FAULTS,
	...OTHER_FAULTS,
	...[...REPLACED].flatMap(([prefix, answers]) => answers.map((answer) => prefix + answer)),
	'slow GET',
];

/** Returns the faults of an operation. */
export function listFaults(operation: string): string[] {
	const prefix = PREFIXES[operation as keyof typeof PREFIXES] ?? '';
	const replaced = (REPLACED.get(prefix) ?? []).map((answer) => prefix + answer);
	if (operation === 'get_brief') return [...replaced, 'slow GET'];
	return operation === 'create_brief'
		? [...CREATE_FAULTS, ...replaced, ...REPLACED_AFTER]
		: replaced;
}

export function drawFaults(random: Random, names: readonly string[]): PlannedFault[] {
	if (names.length === 0 || random.chance(40)) return [];
	const count = 1 + random.next(3);
	return Array.from({ length: count }, () => ({
		name: random.pick(names),
		skip: random.next(1 + random.next(4)),
		times: random.pick([1, 1, 1, 2, 9]),
	}));
}

/** Chooses the planned faults of the actions that are in progress. */
export class PlannedFaults extends Oracle {
	private planned: Array<{ name: string; skip: number; times: number }> = [];
	/** Called with each fault of a request. */
	onFault: (name: string) => void = () => undefined;

	add(faults: readonly PlannedFault[]): () => void {
		const added = faults.map((fault) => ({ ...fault }));
		this.planned.push(...added);
		return () => {
			this.planned = this.planned.filter((fault) => !added.includes(fault));
		};
	}

	override choose(...possible: string[]): string {
		for (const fault of this.planned) {
			if (!possible.includes(fault.name)) continue;
			fault.skip -= 1;
			if (fault.skip >= 0) continue;
			fault.times -= 1;
			if (fault.times <= 0) this.planned.splice(this.planned.indexOf(fault), 1);
			if (!OTHER_FAULTS.includes(fault.name)) this.onFault(fault.name);
			return fault.name;
		}
		return '';
	}

	/** Returns the name of a fault that answers this request in place of the service; '' for none. */
	chooseAnswer({ operation }: ServiceRequest): string {
		const prefix = PREFIXES[operation] ?? '';
		return this.choose(...(REPLACED.get(prefix) ?? []).map((answer) => prefix + answer));
	}
}

/** Returns the answer that a fault names: `list: lost`, `create: 429 for 20 s`, `create: page 502 after`. */
export function makeAnswer(fault: string): WireResponse | 'lost' {
	const [, page, status = '', about, seconds] =
		/: (page )?(\d*)( about the key)?(?: for (\d+) s)?/.exec(fault) ?? [];
	if (status === '') return 'lost';
	if (page !== undefined)
		return { status: Number(status), headers: {}, body: '<title>Gateway</title>' };
	const headers: Record<string, string> = seconds === undefined ? {} : { 'retry-after': seconds };
	const message = about === undefined ? 'refused' : 'The idempotency key was used';
	const error = { code: 'refused', message };
	return { status: Number(status), headers, body: JSON.stringify({ error }) };
}
