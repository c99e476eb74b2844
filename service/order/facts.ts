import { CREATE_TRIES, LONGEST_RATE_WAIT_MS, LOOK_FRESH_MS, SLOT_BACK_OFF } from '../assumptions';
import { monthTurnWait } from '../list/month';
import type { Clock } from '../api/ports';
import type { BriefingService } from '../api/service';
import type { BriefPoller } from '../watch/poller';
import type { Workspace } from '../watch/workspace';
import { isIntentFresh, keyTrust, untilListed, momentNow } from './times';
import type { Facts } from './decide';
import type { OrderShell } from './shell';
import type { Wait, OrderState } from './life';
import type { ServiceError } from '../api/errors';
import { decideRetry, retryAt } from '../api/resend';

export interface OrderDependencies {
	service: BriefingService;
	poller: BriefPoller;
	workspace: Workspace;
	clock: Clock;
}

export function factsFor(
	order: OrderState,
	shell: Pick<OrderShell, 'mayBeListed' | 'circumstances' | 'keep'>,
	tools: OrderDependencies,
	bounds: SendBounds,
): Facts {
	const { service } = tools;
	const moment = momentNow(tools);
	const { machine: now } = moment;
	const key = keyTrust(order, moment);
	const isRecorded = shell.keep !== undefined;
	return {
		mayBeListed: shell.mayBeListed(),
		rateLimit: rateLimitOf(service, now, bounds),
		isMonthTurning: isRecorded && monthTurnWait(moment.service) > 0,
		key,
		isLookDue: isRecorded ? key !== 'young' : key === 'old',
		isLookFresh: now - order.lookedAt <= LOOK_FRESH_MS,
		isIntentFresh: isIntentFresh(order, moment),
		// Grows with each slot that was given back, so that a slow service cannot keep an order from being sent.
		isSlotFresh: now - order.slotSince <= LOOK_FRESH_MS * 2 ** order.staleSlots,
		again: againFor(order, tools, bounds).how,
		...shell.circumstances(),
	};
}

/** Gives until when something holds an order up, by this machine's clock. */
export function endOfWait(
	wait: Wait,
	order: OrderState,
	tools: OrderDependencies,
	bounds: SendBounds,
): number {
	const { service, clock } = tools;
	const now = clock.now();
	switch (wait) {
		case 'rate_limit':
			return service.rateLimit()?.until ?? now;
		case 'month_turn':
			return now + monthTurnWait(service.now());
		case 'list':
			return now + untilListed(order, momentNow(tools));
		case 'retry': {
			const again = againFor(order, tools, bounds);
			return again.how === 'never' ? now : again.at;
		}
	}
}

/** Decides whether and when the create of an order is sent again after its last answer. */
function againFor(
	order: OrderState,
	{ clock, poller }: OrderDependencies,
	bounds: SendBounds,
): Again {
	if (order.answer === null) return { how: 'never' };
	const isSlotWaitOver = poller.slotPatience?.isOver;
	const now = clock.now();
	return whenAgain(order.answer, order, { ...bounds, now, isSlotWaitOver });
}

function rateLimitOf(
	service: BriefingService,
	now: number,
	{ deadline = Infinity }: SendBounds,
): Facts['rateLimit'] {
	const limit = service.rateLimit();
	if (limit === null) return 'none';
	return limit.until > Math.min(deadline, now + LONGEST_RATE_WAIT_MS) ? 'long' : 'short';
}

/** A create that is to be sent again, or not. `at` is a time of this machine's clock. */
type Again =
	/** The slot is kept: the brief may exist already, or the wait is short. */
	| { how: 'with_this_slot'; at: number }
	| { how: 'with_another_slot'; at: number }
	| { how: 'never' };

export interface SendBounds {
	/** The time of this machine's clock after which nothing is sent, in milliseconds. */
	deadline?: number;
	/** Ask for a slot once, and give up if both are taken. */
	once?: boolean;
}

interface Limits extends SendBounds {
	now: number;
	/** Slots have been waited for long enough. */
	isSlotWaitOver?: boolean;
}

const NEVER: Again = { how: 'never' };

/** Decides whether and when a create is sent again after an answer, which its `tries` or `slotRefusals` count already. */
export function whenAgain(
	error: ServiceError,
	{ tries, slotRefusals, inDoubt }: Pick<OrderState, 'tries' | 'slotRefusals' | 'inDoubt'>,
	{ now, deadline = Infinity, once = false, isSlotWaitOver = false }: Limits,
): Again {
	// The look for a free slot failed: nothing was sent.
	if (error.operation !== 'create_brief') return NEVER;
	if (error.kind === 'slots_busy') {
		const at = retryAt(error, SLOT_BACK_OFF, slotRefusals, now);
		// A wait this long is reported, like a rate limit.
		const isTooLong = at - now > LONGEST_RATE_WAIT_MS;
		return once || isSlotWaitOver || isTooLong ? NEVER : { how: 'with_another_slot', at };
	}
	if (tries === null) return NEVER;
	const at = decideRetry(error, tries, CREATE_TRIES, now);
	if (at === null || at > deadline) return NEVER;
	// Others may have the slot after a long wait, and so a new look is due.
	const isSlotKept = inDoubt || once || at - now <= LOOK_FRESH_MS;
	return { how: isSlotKept ? 'with_this_slot' : 'with_another_slot', at };
}
