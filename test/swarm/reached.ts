import type { ServiceRequest } from '../../core/api/operations';
import { MINUTE } from '../support/time';
import { listFaults } from './faults';

/*
 * Which combinations the histories have reached: the state of the order in the journal when a request was sent × what the
 * service did × the fault. An expected pair that no history reaches means that the swarm cannot find mistakes there. With
 * SWARM_REACHED=1, the slow test prints the table, and fails if a pair is missing.
 *
 *     create_brief                            new    sent    sent long ago    …
 *     created                                4120     301               20
 *     created | lost after the work           133       8                2
 */

/** The states of an order. For a list, those of all orders of the folder. */
const STATES: Readonly<Record<string, readonly string[]>> = {
	create_brief: [
		'new',
		'over a brief',
		'over a rejected_order',
		'sent',
		'sent long ago',
		'dropped',
	],
	get_brief: ['none', 'accepted', 'ready', 'failed'],
	list_briefs: ['unconfirmed', 'accepted', 'ready', 'failed', 'rejected', 'dropped'],
};
const DONE: Readonly<Record<string, readonly string[]>> = {
	create_brief: ['created', 'replayed', 'nothing'],
	get_brief: ['running', 'ready', 'failed'],
	list_briefs: ['nothing'],
};
/** Combinations that no history can reach, with the reason. */
const UNREACHABLE = new Map([
	['get_brief | ready | running', 'a brief is ready before its order is'],
	['get_brief | ready | failed', 'a brief that was ready stays ready'],
	['get_brief | failed | running', 'a failed brief stays failed'],
	['get_brief | failed | ready', 'a failed brief stays failed'],
]);
const SEPARATOR = ' | ';
const WIDTH = 45;

/** What the service did with a request. */
export interface Handling {
	/** For a GET, the status of the brief. Empty if nothing was done. */
	done: string;
	/** Empty for none. */
	fault: string;
}

interface JournalOrder {
	readonly key: string;
	readonly supersedes: { readonly kind: string };
	readonly state: OrderState;
	/** The state before the last change; null for the first. */
	readonly before: OrderState | null;
}

type OrderState = { readonly kind: string; readonly brief?: { readonly id: string } } & {
	readonly [time in 'firstSentAt' | 'lastSentAt']?: number;
};

/** Counts combinations. */
export class Reached {
	private readonly counts = new Map<string, number>();
	private readonly orders = new WeakMap<Buffer, readonly JournalOrder[]>();

	/** @param journal of the folder that has sent the request */
	count(journal: Buffer, request: ServiceRequest, { done, fault }: Handling): void {
		const orders = this.orders.get(journal) ?? readOrders(journal.toString());
		this.orders.set(journal, orders);
		const { operation } = request;
		const otherwise = operation === 'create_brief' && done !== '' ? 'replayed' : 'nothing';
		const named = DONE[operation]?.includes(done) === true ? done : otherwise;
		for (const state of findStates(orders, request)) {
			const name = [operation, state, named, fault].join(SEPARATOR);
			this.counts.set(name, (this.counts.get(name) ?? 0) + 1);
		}
	}

	/** Returns each state with a result or a fault that no history has reached together. */
	listMissing(): string[] {
		const reached = new Set<string>();
		for (const name of this.counts.keys()) {
			const [operation, state, done, fault] = name.split(SEPARATOR);
			for (const each of [done, fault]) reached.add([operation, state, each].join(SEPARATOR));
		}
		const expected = Object.entries(STATES).flatMap(([operation, states]) => {
			const columns = [...(DONE[operation] ?? []), ...listFaults(operation)];
			return states.flatMap((state) =>
				columns.map((each) => [operation, state, each].join(SEPARATOR)),
			);
		});
		return expected.filter((name) => !reached.has(name) && !UNREACHABLE.has(name));
	}

	/** Returns a table per operation: a line per result and fault, and a column per state. */
	formatTables(): string {
		const tables = Object.entries(STATES).map(([operation, states]) => {
			const names = [...this.counts.keys()].filter((name) => name.startsWith(operation));
			const rows = new Set(names.map((name) => name.split(SEPARATOR).slice(2).join(SEPARATOR)));
			const lines = [...rows].sort().map((row) => {
				const cells = states.map((state) => {
					const count = this.counts.get([operation, state, row].join(SEPARATOR)) ?? 0;
					return String(count).padStart(state.length + 3);
				});
				return row.padEnd(WIDTH) + cells.join('');
			});
			const header = operation.padEnd(WIDTH) + states.map((state) => `   ${state}`).join('');
			return [header, ...lines].join('\n');
		});
		return tables.join('\n\n');
	}
}

function readOrders(journal: string): JournalOrder[] {
	type Change = Partial<JournalOrder> & { readonly order?: number };
	const orders = new Map<number, JournalOrder>();
	// The last line can be torn.
	for (const line of journal.split('\n').slice(0, -1)) {
		const { change = {} } = JSON.parse(line) as { change?: Change };
		if (change.order === undefined) continue;
		const known = orders.get(change.order);
		const before = change.state === undefined ? known?.before : known?.state;
		orders.set(change.order, { ...known, ...change, before: before ?? null } as JournalOrder);
	}
	return [...orders.values()];
}

function findStates(
	orders: readonly JournalOrder[],
	{ operation, path, body = '{}' }: ServiceRequest,
): string[] {
	if (operation === 'list_briefs') return [...new Set(orders.map(({ state }) => state.kind))];
	if (operation === 'get_brief')
		return [
			orders.find(({ state }) => path.endsWith(state.brief?.id ?? '?'))?.state.kind ?? 'none',
		];
	if (operation !== 'create_brief') return [];
	const { idempotency_key } = JSON.parse(body) as { idempotency_key: string };
	return orders
		.filter(({ key }) => key === idempotency_key)
		.slice(-1)
		.map(describeOrder);
}

/** The request is in the journal already, so the state before it counts. */
function describeOrder({ supersedes, before, state }: JournalOrder): string {
	if (before === null) return supersedes.kind === 'nothing' ? 'new' : `over a ${supersedes.kind}`;
	if (before.kind !== 'unconfirmed') return before.kind;
	const age = (state.lastSentAt ?? 0) - (before.firstSentAt ?? 0);
	return age < 58 * MINUTE ? 'sent' : 'sent long ago';
}
