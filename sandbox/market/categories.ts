import texts from './markets.json';

/** docs/api.md section 2.3: the categories of ContentIQ, and what the sandbox knows about each. */
export type HookCategory =
	| 'Beauty & skincare'
	| 'Wellness'
	| 'Personal care'
	| 'Home & kitchen'
	| 'Fashion'
	| 'Tech & gadgets';

/** Something that sells: its name, its price in US dollars, and what buyers worry about. */
interface Thing {
	name: string;
	price: number;
	pain: string;
}

export interface Market<Category extends string = string> {
	category: Category;
	/** Words in a product's name that point to this category, separated by blanks. */
	signs: string;
	/** What sells here. */
	things: readonly Thing[];
	/** Complaints that fit any product here. */
	pains: readonly string[];
	/** The place of such a video, with its preposition. */
	places: readonly string[];
	/** What the camera can show, without a word. */
	proofs: readonly string[];
	/** Who buys. */
	buyers: readonly string[];
	/** What the platform or the law does not allow here. */
	forbidden: readonly string[];
}

export const markets = texts.markets as readonly Market<HookCategory>[];

/** For products whose name says nothing about a category. */
const everyday: Market = texts.everyday;

/** The market that a product's name points to. The thing itself comes last: a "ring light" is a light. */
export function marketOf(name: string): Market {
	const words = wordsOf(name);
	const scored = markets.map((market) => ({
		market,
		score: words.reduce((sum, word, index) => sum + (speaksFor(market, word) ? 1 + index : 0), 0),
	}));
	const best = scored.reduce((one, other) => (other.score > one.score ? other : one));
	return best.score > 0 ? best.market : everyday;
}

function speaksFor({ signs }: Market, word: string): boolean {
	return signs.split(' ').some((sign) => sign === word || `${sign}s` === word);
}

/** The thing of a market that a product resembles, if any. */
export function thingLike(name: string, market: Market): Thing | undefined {
	const words = wordsOf(name);
	return market.things.find((thing) => {
		const shared = wordsOf(thing.name).filter((word) => word.length > 2 && words.includes(word));
		return shared.length >= 2;
	});
}

function wordsOf(text: string): string[] {
	const apart = text.replace(/([a-z])([A-Z])/g, '$1 $2');
	return apart
		.toLowerCase()
		.split(/[^a-z]+/)
		.filter(Boolean);
}
