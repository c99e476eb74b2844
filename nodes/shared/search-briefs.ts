import type {
	ILoadOptionsFunctions,
	INodeListSearchItems,
	INodeListSearchResult,
} from 'n8n-workflow';
import type { BriefSummary } from '../../service/resources';
import { nodeErrorFrom } from './errors';
import { openSession } from './session';

/**
 * The service cannot search, so pages are read until a brief fits: at most this many each time the list asks for more.
 */
const PAGES_PER_SEARCH = 5;

/** For the locator's From List: the newest briefs first, with paging. */
export async function searchBriefs(
	this: ILoadOptionsFunctions,
	filter = '',
	paginationToken?: string,
): Promise<INodeListSearchResult> {
	const session = await openSession(this);
	const results: INodeListSearchItems[] = [];
	let cursor = paginationToken;
	try {
		for (let pages = 0; pages < PAGES_PER_SEARCH && results.length === 0; pages += 1) {
			const page = await session.reader.briefs({ cursor });
			results.push(...page.data.filter((brief) => matches(brief, filter)).map(entry));
			cursor = page.next_cursor ?? undefined;
			if (cursor === undefined) break;
		}
	} catch (thrown) {
		const error = nodeErrorFrom(this.getNode(), thrown, session.service.now());
		throw error;
	}
	return { results, paginationToken: cursor };
}

function matches({ id, title, product_name }: BriefSummary, filter: string): boolean {
	const words = filter.toLowerCase().split(/\s+/);
	const text = `${title ?? ''} ${product_name} ${id}`.toLowerCase();
	return words.every((word) => text.includes(word));
}

function entry({ id, title, product_name, status, url }: BriefSummary): INodeListSearchItems {
	const name = title ?? product_name;
	return {
		name: status === 'ready' ? name : `${name} (${status})`,
		value: id,
		...(url === '' ? {} : { url }),
	};
}
