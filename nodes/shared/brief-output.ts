import type { IBinaryKeyData, IExecuteFunctions } from 'n8n-workflow';
import { isRunning, type Brief } from '../../service/api/resources';
import { slug } from '../../service/api/slug';
import { operationError, type ErrorText } from './node-errors';
import { ownFields, type Output } from './items';
import { readOptions } from './properties';
import { simpleBrief, type ShownBrief } from './simplify';
import { isTool } from './tool';
import { howToFetch, nameOfBrief } from './wait-for-brief';

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
	const shaped = withNextStep(context, brief, isSimple ? simpleBrief(brief) : brief);
	// A row's field of that name would make n8n take the item for a failure.
	const inputFields = includesInput ? { ...ownFields(context, itemIndex), error: undefined } : {};
	const json = { ...inputFields, ...shaped };
	if (fileField === null || brief.markdown === null) return { json };
	try {
		return { json, binary: await markdownAsFile(context, brief, brief.markdown, fileField) };
	} catch (thrown) {
		const text: ErrorText = {
			code: 'unexpected',
			message: `The file of ${nameOfBrief(brief)} could not be stored: ${(thrown as Error).message}`,
			description: `The brief is paid for, and nothing is lost. ${howToFetch(brief)}`,
		};
		throw operationError(context.getNode(), text, itemIndex);
	}
}

async function markdownAsFile(
	context: IExecuteFunctions,
	{ id, title, product_name }: Brief,
	markdown: string,
	field: string,
): Promise<IBinaryKeyData> {
	const fileName = `${slug(title ?? product_name) || 'brief'}-${id.slice(0, 8)}.md`;
	const content = Buffer.from(markdown, 'utf8');
	return { [field]: await context.helpers.prepareBinaryData(content, fileName, 'text/markdown') };
}

const ASK_AGAIN =
	'The brief is ordered and is being written. Ask again with this ID in 3 to 6 minutes, and give the user the ID meanwhile. Do not create it with other words: that would use another brief from the monthly allowance.';

const FAILED =
	'The brief could not be written, and nothing more will come of it. Say why to the user, and ask before you create another: that uses another brief from the monthly allowance.';

/**
 * Makes a brief that is the answer of a tool say what to do next, right behind the status: a model that only reads
 * "queued" orders again. People see it as a hint beside the output instead, so their items have no such field.
 */
function withNextStep(context: IExecuteFunctions, brief: Brief, json: object): object {
	const next = isRunning(brief) ? ASK_AGAIN : brief.status === 'failed' ? FAILED : null;
	if (next === null || !isTool(context)) return json;
	const { id, status, ...rest } = json as Partial<Brief>;
	return { id, status, next_step: next, ...rest };
}
