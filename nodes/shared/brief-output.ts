import type { IBinaryKeyData, IExecuteFunctions } from 'n8n-workflow';
import type { Brief } from '../../service/resources';
import { slug } from '../../service/slug';
import { operationError, type ErrorText } from './errors';
import type { Output } from './items';
import { withNextStep } from './next-step';
import { readOptions } from './properties';
import { simpleBrief } from './simplify';
import { nameOf } from './wait-for-brief';

/** How an item's parameters want a brief: simplified or whole, and its Markdown as a file too. */
export interface BriefShape {
	isSimple: boolean;
	/** Where the file goes; null for none. */
	fileField: string | null;
}

/** Read before anything is paid for, because an expression may fail. */
export function briefShape(context: IExecuteFunctions, itemIndex: number): BriefShape {
	const options = readOptions(context.getNodeParameter('options', itemIndex));
	return {
		isSimple: context.getNodeParameter('simplify', itemIndex) === true,
		fileField: options.markdownFile ? options.outputDataFieldName : null,
	};
}

/** @throws {NodeFailure} if its file cannot be stored; it names the brief, which is paid for */
export async function briefOutput(
	context: IExecuteFunctions,
	brief: Brief,
	{ isSimple, fileField }: BriefShape,
	itemIndex: number,
): Promise<Output> {
	const json = withNextStep(context, brief, isSimple ? simpleBrief(brief) : brief);
	if (fileField === null || brief.markdown === null) return { json };
	try {
		return { json, binary: await markdownAsFile(context, brief, brief.markdown, fileField) };
	} catch (thrown) {
		const text: ErrorText = {
			code: 'unexpected',
			message: `The file of ${nameOf(brief)} could not be stored: ${(thrown as Error).message}`,
			description: `The brief is paid for, and nothing is lost: fetch it with the Get operation, using the ID ${brief.id}, which costs nothing. Creating it again would cost a second brief.`,
		};
		throw operationError(context.getNode(), text, { itemIndex });
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
