import { LONGEST_RATE_WAIT_MS } from '../assumptions';
import { monthTurnWait } from '../list/month';
import type { PollInterval } from '../api/poll-interval';
import type { Clock } from '../api/ports';
import type { BriefingService } from '../api/service';
import type { BriefPoller } from '../watch/poller';
import type { Workspace } from '../watch/workspace';
import { whenAgain, type Again, type SendBounds } from './again';
import { isIntentFresh, keyTrust, untilListed } from './ages';
import { momentNow } from './moment';
import type { Facts } from './decide';
import type { Circumstances, OrderShell } from './shell';
import type { Wait } from './events';
import type { OrderState } from './states';

export interface OrderDependencies {
	service: BriefingService;
	poller: BriefPoller;
	workspace: Workspace;
	clock: Clock;
	interval: PollInterval;
}

/** An item may want a second brief of the same content, and without a record nothing shows whose the listed ones are. */
const WITHOUT_RECORD: Circumstances = {
	end: null,
	isLastCall: false,
	isHopeless: false,
	isOverdue: false,
	mayBeListed: false,
};

/** What holds for an order at this moment. */
export function factsFor(
	order: OrderState,
	{ record }: Pick<OrderShell, 'record'>,
	tools: OrderDependencies,
	bounds: SendBounds,
): Facts {
	const { service, interval } = tools;
	const moment = momentNow(tools);
	const { own: now } = moment;
	const key = keyTrust(order, moment);
	return {
		rateLimit: rateLimitOf(service, now, bounds),
		isMonthTurning: record !== undefined && monthTurnWait(moment.service) > 0,
		key,
		isLookDue: record === undefined ? key === 'old' : key !== 'young',
		isLookFresh: now - order.lookedAt <= interval.shortest,
		isIntentFresh: isIntentFresh(order, moment),
		// Grows with each slot that was given back, so that a slow service cannot keep an order from being sent.
		isSlotFresh: now - order.slotSince <= interval.longest * 2 ** order.staleSlots,
		again: againFor(order, tools, bounds).how,
		...(record?.circumstances(order) ?? WITHOUT_RECORD),
	};
}

/** Until when something holds an order up, by this machine's clock. */
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

/** Whether and when the create of an order is sent again after its last answer. */
function againFor(
	order: OrderState,
	{ clock, interval, poller }: OrderDependencies,
	bounds: SendBounds,
): Again {
	if (order.answer === null) return { how: 'never' };
	const isSlotWaitOver = poller.slotPatience?.isOver;
	const now = clock.now();
	return whenAgain(order.answer, order, { ...bounds, now, interval, isSlotWaitOver });
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
