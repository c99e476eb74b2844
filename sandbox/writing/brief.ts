import type { BriefInput } from '../briefs/record';
import { marketOf, thingLike, type Market } from '../market/categories';
import { random, type Random, type Seed } from '../random';
import { angleKinds } from './angles';
import type { BriefDocument } from './document';
import { markdownOf } from './markdown';
import { productOf, type Product } from './product';
import { sourcesOf, type Source } from './sources';

export interface Written {
	title: string;
	document: BriefDocument;
	markdown: string;
	sources: Source[];
	warnings: { code: string; message: string }[];
}

/** The finished brief. The same input, id and seed always give the same text. */
export function write(input: BriefInput, id: string, seed: Seed): Written {
	const dice = random(seed, 'text', id, JSON.stringify(input));
	const product = productOf(input);
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
	product: Product,
	market: Market,
	facts: string[],
	dice: Random,
): BriefDocument {
	const own = thingLike(product.name, market)?.pain;
	const [pain = '', otherPain = ''] = [...(own ? [own] : []), ...dice.some(market.pains, 2)];
	const [proof = '', otherProof = ''] = dice.some(market.proofs, 2);
	const place = dice.pick(market.places);
	return {
		mission: missionOf(input, product, pain, dice),
		audience: input.audience?.trim() || capital(dice.pick(market.buyers)),
		talking_points: talkingPoints(product, facts, pain, proof, dice),
		angles: dice
			.some(angleKinds, 3)
			.map((kind) => kind({ product, pain, otherPain, proof, place, fact: facts[0] })),
		shots: [
			{ shot: `Hook to camera, ${place}`, seconds: 3, purpose: 'Stop the scroll' },
			{ shot: `The problem: ${pain}`, seconds: 4, purpose: 'Let the right people stay' },
			{ shot: `${product.name} in the hand, label readable`, seconds: 3, purpose: 'Name it' },
			{ shot: capital(proof), seconds: dice.int(5, 9), purpose: 'Proof without words' },
			{ shot: capital(otherProof), seconds: dice.int(3, 6), purpose: 'A second proof' },
			{ shot: 'Point to the product link and say who it is for', seconds: 3, purpose: 'Close' },
		],
		do: [
			'Say the product’s name within the first five seconds.',
			`Film the proof in one take: ${proof}.`,
			...(input.creative_direction
				? [`Follow the direction: ${oneLine(input.creative_direction)}`]
				: []),
			'Mark the video as an ad where a commission is paid.',
		],
		dont: [
			...dice.some(market.forbidden, 2),
			facts.length > 0
				? 'Make no claim that is not among the approved facts.'
				: 'Make no factual claim: no facts were approved for this campaign.',
		],
	};
}

function missionOf(input: BriefInput, product: Product, pain: string, dice: Random): string {
	const start = dice.pick([
		`Show one honest moment with ${product.name} to everybody who knows ${pain}.`,
		`Make somebody who lives with ${pain} try ${product.name}.`,
		`Let ${product.name} be seen at work before a word is said about it.`,
	]);
	return input.objective ? `${start} Objective: ${oneLine(input.objective)}` : start;
}

/**
 * Only approved facts are stated as fact (docs/service.md section 4.3); everything else is an experience or a picture.
 */
function talkingPoints(
	product: Product,
	facts: string[],
	pain: string,
	proof: string,
	dice: Random,
): string[] {
	const told = [
		`Start from life: ${pain}.`,
		`Say in your own words when you reach for the ${product.short}.`,
		`Let the picture speak: ${proof}.`,
		'Name one thing that surprised you, and one that you would change.',
		'Say who should not buy it. It makes the rest believable.',
	];
	return [...facts.slice(0, 6), ...dice.some(told, facts.length > 0 ? 3 : 4)];
}

function titleEnds(product: Product, market: Market, dice: Random): string[] {
	return [
		'proof before promises',
		`an answer to ${thingLike(product.name, market)?.pain ?? dice.pick(market.pains)}`,
		'one take, one truth',
		'the first ten seconds',
		`filmed ${dice.pick(market.places)}`,
	];
}

function factsIn(text = ''): string[] {
	return text
		.split(/\r?\n|;|(?<=[.!?])\s+/)
		.map((fact) => fact.replace(/^[-*•\s]+/, '').trim())
		.filter(Boolean);
}

function warningsFor(input: BriefInput, product: Product, facts: string[]): Written['warnings'] {
	const warnings: Written['warnings'] = [];
	if (facts.length === 0) {
		warnings.push({
			code: 'no_approved_facts',
			message:
				'No approved facts were given, so the brief states nothing about the product as fact.',
		});
	}
	if (product.isLink && input.product_id === undefined) {
		warnings.push({
			code: 'name_from_link',
			message: `The name "${product.name}" was read from the link. Check it before sharing.`,
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
