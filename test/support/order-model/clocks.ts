import type { Moment } from '../../../service/order/times';
import type { OrderInDoubt } from '../../../service/order/find-brief';
import { HOUR, MINUTE, SECOND } from '../time';
import { INPUT } from './answers';
import type { Row } from './state';

/** Now, by both clocks. What was put on record may be wrong by this much. */
export const NOW: Moment = {
	service: Date.UTC(2026, 10, 20, 9),
	machine: Date.UTC(2026, 10, 20, 9),
};

const RIGHT: Moment = { service: 0, machine: 0 };
const AHEAD: Moment = { service: 3 * HOUR, machine: 3 * HOUR };

type Tries = readonly [first: Moment, last: Moment];
const always = (ahead: Partial<Moment>): Tries => [
	{ ...RIGHT, ...ahead },
	{ ...RIGHT, ...ahead },
];

/** How far which clock was ahead when the order was first and last tried. */
const WRONG = {
	right: always(RIGHT),
	'the service’s an hour ahead': always({ service: 61 * MINUTE }),
	'the service’s three hours ahead': always({ service: 3 * HOUR }),
	'the service’s behind': always({ service: -3 * HOUR }),
	'ours ahead': always({ machine: 3 * HOUR }),
	'ours behind': always({ machine: -3 * HOUR }),
	'both ahead': always(AHEAD),
	/** The list was waited for, and the last try counts from the end of that. */
	'both ahead, and waited': [AHEAD, RIGHT],
} as const satisfies Record<string, Tries>;

export type Clocks = keyof typeof WRONG;

export const WRONG_CLOCKS = Object.keys(WRONG).slice(1, -1) as Clocks[];

/** How far the clock that writes the times of briefs may be ahead of the others. */
export const WRITERS = [0, -3 * MINUTE, -8 * HOUR, 13 * HOUR];

const AGES = { none: 0, young: 5 * MINUTE, trusted: 30 * MINUTE, old: 2 * HOUR };
const SINCE = { none: 0, fresh: 30 * SECOND, recent: 5 * MINUTE, listed: 15 * MINUTE };

/** An order as the record of its row describes it, with times as the clocks gave them. */
export function soughtOf({ firstTried, lastTried, clocks }: Row): OrderInDoubt {
	const [first, last] = WRONG[clocks];
	const since = SINCE[lastTried];
	return {
		input: INPUT,
		knownBefore: null,
		firstTried: firstTried === 'none' ? null : before(Math.max(AGES[firstTried], since), first),
		lastTried: lastTried === 'none' ? null : before(since, last),
	};
}

/** When the brief of a row was created, in truth. */
export function createdOf({ firstTried, lastTried }: Row): number {
	return NOW.service - Math.max(AGES[firstTried], SINCE[lastTried]);
}

function before(ms: number, wrong: Moment): Moment {
	return { service: NOW.service - ms + wrong.service, machine: NOW.machine - ms + wrong.machine };
}
