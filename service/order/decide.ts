/*
 * What happens next with an order, and why: a pure function of what has happened to the order (life.ts) and of what is
 * so at this moment (Facts). The driver brings the facts, carries the step out, and asks again.
 *
 * An example. No answer comes to a create, and the computer is switched off. Three hours later the next run asks:
 *   in doubt, finding: null            look, because its brief may exist
 *   in doubt, finding: found           take over: it is paid for, and only has to be fetched
 *   in doubt, finding: nothing         withdraw, because the list would show it by now; then it is ordered again
 *   in doubt, finding: unclear, by     park, because its key is too old to be sent again, so that only a person can say
 *   two briefs that hide their input   which of them is its own
 */

import type { ErrorKind } from '../api/errors';
import { type OrderState, park, returnSlot, step, takeOver, wait, type Step } from './life';

/** The reason why nothing more may be ordered: the month's allowance, or this run's own limit. */
export type OrderingEnd = 'allowance' | 'max';

/** The facts that only the run around an order knows. */
export interface Circumstances {
	/** The reason why no further brief may be ordered, without this order's own reservation. */
	end: OrderingEnd | null;
	/** The run is over for all others, and an order in doubt must be settled. */
	isLastCall: boolean;
	/** In so many runs it may stay without an answer before it has failed. */
	maxTries: number;
	/** Its brief has run for longer than a brief may run. */
	isOverdue: boolean;
}

/** The same for an order that stands alone: only the service limits what may be ordered. */
export const ALONE: Circumstances = {
	end: null,
	isLastCall: false,
	maxTries: Infinity,
	isOverdue: false,
};

/** All that a decision rests on beside the order: clocks, service, slots and allowance as they are at this moment. */
export interface Facts extends Circumstances {
	/** The list shows a brief that may be of its content, and that no record knows. */
	mayBeListed: boolean;
	/** A declared rate limit, and whether it is short enough to wait for. */
	rateLimit: 'none' | 'short' | 'long';
	isMonthTurning: boolean;
	/**
	 * Whether the service can be trusted to remember the order's key. young: yes, without a look at the list; trusted: yes,
	 * if the list leaves it open; old: no.
	 */
	key: 'young' | 'trusted' | 'old';
	/** The list must be read before the key is sent again. */
	isLookDue: boolean;
	/** The search for its brief, its intent and the look that showed its slot are recent enough to send now. */
	isLookFresh: boolean;
	isIntentFresh: boolean;
	isSlotFresh: boolean;
	/** The way in which the create may be sent again after this answer. */
	again: 'with_this_slot' | 'with_another_slot' | 'never';
}

/*
 * What each condition is for: what happened, and what it would cost without the condition.
 *
 * to order
 *   hasNoRow           no row of this run is its own              a brief that nobody wants
 *   answer             key, licence or service failed             the same failure, without end
 *   mayBeListed        the journal is lost, or somebody else      a second brief of the same content
 *                      ordered the same
 *   finding: unclear   a listed brief hides what it was made of   a second brief, or another order's result
 *   end                allowance or --max is used up              a brief too many, or a refusal for each row
 * cleared (with a slot)
 *   rateLimit          the service asked to slow down             a create on checks that are old when it is sent
 *   isMonthTurning     the month ends about now                   a brief of a month whose allowance is used up
 *   isLookDue          the last try has no answer, and its key    a second brief, if the key is forgotten
 *                      is no longer young
 *   finding: found     that try did make a brief                  a second brief
 *   not isCertain      the list may not show the brief yet        a second brief, because of a list that lags
 *   finding: nothing   that try made no brief                     an order that is never placed
 *   maxTries           no create of it was answered, run by run   tries without end
 *   likely             one listed brief can be its own            a person is asked what the list can tell
 *   key: old           several can be, and the key may be         a second brief
 *                      forgotten
 *   isReserved         it was counted when it was first sent      an order in doubt that its own count keeps back
 *   isSlotFresh        the look for its slot was long ago         three briefs at a time
 *   isSlotUsed         its own brief may have that slot           an order that waits for itself
 *   isIntentFresh      the process may die in the next moment     a brief that no record knows
 * sent
 *   unjudgedRefusal    both slots were taken, and the service     a good order that is refused for good
 *                      called it something else
 * answered
 *   isLastTry          it was in doubt and withdrawn in this run  a run without end
 *   again: this slot   lost answer, short outage or limit         an order given up that a retry would place
 *   again: another     no slot, or a long wait                    a slot that nobody uses
 *   inDoubt            no try was answered                        a brief that is forgotten
 *   isRefusal          its input or its key is not accepted       the same refusal in each run
 * in doubt
 *   hasNoRow           no row of this run is its own              a paid brief that is lost, or a second one
 *   isGivenUp          sending it again did not help              tries without end
 *   other_brief        the service answered with another order's  tries without end
 *                      brief
 *   isLastCall         all other orders are through               a brief that is fetched only by the next run
 * running
 *   isSeen             an earlier process ordered it              a second brief
 *   isOverdue          an earlier run waited for it too long      a run without end
 * parked
 *   wasParked          a person was asked by an earlier run       a brief that came since is not seen
 */

/** The first match wins, so the order of the checks is part of the rule. */
export function decide(order: OrderState, facts: Facts): Step {
	switch (order.stage) {
		case 'to_order':
			if (order.hasNoRow) return step('stop', 'its row is no longer there');
			if (order.answer !== null)
				return step('stop', 'nothing came of it, and others would fail alike');
			return beforeOrdering(order, facts);
		case 'waiting':
			return step('take_slot', 'a create needs one of the two slots');
		case 'cleared':
			return beforeSending(order, facts);
		case 'sent':
			if (order.unjudgedRefusal !== null)
				return step('look_at_slots', 'its refusal may be for want of a slot');
			return step('stop', 'only its answer can move it');
		case 'answered':
			return afterAnswer(order, facts);
		case 'in_doubt':
			return whileInDoubt(order, facts);
		case 'running':
			if (!order.isSeen) return step('get', 'an earlier run knew its brief');
			if (order.wasParked && facts.isOverdue)
				return step('stop', 'its brief had its time, and keeps its slot');
			return step('watch', 'its brief is being written');
		case 'ended':
			return step('file', 'its brief is to be fetched and kept');
		case 'parked':
			return whileParked(order);
		case 'done':
		case 'refused':
		case 'deferred':
			return step('stop', 'it is at its end');
	}
}

function beforeOrdering(order: OrderState, facts: Facts): Step {
	const stepByList = ifListed(order, facts);
	if (stepByList !== null) return stepByList;
	if (facts.end !== null) return step('defer', 'nothing more may be ordered');
	return step('queue', 'two briefs run at a time, in the order of asking');
}

/**
 * Compares it with the list: the record may be lost, or another run orders the same products. Null: the list shows no
 * brief that may be its own.
 */
function ifListed({ finding }: OrderState, facts: Facts): Step | null {
	if (finding === null && facts.mayBeListed)
		return step('look', 'it would be paid for again if it was ordered before');
	if (finding?.is === 'found') return takeOver(finding.brief, 'it was ordered before');
	if (finding?.is === 'unclear') return park('listed', 'it may have been ordered before');
	return null;
}

/** Decides with a slot in hand. These checks are repeated each time before the create is sent. */
function beforeSending(order: OrderState, facts: Facts): Step {
	if (facts.rateLimit === 'long')
		return step('meet_rate_limit', 'the limit is too long to wait for');
	if (facts.rateLimit === 'short')
		return wait('rate_limit', 'what is decided now must not be old when it is sent');
	if (facts.isMonthTurning)
		return wait('month_turn', 'it must count in the month that it was counted for');
	if (!order.inDoubt || facts.isLookDue) {
		const look = order.inDoubt ? lookFirst(order, facts) : ifListed(order, facts);
		if (look !== null) return look;
	}
	// An order that may be paid for already is only asked for again, and counts as before.
	if (facts.end !== null && !(order.inDoubt && order.isReserved)) {
		if (order.inDoubt) return step('give_up', 'nothing more may be ordered');
		if (order.isIntended) return step('withdraw', 'nothing more may be ordered');
		return step('defer', 'nothing more may be ordered');
	}
	// Its own brief may be the one that runs, so a look for a free slot could wait for itself.
	if (!facts.isSlotFresh && !(order.inDoubt && order.isSlotUsed)) {
		return returnSlot(true, 'others may have the slot by now');
	}
	if (!facts.isIntentFresh)
		return step('intend', 'a process that dies now must leave a trace of it');
	return step('send', 'it is on record, and nothing speaks against it');
}

/** Searches for the brief if the key alone cannot prevent a second payment. Null: the order may be sent. */
function lookFirst(order: OrderState, facts: Facts): Step | null {
	const { finding } = order;
	if (finding === null || !facts.isLookFresh)
		return step('look', 'its brief may exist, and the key alone does not settle it');
	if (finding.is === 'found') return takeOver(finding.brief, 'the list shows its brief');
	const isKeyTrusted = facts.key !== 'old';
	if (!finding.isCertain) {
		if (isKeyTrusted) return null;
		return wait('list', 'neither key nor list can be relied on, but the list in a while');
	}
	if (finding.is === 'nothing') {
		if (order.runsUnanswered >= facts.maxTries)
			return step('fail', 'no create of it was answered, run by run');
		return step('withdraw', 'the service lists no brief of it');
	}
	if (finding.likelyBrief !== undefined)
		return takeOver(finding.likelyBrief, 'only one brief can be its own');
	if (isKeyTrusted) return null;
	return park('unclear', 'one of the listed briefs may be its own');
}

function afterAnswer(order: OrderState, facts: Facts): Step {
	// Else it would be waited for, withdrawn and sent by turns.
	if (order.inDoubt && order.isLastTry)
		return step('give_up', 'it was in doubt before, and sent again once');
	if (facts.again === 'with_this_slot') return wait('retry', 'the same key cannot be paid twice');
	if (facts.again === 'with_another_slot')
		return returnSlot(false, 'nothing came of it, and the wait is long');
	// The refusal may be of the look for a free slot, which says nothing about the order.
	if (order.inDoubt) return step('give_up', 'its brief may exist');
	const { kind, operation } = order.answer ?? {};
	if (operation === 'create_brief' && isRefusal(kind))
		return step('refuse', 'the service would refuse it again');
	if (order.isIntended) return step('withdraw', 'nothing came of it');
	return step('stop', 'nothing was sent, and others would fail alike');
}

/** Checks whether the service refuses this order's own input or key, which says nothing about any other order. */
export function isRefusal(kind: ErrorKind | undefined): boolean {
	return kind === 'invalid_input' || kind === 'key_taken';
}

/** Decides about an order that an earlier run, or this one, left without an answer. */
function whileInDoubt(order: OrderState, facts: Facts): Step {
	if (order.hasNoRow) return whileWithoutRow(order, facts);
	if (order.isGivenUp) return whileGivenUp(order, facts);
	const look = lookFirst(order, facts);
	if (look !== null) return look;
	if (facts.end !== null) return step('give_up', 'nothing more may be ordered');
	return step('queue', 'its key can be trusted, so that it cannot be paid twice');
}

/** Decides when sending it again does not help in this run: at its end the list is read once more. */
function whileGivenUp({ answer, finding }: OrderState, facts: Facts): Step {
	// Each further try would be answered alike.
	const isOthers = answer?.kind === 'other_brief';
	if (!isOthers && !facts.isLastCall) return step('stop', 'its brief may be listed at the end');
	if (finding === null || !facts.isLookFresh) return step('look', 'its brief may be listed by now');
	if (finding.is === 'found') return takeOver(finding.brief, 'the list shows its brief');
	if (finding.is === 'unclear' && finding.isCertain && finding.likelyBrief !== undefined)
		return takeOver(finding.likelyBrief, 'only one brief can be its own');
	if (isOthers) return park('other_brief', 'it was answered with the brief of another order');
	return step('stop', 'the next run settles it');
}

/** Decides when no row of this run is its own: its key is not sent, and only the list knows of its brief. */
function whileWithoutRow({ finding }: OrderState, facts: Facts): Step {
	if (finding === null || !facts.isLookFresh) return step('look', 'its brief may be paid for');
	if (finding.is === 'found') return takeOver(finding.brief, 'the list shows its brief');
	if (!finding.isCertain)
		return wait('list', 'until the list is certain, its brief may hold a slot');
	if (finding.is === 'nothing') return step('withdraw', 'the service lists no brief of it');
	if (finding.likelyBrief !== undefined)
		return takeOver(finding.likelyBrief, 'only one brief can be its own');
	return park('unclear', 'one of the listed briefs may be its own');
}

function whileParked(order: OrderState): Step {
	if (order.briefId !== null && !order.isSeen) return step('get', 'it may be ready by now');
	if (order.briefId !== null || !order.wasParked) return step('stop', 'it needs attention');
	if (order.finding === null) return step('look', 'its brief may be listed by now');
	if (order.finding.is === 'found')
		return takeOver(order.finding.brief, 'the list shows its brief');
	return step('stop', 'it needs attention');
}
