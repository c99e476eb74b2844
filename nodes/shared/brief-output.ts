import type { BinaryHelperFunctions, IBinaryKeyData, IExecuteFunctions } from 'n8n-workflow';
import { isRunning, type Brief } from '../../service/api/resources';
import { slug } from '../../service/api/slug';
import { operationError, type ErrorText } from './node-errors';
import { ownFields, type Output } from './items';
import { isOutsideCall } from './outside-call';
import { readOptions } from './properties';
import { simpleBrief, type ShownBrief } from './simplify';
import { isTool } from './tool';
import { aboutBrief, howToFetch } from './wait-for-brief';

/** The form of a brief that an item's parameters want: simplified or whole, and its Markdown as a file too. */
export interface BriefShape {
	isSimple: boolean;
	/** The file's field; null for none. */
	fileField: string | null;
	/** Adds the brief to the fields of the item. */
	includesInput: boolean;
}

/** Reads the form before anything is paid for, because an expression may fail. */
export function briefShape(context: IExecuteFunctions, itemIndex: number): BriefShape {
	const options = readOptions(context.getNodeParameter('options', itemIndex));
	return {
		isSimple: context.getNodeParameter('simplify', itemIndex) === true,
		fileField: options.markdownFile ? options.outputDataFieldName : null,
		includesInput: context.getNodeParameter('includeInputFields', itemIndex, false) === true,
	};
}

/** @throws {NodeFailure} if its file cannot be stored; it names the brief, which is paid for */
export async function briefOutput(
	context: IExecuteFunctions,
	brief: ShownBrief,
	{ isSimple, fileField, includesInput }: BriefShape,
	itemIndex: number,
): Promise<Output> {
	const shaped = withNextStep(context, brief, isSimple ? simpleBrief(brief) : brief, itemIndex);
	const json = includesInput ? besideOwnFields(context, shaped, itemIndex) : shaped;
	if (fileField === null || brief.markdown === null) return { json };
	try {
		return { json, binary: await markdownAsFile(context, brief, brief.markdown, fileField) };
	} catch (thrown) {
		const text: ErrorText = {
			code: 'unexpected',
			message: aboutBrief(brief, `the file could not be stored: ${(thrown as Error).message}`),
			description: `The brief is paid for, and nothing is lost. ${howToFetch(brief)}`,
		};
		throw operationError(context.getNode(), text, itemIndex);
	}
}

/** Puts the fields of a brief beside those of the item, which has an ID or a title of its own. */
export function besideOwnFields(
	context: IExecuteFunctions,
	fields: object,
	itemIndex: number,
): object {
	const entries = Object.entries(fields).map(([name, value]) => [`brief_${name}`, value] as const);
	// A row's field of that name would make n8n take the item for a failure.
	return { ...ownFields(context, itemIndex), error: undefined, ...Object.fromEntries(entries) };
}

export async function markdownAsFile(
	{ helpers }: { helpers: Pick<BinaryHelperFunctions, 'prepareBinaryData'> },
	{ id, title, product_name }: Brief,
	markdown: string,
	field: string,
): Promise<IBinaryKeyData> {
	const fileName = `${slug(title ?? product_name) || 'brief'}-${id.slice(0, 8)}.md`;
	const content = Buffer.from(markdown, 'utf8');
	return { [field]: await helpers.prepareBinaryData(content, fileName, 'text/markdown') };
}

const ASK_AGAIN =
	'The brief is ordered and is being written. Ask again with this ID in 3 to 6 minutes, and give the user the ID meanwhile. Do not create it with other words: that would use another brief from the monthly allowance.';

const CALL_AGAIN =
	'The brief is ordered and is being written. Call again in 3 minutes, with this ID or the same values: that costs nothing. Do not create it with other words: that would use another brief from the monthly allowance.';

const CALL_WITH_ID =
	'The brief is ordered and is being written. Get it with this ID in 3 minutes. Do not create it again: that would use another brief from the monthly allowance.';

const FAILED =
	'The brief could not be written, and nothing more will come of it. Say why to the user, and ask before you create another: that uses another brief from the monthly allowance.';

/**
 * Makes a brief that is the answer of a tool say what to do next, right behind the status: a model that only reads
 * "queued" orders again. People see it as a hint beside the output instead, so their items have no such field.
 */
function withNextStep(
	context: IExecuteFunctions,
	brief: Brief,
	json: object,
	itemIndex: number,
): object {
	if (!isTool(context)) return json;
	const ends = brief.status === 'failed' ? FAILED : null;
	const next = isRunning(brief) ? whileRunning(context, itemIndex) : ends;
	if (next === null) return json;
	const { id, status, ...rest } = json as Partial<Brief>;
	return { id, status, next_step: next, ...rest };
}

function whileRunning(context: IExecuteFunctions, itemIndex: number): string {
	if (!isOutsideCall(context)) return ASK_AGAIN;
	const isAnother = context.getNodeParameter('whenBriefExists', itemIndex, '') === 'orderAnother';
	return isAnother ? CALL_WITH_ID : CALL_AGAIN;
}
