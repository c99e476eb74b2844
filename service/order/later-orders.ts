import { leavesInDoubt, type ErrorKind, type ServiceError } from '../api/errors';
import type { NamedBrief } from '../api/resources';
import type { OrderState } from './life';
import { quote, shorten } from '../shortened-text';

/** The meaning of an order's end for later ones. */
export type ForOthers =
	| 'nothing'
	/** The month's allowance, or what this run may order, is used up. */
	| 'ordering_ends'
	/** They would fail in the same way, because of the key, the licence or the service. */
	| 'all_fail'
	/** Perhaps only this order gets no answer, perhaps the service is down. */
	| 'unclear';

export function forOthers({ stage, answer, ...order }: OrderState): ForOthers {
	if (stage === 'deferred') return 'ordering_ends';
	const isGivenUp = order.isGivenUp && stage === 'in_doubt';
	if (isGivenUp && answer === null) return 'ordering_ends';
	const isOver = isGivenUp || stage === 'answered' || stage === 'to_order';
	if (!isOver || answer === null) return 'nothing';
	if (answer.kind === 'allowance_used_up') return 'ordering_ends';
	if (!isLeftInDoubt({ stage, answer, ...order })) return 'all_fail';
	return REFUSALS.has(answer.kind) ? 'nothing' : 'unclear';
}

/** Answers to a create after which no other order would fail alike: what they say is about the order alone. */
const REFUSALS: ReadonlySet<ErrorKind> = new Set(['invalid_input', 'key_taken']);

/** Checks whether this run leaves an order in doubt, because its create got no answer that settles it. */
export function isLeftInDoubt({ stage, isGivenUp, answer }: OrderState): boolean {
	if (stage !== 'in_doubt' || !isGivenUp || answer?.operation !== 'create_brief') return false;
	const { kind } = answer;
	const isOutage = kind === 'service_unavailable' || kind === 'unreadable_answer';
	return leavesInDoubt(answer) || isOutage || REFUSALS.has(kind);
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

/**
 * One such answer may be a mistake of the service. After two in a row, the next order would be paid for in vain too.
 */
const TOO_MANY = 2;

/** An order that was answered with a brief that cannot be its own. */
export interface UnbelievedAnswer {
	/** What was ordered. */
	product_name: string;
	brief: NamedBrief;
}

/** Orders in a row, each with a new key, that were answered with a brief that cannot be theirs. */
export class UnbelievedAnswers {
	private readonly keys = new Set<string>();
	private newest: UnbelievedAnswer | null = null;

	/** @param product_name what was ordered */
	add(
		key: string,
		product_name: string,
		{ brief = { id: '', product_name: '' } }: { brief?: NamedBrief },
	): void {
		this.keys.add(key);
		this.newest = { product_name, brief };
	}

	/** Begins anew, because a create was answered with its own brief. */
	reset(): void {
		this.keys.clear();
	}

	/** The last of them, if there are so many that nothing more should be ordered; null as long as all is well. */
	get lastAnswer(): UnbelievedAnswer | null {
		return this.keys.size < TOO_MANY ? null : this.newest;
	}
}

/** Says why nothing more is ordered. */
export function unbelievedText({ product_name, brief }: UnbelievedAnswer): {
	what: string;
	cure: string;
} {
	const name = (text: string) => quote(onOneLine(text));
	const last = `The order of ${name(product_name)} got brief ${shorten(onOneLine(brief.id))} (${name(brief.product_name)}).`;
	return {
		what: `The service answers orders in a way that this program does not understand: ${TOO_MANY} orders in a row got a brief that cannot be theirs. ${last}`,
		cure: 'Nothing more was ordered. These orders may be paid for: look for their briefs in the vendor’s web app, and show this message to the vendor’s support.',
	};
}

/** Takes out the characters that change how a terminal shows the rest. */
function onOneLine(text: string): string {
	return text.replace(/[\p{C}\s]+/gu, ' ').trim();
}
