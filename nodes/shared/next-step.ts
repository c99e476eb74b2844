import type { IExecuteFunctions } from 'n8n-workflow';
import { isRunning, type Brief } from '../../service/resources';
import { isTool } from './tool';

const ASK_AGAIN =
	'The brief is ordered and is being written. Ask again with this ID in 3 to 6 minutes, and give the user the ID meanwhile. Do not create it again: that would use another brief from the monthly allowance.';

const FAILED =
	'The brief could not be written, and nothing more will come of it. Tell the user why, and ask before you create another: that uses another brief from the monthly allowance.';

/**
 * A brief as the answer of a tool says what to do next, right behind the status: a model that only reads "queued" orders
 * again. People see it as a hint beside the output instead, so their items have no such field.
 */
export function withNextStep(context: IExecuteFunctions, brief: Brief, json: object): object {
	const next = isRunning(brief) ? ASK_AGAIN : brief.status === 'failed' ? FAILED : null;
	if (next === null || !isTool(context)) return json;
	const { id, status, ...rest } = json as Partial<Brief>;
	return { id, status, next_step: next, ...rest };
}
