import type { Market } from '../market/categories';
import type { Random } from '../random';
import { fill } from '../writing/fill';
import approaches from './lines.json';

/** this lip stain, these travel sneakers */
function these(thing: string): string {
	return `${/[^s]s$/.test(thing) ? 'these' : 'this'} ${thing}`;
}

interface Line {
	hook: string;
	angle: string;
	why: string;
	price: number;
}

/** One of the creative approaches of winning videos: an opening line, the angle behind it, and why it works. */
export function winningLine(market: Market, dice: Random): Line {
	const approach = dice.pick(approaches);
	const { name, price, pain } = dice.pick(market.things);
	const hook = fill(approach.hook, {
		thing: name,
		these: these(name),
		price: `$${price.toFixed(2)}`,
		pain,
		days: String(dice.pick([3, 7, 14, 21, 30])),
		count: dice.int(2, 48).toString() + ',000',
	});
	return { hook, angle: approach.angle, why: approach.why, price };
}
