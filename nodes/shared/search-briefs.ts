import type {
	ILoadOptionsFunctions,
	INodeListSearchItems,
	INodeListSearchResult,
} from 'n8n-workflow';
import type { BriefSummary } from '../../core/api/types';
import { parseTimestamp } from '../../core/api/timestamps';
import { shorten } from '../../core/input/text';
import { readWithRetries } from '../../core/workspace/request-context';
import { makeNodeError } from './node-errors';
import { openSession } from './session';

/**
 * The service cannot search, so pages are read until a brief matches: at most this many for each request of the editor.
 */
const PAGES_PER_SEARCH = 5;

/** Lists the newest briefs first, with paging, for the locator's From List. */
export async function searchBriefs(
	this: ILoadOptionsFunctions,
	filter = '',
	paginationToken?: string,
): Promise<INodeListSearchResult> {
	const { context } = await openSession(this);
	const results: INodeListSearchItems[] = [];
	const timeZone = this.getTimezone();
	let cursor = paginationToken;
	try {
		for (let pages = 0; pages < PAGES_PER_SEARCH && results.length === 0; pages += 1) {
			const page = await readWithRetries(context, (client) => client.listBriefs({ cursor }));
			results.push(
				...page.data
					.filter((brief) => matches(brief, filter))
					.map((brief) => toListEntry(brief, timeZone)),
			);
			cursor = page.next_cursor ?? undefined;
			if (cursor === undefined) break;
		}
	} catch (thrown) {
		throw makeNodeError(this.getNode(), thrown, context.client.now());
	}
	return { results, paginationToken: cursor };
}

function matches({ id, title, product_name }: BriefSummary, filter: string): boolean {
	const words = filter.toLowerCase().split(/\s+/);
	const text = `${title ?? ''} ${product_name} ${id}`.toLowerCase();
	return words.every((word) => text.includes(word));
}

/** The editor cuts off long entries, so the product's name leaves room for the time. */
const NAME_MAX = 32;

/** A product can have several briefs, so an entry shows when its brief was created, in n8n's time zone. */
function toListEntry(
	{ id, product_name, status, url, created_at }: BriefSummary,
	timeZone: string,
): INodeListSearchItems {
	const createdAt = parseTimestamp(created_at);
	const form = { dateStyle: 'medium', timeStyle: 'short', timeZone } as const;
	const time = createdAt === null ? '' : new Intl.DateTimeFormat('en-GB', form).format(createdAt);
	const parts = [shorten(product_name, NAME_MAX), status === 'ready' ? '' : status, time];
	return {
		name: parts.filter((part) => part !== '').join(' · '),
		value: id,
		...(url === '' ? {} : { url }),
	};
}
