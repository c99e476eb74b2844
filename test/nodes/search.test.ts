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

const nodes = { CreatorBriefing, CreatorBriefingWait, CreatorBriefingTrigger };

/** The nodes as the panel searches them: by the names and aliases of each. */
const panel = Object.entries(nodes).map(([name, Type]) => {
	const file = join(__dirname, '..', '..', 'nodes', name, `${name}.node.json`);
	const codex = JSON.parse(readFileSync(file, 'utf8')) as { categories: string[] };
	return { properties: { name, displayName: new Type().description.displayName, codex } };
});

type Search = (typed: string, all: typeof panel) => Array<{ item: (typeof panel)[number] }>;

/** n8n's search, which is part of n8n-core. */
const { sublimeSearch } = jest.requireActual<{ sublimeSearch: Search }>(
	'@n8n/utils/search/sublime-search',
);

/** Returns the nodes that it finds, best first. */
const found = (typed: string) =>
	sublimeSearch(typed, panel).map(({ item }) => item.properties.name);

test.each(panel)('$properties.name is in categories that n8n has', ({ properties: { codex } }) => {
	expect(codex.categories).not.toEqual([]);
	expect(CATEGORIES).toEqual(expect.arrayContaining(codex.categories));
});

describe('a search in n8n’s node panel finds', () => {
	it.each([
		...[
			'creative brief',
			'product brief',
			'video brief',
			'ugc brief',
			'influencer brief',
			'briefs',
		],
		...['viral', 'viral hooks', 'winning hook', 'hooks', 'trending', 'trends', 'winning videos'],
		...['marketing', 'affiliate', 'influencers', 'creators', 'tiktok shop', 'short video', 'ugc'],
		...['copywriting', 'script', 'video script', 'shot list', 'campaign', 'contentiq', 'licence'],
		...['viral video', 'video ideas', 'content ideas', 'ad creative', 'ad copy', 'ads', 'reels'],
		...['storyboard', 'social media', 'top videos', 'best selling videos', 'product video'],
		...['content brief', 'content briefs', 'ugc video', 'ugc videos', 'ad script', 'ad scripts'],
		...['advertising', 'best seller', 'best sellers', 'marketplace', 'seller', 'sellers'],
		...['ecommerce', 'e-commerce', 'commission', 'gmv', 'product research', 'credit', 'credits'],
		...['quota', 'hook', 'brief for creators'],
	])('Creator Briefing: %s', (typed) => {
		expect(found(typed)[0]).toBe('CreatorBriefing');
	});

	it.each(['wait for', 'wait for brief', 'wait until ready', 'finished brief', 'poll'])(
		'Wait Until Ready: %s',
		(typed) => {
			expect(found(typed)).toContain('CreatorBriefingWait');
		},
	);

	it.each(['brief finished', 'hooks refreshed', 'viral hooks', 'trigger'])(
		'the trigger: %s',
		(typed) => {
			expect(found(typed)).toContain('CreatorBriefingTrigger');
		},
	);

	it.each(['invoice', 'crm', 'email', 'database'])('none of them: %s', (typed) => {
		expect(found(typed)).toEqual([]);
	});
});
