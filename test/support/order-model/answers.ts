import { CLOCKS_WRONG_MS } from '../../../service/assumptions';
import { isOwnBrief, type AnswerFacts } from '../../../service/order/likeness';
import type { Brief, BriefInput } from '../../../service/api/resources';
import { aBrief } from '../builders';

const SENT = Date.UTC(2026, 10, 20, 9);
export const INPUT: BriefInput = { product_name: 'Glow Serum & Oil ✨', audience: 'Runners' };

/** A brief that a create may be answered with, and what is known of it. */
export interface ShownBrief {
	brief: Brief;
	facts: AnswerFacts;
	/** Another row has it. */
	isTaken: boolean;
}

/** By the real function; another row’s brief is taken for no other. */
export function isBelieved({ brief, facts, isTaken }: ShownBrief): boolean {
	return isOwnBrief(brief, INPUT, facts) && !isTaken;
}

const TIDIED = 'glow serum &amp; oil';
const DIFFERENT = { product_name: 'Brilliance by Acme', audience: 'Shoppers', sort: 'oil' };
const NAMES = [INPUT.product_name, TIDIED, 'Glow Serum', ''];
const INPUTS = [{ ...INPUT }, {}, DIFFERENT, { ...INPUT, audience: 'Cooks' }];
const TIMES = [SENT, SENT + 1000, SENT - CLOCKS_WRONG_MS, 'today', ''];
const NEW: AnswerFacts = { firstTried: { service: SENT, machine: SENT }, wasKnown: false };
const THERE: AnswerFacts = { ...NEW, wasKnown: true };

const briefOf = (product_name: string, input: object, created_at: string | number): Brief =>
	aBrief({ product_name, input: { ...input }, created_at });

/** Its own brief, in every way in which a service may show it, first in an answer or first in the list. */
export const OWN: readonly ShownBrief[] = NAMES.flatMap((name) =>
	INPUTS.flatMap((input) =>
		TIMES.map((created) => ({
			brief: briefOf(name, input, created),
			facts: NEW,
			isTaken: false,
		})),
	),
);

const FRESH = briefOf(INPUT.product_name, INPUT, SENT);

/** Briefs that provably are those of others. */
export const OTHERS: readonly ShownBrief[] = [
	{ brief: FRESH, facts: NEW, isTaken: true },
	{ brief: briefOf('Night Cream', INPUT, SENT), facts: NEW, isTaken: false },
	{ brief: briefOf('Night Cream', {}, 'today'), facts: THERE, isTaken: false },
	{ brief: briefOf('', {}, 'today'), facts: THERE, isTaken: false },
	...[INPUT.product_name, TIDIED].flatMap((name) => {
		const brief = briefOf(name, { ...INPUT, audience: 'Cooks' }, SENT);
		const old = briefOf(name, { ...INPUT, audience: 'Cooks' }, SENT - CLOCKS_WRONG_MS - 1);
		return [
			{ brief, facts: THERE, isTaken: false },
			{ brief: old, facts: NEW, isTaken: false },
		];
	}),
];
