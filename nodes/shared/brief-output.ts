import type {
	BinaryHelperFunctions,
	IBinaryKeyData,
	IDataObject,
	IExecuteFunctions,
} from 'n8n-workflow';
import type { Brief } from '../../core/api/types';
import { toSlug } from '../../core/slug';
import { toShortId } from '../../core/text';
import { mergeBriefWithInput, prefixBriefFields } from './input-fields';
import type { Output } from './items';
import { makeOperationError } from './node-errors';
import { readOptions } from './properties';
import { simplifyBrief, type CreatedBrief } from './simplify';
import { getNextStep, isTool } from './tool';
import { describeHowToFetch, titleBrief } from './brief-errors';

/** The form in which an item gets its brief. */
export interface BriefFormat {
	readonly isSimple: boolean;
	/** The field of the Markdown file; null for no file. */
	readonly fileField: string | null;
	/** Whether to add the brief to the fields of the input item. */
	readonly includesInput: boolean;
}

/** Reads the format before anything is paid for, because an expression can fail. */
export function readBriefFormat(context: IExecuteFunctions, itemIndex: number): BriefFormat {
	const options = readOptions(context.getNodeParameter('options', itemIndex));
	return {
		isSimple: context.getNodeParameter('simplify', itemIndex) === true,
		fileField: options.markdownFile ? options.outputDataFieldName : null,
		includesInput: context.getNodeParameter('includeInputFields', itemIndex, false) === true,
	};
}

/** Returns the fields of a brief in the output, by their names there. */
export function toBriefFields(
	context: IExecuteFunctions,
	brief: Brief | CreatedBrief,
	{ isSimple, includesInput }: BriefFormat,
): IDataObject {
	const fields = addNextStep(context, brief, isSimple ? simplifyBrief(brief) : brief);
	return includesInput ? prefixBriefFields(fields) : { ...fields };
}

/** @throws {NodeOperationError} if the file cannot be stored; it names the brief, which is paid for */
export async function toBriefOutput(
	context: IExecuteFunctions,
	brief: Brief | CreatedBrief,
	format: BriefFormat,
	itemIndex: number,
): Promise<Output> {
	const { fileField, includesInput } = format;
	const fields = toBriefFields(context, brief, format);
	const json = includesInput ? mergeBriefWithInput(context, fields, itemIndex) : fields;
	if (fileField === null || brief.markdown === null) return { json };
	try {
		return { json, binary: await toMarkdownFile(context, brief, brief.markdown, fileField) };
	} catch (thrown) {
		const text = {
			code: 'unexpected',
			message: titleBrief(brief, `the file could not be stored: ${(thrown as Error).message}`),
			description: `The brief is paid for, and nothing is lost. ${describeHowToFetch(brief)}`,
		} as const;
		throw makeOperationError(context.getNode(), text, itemIndex);
	}
}

export async function toMarkdownFile(
	{ helpers }: { helpers: Pick<BinaryHelperFunctions, 'prepareBinaryData'> },
	{ id, title, product_name }: Brief,
	markdown: string,
	field: string,
): Promise<IBinaryKeyData> {
	const fileName = `${toSlug(title ?? product_name) || 'brief'}-${toShortId(id)}.md`;
	const content = Buffer.from(markdown, 'utf8');
	return { [field]: await helpers.prepareBinaryData(content, fileName, 'text/markdown') };
}

/**
 * Adds to a brief that is the answer of a tool what to do next, right after the status: a model that only reads "queued"
 * orders again. Users see a notice next to the output instead, so their items have no such field.
 */
function addNextStep(context: IExecuteFunctions, brief: Brief, json: object): object {
	if (!isTool(context)) return json;
	const next = getNextStep(context, brief);
	if (next === null) return json;
	const { id, status, ...rest } = json as Partial<Brief>;
	return { id, status, next_step: next, ...rest };
}
