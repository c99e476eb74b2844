import type { BriefInput } from '../briefs/brief-input';
import { marketOf, thingLike, type Market } from '../market/categories';
import { random, type Random, type Seed } from '../random';
import type { BriefDocument } from './brief-document';
import { fill } from './fill';
import { markdownOf } from './brief-markdown';
import { productNameOf, type ProductName } from './product';
import { sourcesOf, type Source } from './sources';
import texts from './texts.json';

export interface WrittenBrief {
	title: string;
	document: BriefDocument;
	markdown: string;
	sources: Source[];
	warnings: { code: string; message: string }[];
}

/** The finished brief. The same input, id and seed always give the same text. */
export function write(input: BriefInput, id: string, seed: Seed): WrittenBrief {
	const dice = random(seed, 'text', id, JSON.stringify(input));
	const product = productNameOf(input);
	const market = marketOf(product.core);
	const facts = factsIn(input.approved_facts);
	const document = documentOf(input, product, market, facts, dice);
	const title = `${product.name}: ${dice.pick(titleEnds(product, market, dice))}`;
	const sources = sourcesOf(input, product, market, id, dice);
	const warnings = warningsFor(input, product, facts);
	const markdown = markdownOf({
		title,
		input,
		document,
		facts,
		sources,
		category: market.category,
	});
	return { title, document, markdown, sources, warnings };
}

function documentOf(
	input: BriefInput,
	product: ProductName,
	market: Market,
	facts: string[],
	dice: Random,
): BriefDocument {
	const itsPain = thingLike(product.name, market)?.pain;
	const [pain = '', otherPain = ''] = [
		...(itsPain ? [itsPain] : []),
		...dice.some(market.pains, 2),
	];
	const [proof = '', otherProof = ''] = dice.some(market.proofs, 2);
	const place = dice.pick(market.places);
	const { name, short } = product;
	const trial =
		facts[0] === undefined ? texts.trial.none : fill(texts.trial.fact, { fact: facts[0] });
	const words = { product: name, short, pain, otherPain, proof, place, trial };
	const fillIn = (text: string) =>
		fill(text, { ...words, Proof: capital(proof), OtherProof: capital(otherProof) });
	const start = fillIn(dice.pick(texts.missions));
	const { objective, creative_direction: direction } = input;
	const audience = input.audience?.trim() || capital(dice.pick(market.buyers));
	// Only approved facts are stated as fact (docs/api.md section 4.3); everything else is an experience or a picture.
	const experiences = dice.some(texts.talkingPoints.map(fillIn), facts.length > 0 ? 3 : 4);
	const angles = dice.some(texts.angles, 3);
	const seconds = [3, 4, 3, dice.int(5, 9), dice.int(3, 6), 3];
	return {
		mission: objective ? `${start} Objective: ${oneLine(objective)}` : start,
		audience,
		talking_points: [...facts.slice(0, 6), ...experiences],
		angles: angles.map(({ name: kind, hook, why, outline }) => ({
			name: kind,
			hook: fillIn(hook),
			why,
			outline: outline.map(fillIn),
		})),
		shots: texts.shots.map(({ shot, purpose }, index) => ({
			shot: fillIn(shot),
			seconds: seconds[index] ?? 3,
			purpose,
		})),
		do: [
			...texts.do.map(fillIn),
			...(direction ? [`Follow the direction: ${oneLine(direction)}`] : []),
			texts.doAlways,
		],
		dont: [
			...dice.some(market.forbidden, 2),
			facts.length > 0 ? texts.claims.some : texts.claims.none,
		],
	};
}

function titleEnds(product: ProductName, market: Market, dice: Random): string[] {
	const pain = thingLike(product.name, market)?.pain ?? dice.pick(market.pains);
	const place = dice.pick(market.places);
	return texts.titleEnds.map((end) => fill(end, { answered: pain, filmed: place }));
}

function factsIn(text = ''): string[] {
	return text
		.split(/\r?\n|;|(?<=[.!?])\s+/)
		.map((fact) => fact.replace(/^[-*•\s]+/, '').trim())
		.filter(Boolean);
}

function warningsFor(
	input: BriefInput,
	product: ProductName,
	facts: string[],
): WrittenBrief['warnings'] {
	const warnings: WrittenBrief['warnings'] = [];
	if (facts.length === 0) {
		warnings.push({
			code: 'no_approved_facts',
			message: texts.warnings.no_approved_facts,
		});
	}
	if (product.isLink && input.product_id === undefined) {
		warnings.push({
			code: 'name_from_link',
			message: fill(texts.warnings.name_from_link, { product: product.name }),
		});
	}
	return warnings;
}

function oneLine(text: string): string {
	return text.trim().replace(/\s+/g, ' ');
}

function capital(text: string): string {
	return text.charAt(0).toUpperCase() + text.slice(1);
}
