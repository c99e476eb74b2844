import type { BriefInput } from '../../../core/api/types';
import type { Policy } from '../../../core/orders/decide-order';
import {
	changeState,
	type Order,
	type SentTimes,
	type SettledOrder,
	type UnconfirmedOrder,
	type OrderToSend,
} from '../../../core/orders/order';
import { sendOrder, type OrderLog, type SendResult } from '../../../core/orders/send-order';
import { BriefDetails } from '../../../core/workspace/brief-details';
import type { RequestContext } from '../../../core/workspace/request-context';
import { Workspace } from '../../../core/workspace/workspace';
import { DAY, HOUR, MINUTE } from '../../support/time';
import { type VirtualService } from '../../support/virtual-service';
import { makeOrder, makeOwners } from './facts';
import { refuse, type Refusal } from '../../support/faults';

export const MUG: BriefInput = { product_name: 'Mug' };
/** A refusal because both slots are in use. */
export const BUSY = [429, 'too_many_briefs'] as const;
export const CONFLICT = [409, 'conflict'] as const;
/** A rate limit of ten minutes. */
export const RATE_LIMIT = [429, 'rate_limited', 10] as const;

export const USE: Policy = {
	wish: 'use',
	seen: new Set(),
	canResend: true,
	reuseWithinMs: 90 * DAY,
	resultsOfExecution: new Set(),
};

/** A log in memory. It outlives the process that writes it. */
export class MemoryLog implements OrderLog {
	/** What was recorded, in sequence. */
	readonly entries: Array<'sent' | 'not created'> = [];
	readonly times = new Map<string, SentTimes>();
	/** The orders that were settled. */
	readonly orders: SettledOrder[] = [];
	private readonly unconfirmed = new Map<string, UnconfirmedOrder>();

	findLatest(order: OrderToSend): OrderToSend {
		return this.unconfirmed.get(order.key) ?? order;
	}

	async recordSent(order: OrderToSend, sentAt: number): Promise<UnconfirmedOrder> {
		this.entries.push('sent');
		const { firstSentAt } = this.findTimes(order) ?? { firstSentAt: sentAt };
		const times = { firstSentAt, lastSentAt: sentAt };
		const { key } = order;
		this.times.set(key, times);
		const state = { kind: 'unconfirmed', isRefused: false, ...times } as const;
		const sent = changeState(order, state);
		this.unconfirmed.set(key, sent);
		return await Promise.resolve(sent);
	}

	async recordNotCreated(order: UnconfirmedOrder): Promise<void> {
		this.entries.push('not created');
		this.unconfirmed.delete(order.key);
		await Promise.resolve();
	}

	async recordResult(result: SendResult): Promise<void> {
		const settled = settle(result);
		if (settled === null) return;
		this.unconfirmed.delete(settled.key);
		this.orders.push(settled);
		await Promise.resolve();
	}

	private findTimes({ key, state }: OrderToSend): SentTimes | undefined {
		return this.times.get(key) ?? (state.kind === 'unconfirmed' ? state : undefined);
	}
}

function settle(result: SendResult): SettledOrder | null {
	switch (result.kind) {
		case 'created': {
			const { order, brief, source } = result;
			return { ...order, state: { kind: 'has_brief', brief, source } };
		}
		case 'rejected':
			return { ...result.order, state: { kind: 'rejected' } };
		case 'decided': {
			const { order, decision } = result;
			if (decision.kind !== 'use') return null;
			const { brief, source } = decision;
			return changeState(order, { kind: 'has_brief', brief, source });
		}
		default:
			return null;
	}
}

export interface Setup {
	readonly order?: OrderToSend;
	readonly policy?: Partial<Policy>;
	readonly log?: MemoryLog;
	/** Orders of the caller that are not in the log. */
	readonly orders?: readonly Order[];
	readonly deadline?: number;
	readonly isStopped?: () => boolean;
	readonly workspace?: Workspace;
	readonly context?: RequestContext;
}

/** Sends an order for a brief, in a process of its own, unless the setup names another. */
export async function order(
	service: VirtualService,
	input: BriefInput,
	setup: Setup = {},
): Promise<SendResult> {
	const { workspace = new Workspace(), log = new MemoryLog() } = setup;
	const { context: requests = service.startProcess().context } = setup;
	const details = new BriefDetails((id) => workspace.readBrief(id, requests));
	const task = {
		order: setup.order ?? makeOrder({ input }),
		policy: { ...USE, ...setup.policy },
		log,
		owners: makeOwners(setup.orders ?? log.orders),
		deadline: setup.deadline ?? service.clock.now() + 2 * HOUR,
		isStopped: setup.isStopped ?? (() => false),
	};
	return await sendOrder(task, { workspace, details, requests });
}

/** Returns an order for a mug whose key was first and last sent this long ago, in minutes. */
export function makeSent({ clock }: VirtualService, first: number, last: number): UnconfirmedOrder {
	const firstSentAt = clock.now() - first * MINUTE;
	const lastSentAt = clock.now() - last * MINUTE;
	const state = { kind: 'unconfirmed', isRefused: false, firstSentAt, lastSentAt } as const;
	return changeState(makeOrder({ input: MUG }), state);
}

/** Orders a mug. Returns the end of the order and its duration in minutes. */
export async function orderMug(
	service: VirtualService,
	setup: Setup = {},
): Promise<{ end: string; minutes: number; result: SendResult }> {
	const start = service.clock.now();
	const result = await order(service, MUG, setup);
	return { end: getEnd(result), minutes: (service.clock.now() - start) / MINUTE, result };
}

/** Returns the kind of a result, with its decision or cause. */
export function getEnd(result: SendResult): string {
	switch (result.kind) {
		case 'decided':
			return `decided: ${result.decision.kind}`;
		case 'stopped':
		case 'unconfirmed':
			return `${result.kind}: ${result.cause.kind}`;
		default:
			return result.kind;
	}
}

/** The answer to a create request: the usual answer, none, or a refusal. */
export type Answer = 'usual' | 'not sent' | 'lost' | 'lost after the work' | Refusal;

/** Answers the create requests in sequence. Returns the times of the requests that follow. */
export function answerCreates(
	service: VirtualService,
	answers: readonly Answer[],
	others: Answer = 'usual',
): number[] {
	const sentAt: number[] = [];
	service.interceptCreates((request, count) => {
		sentAt.push(service.clock.now());
		const answer = answers[count - 1] ?? others;
		if (answer === 'usual') return null;
		if (answer === 'not sent' || answer === 'lost') return answer;
		if (answer === 'lost after the work') service.createFromRequest(request);
		return typeof answer === 'string' ? 'lost' : refuse(answer);
	});
	return sentAt;
}

/** Creates two briefs of another process, which use both slots. Returns their IDs. */
export function takeBothSlots(service: VirtualService): string[] {
	return ['Pan', 'Pot'].map((product_name) => service.create('x', { product_name }).id);
}
