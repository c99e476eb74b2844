import type { IExecuteFunctions } from 'n8n-workflow';
import { isRunning, type Brief } from '../../core/api/types';
import type { FailureCode } from './node-errors';
import { isOutsideCall } from './outside-call';

// The answers of a tool are read by a model, which cannot change settings and would pay again for other words.

/** True if an AI agent calls the node: n8n then runs the type whose name ends in Tool. */
export function isTool(context: IExecuteFunctions): boolean {
	return context.getNode().type.endsWith('Tool');
}

const DO_NOT_REWORD =
	'Do not create it with other words: that would use another brief from the monthly allowance.';
const ASK_AGAIN = `The brief is ordered and is being written. Ask again with this ID in 3 to 6 minutes, and give the user the ID meanwhile. ${DO_NOT_REWORD}`;
const CALL_AGAIN = `The brief is ordered and is being written. Call again in 3 minutes, with this ID or the same values: that costs nothing. ${DO_NOT_REWORD}`;
const FAILED =
	'The brief could not be written, and its status will not change. Tell the user why, and ask before you create another: that uses another brief from the monthly allowance.';
const NOT_ORDERED = 'Nothing was ordered. Call again in 3 minutes with the same values.';

/** Returns what a model does next with a brief; null if the brief is ready. */
export function getNextStep(context: IExecuteFunctions, brief: Brief): string | null {
	if (brief.status === 'failed') return FAILED;
	if (!isRunning(brief)) return null;
	return isOutsideCall(context) ? CALL_AGAIN : ASK_AGAIN;
}

/** What a model does after an error whose text for users names settings of the node. */
export const NEXT_STEPS: Readonly<Partial<Record<FailureCode, string>>> = {
	brief_failed: FAILED,
	limit_reached:
		'Nothing was ordered. Tell the user that no other brief can be ordered for this message, and that the next message can order one.',
	may_exist:
		'Nothing was ordered. Get that brief by its ID, and ask the user whether it is the right one. Do not create it with other words unless the user agrees to pay for another brief.',
	other_brief: `Tell the user, and look for the brief in the list of briefs. ${DO_NOT_REWORD}`,
	slots_busy: NOT_ORDERED,
	still_running: CALL_AGAIN,
	timeout: NOT_ORDERED,
};
