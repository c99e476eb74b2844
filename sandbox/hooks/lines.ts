import type { Market } from '../market/categories';
import type { Random } from '../random';

/** The creative approaches of winning videos: an opening line, the angle behind it, and why it works. */
interface Approach {
	angle: string;
	why: string;
	line(slots: { thing: string; pain: string; price: string; days: number; count: string }): string;
}

const approaches: readonly Approach[] = [
	{
		angle: 'Skeptic turned believer',
		why: 'Admits the doubt that the viewer has already, then lets the product answer it.',
		line: ({ thing }) => `I was ready to hate ${these(thing)}`,
	},
	{
		angle: 'Problem first',
		why: 'Names an everyday annoyance in the first second, so that the right people stay.',
		line: ({ pain }) => `If you know ${pain}, stay for ten seconds`,
	},
	{
		angle: 'Cost comparison',
		why: 'Puts a number on it before the viewer asks.',
		line: ({ thing, price }) => `I paid ${price} for ${these(thing)} and cancelled everything else`,
	},
	{
		angle: 'Social proof',
		why: 'A crowd makes the viewer check what was missed.',
		line: ({ thing, count }) => `${count} people bought ${these(thing)} last week and now I get it`,
	},
	{
		angle: 'Long-term test',
		why: 'A time span is more believable than an adjective.',
		line: ({ thing, days }) => `${days} days with ${these(thing)}, no filter, here is what changed`,
	},
	{
		angle: 'Insider tip',
		why: 'Sounds like something that is usually kept back.',
		line: ({ thing }) => `Nobody told me you can use ${these(thing)} like this`,
	},
	{
		angle: 'Mistake and fix',
		why: 'Viewers look for the mistake in their own habit.',
		line: ({ pain }) => `Stop blaming yourself for ${pain}`,
	},
	{
		angle: 'Before and after',
		why: 'The result is on screen before the explanation, which holds people until the method.',
		line: ({ thing }) => `Before. After. Same day, same light, just ${these(thing)}`,
	},
	{
		angle: 'Relationship humor',
		why: 'A second person reacting is easier to believe than the creator alone.',
		line: ({ thing }) => `My boyfriend stole my ${thing} and will not admit it`,
	},
	{
		angle: 'Restock alert',
		why: 'Scarcity that the viewer can check right away.',
		line: ({ thing, price }) => `Back in stock at ${price}: the ${thing} you asked me about`,
	},
	{
		angle: 'Direct comparison',
		why: 'Two products side by side give the viewer a job: to choose.',
		line: ({ thing }) => `The viral ${thing} against what was in my drawer. I did not expect this`,
	},
	{
		angle: 'Satisfying demonstration',
		why: 'Pure picture and sound, it works without a word and in any language.',
		line: ({ thing }) => `Sound on: first time using ${these(thing)}`,
	},
	{
		angle: 'Confession',
		why: 'A small embarrassment makes the creator a friend.',
		line: ({ pain }) => `I am a grown adult and I had given up on ${pain}`,
	},
];

/** this lip stain, these travel sneakers */
function these(thing: string): string {
	return `${/[^s]s$/.test(thing) ? 'these' : 'this'} ${thing}`;
}

export interface Line {
	hook: string;
	angle: string;
	why: string;
	price: number;
}

export function winningLine(market: Market, dice: Random): Line {
	const approach = dice.pick(approaches);
	const { name, price, pain } = dice.pick(market.things);
	const hook = approach.line({
		thing: name,
		price: `$${price.toFixed(2)}`,
		pain,
		days: dice.pick([3, 7, 14, 21, 30]),
		count: dice.int(2, 48).toString() + ',000',
	});
	return { hook, angle: approach.angle, why: approach.why, price };
}
