import { runNode } from '../../support/engine/engine';
import {
	continuing,
	create,
	products,
	runInSandbox,
	openService,
	says,
	withErrorOutput,
} from '../../support/engine/fixtures';

const AUDIENCE = '={{ $json.Audience }}';

describe('an expression that is undefined', () => {
	const rows = products(2).map((row) => ({ ...row, 'Target audience': 'Cooks' }));
	const title = /^Glow Serum No. 1: 'Audience' uses a column that none of the 2 items has/;
	const nextStep =
		/^The columns are: “name”, “Target audience”\. Correct the expression\. For a column that can be missing, write {{ \$json\['Column name'\] \?\? '' }}\./;

	it('for every item ends the node before anything is sent', async () => {
		const { sandbox, done } = await runInSandbox(rows, create({ audience: AUDIENCE }));
		expect(done.error.message).toMatch(title);
		expect(done.error.description).toMatch(nextStep);
		expect(sandbox.requests).toEqual([]);
	});

	it('for every item is the error of each item in Check Only', async () => {
		const node = create({ audience: AUDIENCE, checkOnly: true });
		const { sandbox, done } = await runInSandbox(rows, node);
		expect(done.values('planned_action', 'Create')).toEqual(['error', 'error']);
		expect(done.json('Create')[0]).toMatchObject({ error: says(title), message: says(nextStep) });
		expect(sandbox.createdCount()).toBe(0);
	});

	it('for every item is an error if the field is an additional field, too', async () => {
		const additionalFields = { productId: '={{ $json.ID }}' };
		const { done } = await runInSandbox(rows, create({ additionalFields, ...continuing }));
		expect(done.values('error', 'Create')[1]).toMatch(
			/'Product ID' uses a column that none of the 2 items has/,
		);
	});

	it('for the product name is an error that names the column to use', async () => {
		const { done } = await runInSandbox([{ Product: 'Mug' }], create());
		expect(done.error.message).toMatch(
			/^'Product Name' uses a column that this item does not have/,
		);
		expect(done.error.description).toMatch(/^The columns are: “Product”\./);
	});

	it('says so if the items have no columns', async () => {
		const { done } = await runInSandbox([{}], create({ productName: 'Mug', audience: AUDIENCE }));
		expect(done.error.message).toMatch(
			/^Mug: 'Audience' uses a column that this item does not have/,
		);
		expect(done.error.description).toMatch(/^The items have no columns\./);
	});

	it('for some items is ordered without the value, and the notice counts the items', async () => {
		const items = [{ name: 'Mug', Audience: 'Cooks' }, { name: 'Lamp' }, { name: 'Soap' }];
		const { sandbox, done } = await runInSandbox(items, create({ audience: AUDIENCE }));
		expect(sandbox.createdCount()).toBe(3);
		expect(done.hints('Create')).toEqual([
			says(/'Audience' uses a column that 2 of 3 items do not have\.$/),
		]);
	});

	it('in a text for every item ends the node before anything is sent', async () => {
		const productName = '={{ $json.name }} by {{ $json.Brand }}';
		const { sandbox, done } = await runInSandbox(rows, create({ productName }));
		expect(done.error.message).toMatch(/'Product Name' uses a column that none of the 2 items has/);
		expect(sandbox.requests).toEqual([]);
	});

	it('in a text for some items is ordered without the value, and the notice counts the items', async () => {
		const items = [{ name: 'Mug', Country: 'Peru' }, { name: 'Lamp' }];
		const audience = '=Cooks in {{ $json.Country }}, {{ "{{".length }} of them';
		const { sandbox, done } = await runInSandbox(items, create({ audience }));
		expect(sandbox.briefs().map(({ input }) => input['audience'])).toContain(
			'Cooks in , 2 of them',
		);
		expect(done.hints('Create')).toEqual([
			says(/'Audience' uses a column that 1 of 2 items does not have/),
		]);
	});

	it('with the fallback of the message is an empty value', async () => {
		const node = create({ audience: "={{ $json.Audience ?? '' }}" });
		const { sandbox, done } = await runInSandbox(rows, node);
		expect(sandbox.createdCount()).toBe(2);
		expect(done.hints('Create')).toEqual([expect.not.stringContaining('undefined')]);
	});

	it('can be left out by an agent that calls the node as a tool', async () => {
		const node = { ...create({ audience: AUDIENCE }), type: 'creatorBriefingTool' };
		const { sandbox } = await runInSandbox([{ name: 'Mug' }], node);
		expect(sandbox.briefs()[0]!.input).toEqual({ product_name: 'Mug' });
	});
});

describe('a text from an expression', () => {
	const facts = "={{ $json.facts + ' ' + $json.more }}";
	const items = [
		{ name: 'Bottle', facts: '2 litres.', more: 'BPA-free.' },
		{ name: 'Flask', facts: '1 litre.' },
	];

	it.each([
		['a run', continuing],
		['Check Only', { checkOnly: true }],
	])('that contains the word undefined is the error of its item in %s', async (_, settings) => {
		const { done } = await runInSandbox(items, create({ approvedFacts: facts, ...settings }));
		expect(done.json('Create')[0]).not.toHaveProperty('error');
		expect(done.json('Create')[1]).toMatchObject({
			error: says(
				/^Flask: 'Approved Facts' is “1 litre\. undefined”, which contains the word undefined/,
			),
			code: 'invalid_input',
			message: says(/^The columns are: “name”, “facts”\. Correct the expression\./),
		});
	});

	it.each([
		['a run', continuing],
		['Check Only', { checkOnly: true }],
	])('that contains [object Object] is the error of its item in %s', async (_, settings) => {
		const node = create({ audience: "={{ 'For ' + $json.who }}", ...settings });
		const { sandbox, done } = await runInSandbox([{ name: 'Mug', who: { age: 30 } }], node);
		expect(done.json('Create')).toMatchObject([
			{ error: says(/^Mug: 'Audience' contains .*\[object Object\]/), code: 'invalid_input' },
		]);
		expect(sandbox.createdCount()).toBe(0);
	});

	it('is sent if the user typed the word undefined', async () => {
		const { sandbox } = await runInSandbox(
			[{ name: 'Mug' }],
			create({ audience: 'Of undefined age' }),
		);
		expect(sandbox.briefs()[0]!.input).toMatchObject({ audience: 'Of undefined age' });
	});

	it.each([
		['{{ $json.name }}', /{{ \$json.name }}/],
		['=Glow Serum }}', /Glow Serum }}/],
	])('that n8n has not evaluated ends the node: %s', async (productName, title) => {
		const { sandbox, done } = await runInSandbox([{ name: 'Mug' }], create({ productName }));
		expect(done.error.message).toMatch(title);
		expect(done.error.description).toMatch(
			/^If the field is set to Fixed, switch it to Expression\. Remove braces/,
		);
		expect(sandbox.requests).toEqual([]);
	});

	it('is an error item for each item if the expression names a node that does not exist', async () => {
		const node = create({ waitUntilReady: '={{ $("Nowhere").item.json.x }}', ...continuing });
		const { done } = await runInSandbox(products(2), node);
		expect(done.values('error', 'Create')).toEqual(Array(2).fill(says(/node doesn't exist/)));
	});
});

describe('a product name', () => {
	it('that is a number with lost digits is refused', async () => {
		const { sandbox, done } = await runInSandbox([{ name: 2 ** 60 }], create());
		expect(done.error.message).toMatch(
			/'Product Name' is the number 1152921504606847000, whose last digits are lost/,
		);
		expect(done.error.description).toMatch(/^Send it as text/);
		expect(sandbox.requests).toEqual([]);
	});

	it('that is probably no name is ordered, and the notice says so', async () => {
		const names = ['12345678', 'https://cdn.example.com/mug.pdf', 'Untitled'];
		const { done } = await runInSandbox(
			names.map((name) => ({ name })),
			create(),
		);
		expect(done.hints('Create')).toEqual([
			says(
				/12345678: 'Product Name' is “12345678”, digits alone\. .*'Product Name' is “https:.*”, a link to a file\. Untitled: 'Product Name' is “Untitled”, which/,
			),
		]);
	});

	it('in five spellings of one link is one order', async () => {
		const names = [
			'https://shop.example.com/p/1',
			'http://shop.example.com/p/1',
			'https://SHOP.example.com/p/1/',
			'https://shop.example.com/p/1?utm_source=mail',
			'https://shop.example.com/p/1#reviews',
		];
		const items = names.map((name) => ({ name }));
		const { sandbox, done } = await runInSandbox(items, create());
		expect(sandbox.createdCount()).toBe(1);
		expect(new Set(done.values('id', 'Create')).size).toBe(1);
	});

	it('with letters that n8n replaces in messages is named all the same', async () => {
		const refusal = { kind: '5xx', status: 400, operation: 'create_brief' } as const;
		const { done } = await runInSandbox([{ name: 'HomeAccessories' }], create(), {}, refusal);
		expect(done.error.message).toBe(
			'HomeAccessories: the service refused the request as invalid (400) [item 0]',
		);
	});
});

describe('an Order Key', () => {
	const keyed = (idempotencyKey: string) =>
		create({ whenBriefExists: 'orderAnother', idempotencyKey });

	it.each([
		['={{ $json.sku }}', /^Mug: 'Order Key' is empty for this item/, /or clear the field/],
		['={{ $json.isNew }}', /^Mug: 'Order Key' is empty for this item/, /or clear the field/],
		['={{ "v2 " + $json.sku }}', /^Mug: 'Order Key' is “v2 undefined”/, /or clear the field/],
		['={{ "" + $json.who }}', /^Mug: 'Order Key' contains .*object/, /Choose the field/],
		[
			'{{ $json.name }}',
			/^Mug: 'Order Key' contains “{{ \$json\.name }}”/,
			/switch it to Expression/,
		],
	])('that is no key ends the node: %s', async (key, title, nextStep) => {
		const items = [{ name: 'Mug', isNew: true, who: { age: 30 } }];
		const { sandbox, done } = await runInSandbox(items, keyed(key));
		expect(done.error.message).toMatch(title);
		expect(done.error.description).toMatch(nextStep);
		expect(sandbox.requests).toEqual([]);
	});

	it('can be left empty', async () => {
		const { done } = await runInSandbox([{ name: 'Mug' }], keyed(''));
		expect(done.status).toBe('success');
	});
});

describe('items that are not valid', () => {
	const items = [{ name: 'Glow Serum' }, { name: 'x' }, { name: 'Mask', id: 'abc' }];
	const form = { additionalFields: { productId: "={{ $json.id ?? '' }}" } };

	it('end the node before anything is sent, and the message says how to let the others through', async () => {
		const { sandbox, done } = await runInSandbox(items, create(form));
		expect(done.error.message).toBe("x: 'Product Name' is too short [item 1]");
		expect(done.error.description).toBe(
			"Enter 2 to 180 characters. Nothing was ordered for these items. 1 other item cannot be ordered, either. To let the other items through, set 'On Error' in the node's settings to 'Continue'.",
		);
		expect(sandbox.requests).toEqual([]);
	});

	it('go to the error output, and the others are ordered', async () => {
		const { sandbox, done } = await runInSandbox(items, create({ ...form, ...withErrorOutput }));
		expect(done.values('product_name', 'Create', 0)).toEqual(['Glow Serum']);
		expect(done.json('Create', 1)).toMatchObject([
			{ name: 'x', code: 'invalid_input' },
			{ name: 'Mask', code: 'invalid_input', error: says(/^Mask: 'Product ID' is “abc”/) },
		]);
		expect(sandbox.createdCount()).toBe(1);
	});

	it('have titles without item numbers', async () => {
		const sandbox = await openService();
		const done = await runNode(sandbox, [{}, { name: '' }], create(continuing));
		expect(done.values('error', 'Create')).toEqual([
			says(/^'Product Name' is missing/),
			says(/^'Product Name' is missing/),
		]);
	});
});
