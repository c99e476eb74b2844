import { createHex, createRandom, type Random, type Seed } from '../random';
import { formatBrief } from './brief-markdown';
import { fillTemplate } from './fill-template';
import { findMarket, findSimilarThing, type Market } from './markets';
import { parseProductName, type ProductName } from './product-name';
import texts from './texts.json';
import type { BriefDocument, BriefInput, Source, WrittenBrief } from './types';

interface Material {
	input: BriefInput;
	product: ProductName;
	market: Market;
	/** The approved facts, separated. */
	facts: string[];
	dice: Random;
}

/** Returns the finished brief. The same input, ID and seed always give the same text. */
export function writeBrief(input: BriefInput, id: string, seed: Seed): WrittenBrief {
	const product = parseProductName(input.product_name);
	const material: Material = {
		input,
		product,
		market: findMarket(product.core),
		facts: splitFacts(input.approved_facts),
		dice: createRandom(seed, 'text', id, JSON.stringify(input)),
	};
	const document = writeDocument(material);
	const title = writeTitle(material);
	const sources = listSources(material, id);
	const { facts, market } = material;
	const campaignTerms = input.campaign_terms;
	const { category } = market;
	return {
		title,
		document,
		markdown: formatBrief({ title, category, document, facts, sources, campaignTerms }),
		sources,
		warnings: listWarnings(material),
	};
}

function writeDocument({ input, product, market, facts, dice }: Material): BriefDocument {
	const similar = findSimilarThing(product.name, market);
	const pains = dice.sample(market.pains, 2);
	const [pain = '', otherPain = ''] = similar === undefined ? pains : [similar.pain, ...pains];
	const [proof = '', otherProof = ''] = dice.sample(market.proofs, 2);
	const place = dice.pick(market.places);
	const [fact] = facts;
	const values = {
		product: product.name,
		short: product.short,
		pain,
		otherPain,
		proof,
		place,
		trial: fact === undefined ? texts.trial.none : fillTemplate(texts.trial.fact, { fact }),
		Proof: capitalize(proof),
		OtherProof: capitalize(otherProof),
	};
	const fill = (text: string) => fillTemplate(text, values);
	const mission = fill(dice.pick(texts.missions));
	const { objective, creative_direction: direction } = input;
	const audience = input.audience?.trim() || capitalize(dice.pick(market.buyers));
	// docs/api.md section 4.3: only approved facts are stated as fact. The rest is an experience or a picture.
	const experiences = dice.sample(texts.talkingPoints.map(fill), facts.length > 0 ? 3 : 4);
	const angles = dice.sample(texts.angles, 3);
	const seconds = [3, 4, 3, dice.int(5, 9), dice.int(3, 6), 3];
	return {
		mission: objective ? `${mission} Objective: ${toOneLine(objective)}` : mission,
		audience,
		talking_points: [...facts.slice(0, 6), ...experiences],
		angles: angles.map(({ name, hook, why, outline }) => ({
			name,
			hook: fill(hook),
			why,
			outline: outline.map(fill),
		})),
		shots: texts.shots.map(({ shot, purpose }, index) => ({
			shot: fill(shot),
			seconds: seconds[index] ?? 3,
			purpose,
		})),
		do: [
			...texts.do.map(fill),
			...(direction ? [`Follow the direction: ${toOneLine(direction)}`] : []),
			texts.doAlways,
		],
		dont: [
			...dice.sample(market.forbidden, 2),
			facts.length > 0 ? texts.claims.some : texts.claims.none,
		],
	};
}

function writeTitle({ product, market, dice }: Material): string {
	const pain = findSimilarThing(product.name, market)?.pain ?? dice.pick(market.pains);
	const place = dice.pick(market.places);
	const titleEnd = fillTemplate(dice.pick(texts.titleEnds), { pain, place });
	return `${product.name}: ${titleEnd}`;
}

function listSources({ input, product, market, dice }: Material, id: string): Source[] {
	const productId = input.product_id ?? `17293${dice.int(10_000_000, 99_999_999)}`;
	const shop = 'https://shop.creator-briefing.dev/p';
	const url = product.isLink ? input.product_name.trim() : `${shop}/${productId}`;
	return [
		{ type: 'product', title: product.name, url },
		...dice.sample(market.things, 2).map(({ name }, index): Source => ({
			type: 'product',
			title: `Best-selling ${name}`,
			url: `${shop}/${dice.int(17_000_000, 17_999_999)}${index}`,
		})),
		...dice.sample(market.proofs, 2).map((proof, index): Source => ({
			type: 'video',
			title: `Top video with ${proof}`,
			url: `https://videos.creator-briefing.dev/v/73${createHex(12, id, 'video', index)}`,
		})),
		...(input.reference_urls ?? []).map((link): Source => ({
			type: 'page',
			title: 'Reference given with the campaign',
			url: link,
		})),
	];
}

function listWarnings({ input, product, facts }: Material): WrittenBrief['warnings'] {
	const warnings: WrittenBrief['warnings'] = [];
	if (facts.length === 0) {
		warnings.push({ code: 'no_approved_facts', message: texts.warnings.no_approved_facts });
	}
	if (product.isLink && input.product_id === undefined) {
		const message = fillTemplate(texts.warnings.name_from_link, { product: product.name });
		warnings.push({ code: 'name_from_link', message });
	}
	return warnings;
}

function splitFacts(text = ''): string[] {
	return text
		.split(/\r?\n|;|(?<=[.!?])\s+/)
		.map((fact) => fact.replace(/^[-*•\s]+/, '').trim())
		.filter(Boolean);
}

function toOneLine(text: string): string {
	return text.trim().replace(/\s+/g, ' ');
}

function capitalize(text: string): string {
	return text.charAt(0).toUpperCase() + text.slice(1);
}
