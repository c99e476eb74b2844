import { write } from '../../sandbox/writing/brief';

const facts = '15 % vitamin C\nFragrance free; Made in Ohio.';

describe('a finished brief', () => {
	it('has the parts that creators film from', () => {
		const { markdown, document } = write({ product_name: 'Glow Serum' }, 'id', 's');
		const headings = markdown.match(/^#+ .*$/gm) ?? [];
		expect(headings.filter((line) => line.startsWith('## '))).toEqual([
			'## Mission',
			'## Audience',
			'## Talking points',
			'## Approved facts',
			'## Hooks and angles',
			'## Shot list',
			'## Do',
			'## Don’t',
			'## Sources',
		]);
		expect(document.angles).toHaveLength(3);
		expect(document.shots.length).toBeGreaterThan(4);
		expect(markdown).not.toMatch(/undefined|null|NaN|\[object/);
	});

	it('states the approved facts and nothing else as fact', () => {
		const { markdown, document, warnings } = write(
			{ product_name: 'Glow Serum', approved_facts: facts },
			'id',
			's',
		);
		expect(document.talking_points.slice(0, 3)).toEqual([
			'15 % vitamin C',
			'Fragrance free',
			'Made in Ohio.',
		]);
		expect(markdown).toContain('Only these may be stated as fact');
		expect(warnings).toEqual([]);
	});

	it('warns when there are no approved facts', () => {
		const { warnings, markdown } = write({ product_name: 'Glow Serum' }, 'id', 's');
		expect(warnings.map(({ code }) => code)).toEqual(['no_approved_facts']);
		expect(markdown).toContain('None were given');
	});

	it('appends the campaign terms as written', () => {
		const terms = '  20 % commission\n* until *Friday*\n\n<b>two</b> videos  ';
		const { markdown } = write({ product_name: 'Glow Serum', campaign_terms: terms }, 'id', 's');
		expect(markdown.endsWith(`## Campaign terms\n\n${terms}\n`)).toBe(true);
	});

	it('uses audience, objective, direction and references of the campaign', () => {
		const { document, sources } = write(
			{
				product_name: 'Glow Serum',
				audience: 'Nurses on night shift',
				objective: 'Sell the launch stock',
				creative_direction: 'No studio\nlight',
				reference_urls: ['https://a.example/1'],
			},
			'id',
			's',
		);
		expect(document.audience).toBe('Nurses on night shift');
		expect(document.mission).toContain('Sell the launch stock');
		expect(document.do).toContain('Follow the direction: No studio light');
		expect(sources.map(({ url }) => url)).toContain('https://a.example/1');
		expect(new Set(sources.map(({ type }) => type))).toEqual(new Set(['product', 'video', 'page']));
	});

	it('reads the name from a product link, and says so', () => {
		const link = 'https://shop.example/view/cozy-cloud-slippers-1729384756';
		const { title, warnings, sources } = write({ product_name: link }, 'id', 's');
		expect(title).toMatch(/^Cozy Cloud Slippers: /);
		expect(warnings.map(({ code }) => code)).toContain('name_from_link');
		expect(sources[0]?.url).toBe(link);
		expect(write({ product_name: 'https://shop.example/1' }, 'id', 's').title).toMatch(
			/^The linked/,
		);
	});

	it('drops sizes and sales talk from the name', () => {
		const name = 'Lumen Glow Vitamin C Serum 30 ml, fragrance free | gift';
		expect(write({ product_name: name }, 'id', 's').title).toMatch(/^Lumen Glow Vitamin C Serum: /);
	});

	it('speaks of the product’s own category', () => {
		const category = (name: string) =>
			/Category: ([^.]*)\./.exec(write({ product_name: name }, 'id', 's').markdown)?.[1];
		expect(
			['Glow Serum', 'TurboMop 3000', 'Ring Light for iPhone', 'Plain Thing'].map(category),
		).toEqual(['Beauty & skincare', 'Home & kitchen', 'Tech & gadgets', 'Everyday']);
	});

	it('reads differently for different products, and the same for the same', () => {
		const texts = ['Glow Serum', 'Steel Tumbler', 'Ring Light', 'Magnesium Gummies'].map(
			(name) => write({ product_name: name }, 'id', 's').markdown,
		);
		expect(new Set(texts).size).toBe(4);
		expect(write({ product_name: 'Glow Serum' }, 'id', 's').markdown).toBe(texts[0]);
	});

	it.each(['--', '!!', '(x)', '12', '   ', 'ß', '|||', ' - , '])(
		'survives the name "%s"',
		(name) => {
			const { title, markdown } = write({ product_name: name }, 'id', 's');
			expect(title.length).toBeGreaterThan(5);
			expect(markdown).not.toMatch(/undefined|NaN/);
		},
	);
});
