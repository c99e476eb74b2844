/** docs/service.md section 2.3: the categories of ContentIQ, and what the sandbox knows about each. */
export type HookCategory =
	| 'Beauty & skincare'
	| 'Wellness'
	| 'Personal care'
	| 'Home & kitchen'
	| 'Fashion'
	| 'Tech & gadgets';

/** Something that sells: its name, its price in US dollars, and what its buyers complain about before they buy. */
export interface Thing {
	name: string;
	price: number;
	pain: string;
}

export interface Market<Category extends string = string> {
	category: Category;
	/** Words in a product's name that speak for this category. */
	signs: readonly string[];
	/** What sells here. */
	things: readonly Thing[];
	/** Complaints that fit any product here. */
	pains: readonly string[];
	/** Where such a video is shot, with its preposition. */
	places: readonly string[];
	/** What the camera can show, without a word. */
	proofs: readonly string[];
	/** Who buys. */
	buyers: readonly string[];
	/** What the platform or the law does not allow here. */
	forbidden: readonly string[];
}

export const markets: readonly Market<HookCategory>[] = [
	{
		category: 'Beauty & skincare',
		signs:
			'serum cream moisturizer moisturiser spf sunscreen mascara lip lipstick blush concealer foundation toner mask retinol niacinamide glow skin skincare makeup brow cleanser eyeliner'.split(
				' ',
			),
		things: [
			{ name: 'vitamin C serum', price: 18.99, pain: 'skin that looks tired on camera' },
			{ name: 'lip stain', price: 9.99, pain: 'lipstick that ends up on the coffee cup' },
			{ name: 'overnight collagen mask', price: 21.5, pain: 'a nine-step routine at midnight' },
			{ name: 'tubing mascara', price: 12.95, pain: 'mascara under the eyes by noon' },
			{ name: 'mineral sunscreen stick', price: 16, pain: 'sunscreen that turns the face white' },
			{ name: 'pore blurring primer', price: 14.25, pain: 'makeup that slides off in the heat' },
			{ name: 'snail mucin essence', price: 19.8, pain: 'a shelf full of half-used bottles' },
			{ name: 'brow lamination kit', price: 24.99, pain: 'brows that point in every direction' },
		],
		pains: [
			'a shelf full of half-used bottles',
			'things that look great in the ad and not on a face',
			'getting ready with the clock running',
			'a bag that is all products and no space',
		],
		places: [
			'at a bathroom mirror with daylight from one side',
			'in the front seat of a parked car',
			'at a vanity with the clutter left in',
			'by the window at eight in the morning',
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
			'Never say that it treats acne, eczema or any other condition.',
			'Promise no result in a number of days that nobody measured.',
			'No filters or retouching while the product is in the picture.',
		],
	},
	{
		category: 'Wellness',
		signs:
			'vitamin gummies magnesium protein collagen electrolyte creatine sleep probiotic greens supplement capsules tea massage massager yoga hydration mushroom ashwagandha powder'.split(
				' ',
			),
		things: [
			{ name: 'magnesium glycinate gummies', price: 22.95, pain: 'lying awake with a busy head' },
			{ name: 'electrolyte sticks', price: 24.99, pain: 'the three o’clock slump' },
			{ name: 'greens powder', price: 34, pain: 'powders that taste like a lawn' },
			{ name: 'mushroom coffee', price: 29.5, pain: 'shaky hands after the second coffee' },
			{ name: 'acupressure mat', price: 27.99, pain: 'a back that hurts from sitting' },
			{ name: 'neck massager', price: 39.99, pain: 'a stiff neck after a day at the desk' },
			{ name: 'creatine gummies', price: 31.2, pain: 'shaker bottles that never get clean' },
			{ name: 'sleep spray', price: 17.75, pain: 'scrolling until two in the morning' },
		],
		pains: [
			'habits that last until Thursday',
			'a cupboard of things nobody remembers to take',
			'afternoons that never end',
			'plans that need an hour nobody has',
		],
		places: [
			'at a kitchen counter before work',
			'on the edge of the bed with a lamp on',
			'on a bench beside a gym bag',
			'at a desk at the end of the day',
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
			'Never say that it cures, treats or prevents anything.',
			'No weight loss, in words or in pictures.',
			'No comparison with a medicine.',
		],
	},
	{
		category: 'Personal care',
		signs:
			'shampoo conditioner deodorant toothpaste toothbrush razor shaver trimmer soap wash body scrub hair dryer brush floss whitening lotion perfume cologne fragrance'.split(
				' ',
			),
		things: [
			{ name: 'scalp scrub', price: 15.5, pain: 'hair that is flat by lunch' },
			{ name: 'whole body deodorant', price: 13.99, pain: 'marks on every black shirt' },
			{ name: 'water flosser', price: 36.99, pain: 'floss that sits unused in the drawer' },
			{ name: 'heatless curl set', price: 11.95, pain: 'forty minutes with a hot iron' },
			{ name: 'body trimmer', price: 42, pain: 'razor burn the day before a trip' },
			{ name: 'purple toothpaste', price: 10.99, pain: 'coffee teeth in every photo' },
			{ name: 'vanilla body oil', price: 18.25, pain: 'dry legs in January' },
			{ name: 'exfoliating mitt', price: 8.99, pain: 'self-tan that goes patchy' },
		],
		pains: [
			'a shower shelf that keeps falling over',
			'paying a salon for what takes five minutes',
			'packing a bag for two nights',
			'a morning with one bathroom for four',
		],
		places: [
			'in a steamy bathroom with the mirror wiped once',
			'in a hotel bathroom',
			'in a locker room with nobody else in view',
			'on the bedroom floor while getting ready',
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
			'Never say that it regrows hair.',
			'Name no shades of teeth that were not measured.',
			'No jokes at the expense of bodies.',
		],
	},
	{
		category: 'Home & kitchen',
		signs:
			'kitchen pan knife blender fryer mop vacuum cleaner broom organizer storage container bottle tumbler mug pillow sheets lamp candle rug cutting cooker kettle coffee laundry bedding duvet scrubber sponge pillowcase chopper'.split(
				' ',
			),
		things: [
			{ name: 'rapid defrost tray', price: 23.99, pain: 'frozen chicken at six in the evening' },
			{ name: 'rechargeable spin scrubber', price: 44.99, pain: 'grout that never looks clean' },
			{ name: 'oil spray bottle', price: 9.5, pain: 'half a bottle of oil in every pan' },
			{ name: 'vegetable chopper', price: 26.95, pain: 'twenty minutes of chopping for one salad' },
			{ name: 'under-sink organizer', price: 29.99, pain: 'a cupboard nobody dares to open' },
			{ name: 'cooling pillowcase', price: 17.8, pain: 'turning the pillow over all night' },
			{ name: 'mini waffle maker', price: 14.99, pain: 'mornings with no time for breakfast' },
			{ name: 'pet hair broom', price: 19.25, pain: 'the dog’s hair on everything' },
		],
		pains: [
			'a counter with no space left',
			'gadgets that are used once',
			'cleaning up for longer than cooking',
			'the cheap one that broke after a month',
		],
		places: [
			'in a real kitchen with yesterday’s dishes in the sink',
			'in a laundry room with bad light',
			'in a small apartment, one room at a time',
			'at the kitchen table after dinner',
		],
		proofs: [
			'first use in one pass, no cut',
			'a stopwatch in the corner of the picture',
			'the same corner of the kitchen before and after, same angle',
			'the clean-up afterwards, in real time',
		],
		buyers: [
			'renters who cannot change the kitchen but can change what is in it',
			'parents who cook every day and clean afterwards',
			'people who just moved and buy one thing a week',
		],
		forbidden: [
			'Never say that it disinfects or kills germs.',
			'Do not use it beside an open flame.',
			'Name no competitor and no competitor’s price.',
		],
	},
	{
		category: 'Fashion',
		signs:
			'dress jeans shirt tee hoodie jacket leggings bra shoes sneakers boots bag tote necklace earrings ring socks hat belt skirt blazer cardigan pants shorts sandals watch jewelry slippers scarf gloves sunglasses trousers tights bodysuit'.split(
				' ',
			),
		things: [
			{
				name: 'wide leg trousers',
				price: 32.99,
				pain: 'trousers that fit the waist or the leg, never both',
			},
			{ name: 'seamless bodysuit', price: 26.5, pain: 'shirts that come untucked all day' },
			{ name: 'oversized blazer', price: 44.99, pain: 'a full closet and nothing to wear' },
			{ name: 'everyday crossbody bag', price: 28.95, pain: 'a bag that swallows the keys' },
			{
				name: 'fleece lined tights',
				price: 16.99,
				pain: 'skirts that stay in the closet until April',
			},
			{ name: 'gold plated hoops', price: 12.5, pain: 'earrings that turn green in a week' },
			{ name: 'travel sneakers', price: 49.99, pain: 'shoes that hurt after one hour' },
			{
				name: 'ribbed lounge set',
				price: 35.75,
				pain: 'sweatpants that are too shabby for the door',
			},
		],
		pains: [
			'a full closet and nothing to wear',
			'a size chart that lies',
			'things that look different out of the bag',
			'getting dressed in the dark',
		],
		places: [
			'at a bedroom mirror with the phone at hip height',
			'on a sidewalk with somebody walking past',
			'in a fitting room',
			'in the hall before leaving',
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
			'No before and after pictures of bodies.',
			'No names or logos of other brands.',
			'Never say that it makes anybody thinner.',
		],
	},
	{
		category: 'Tech & gadgets',
		signs:
			'charger cable phone earbuds headphones speaker camera tripod light led projector keyboard mouse usb wireless bluetooth magsafe power bank smart tracker mini fan printer drone stand iphone android laptop tablet headset'.split(
				' ',
			),
		things: [
			{
				name: 'three-in-one charging stand',
				price: 39.99,
				pain: 'cables all over the bedside table',
			},
			{ name: 'pocket label printer', price: 24.99, pain: 'boxes that nobody can tell apart' },
			{
				name: 'clip-on microphone',
				price: 21.95,
				pain: 'videos that look fine and sound terrible',
			},
			{ name: 'mini projector', price: 79, pain: 'film nights around a laptop' },
			{
				name: 'retractable car charger',
				price: 18.5,
				pain: 'a phone at nine percent before dinner',
			},
			{
				name: 'open-ear headphones',
				price: 45.99,
				pain: 'earbuds that fall out on the first hill',
			},
			{ name: 'magnetic phone tripod', price: 33.25, pain: 'a phone propped up against a mug' },
			{ name: 'key tracker tag', price: 15.99, pain: 'looking for the keys every morning' },
		],
		pains: [
			'a drawer full of cables',
			'gadgets that need three apps',
			'batteries that die at the wrong moment',
			'manuals in the size of a stamp',
		],
		places: [
			'at a desk, from above, hands only',
			'in a parked car at night',
			'at a bedside table in the dark',
			'on a train seat',
		],
		proofs: [
			'unboxing to first use with a timer running',
			'one whole day with it, a second from every hour',
			'the same task with it and without it',
			'a drop from hip height',
		],
		buyers: [
			'commuters of 20 to 40 who charge three devices every night',
			'new creators who film with a phone and nothing else',
			'people who give gadgets as presents',
		],
		forbidden: [
			'Claim no water resistance that is not on the box.',
			'Do not film while driving.',
			'Name no charging time without the charger in the picture.',
		],
	},
];

/** For products whose name says nothing about a category. */
const everyday: Market = {
	category: 'Everyday',
	signs: [],
	things: [],
	pains: [
		'buying the cheap one twice',
		'things that end up in a drawer',
		'a box that looks different from the picture',
		'reviews that all sound the same',
	],
	places: [
		'at the front door with the parcel in hand',
		'at a kitchen table',
		'in the place where it will be used',
		'on the way home',
	],
	proofs: [
		'unboxing to first use in one take',
		'the same task with it and without it',
		'a close-up of the part that breaks first on others',
		'first use, with no music and no cut',
	],
	buyers: [
		'people who read comments before they buy',
		'gift hunters who want something that is used',
		'practical people who replace things only when they must',
	],
	forbidden: [
		'Name no competitor and no competitor’s price.',
		'Promise nothing that the picture does not show.',
		'No pressure with countdowns that are not real.',
	],
};

/** The market that a product's name speaks for most. The thing itself stands last: "ring light" is a light. */
export function marketOf(name: string): Market {
	const words = wordsOf(name);
	const scored = markets.map((market) => ({
		market,
		score: words.reduce((sum, word, index) => sum + (speaksFor(market, word) ? 1 + index : 0), 0),
	}));
	const best = scored.reduce((one, other) => (other.score > one.score ? other : one));
	return best.score > 0 ? best.market : everyday;
}

function speaksFor({ signs }: Market, word: string): boolean {
	return signs.includes(word) || signs.some((sign) => `${sign}s` === word);
}

/** The thing of a market that a product resembles, if there is one. */
export function thingLike(name: string, market: Market): Thing | undefined {
	const words = wordsOf(name);
	return market.things.find((thing) => {
		const shared = wordsOf(thing.name).filter((word) => word.length > 2 && words.includes(word));
		return shared.length >= 2;
	});
}

function wordsOf(text: string): string[] {
	const apart = text.replace(/([a-z])([A-Z])/g, '$1 $2');
	return apart
		.toLowerCase()
		.split(/[^a-z]+/)
		.filter(Boolean);
}
