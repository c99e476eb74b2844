import type { INode } from 'n8n-workflow';
import { isCredentialError, ServiceError } from '../../core/api/errors';
import type { BriefSummary, NamedBrief } from '../../core/api/types';
import { joinSentences } from '../../core/input/text';
import type { WaitResult } from '../../core/workspace/brief-poller';
import { describeHowToFetch, titleBrief } from './brief-errors';
import {
	makeApiError,
	makeNodeError,
	makeOperationError,
	toErrorText,
	type ErrorText,
	type NodeFailure,
} from './node-errors';
import type { Session } from './session';

/** How a wait for a brief ended. `unreadable`: the workspace could not be polled. */
export type BriefWait = WaitResult | { readonly kind: 'unreadable'; readonly thrown: unknown };

/** Waits until a brief is ready or failed. Errors are returned, not thrown. */
export async function waitForBrief(
	brief: BriefSummary,
	{ workspace, deadline, context }: Session,
): Promise<BriefWait> {
	try {
		return await workspace.poller.waitUntilFinished(brief, deadline, context);
	} catch (thrown) {
		return { kind: 'unreadable', thrown };
	}
}

/**
 * Returns the error of a wait that ended without a finished brief.
 * @param now the service's clock
 */
export function makeWaitError(
	node: INode,
	brief: NamedBrief,
	wait: Exclude<BriefWait, { kind: 'finished' }>,
	{ now, itemIndex }: { now: number; itemIndex: number },
): NodeFailure {
	if (wait.kind !== 'unreadable')
		return makeOperationError(node, describeUnfinished(brief, wait), itemIndex);
	const { thrown } = wait;
	if (!(thrown instanceof ServiceError)) return makeNodeError(node, thrown, now, itemIndex);
	return makeApiError(node, thrown, describePollError(brief, thrown, now), itemIndex);
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
				description: `The service continues to write it. ${fetchLater} 'Timeout (Minutes)' sets how long this node waits.`,
			};
	}
}

function describePollError(brief: NamedBrief, error: ServiceError, now: number): ErrorText {
	const text = toErrorText(error, now);
	const isAboutBrief = error.kind === 'invalid_input' || error.kind === 'not_found';
	return {
		...text,
		message: isCredentialError(text.code) ? text.message : titleBrief(brief, text.message),
		description: joinSentences(
			text.description,
			isAboutBrief ? '' : `The service continues to write the brief. ${describeHowToFetch(brief)}`,
		),
	};
}
