import type { BriefInput } from '../briefs/brief-input';
import type { Market } from '../market/categories';
import { hex, type Random } from '../random';
import type { ProductName } from './product';

/** docs/api.md section 2.2: products, videos and pages the research used. The structure of an item is not shown. */
export interface Source {
	type: 'product' | 'video' | 'page';
	title: string;
	url: string;
}

export function sourcesOf(
	input: BriefInput,
	product: ProductName,
	market: Market,
	id: string,
	dice: Random,
): Source[] {
	const productId = input.product_id ?? `17293${String(dice.int(10_000_000, 99_999_999))}`;
	const url = product.isLink
		? input.product_name.trim()
		: `https://shop.creator-briefing.dev/p/${productId}`;
	const rivals = dice.some(market.things, 2).map(({ name }, index): Source => ({
		type: 'product',
		title: `Best-selling ${name}`,
		url: `https://shop.creator-briefing.dev/p/${dice.int(17_000_000, 17_999_999)}${index}`,
	}));
	const videos = dice.some(market.proofs, 2).map((proof, index): Source => ({
		type: 'video',
		title: `Top video with ${proof}`,
		url: `https://videos.creator-briefing.dev/v/73${hex(12, id, 'video', index)}`,
	}));
	const references = (input.reference_urls ?? []).map((url): Source => ({
		type: 'page',
		title: `Reference given with the campaign`,
		url,
	}));
	return [{ type: 'product', title: product.name, url }, ...rivals, ...videos, ...references];
}
