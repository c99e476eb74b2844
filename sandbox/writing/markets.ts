import texts from './markets.json';

/** docs/api.md section 2.3: the categories of ContentIQ. */
export type HookCategory =
	| 'Beauty & skincare'
	| 'Wellness'
	| 'Personal care'
	| 'Home & kitchen'
	| 'Fashion'
	| 'Tech & gadgets';

/** A product that sells: its name, its price in US dollars, and the problem that it solves. */
interface Thing {
	name: string;
	price: number;
	pain: string;
}

/** What the sandbox knows about the products of a category. */
export interface Market<Category extends string = string> {
	category: Category;
	/** Words in a product's name that point to this category, separated by spaces. */
	signs: string;
	things: readonly Thing[];
	/** Problems that fit any product of the category. */
	pains: readonly string[];
	/** Where such a video is filmed, with its preposition. */
	places: readonly string[];
	/** What the camera can show without a word. */
	proofs: readonly string[];
	buyers: readonly string[];
	/** What the platform or the law does not permit. */
	forbidden: readonly string[];
}

export const markets = texts.markets as ReadonlyArray<Market<HookCategory>>;

/** Returns the market that a product's name points to. Its last words count most: a "ring light" is a light. */
export function findMarket(productName: string): Market {
	const words = wordsOf(productName);
	const scores = markets.map((market) => ({
		market: market,
		score: words.reduce((sum, word, index) => sum + (isSign(market, word) ? 1 + index : 0), 0),
	}));
	const none = { market: texts.everyday as Market, score: 0 };
	return scores.reduce((best, other) => (other.score > best.score ? other : best), none).market;
}

function isSign({ signs }: Market, word: string): boolean {
	return signs.split(' ').some((sign) => sign === word || `${sign}s` === word);
}

/** Returns the thing of a market that shares two words with the product's name, if any. */
export function findSimilarThing(productName: string, market: Market): Thing | undefined {
	const words = wordsOf(productName);
	return market.things.find(({ name }) => {
		const shared = wordsOf(name).filter((word) => word.length > 2 && words.includes(word));
		return shared.length >= 2;
	});
}

function wordsOf(text: string): string[] {
	return text
		.replace(/([a-z])([A-Z])/g, '$1 $2')
		.toLowerCase()
		.split(/[^a-z]+/)
		.filter(Boolean);
}
