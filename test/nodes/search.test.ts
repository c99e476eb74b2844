import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CreatorBriefing } from '../../nodes/CreatorBriefing/CreatorBriefing.node';
import { CreatorBriefingTrigger } from '../../nodes/CreatorBriefingTrigger/CreatorBriefingTrigger.node';
import { CreatorBriefingWait } from '../../nodes/CreatorBriefingWait/CreatorBriefingWait.node';

/** The categories that n8n's documentation lists. n8n ignores any other. */
const CATEGORIES = [
	...['Analytics', 'Communication', 'Data & Storage', 'Development', 'Finance & Accounting'],
	...['Marketing & Content', 'Miscellaneous', 'Productivity', 'Sales', 'Utility'],
];

/** The nodes as the panel searches them: by name and aliases. */
const panel = Object.entries({ CreatorBriefing, CreatorBriefingWait, CreatorBriefingTrigger }).map(
	([name, Type]) => {
		const file = join(__dirname, '..', '..', 'nodes', name, `${name}.node.json`);
		const codex = JSON.parse(readFileSync(file, 'utf8')) as { categories: string[] };
		return { properties: { name, displayName: new Type().description.displayName, codex } };
	},
);

type Search = (typed: string, all: typeof panel) => Array<{ item: (typeof panel)[number] }>;

/** n8n's search, a dependency of n8n-core. */
const { sublimeSearch } = jest.requireActual<{ sublimeSearch: Search }>(
	'@n8n/utils/search/sublime-search',
);

/** Returns the nodes that a search in the panel finds, best first. */
function findNodes(typed: string): string[] {
	return sublimeSearch(typed, panel).map(({ item }) => item.properties.name);
}

test.each(panel)('$properties.name is in categories that n8n has', ({ properties: { codex } }) => {
	expect(codex.categories).not.toEqual([]);
	expect(CATEGORIES).toEqual(expect.arrayContaining(codex.categories));
});

test.each([
	'creative brief, product brief, video brief, ugc brief, influencer brief, content brief, briefs',
	'viral, viral video, winning hook, hooks, trending, trends, winning videos, top videos, reels',
	'marketing, affiliate, influencers, creators, tiktok shop, short video, product video, ugc video',
	'copywriting, video script, ad script, ad copy, ads, advertising, storyboard, shot list, campaign',
	'social media, best seller, marketplace, seller, e-commerce, ecommerce, commission, gmv, contentiq',
	'product research, credit, credits, quota, licence, video ideas, content ideas, brief for creators',
])('a search finds Creator Briefing first: %s', (words) => {
	const found = words.split(', ').map((typed) => [typed, findNodes(typed)[0]]);
	expect(found).toEqual(words.split(', ').map((typed) => [typed, 'CreatorBriefing']));
});

test.each([
	['CreatorBriefingWait', 'wait for brief, wait until ready, finished brief, poll'],
	['CreatorBriefingTrigger', 'brief finished, hooks refreshed, viral hooks, trigger'],
])('a search finds %s: %s', (node, words) => {
	for (const typed of words.split(', ')) expect(findNodes(typed)).toContain(node);
});

test.each(['invoice', 'crm', 'email', 'database'])('a search finds no node: %s', (typed) => {
	expect(findNodes(typed)).toEqual([]);
});
