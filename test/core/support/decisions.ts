import type { BriefInput } from '../../../core/api/types';
import { toContentId } from '../../../core/input/content';
import {
	decideOrder,
	type Decision,
	type OrderRequest,
	type Policy,
} from '../../../core/orders/decide-order';
import type { Order, Superseded } from '../../../core/orders/order';
import { MINUTE } from '../../support/time';
import { BAKERS, makeFacts, type BriefFacts, type Situation } from './facts';
import { USE } from './orders';

/** Decisions in words, and what they are about. */

export const COOKS: BriefInput = { product_name: 'Mug', audience: 'Cooks' };
/** The content of BAKERS in another spelling. */
export const SPELLED: BriefInput = { product_name: 'MUG', audience: 'bakers' };

export const RETRY: Policy = { ...USE, wish: 'retry_failed' };
export const REORDER: Policy = { ...USE, wish: 'reorder' };
export const hasSeen = (ids: string, policy = USE): Policy => ({ ...policy, seen: new Set(ids) });

export const GOOD: BriefFacts = { id: 'A' };
export const RUNNING: BriefFacts = { id: 'A', status: 'writing', age: 5 * MINUTE };
export const FAILED: BriefFacts = { id: 'A', status: 'failed' };
export const FAILED_B: BriefFacts = { ...FAILED, id: 'B' };
export const THREE_FAILED: BriefFacts[] = [FAILED, FAILED_B, { ...FAILED, id: 'C' }];
export const HIDDEN: BriefFacts = { id: 'H', shows: {} };
export const HIDDEN_2: BriefFacts = { id: 'I', shows: {} };
export const OTHER: BriefFacts = { id: 'O', shows: COOKS };

/** Decides about the input of `order`, or about the usual input before anything is decided. */
export function decide(order: Order | null, policy: Policy, situation: Situation): string {
	return summarize(decideOrder(makeRequest(order, policy), makeFacts(situation)));
}

export function makeRequest<T extends Order | null>(
	order: T,
	policy: Policy,
	input = order?.input ?? BAKERS,
): OrderRequest & { readonly order: T } {
	return { input, contentId: toContentId(input), order, policy };
}

/** Returns a decision in words. */
export function summarize(decision: Decision): string {
	switch (decision.kind) {
		case 'use':
			return `use ${decision.brief.id}, ${decision.source}`;
		case 'failed':
			return `failed: ${decision.reason}`;
		case 'ask':
			return `ask about ${decision.briefIds.join(' ')}`;
		case 'send':
			return decision.order.state.kind === 'unconfirmed'
				? 'send again'
				: `send, supersedes ${toText(decision.order.supersedes)}`;
		default:
			return decision.kind;
	}
}

function toText(superseded: Superseded): string {
	return superseded.kind === 'brief' ? superseded.id : superseded.kind;
}

/** Returns the briefs of the product that an order which is sent has passed over. */
export function listShown(decision: Decision): string {
	if (decision.kind !== 'send') throw new Error(`not sent, but ${summarize(decision)}`);
	return [...decision.order.shown].sort().join('');
}
