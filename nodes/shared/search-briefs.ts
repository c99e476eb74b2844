import type {
	ILoadOptionsFunctions,
	INodeListSearchItems,
	INodeListSearchResult,
} from 'n8n-workflow';
import type { BriefSummary } from '../../service/api/resources';
import { instantOf } from '../../service/api/timestamps';
import { shorten } from '../../service/shortened-text';
import { nodeErrorFrom } from './node-errors';
import { openSession } from './session';

/**
 * The service cannot search, so pages are read until a brief fits: at most this many each time the list asks for more.
 */
const PAGES_PER_SEARCH = 5;

/** Lists the newest briefs first, with paging, for the locator's From List. */
export async function searchBriefs(
	this: ILoadOptionsFunctions,
	filter = '',
	paginationToken?: string,
): Promise<INodeListSearchResult> {
	const { reader } = await openSession(this);
	const results: INodeListSearchItems[] = [];
	const timeZone = this.getTimezone();
	let cursor = paginationToken;
	try {
		for (let pages = 0; pages < PAGES_PER_SEARCH && results.length === 0; pages += 1) {
			const page = await reader.briefs({ cursor });
			results.push(
				...page.data
					.filter((brief) => matches(brief, filter))
					.map((brief) => entry(brief, timeZone)),
			);
			cursor = page.next_cursor ?? undefined;
			if (cursor === undefined) break;
		}
	} catch (thrown) {
		const error = nodeErrorFrom(this.getNode(), thrown, reader.now());
		throw error;
	}
	return { results, paginationToken: cursor };
}

function matches({ id, title, product_name }: BriefSummary, filter: string): boolean {
	const words = filter.toLowerCase().split(/\s+/);
	const text = `${title ?? ''} ${product_name} ${id}`.toLowerCase();
	return words.every((word) => text.includes(word));
}

/** So much of a product's name is shown that there is room for the time: the list cuts off long names. */
const NAME_MAX = 32;

/** Several briefs may have one product, so the list says when each was made, in n8n's time zone. */
function entry(
	{ id, product_name, status, url, created_at }: BriefSummary,
	timeZone: string,
): INodeListSearchItems {
	const madeAt = instantOf(created_at);
	const form = { dateStyle: 'medium', timeStyle: 'short', timeZone } as const;
	const time = madeAt === null ? '' : new Intl.DateTimeFormat('en-GB', form).format(madeAt);
	const parts = [shorten(product_name, NAME_MAX), status === 'ready' ? '' : status, time];
	return {
		name: parts.filter((part) => part !== '').join(' · '),
		value: id,
		...(url === '' ? {} : { url }),
	};
}
