import type { IBinaryKeyData, IExecuteFunctions } from 'n8n-workflow';
import type { Brief } from '../../service/resources';
import type { Output } from './items';
import { readOptions } from './properties';
import { simpleBrief } from './simplify';

/** A brief as the item's parameters want it: simplified or whole, and its Markdown as a file too. */
export async function briefOutput(
	context: IExecuteFunctions,
	brief: Brief,
	itemIndex: number,
): Promise<Output> {
	const json = context.getNodeParameter('simplify', itemIndex) ? simpleBrief(brief) : brief;
	const options = context.getNodeParameter('options', itemIndex) as object;
	const { markdownFile, outputDataFieldName } = readOptions(options);
	if (!markdownFile || brief.markdown === null) return { json };
	return {
		json,
		binary: await markdownAsFile(context, brief, brief.markdown, outputDataFieldName),
	};
}

async function markdownAsFile(
	context: IExecuteFunctions,
	{ id, title, product_name }: Brief,
	markdown: string,
	field: string,
): Promise<IBinaryKeyData> {
	const fileName = `${slug(title ?? product_name)}-${id.slice(0, 8)}.md`;
	const content = Buffer.from(markdown, 'utf8');
	return { [field]: await context.helpers.prepareBinaryData(content, fileName, 'text/markdown') };
}

/** Letters and digits of any script: product names are not all written in Latin ones. */
function slug(text: string): string {
	const words =
		text
			.normalize('NFC')
			.toLowerCase()
			.match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
	const short = Array.from(words.join('-')).slice(0, 60).join('');
	return short.replace(/-$/, '') || 'brief';
}
