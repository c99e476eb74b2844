import type { INode } from 'n8n-workflow';
import { ServiceError } from '../../core/api/errors';
import type { Brief, BriefSummary, NamedBrief } from '../../core/api/types';
import { quote } from '../../core/input/text';
import type { WaitResult } from '../../core/workspace/brief-poller';
import {
	joinSentences,
	makeApiError,
	makeNodeError,
	makeOperationError,
	prefixTitle,
	shortenProductName,
	toErrorText,
	type ErrorText,
	type NodeFailure,
} from './node-errors';

/** Errors about a brief that exists and is paid for. */

/** Returns the error of a wait that ended without a finished brief. */
export function makeWaitError(
	node: INode,
	brief: NamedBrief,
	result: Exclude<WaitResult, { kind: 'finished' }>,
	itemIndex: number,
): NodeFailure {
	return makeOperationError(node, describeUnfinished(brief, result), itemIndex);
}

function describeUnfinished(
	brief: NamedBrief,
	result: Exclude<WaitResult, { kind: 'finished' }>,
): ErrorText {
	const fetchLater = describeHowToFetch(brief);
	switch (result.kind) {
		case 'not_found':
			return {
				code: 'not_found',
				message: titleBrief(brief, 'the workspace of this API key has no such brief'),
				description: 'Check the ID, and that the credential is for the workspace of the brief.',
			};
		case 'incomplete':
			return {
				code: 'still_running',
				message: titleBrief(
					brief,
					'the brief is ready, but the service does not return its text yet',
				),
				description: `It is paid for, and nothing is lost. ${fetchLater}`,
			};
		case 'late':
			return {
				code: 'still_running',
				message: titleBrief(
					brief,
					`the brief was still ${result.status} at the end of the timeout`,
				),
				description: `The service goes on with it. ${fetchLater} 'Timeout (Minutes)' sets how long this node waits.`,
			};
	}
}

/** Returns the error of a brief that could not be polled, or of a bad parameter. */
export function makePollError(
	node: INode,
	brief: NamedBrief,
	thrown: unknown,
	{ now, itemIndex }: { now: number; itemIndex: number },
): NodeFailure {
	if (!(thrown instanceof ServiceError)) return makeNodeError(node, thrown, now, itemIndex);
	const text = toErrorText(thrown, now);
	const isAboutBrief = thrown.kind === 'invalid_input' || thrown.kind === 'not_found';
	const description = joinSentences(
		text.description,
		isAboutBrief ? '' : `The service goes on with the brief. ${describeHowToFetch(brief)}`,
	);
	const message = titleBrief(brief, text.message);
	return makeApiError(node, thrown, { ...text, message, description }, itemIndex);
}

/** Returns the error of a brief that the service could not write. It is still paid for. */
export function makeFailedBriefError(
	node: INode,
	brief: BriefSummary & Pick<Brief, 'error_code'>,
	itemIndex: number,
	nextStep = "Check the product's name and ID before you order it again.",
): NodeFailure {
	const { error_code, url } = brief;
	const reason = error_code === null ? '' : ` (${error_code})`;
	const text: ErrorText = {
		code: 'brief_failed',
		message: titleBrief(brief, `the service could not write this brief${reason}`),
		description: joinSentences(
			'It used one brief from the monthly allowance.',
			url === '' ? '' : `See ${url}.`,
			nextStep,
		),
	};
	const failure = makeOperationError(node, text, itemIndex);
	failure.context['error_code'] = error_code;
	return failure;
}

/** Returns how to get a brief that is paid for. */
export function describeHowToFetch({ id }: NamedBrief): string {
	return `Wait for it again with Creator Briefing Wait Until Ready, or fetch it with the Get operation, using the ID ${id}: that costs nothing.`;
}

/** Returns a title about a brief: its product first, if it is known, and its ID at the end. */
export function titleBrief({ id, product_name }: NamedBrief, title: string): string {
	if (product_name === '') return prefixTitle(`Brief ${id}`, title);
	return `${prefixTitle(shortenProductName(product_name), title)} (brief ${id})`;
}

/** Returns a brief as part of a list: its ID, and its product if it is known. */
export function nameBrief({ id, product_name }: NamedBrief): string {
	return product_name === '' ? `Brief ${id}` : `Brief ${id} (${quote(product_name)})`;
}
