import type { INode } from 'n8n-workflow';
import { ServiceError } from '../../service/api/errors';
import { quote } from '../../service/shortened-text';
import type { BriefPoller, BriefWaitOptions } from '../../service/watch/poller';
import { WaitTimeout } from '../../service/watch/wait';
import type { Brief, BriefSummary, NamedBrief } from '../../service/api/resources';
import { isWhole } from '../../service/watch/whole-brief';
import {
	about,
	apiError,
	nodeErrorFrom,
	operationError,
	errorText,
	titleOfProduct,
	type ErrorText,
	type NodeFailure,
} from './node-errors';
import type { Reader } from './reader';

/** A brief has ended, and the service does not give it whole. */
class NotWhole extends Error {
	constructor(readonly status: string) {
		super(`The brief is ${status}, but not given whole`);
	}
}

/**
 * Gives the whole brief once it has ended, ready or failed.
 * @throws {NotWhole} if the brief itself never shows its end; and what `BriefPoller.waitForEnd` throws
 */
export async function waitForBrief(
	reader: Reader,
	poller: BriefPoller,
	brief: BriefSummary,
	until: BriefWaitOptions,
): Promise<Brief> {
	const endedBrief = await poller.waitForEnd(brief, until);
	const wholeBrief = await reader.endedBrief(endedBrief, until);
	if (wholeBrief !== null && isWhole(wholeBrief)) return wholeBrief;
	throw new NotWhole(endedBrief.status);
}

/** Says why a wait ended without a finished brief, and how to go on without paying for it a second time. */
export function waitFailure(
	node: INode,
	thrown: unknown,
	wait: { brief: NamedBrief; minutes: number; now: number },
	itemIndex: number,
): NodeFailure {
	const { brief } = wait;
	const goOn = `It carries on by itself. ${howToFetch(wait.brief)}`;
	if (thrown instanceof NotWhole) {
		const text: ErrorText = {
			code: 'still_running',
			message: aboutBrief(
				brief,
				`the brief is ${thrown.status}, but the service does not return it in full yet`,
			),
			description: `It is paid for, and nothing is lost. ${howToFetch(wait.brief)}`,
		};
		return operationError(node, text, itemIndex);
	}
	if (thrown instanceof WaitTimeout) {
		const status = thrown.brief?.status ?? 'running';
		const minutesUnseen = Math.round(thrown.unseenFor / 60_000);
		const text: ErrorText = {
			code: 'still_running',
			message: aboutBrief(
				brief,
				thrown.unseenFor === 0
					? `the brief is still ${status} after ${minutesInWords(wait.minutes)}`
					: `the brief could not be looked at for ${minutesInWords(minutesUnseen)}, and was ${status} before that`,
			),
			description: `${goOn} 'Timeout (Minutes)' sets how long this node waits.`,
		};
		return operationError(node, text, itemIndex);
	}
	if (thrown instanceof ServiceError) {
		const { message, description: text } = errorText(thrown, wait.now);
		const description = thrown.kind === 'not_found' ? text : `${text} ${goOn}`;
		return apiError(node, thrown, { message: aboutBrief(brief, message), description }, itemIndex);
	}
	return nodeErrorFrom(node, thrown, wait.now, itemIndex);
}

/** Makes the error of a brief that the service could not write. It is still paid for. */
export function briefFailure(
	node: INode,
	brief: BriefSummary & Pick<Brief, 'error_code'>,
	itemIndex: number,
	cure = "Check the product's name and ID before you order it again.",
): NodeFailure {
	const { error_code, url } = brief;
	const reason = error_code === null ? '' : `: ${error_code}`;
	const see = url === '' ? '' : ` See ${url}.`;
	const text: ErrorText = {
		code: 'brief_failed',
		message: aboutBrief(brief, `the service cannot write about this product${reason}`),
		description: `It used one brief from the monthly allowance.${see} ${cure}`,
	};
	const failure = operationError(node, text, itemIndex);
	failure.context['error_code'] = error_code;
	return failure;
}

/** Says how to get a brief that is paid for. */
export function howToFetch({ id }: NamedBrief): string {
	return `Wait for it again with Creator Briefing Wait Until Ready, or fetch it with the Get operation, using the ID ${id}: that costs nothing.`;
}

/** Says what happened to a brief: its product first, if that is known, and at the end the ID, which finds it again. */
export function aboutBrief({ id, product_name }: NamedBrief, what: string): string {
	if (product_name === '') return about(`Brief ${id}`, what);
	return `${about(titleOfProduct(product_name), what)} (brief ${id})`;
}

/** Names a brief in a list: by its ID, and its product, if that is known. */
export function nameOfBrief({ id, product_name }: NamedBrief): string {
	return product_name === '' ? `Brief ${id}` : `Brief ${id} (${quote(product_name)})`;
}

export function minutesInWords(minutes: number): string {
	return minutes === 1 ? 'a minute' : `${minutes} minutes`;
}
