import { leavesInDoubt, type ErrorKind, type ServiceError } from '../api/errors';
import type { NamedBrief } from '../api/resources';
import { isRefusal } from './decide';
import type { OrderState } from './life';
import { quote, shorten } from '../shortened-text';

type ForOthers =
	| 'nothing'
	/** The month's allowance, or what this run may order, is used up. */
	| 'ordering_ends'
	/** Later orders would fail in the same way, because of the key, the licence or the service. */
	| 'all_fail'
	/** Perhaps only this order gets no answer, perhaps the service is down. */
	| 'unclear';

export function forOthers({ stage, answer, ...order }: OrderState): ForOthers {
	if (stage === 'deferred') return 'ordering_ends';
	if (stage === 'parked' && isServiceMistaken({ stage, answer, ...order })) return 'all_fail';
	const isGivenUp = order.isGivenUp && stage === 'in_doubt';
	if (isGivenUp && answer === null) return 'ordering_ends';
	const isOver = isGivenUp || stage === 'answered' || stage === 'to_order';
	if (!isOver || answer === null) return 'nothing';
	if (answer.kind === 'allowance_used_up') return 'ordering_ends';
	if (!isLeftInDoubt({ stage, answer, ...order })) return 'all_fail';
	return isRefusal(answer.kind) ? 'nothing' : 'unclear';
}

/** Gives orders of an earlier run as they have their turns: those in doubt first, as their briefs may have the slots (P4). */
export function inTurn<One>(orders: readonly One[], isInDoubt: (one: One) => boolean): One[] {
	return [...orders.filter(isInDoubt), ...orders.filter((one) => !isInDoubt(one))];
}

/** Checks whether this run leaves an order in doubt, because its create got no answer that settles it. */
export function isLeftInDoubt({ stage, isGivenUp, answer }: OrderState): boolean {
	if (stage !== 'in_doubt' || !isGivenUp || answer?.operation !== 'create_brief') return false;
	const { kind } = answer;
	const isOutage = kind === 'service_unavailable' || kind === 'unreadable_answer';
	return leavesInDoubt(answer) || isOutage || isRefusal(kind);
}

const ABOUT_ONE_ORDER: ReadonlySet<ErrorKind> = new Set([
	'invalid_input',
	'conflict',
	'key_taken',
	'other_brief',
]);

/**
 * Says to a caller without a record, which creates one brief after the other, that later ones should not be sent. A
 * problem with one order's input or key says nothing about them.
 */
export function endsOthers({ kind }: ServiceError): boolean {
	return !ABOUT_ONE_ORDER.has(kind);
}

/** A new order that was answered with the brief of another one. */
export interface UnbelievedAnswer {
	product_name: string;
	brief: NamedBrief;
}

/**
 * Checks whether a key that was never sent before got the brief of another order: nothing but a mistake of the service
 * explains it, and the next order would be paid for in vain too.
 */
export function isServiceMistaken({ answer, knownBefore, tries }: OrderState): boolean {
	return answer?.kind === 'other_brief' && knownBefore !== null && tries?.failures === 1;
}

export function unbelievedText({ product_name, brief }: UnbelievedAnswer): {
	what: string;
	cure: string;
} {
	const name = (text: string) => quote(onOneLine(text));
	return {
		what: `The service answered the order of ${name(product_name)} with the brief of another order: ${shorten(onOneLine(brief.id))} (${name(brief.product_name)}).`,
		cure: 'Nothing more was ordered. This order may be paid for: look for its brief in the vendor’s web app, and show this message to the vendor’s support.',
	};
}

/** Takes out the characters that change how a terminal shows the rest. */
function onOneLine(text: string): string {
	return text.replace(/[\p{C}\s]+/gu, ' ').trim();
}
