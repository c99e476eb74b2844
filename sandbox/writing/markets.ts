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

/** The products of a category, with the texts that a brief is written from. */
export interface Market<Category extends string = string> {
	category: Category;
	/** Words in a product name that indicate this category, separated by spaces. */
	signs: string;
	things: readonly Thing[];
	/** Problems that fit any product of the category. */
	pains: readonly string[];
	/** Where such a video is filmed, with its preposition. */
	places: readonly string[];
	/** Results that a camera can show without spoken text. */
	proofs: readonly string[];
	buyers: readonly string[];
	/** Claims that the platform or the law does not permit. */
	forbidden: readonly string[];
}

export const markets = texts.markets as ReadonlyArray<Market<HookCategory>>;

/** Returns the market of a product. The last words of its name count most: a "ring light" is a light. */
export function findMarket(productName: string): Market {
	const words = splitWords(productName);
	const scores = markets.map((market) => ({
		market,
		score: words.reduce((sum, word, index) => sum + (isSign(market, word) ? 1 + index : 0), 0),
	}));
	const none = { market: texts.everyday as Market, score: 0 };
	return scores.reduce((best, other) => (other.score > best.score ? other : best), none).market;
}

function isSign({ signs }: Market, word: string): boolean {
	return signs.split(' ').some((sign) => sign === word || `${sign}s` === word);
}

/** Returns the product of a market that shares two words with the product's name, if any. */
export function findSimilarThing(productName: string, market: Market): Thing | undefined {
	const words = splitWords(productName);
	return market.things.find(({ name }) => {
		const shared = splitWords(name).filter((word) => word.length > 2 && words.includes(word));
		return shared.length >= 2;
	});
}

function splitWords(text: string): string[] {
	return text
		.replace(/([a-z])([A-Z])/g, '$1 $2')
		.toLowerCase()
		.split(/[^a-z]+/)
		.filter(Boolean);
}
