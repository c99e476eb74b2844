/** The names of a product in a brief. */
export interface ProductName {
	/** For headlines: without sizes, packs and other additions of sellers. */
	name: string;
	/** In speech: the product without its brand. */
	short: string;
	/** The name up to "for", "with" and the like. */
	core: string;
	isLink: boolean;
}

/** docs/api.md section 4.3: `product_name` is a name, or a link on the marketplace. */
export function parseProductName(product_name: string): ProductName {
	const given = product_name.trim();
	const isLink = /^https?:\/\//i.test(given);
	const text = isLink ? getNameFromLink(given) : given;
	const name =
		text
			.split(/ [-|–—,] |[|,(]/)[0]
			?.replace(/\b\d+([.,]\d+)? ?(ml|oz|fl oz|g|kg|mg|pack|pcs|count|ct|inch|cm)\b.*$/i, '')
			.trim() || text;
	const core = name.split(/ (?:for|with|in|by) /i)[0] ?? name;
	const words = core.split(/\s+/);
	const short = words.findLast((word) => /^[\p{L}-]{3,}$/u.test(word))?.toLowerCase() ?? name;
	return { name, short, core, isLink };
}

function getNameFromLink(link: string): string {
	const path = URL.canParse(link) ? new URL(link).pathname : '';
	const slug = path
		.split('/')
		.findLast((segment) => /[a-z]{3}/i.test(segment) && segment.includes('-'));
	if (slug === undefined) return 'The linked product';
	return slug
		.replace(/-?\d{5,}$/, '')
		.split('-')
		.filter(Boolean)
		.map((word) => word.charAt(0).toUpperCase() + word.slice(1))
		.join(' ');
}
