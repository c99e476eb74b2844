import type { Product } from './product';

export interface Angle {
	name: string;
	hook: string;
	why: string;
	outline: string[];
}

interface Material {
	product: Product;
	pain: string;
	otherPain: string;
	proof: string;
	place: string;
	fact: string | undefined;
}

/** Approaches a creator can film from, filled with what the research found. */
export const angleKinds: readonly ((material: Material) => Angle)[] = [
	({ product, pain, proof }) => ({
		name: 'Problem first',
		hook: `If you know ${pain}, give me ten seconds`,
		why: 'The right people recognise themselves before the product appears.',
		outline: [`Show ${pain}, no comment.`, `Bring in ${product.name}.`, `Proof: ${proof}.`],
	}),
	({ product, proof, place }) => ({
		name: 'Silent demonstration',
		hook: `(no words, natural sound, ${place})`,
		why: 'Picture and sound carry it, so it survives muted autoplay and needs no translation.',
		outline: [
			`Open on ${proof}.`,
			`Only then show ${product.name}.`,
			'One line of text at the end.',
		],
	}),
	({ product, otherPain, fact }) => ({
		name: 'Skeptic',
		hook: `I did not think the ${product.short} would do anything about ${otherPain}`,
		why: 'Says the viewer’s doubt aloud and then answers it.',
		outline: [
			'Admit what you expected.',
			fact === undefined ? 'Try it on camera for the first time.' : `State the fact: ${fact}`,
			'Say what you would still change.',
		],
	}),
	({ product, pain, place }) => ({
		name: 'A day with it',
		hook: `One ordinary day with the ${product.short}, starting ${place}`,
		why: 'A time line is a reason to watch until the end.',
		outline: [
			'Morning: first use.',
			`Noon: ${pain}, or not.`,
			'Evening: the same shot as in the morning.',
		],
	}),
	({ product, otherPain, proof }) => ({
		name: 'Side by side',
		hook: `What I used before, and ${product.name}`,
		why: 'Two things next to each other give the viewer a job: to choose.',
		outline: [
			`Left: ${otherPain}.`,
			`Right: ${proof}.`,
			'Let the viewer decide, do not name the rival.',
		],
	}),
	({ product, pain }) => ({
		name: 'Reply to a comment',
		hook: `Replying to: can the ${product.short} really help with ${pain}?`,
		why: 'A question from a real person sounds like conversation and not like an ad.',
		outline: ['Read the comment aloud.', 'Answer by doing.', 'Ask for the next question.'],
	}),
];
