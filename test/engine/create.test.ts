import { NodeHelpers } from 'n8n-workflow';
import { CreatorBriefing } from '../../nodes/CreatorBriefing/CreatorBriefing.node';
import type { SandboxOptions } from '../../sandbox/sandbox';
import { runLoop, runNode } from '../support/engine/engine';
import {
	create,
	later,
	products,
	ran,
	requestsOf,
	sandboxWith,
	says,
	wait,
} from '../support/engine/fixtures';
import { SHAPED_ROWS, SHAPES } from '../support/sandbox/shapes';

const namesOf = (items: Array<{ name: string }>) => items.map(({ name }) => name);

describe('Brief → Create', () => {
	it('returns each brief at once, in the order of the items, linked to them, with what comes next', async () => {
		const { done } = await ran(products(2), create());
		expect(done.json('Create')).toMatchObject([
			{ status: 'queued', product_name: 'Glow Serum No. 1' },
			{ status: 'queued', product_name: 'Glow Serum No. 2' },
		]);
		const links = done.items('Create').map(({ pairedItem }) => pairedItem);
		expect(links).toEqual([{ item: 0 }, { item: 1 }]);
		expect(done.hints('Create')).toEqual([
			says(/^The 2 briefs are ordered.*Wait Until Ready.*again orders and pays for new briefs/),
		]);
	});

	it('keeps to two running briefs, and returns all when they are ready', async () => {
		const { sandbox, done } = await ran(products(6), create({ waitUntilReady: true }));
		expect(done.all('status', 'Create')).toEqual(Array(6).fill('ready'));
		expect(done.all('product_name', 'Create')).toEqual(namesOf(products(6)));
		expect(done.json('Create')[0]!['markdown']).toMatch(/^# /);
		expect(done.hints('Create')).toEqual([]);
		expect([sandbox.createdCount(), sandbox.maxRunning()]).toEqual([6, 2]);
		// No brief was refused: nothing was sent without a slot.
		expect(requestsOf(sandbox, 'create_brief')).toBe(6);
	});

	it('leaves the slots of colleagues alone', async () => {
		const sandbox = await sandboxWith();
		for (const durationMs of [200_000, 100_000]) sandbox.addBrief({ durationMs });
		expect((await runNode(sandbox, products(2), create())).status).toBe('success');
		expect(sandbox.maxRunning()).toBe(2);
		expect(requestsOf(sandbox, 'create_brief')).toBe(2);
	});

	it.each<SandboxOptions>([
		{ thirdBrief: 'refuse', listLagMs: 60_000 },
		{ thirdBrief: 'queue', listLagMs: 60_000 },
		{ thirdBrief: 'conflict', listLagMs: 60_000 },
		{ errorCodes: 'generic', rateLimitHeaders: 'none', listLagMs: 60_000 },
	])('gets every brief if the list is late and colleagues hold both slots: %j', async (options) => {
		const sandbox = await sandboxWith(options);
		for (let count = 0; count < 2; count += 1) sandbox.addBrief({ durationMs: 150_000 });
		const done = await runNode(sandbox, products(3), create({ waitUntilReady: true }));
		expect(done.all('status', 'Create')).toEqual(Array(3).fill('ready'));
		expect(sandbox.createdCount()).toBe(3);
	});

	it('sends numbers as text, terms as they are written and links as URIs', async () => {
		const links = 'https://a.example.com/1\nhttps://b.example.com/2 | https://d.example.com/4\n';
		const additionalFields = {
			productId: '={{ $json.id }}',
			audience: 'New to skincare',
			objective: '',
			approvedFacts: 'Free of parabens.',
			campaignTerms: ' 20 %\r\nnet\n',
			creativeDirection: 'Natural light',
			referenceUrls: ['={{ $json.links }}', 'https://c.example.com/größe?x[]=3'],
		};
		const item = { name: ' Glow\r\nSerum ', id: 1729384756, links };
		const { sandbox } = await ran([item], create({ additionalFields }));
		expect(sandbox.briefs()[0]!.input).toEqual({
			product_name: 'Glow\nSerum',
			product_id: '1729384756',
			audience: 'New to skincare',
			approved_facts: 'Free of parabens.',
			campaign_terms: ' 20 %\r\nnet\n',
			creative_direction: 'Natural light',
			reference_urls: [
				'https://a.example.com/1',
				'https://b.example.com/2',
				'https://d.example.com/4',
				'https://c.example.com/gr%C3%B6%C3%9Fe?x%5B%5D=3',
			],
		});
	});

	it('gives the useful fields and a file, or the brief as the service gave it', async () => {
		const options = { markdownFile: true, outputDataFieldName: 'brief' };
		const simple = create({ waitUntilReady: true, options });
		const { sandbox, done } = await ran(products(1), simple, { unknownFields: true });
		const [brief] = done.items('Create');
		expect(Object.keys(brief!.json)).toEqual([
			...['id', 'status', 'title', 'product_name', 'markdown', 'url', 'error_code', 'warnings'],
			...['created_at', 'finished_at'],
		]);
		expect(brief!.json['warnings']).toEqual([says(/^No approved facts were given/)]);
		const file = brief!.binary!['brief']!;
		expect(file).toMatchObject({ mimeType: 'text/markdown', fileExtension: 'md' });
		expect(Buffer.from(file.data, 'base64').toString()).toBe(brief!.json['markdown']);
		const whole = await runNode(sandbox, products(1), create({ simplify: false }));
		expect(whole.json('Create')).toMatchObject([{ revision: 1, sources: [], document: null }]);
	});

	it.each([
		[true, { markdownFile: true }],
		[false, {}],
	])(
		'asks for a Markdown file only if it waits for the Markdown: %s',
		(waitUntilReady, options) => {
			const { description } = new CreatorBriefing();
			const given = { resource: 'brief', operation: 'create', waitUntilReady };
			const values = { ...given, options: { markdownFile: true } };
			const node = { typeVersion: 1 };
			const { properties } = description;
			expect(
				NodeHelpers.getNodeParameters(properties, values, true, false, node, description),
			).toMatchObject({ options });
		},
	);
});

const SHAPED_ITEMS = SHAPED_ROWS.map((row, sku) => ({ ...row, name: row.product_name, sku }));

describe('Create, then Wait Until Ready', () => {
	const additionalFields = {
		productId: '={{ $json.product_id }}',
		audience: '={{ $json.audience }}',
		approvedFacts: '={{ $json.approved_facts }}',
		campaignTerms: '={{ $json.campaign_terms }}',
		idempotencyKey: '=launch-{{ $json.sku }}',
	};

	it.each<[string, SandboxOptions]>([
		...SHAPES,
		['replays with 200', { replayStatus: 200 }],
		['replays as the brief was', { replayStatus: 202, replayState: 'original' }],
		['times as seconds', { timestamps: 'epoch-seconds' }],
		['times as in headers', { timestamps: 'rfc1123' }],
		['an unknown status', { unknownStatus: 'polishing' }],
		['unknown fields', { unknownFields: true, inputShape: 'wrapped' }],
	])(
		'has every item ready, and paid once, also in a later execution with the same Order Keys: %s',
		async (_, options) => {
			const sandbox = await sandboxWith({ speed: 2000, ...options });
			// If another text is shown beside fields as they were sent, the values may have been changed under the same key.
			const times = options.inputShape === 'rewritten' ? 1 : 2;
			for (let time = 1; time <= times; time += 1) {
				const done = await runNode(sandbox, SHAPED_ITEMS, [create({ additionalFields }), wait()]);
				expect(done.status).toBe('success');
				expect(done.all('status', 'Wait')).toEqual(SHAPED_ITEMS.map(() => 'ready'));
				const ids = sandbox.briefs().map(({ id }) => id);
				expect(done.all('id', 'Wait').map((id) => String(id).toLowerCase())).toEqual(ids);
			}
			expect(sandbox.createdCount()).toBe(SHAPED_ITEMS.length);
		},
	);
});

describe('a service that answers each order with a brief of another product', () => {
	/** It writes the brief that was ordered, and shows another name. */
	const mistaken = { speed: 2000, productNames: 'others' } as const;
	const continuing = create({ onError: 'continueRegularOutput' });

	it('has nothing more ordered after two of them, and the other items say why', async () => {
		const { sandbox, done } = await ran(SHAPED_ITEMS, continuing, mistaken);
		const errors = done.all('error', 'Create').map(String);
		const mistakes = errors.map((error) => error.includes('does not understand'));
		expect(mistakes).toEqual([false, false, true, true, true]);
		expect(errors[4]).toContain('Name of another product');
		expect(sandbox.createdCount()).toBe(2);
	});

	it('has nothing more ordered in a loop either, with one item a pass', async () => {
		const sandbox = await sandboxWith(mistaken);
		await runLoop(sandbox, SHAPED_ITEMS, continuing);
		expect(sandbox.createdCount()).toBe(2);
	});

	it('may be right if an Order Key was used before: the other items are ordered', async () => {
		const additionalFields = { idempotencyKey: '={{ $json.sku }}' };
		const node = create({ additionalFields, onError: 'continueRegularOutput' });
		const { sandbox } = await ran(SHAPED_ITEMS.slice(0, 3), node, { speed: 2000 });
		const others = [4, 5, 6].map((at) => ({ name: `Soap of sort ${at}`, sku: at - 4 }));
		const done = await runNode(sandbox, [...others, { name: 'New', sku: 9 }], node);
		expect(done.all('error', 'Create').join()).not.toContain('does not understand');
		expect(done.json('Create')[3]?.['product_name']).toBe('New');
		expect(sandbox.createdCount()).toBe(4);
	});
});

describe('Max Briefs per Run', () => {
	const most = (maxBriefs: unknown, given = {}) => create({ ...given, options: { maxBriefs } });

	it('leaves what is beyond as error items, and asks nothing for them', async () => {
		const node = most(2, { onError: 'continueRegularOutput' });
		const { sandbox, done } = await ran([{ name: 'x' }, ...products(4)], node);
		expect(done.json('Create')).toMatchObject([
			{ code: 'invalid_input' },
			{ product_name: 'Glow Serum No. 1' },
			{ product_name: 'Glow Serum No. 2' },
			{ code: 'beyond_max', error: says(/is 2, and/) },
			{ code: 'beyond_max' },
		]);
		expect(requestsOf(sandbox, 'create_brief')).toBe(2);
	});

	it('is no limit at 0, and counts a brief of several items once', async () => {
		const { sandbox, done } = await ran(products(2), most(0));
		expect(done.status).toBe('success');
		const shared = most(1, { additionalFields: { idempotencyKey: 'mask' } });
		const same = [{ name: 'Mask' }, { name: 'Mask' }];
		expect((await runNode(sandbox, same, shared)).status).toBe('success');
		expect(sandbox.createdCount()).toBe(3);
	});
});

describe('requests', () => {
	it('of two briefs in an idle workspace are a look before each and two creates', async () => {
		const { sandbox } = await ran(products(2), create({ options: { pollInterval: 5 } }));
		const pair = ['list_briefs', 'create_brief'];
		expect(sandbox.requests.map(({ operation }) => operation)).toEqual([...pair, ...pair]);
	});

	it('end with the run, also if briefs were being waited for', async () => {
		const waiting = create({ waitUntilReady: true });
		const { sandbox, done } = await ran(products(2), waiting, { allowance: 1 });
		expect(done.status).toBe('error');
		const requests = sandbox.requests.length;
		await later(300);
		expect(sandbox.requests).toHaveLength(requests);
	});
});

const NOBODY = '={{ $("Nobody").item.json.x }}';

describe('what cannot be ordered stops the run before anything is sent', () => {
	/** The item with everything that goes wrong. */
	const item = {
		name: 'Glow Serum',
		isNew: true,
		sizes: ['S', 'M'],
		who: '[object Object]',
		campaign: 'spring-launch-',
	};
	const rounded = ['1005006123456780', '1005006123456790', '1005006123456700'];
	const ended = (key: string) => new RegExp(`'Order Key' is “${key}”, and the part at its end`);

	it.each<[string, Record<string, unknown>, RegExp, RegExp, object[]?]>([
		['an option that fails', { simplify: NOBODY }, /node doesn't exist/, /./],
		['Wait Until Ready that fails', { waitUntilReady: NOBODY }, /node doesn't exist/, /./],
		[
			'a file option that fails',
			{ waitUntilReady: true, options: { markdownFile: NOBODY } },
			/node doesn't exist/,
			/./,
		],
		[
			'two bad items of three',
			{ additionalFields: { productId: '={{ $json.id }}' } },
			/^'Product Name' is too short \[item 1\]$/,
			/^It takes 2 to 180 characters.*Nothing was sent, and no brief was used.*1 more item cannot/,
			[{ name: 'Glow Serum' }, { name: 'x' }, { name: 'Mask', id: 'abc' }],
		],
		[
			'more than Max Briefs per Run',
			{ options: { maxBriefs: 2 } },
			/^'Max Briefs per Run' is 2, .* \[item 2\]$/,
			/Nothing was sent.*1 more item cannot/,
			products(4),
		],
		['no number', { options: { maxBriefs: 'many' } }, /'Max Briefs per Run' is not a whole/, /./],
		['braces', { productName: '{{ $json.name }}' }, /{{ \$json.name }}/, /Fixed to Expression/],
		[
			'a brace left over',
			{ productName: '=Glow Serum }}' },
			/Glow Serum }}/,
			/braces .* left over/,
		],
	])('%s', async (_, parameters, message, cure, items = [item]) => {
		const { sandbox, done } = await ran(items, create(parameters));
		expect(done.error.message).toMatch(message);
		expect(done.error.description ?? '.').toMatch(cure);
		expect(sandbox.requests).toEqual([]);
	});

	it.each<[string, string, RegExp, RegExp, object[]?]>([
		['audience', '={{ $json.who }}', /^'Audience' contains .*\[object Object\]/, /field/],
		['idempotencyKey', '={{ "" + $json.who }}', /^'Order Key' contains .*object/, /field/],
		[
			'productId',
			'={{ Number("1729384756102938475") }}',
			/the number 17293847561029384/,
			/as text/i,
		],
		['productId', '1729384756123450000', /is “1729384756123450000”/, /link as its name/],
		[
			'productId',
			'={{ $json.id }}',
			/is “1005006123456780”/,
			/link as its name/,
			rounded.map((id) => ({ name: `Glow ${id}`, id })),
		],
		['idempotencyKey', 'launch', /the same as in item 0.*\[item 1\]$/, /./, products(2)],
		[
			'idempotencyKey',
			'a-{{ $json.name }}',
			/contains the text a-{{ \$json.name }} /,
			/to Expression/,
		],
		['idempotencyKey', 'a-{{ $json.name', /contains the text a-{{ \$json.name /, /to Expression/],
		['idempotencyKey', '={{ $json.sku }}', /empty for this item/, /Correct .*or clear the field/],
		['idempotencyKey', '={{ $json.isNew }}', /empty for this item/, /Correct/],
		['idempotencyKey', '={{ $json.sizes }}', /empty for this item/, /Correct/],
		[
			'idempotencyKey',
			'=a-launch-{{ $json.sku }}',
			ended('a-launch-'),
			/field that every item has/,
		],
		['idempotencyKey', '=a-2026-{{ $json.sku }}', ended('a-2026-'), /./],
		['idempotencyKey', '={{ "a-" + $json.sku }}', ended('a-undefined'), /./],
		['idempotencyKey', '={{ $json.campaign }}', ended('spring-launch-'), /./],
		['idempotencyKey', 'spring-launch-', ended('spring-launch-'), /./],
	])('the field %s with %s', async (field, value, message, cure, items = [item]) => {
		const node = create({ additionalFields: { [field]: value } });
		const { sandbox, done } = await ran(items, node);
		expect(done.error.message).toMatch(message);
		expect(done.error.description).toMatch(cure);
		expect(sandbox.requests).toEqual([]);
	});

	it.each([
		['an expression that nobody has filled in', '='],
		['a value with braces', '={{ $json.braces }}'],
		['a random ID that ends with a separator', '={{ $json.random }}'],
	])('but not an Order Key that is %s', async (_, idempotencyKey) => {
		const item = { name: 'Mask', braces: 'spring-{{x}}', random: 'V1StGXR8_Z5jdHi6B-my-' };
		const { done } = await ran([item], create({ additionalFields: { idempotencyKey } }));
		expect(done.status).toBe('success');
	});

	it('but not an ID that may be rounded or true: that has a hint', async () => {
		const node = create({ additionalFields: { productId: '1005006123456780' } });
		const { done } = await ran(products(1), node);
		expect(done.hints('Create')[0]).toContain('Check the product ID 1005006123456780');
	});
});

describe('a bad item', () => {
	const items = [{ name: 'Glow Serum' }, { name: 'x', row: 7 }, { name: 'Mask' }];
	const refused = {
		error: "'Product Name' is too short [item 1]",
		message: 'It takes 2 to 180 characters.',
		code: 'invalid_input',
	};

	it('is an error item with Continue, and the others are created', async () => {
		const { done } = await ran(items, create({ onError: 'continueRegularOutput' }));
		expect(done.json('Create')).toMatchObject([
			{ product_name: 'Glow Serum' },
			refused,
			{ product_name: 'Mask' },
		]);
	});

	it('goes to the error output with its own input, and the others to the first', async () => {
		const { done } = await ran(items, create({ onError: 'continueErrorOutput' }));
		expect(done.all('product_name', 'Create', 0)).toEqual(['Glow Serum', 'Mask']);
		expect(done.json('Create', 1)).toEqual([{ name: 'x', row: 7, ...refused }]);
	});

	it('is explained if the service refuses what passed the checks here', async () => {
		const sandbox = await sandboxWith();
		// 180 characters that the service counts otherwise would be such a case; a fault stands for it.
		sandbox.faults.add({ kind: '5xx', status: 422, operation: 'create_brief' });
		const done = await runNode(sandbox, products(1), create());
		expect(done.error.httpCode).toBe('422');
		expect(done.error.description).toMatch(/Correct what it names/);
	});
});
