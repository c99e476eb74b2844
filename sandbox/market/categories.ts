/** API.md 2.3: the categories of ContentIQ, and what the sandbox knows about each. */
export type HookCategory =
	| 'Beauty & skincare'
	| 'Wellness'
	| 'Personal care'
	| 'Home & kitchen'
	| 'Fashion'
	| 'Tech & gadgets';

export interface Market {
	category: HookCategory;
	/** Words in a product's name that speak for this category. */
	signs: readonly string[];
	/** Things that sell here, with their price in US dollars. */
	things: readonly (readonly [name: string, price: number])[];
	/** What buyers complain about before they buy. */
	pains: readonly string[];
	/** Where such a video is shot. */
	places: readonly string[];
	/** What the camera can show, without a word. */
	proofs: readonly string[];
	/** Who buys. */
	buyers: readonly string[];
	/** Claims that the platform or the law does not allow here. */
	forbidden: readonly string[];
}

export const markets: readonly Market[] = [
	{
		category: 'Beauty & skincare',
		signs:
			'serum cream moisturizer moisturiser spf sunscreen mascara lip lipstick blush concealer foundation toner mask retinol niacinamide glow skin skincare makeup brow cleanser eyeliner'.split(
				' ',
			),
		things: [
			['vitamin C serum', 18.99],
			['lip stain', 9.99],
			['overnight collagen mask', 21.5],
			['tubing mascara', 12.95],
			['mineral sunscreen stick', 16],
			['pore blurring primer', 14.25],
			['snail mucin essence', 19.8],
			['brow lamination kit', 24.99],
		],
		pains: [
			'makeup that slides off by noon',
			'a shelf full of half-used bottles',
			'skin that looks tired on camera',
			'a routine with nine steps',
			'foundation that never matches the neck',
		],
		places: [
			'a bathroom mirror with daylight from one side',
			'the front seat of a parked car',
			'a vanity with the clutter left in',
			'a window sill at eight in the morning',
		],
		proofs: [
			'the texture on the back of a hand, in one take',
			'half a face done and half not',
			'a white towel pressed on the cheek after six hours',
			'the same spot in the morning and in the evening, same light',
		],
		buyers: [
			'women of 22 to 38 who do their face in ten minutes and buy on recommendation',
			'beginners who find skincare confusing and want one thing that is enough',
			'office workers who need a face that lasts through a long day',
		],
		forbidden: [
			'that it treats acne, eczema or any other condition',
			'results in a number of days that nobody measured',
			'filters or retouching while the product is being shown',
		],
	},
	{
		category: 'Wellness',
		signs:
			'vitamin gummies magnesium protein collagen electrolyte creatine sleep probiotic greens supplement capsules tea massage massager yoga hydration mushroom ashwagandha powder'.split(
				' ',
			),
		things: [
			['magnesium glycinate gummies', 22.95],
			['electrolyte sticks', 24.99],
			['greens powder', 34],
			['mushroom coffee', 29.5],
			['acupressure mat', 27.99],
			['neck massager', 39.99],
			['creatine gummies', 31.2],
			['sleep spray', 17.75],
		],
		pains: [
			'the three o’clock slump',
			'lying awake with a busy head',
			'powders that taste like a lawn',
			'a cupboard of pills nobody remembers to take',
			'a stiff neck after a day at the desk',
		],
		places: [
			'a kitchen counter before work',
			'the edge of the bed with a lamp on',
			'a gym bag on a bench',
			'a desk at the end of the day',
		],
		proofs: [
			'one serving dissolved in a glass, without a cut',
			'the label held to the camera long enough to read',
			'a week of mornings, one second each',
			'the empty tub beside the new one',
		],
		buyers: [
			'people of 28 to 45 who train before work and dislike complicated stacks',
			'parents who are tired and have tried the obvious things',
			'desk workers who want a habit that takes under a minute',
		],
		forbidden: [
			'that it cures, treats or prevents anything',
			'weight loss, in words or in pictures',
			'comparison with a medicine',
		],
	},
	{
		category: 'Personal care',
		signs:
			'shampoo conditioner deodorant toothpaste toothbrush razor shaver trimmer soap wash body scrub hair dryer brush floss whitening lotion perfume cologne fragrance'.split(
				' ',
			),
		things: [
			['scalp scrub', 15.5],
			['whole body deodorant', 13.99],
			['water flosser', 36.99],
			['heatless curl set', 11.95],
			['body trimmer', 42],
			['purple toothpaste', 10.99],
			['vanilla body oil', 18.25],
			['exfoliating mitt', 8.99],
		],
		pains: [
			'razor burn the day before a trip',
			'hair that is flat by lunch',
			'a deodorant that leaves marks on black shirts',
			'paying a salon for what takes five minutes',
			'a shower shelf that keeps falling over',
		],
		places: [
			'a steamy bathroom with the mirror wiped once',
			'a hotel bathroom',
			'a gym locker room bench, nobody else in view',
			'a bedroom floor while getting ready',
		],
		proofs: [
			'a black shirt before and after an armpit',
			'what comes off, on a white cloth',
			'hair touched by hand, close up',
			'the sound of it, with no music',
		],
		buyers: [
			'people of 18 to 34 who share what is in their shower',
			'men who never had a routine and want one product that works',
			'travellers who want fewer bottles',
		],
		forbidden: [
			'that it regrows hair',
			'teeth shades that were not measured',
			'jokes at the expense of bodies',
		],
	},
	{
		category: 'Home & kitchen',
		signs:
			'kitchen pan knife blender fryer mop vacuum cleaner organizer storage container bottle tumbler mug pillow sheets lamp candle rug cutting board sponge cooker kettle coffee laundry bedding duvet spray'.split(
				' ',
			),
		things: [
			['rapid defrost tray', 23.99],
			['rechargeable spin scrubber', 44.99],
			['oil spray bottle', 9.5],
			['vegetable chopper', 26.95],
			['under-sink organizer', 29.99],
			['cooling pillowcase', 17.8],
			['mini waffle maker', 14.99],
			['pet hair broom', 19.25],
		],
		pains: [
			'grout that never looks clean',
			'leftovers that go bad behind the milk',
			'a drawer that only opens halfway',
			'twenty minutes of chopping for one salad',
			'hair of the dog on everything',
		],
		places: [
			'a real kitchen with yesterday’s dishes in the sink',
			'a laundry room with bad light',
			'a small apartment, one room at a time',
			'a fridge from the inside',
		],
		proofs: [
			'one pass over the dirtiest spot, no cut',
			'a stopwatch in the corner of the picture',
			'the drawer before and after from the same angle',
			'water poured on it',
		],
		buyers: [
			'renters who cannot change the kitchen but can change what is in it',
			'parents who cook every day and clean afterwards',
			'people who just moved and buy one thing a week',
		],
		forbidden: [
			'that it disinfects or kills germs',
			'use beside open flames',
			'prices of named competitors',
		],
	},
	{
		category: 'Fashion',
		signs:
			'dress jeans shirt tee hoodie jacket leggings bra shoes sneakers boots bag tote necklace earrings ring socks hat belt skirt blazer cardigan pants shorts sandals watch jewelry'.split(
				' ',
			),
		things: [
			['wide leg trousers', 32.99],
			['seamless bodysuit', 26.5],
			['oversized blazer', 44.99],
			['everyday crossbody bag', 28.95],
			['fleece lined tights', 16.99],
			['gold plated hoops', 12.5],
			['travel sneakers', 49.99],
			['ribbed lounge set', 35.75],
		],
		pains: [
			'jeans that fit the waist or the leg, never both',
			'a full closet and nothing to wear',
			'shoes that hurt after one hour',
			'a size chart that lies',
			'a bag that swallows the keys',
		],
		places: [
			'a bedroom mirror, phone at hip height',
			'a sidewalk with somebody walking past',
			'a fitting room',
			'an entrance hall before leaving',
		],
		proofs: [
			'a squat test and a sit test in one take',
			'the same piece on two sizes',
			'a stretch of the fabric against the light',
			'three looks in eight seconds',
		],
		buyers: [
			'women of 24 to 42 who dress for an office with no dress code',
			'students who want one piece for many days',
			'people between two sizes who stopped ordering online',
		],
		forbidden: [
			'before and after pictures of bodies',
			'names or logos of other brands',
			'that it makes anybody thinner',
		],
	},
	{
		category: 'Tech & gadgets',
		signs:
			'charger cable phone earbuds headphones speaker camera tripod light led projector keyboard mouse usb wireless bluetooth magsafe power bank smart tracker mini fan printer drone stand'.split(
				' ',
			),
		things: [
			['three-in-one charging stand', 39.99],
			['pocket label printer', 24.99],
			['clip-on microphone', 21.95],
			['mini projector', 79],
			['retractable car charger', 18.5],
			['open-ear headphones', 45.99],
			['magnetic phone tripod', 33.25],
			['key tracker tag', 15.99],
		],
		pains: [
			'cables all over the bedside table',
			'a phone at nine percent before dinner',
			'videos that look fine and sound terrible',
			'earbuds that fall out on the first hill',
			'looking for the keys every morning',
		],
		places: [
			'a desk from above, hands only',
			'the inside of a car at night',
			'a bedside table in the dark',
			'a train seat',
		],
		proofs: [
			'the battery number at the start and at the end of a day',
			'the same sentence recorded with and without it',
			'a drop from hip height',
			'unboxing to first use with a timer running',
		],
		buyers: [
			'commuters of 20 to 40 who charge three devices every night',
			'new creators who film with a phone and nothing else',
			'people who give gadgets as presents',
		],
		forbidden: [
			'water resistance that is not on the box',
			'filming while driving',
			'charging times without the charger in the picture',
		],
	},
];

/** The category that a product's name, audience or facts speak for most. */
export function marketOf(text: string, fallback: number): Market {
	const words = text.toLowerCase().split(/[^a-z]+/);
	const scored = markets.map((market) => ({
		market,
		score: words.filter((word) => market.signs.includes(word) || market.signs.includes(`${word}s`))
			.length,
	}));
	const best = scored.reduce((one, other) => (other.score > one.score ? other : one));
	if (best.score > 0) return best.market;
	return markets[fallback % markets.length] ?? best.market;
}
