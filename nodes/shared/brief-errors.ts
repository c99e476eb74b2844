import type { INode } from 'n8n-workflow';
import type { Brief, BriefSummary, NamedBrief } from '../../core/api/types';
import { joinSentences, quote } from '../../core/input/text';
import { makeOperationError, prefixTitle, type ErrorText, type NodeFailure } from './node-errors';

// Errors about a brief that exists and is paid for.

/** Returns the error of a brief that the service could not write. It is still paid for. */
export function makeFailedBriefError(
	node: INode,
	brief: BriefSummary & Pick<Brief, 'error_code'>,
	itemIndex: number,
	nextStep = "Check the product's name and ID before you order it again.",
): NodeFailure {
	const { error_code, url } = brief;
	const reason = error_code === null ? '' : `: ${error_code}`;
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
	return `${prefixTitle(product_name, title)} (brief ${id})`;
}

/** Returns a brief as part of a list: its ID, and its product if it is known. */
export function nameBrief({ id, product_name }: NamedBrief): string {
	return product_name === '' ? `Brief ${id}` : `Brief ${id} (${quote(product_name)})`;
}
