import type { INodeProperties } from 'n8n-workflow';
import { description as parameters } from '../../../nodes/CreatorBriefing/actions/brief/create.operation';
import {
	asTool,
	continuing,
	create,
	runInSandbox,
	withErrorOutput,
	type NodeSettings,
} from '../../support/engine/fixtures';
import { makeProducts, matchText } from '../../support/values';

const AUDIENCE = '={{ $json.Audience }}';

describe('an expression that is undefined for every item', () => {
	const rows = makeProducts(2).map((row) => ({ ...row, 'Target audience': 'Cooks' }));
	const columns = '^The columns are: “name”, “Target audience”\\. Correct the expression\\.';

	test.each<[string, object[], NodeSettings, RegExp, RegExp]>([
		[
			'of several items',
			rows,
			{ audience: AUDIENCE },
			/^Glow Serum No. 1: 'Audience' uses a column that none of the 2 items has/,
			new RegExp(
				`${columns} For a column that can be missing, write {{ \\$json\\['Column name'\\]`,
			),
		],
		[
			'in an additional field',
			rows,
			{ additionalFields: { productId: '={{ $json.ID }}' } },
			/'Product ID' uses a column that none of the 2 items has/,
			new RegExp(columns),
		],
		[
			'in a text',
			rows,
			{ productName: '={{ $json.name }} by {{ $json.Brand }}' },
			/'Product Name' uses a column that none of the 2 items has/,
			new RegExp(columns),
		],
		[
			'for the product name',
			[{ Product: 'Mug' }],
			{},
			/^'Product Name' uses a column that this item does not have/,
			/^The columns are: “Product”\. Correct the expression\. Nothing/,
		],
		[
			'of an item without columns',
			[{}],
			{ productName: 'Mug', audience: AUDIENCE },
			/^Mug: 'Audience' uses a column that this item does not have/,
			/^The items have no columns\./,
		],
	])('ends the node before anything is sent: %s', async (_, items, settings, title, nextStep) => {
		const { sandbox, done } = await runInSandbox(items, create(settings));
		expect(done.error.message).toMatch(title);
		expect(done.error.description).toMatch(nextStep);
		expect(sandbox.requests).toEqual([]);
	});

	test('is the error of each item in Check Only', async () => {
		const node = create({ audience: AUDIENCE, checkOnly: true });
		const { done } = await runInSandbox(rows, node);
		expect(done.values('planned_action', 'Create')).toEqual(['error', 'error']);
		const error = matchText(/'Audience' uses a column/);
		expect(done.json('Create')[0]).toMatchObject({ error, message: matchText(columns) });
	});

	test('is an empty value with the fallback that the message names', async () => {
		const node = create({ audience: "={{ $json.Audience ?? '' }}" });
		const { sandbox, done } = await runInSandbox(rows, node);
		expect(sandbox.createdCount()).toBe(2);
		expect(done.hints('Create')).toEqual([expect.not.stringContaining('undefined')]);
	});

	test('is an empty value for an agent that calls the node as a tool', async () => {
		const node = asTool(create({ audience: AUDIENCE }));
		const { sandbox } = await runInSandbox([{ name: 'Mug' }], node);
		expect(sandbox.briefs()[0]!.input).toEqual({ product_name: 'Mug' });
	});
});

describe('an expression that is undefined for some items', () => {
	const items = [{ name: 'Mug', Country: 'Peru' }, { name: 'Lamp' }, { name: 'Soap' }];

	test.each([
		['={{ $json.Country }}', undefined],
		['=Cooks in {{ $json.Country }}, {{ "{{".length }} of them', 'Cooks in , 2 of them'],
	])(
		'is ordered without the value, and the notice counts the items: %s',
		async (audience, sent) => {
			const { sandbox, done } = await runInSandbox(items, create({ audience }));
			expect(sandbox.briefs().map(({ input }) => input['audience'])).toContain(sent);
			expect(done.hints('Create')).toEqual([
				matchText(/'Audience' uses a column that 2 of 3 items do not have\.$/),
			]);
		},
	);
});

describe('a text from an expression', () => {
	const flask = { name: 'Flask', facts: '1 litre.', who: { age: 30 } };

	test.each([
		[
			'the word undefined',
			"={{ $json.facts + ' ' + $json.more }}",
			/^Flask: 'Audience' is “1 litre\. undefined”, which contains the word undefined/,
			/^The columns are: “name”, “facts”, “who”\. Correct the expression\./,
		],
		[
			'[object Object]',
			"={{ 'For ' + $json.who }}",
			/^Flask: 'Audience' contains .*\[object Object\]/,
			/./,
		],
	])('that contains %s is the error of its item', async (_, audience, error, message) => {
		const items = [{ name: 'Bottle', facts: '2 litres.', more: 'BPA-free.', who: 'all' }, flask];
		for (const settings of [continuing, { checkOnly: true }]) {
			const { done } = await runInSandbox(items, create({ audience, ...settings }));
			expect(done.json('Create')[0]).not.toHaveProperty('error');
			expect(done.json('Create')[1]).toMatchObject({
				error: matchText(error),
				code: 'invalid_input',
				message: matchText(message),
			});
		}
	});

	test('is sent if the user typed the word undefined', async () => {
		const node = create({ audience: 'Of undefined age' });
		const { sandbox } = await runInSandbox([{ name: 'Mug' }], node);
		expect(sandbox.briefs()[0]!.input).toMatchObject({ audience: 'Of undefined age' });
	});
});

describe('a value that is refused before anything is sent', () => {
	const switchIt = /^If the field is set to Fixed, switch it to Expression\. Remove braces/;

	test.each<[NodeSettings, RegExp, RegExp]>([
		[
			{ productName: `={{ ${2 ** 60} }}` },
			/'Product Name' is the number 1152921504606847000, whose last digits are lost/,
			/^Send it as text/,
		],
		[{ productName: '{{ $json.name }}' }, /{{ \$json.name }}/, switchIt],
		[{ productName: '=Glow Serum }}' }, /Glow Serum }}/, switchIt],
		[
			{ whenBriefExists: 'orderAnother' },
			/^Mug: 'When Brief Exists' is “orderAnother”, which is not an option/,
			/^Choose 'Use It' or 'Use It Unless It Failed'\. .*“Variant B” into Creative Direction\./,
		],
	])('%j', async (settings, title, nextStep) => {
		const { sandbox, done } = await runInSandbox([{ name: 'Mug' }], create(settings));
		expect(done.error.message).toMatch(title);
		expect(done.error.description).toMatch(nextStep);
		expect(sandbox.requests).toEqual([]);
	});
});

test('an error names each field as the form does', async () => {
	const { options } = parameters.find(({ name }) => name === 'additionalFields')!;
	const fields = options as INodeProperties[];
	const additionalFields = Object.fromEntries(fields.map(({ name }) => [name, '#REF!']));
	const node = create({ audience: '#REF!', approvedFacts: '#REF!', additionalFields });
	const { done } = await runInSandbox([{ name: 'Mug' }], node);
	const named = [...done.error.message.matchAll(/'([^']+)' (?:is|has) “#REF!”/g)];
	const labels = ['Audience', 'Approved Facts', ...fields.map(({ displayName }) => displayName)];
	expect(named.map(([, label]) => label).sort()).toEqual(labels.sort());
});

describe('a product name', () => {
	test('that is probably no name is ordered, and the notice names it', async () => {
		const names = ['12345678', 'https://cdn.example.com/mug.pdf', 'Untitled'];
		const items = names.map((name) => ({ name }));
		const { done } = await runInSandbox(items, create());
		expect(done.hints('Create')).toEqual([
			matchText(
				/12345678: 'Product Name' is “12345678”, digits alone\. .*'Product Name' is “https:.*”, a link to a file\. Untitled: 'Product Name' is “Untitled”, which/,
			),
		]);
	});

	test('with letters that n8n replaces in messages is named unchanged', async () => {
		const refusal = { kind: '5xx', status: 400, operation: 'create_brief' } as const;
		const { done } = await runInSandbox([{ name: 'HomeAccessories' }], create(), {}, refusal);
		expect(done.error.message).toBe(
			'HomeAccessories: the service refused the request as invalid (400) [item 0]',
		);
	});
});

describe('items that are not valid', () => {
	const items = [{ name: 'Glow Serum' }, { name: 'x' }, { name: 'Mask', id: 'abc' }];
	const form = { additionalFields: { productId: "={{ $json.id ?? '' }}" } };

	test('end the node before anything is sent, and the message explains how to process the other items', async () => {
		const { sandbox, done } = await runInSandbox(items, create(form));
		expect(done.error.message).toBe("x: 'Product Name' is too short [item 1]");
		expect(done.error.description).toBe(
			"Enter 2 to 180 characters. Nothing was ordered for these items. 1 other item cannot be ordered, either. To let the other items through, set 'On Error' in the node's settings to 'Continue'.",
		);
		expect(sandbox.requests).toEqual([]);
	});

	test('go to the error output, and the others are ordered', async () => {
		const { sandbox, done } = await runInSandbox(items, create({ ...form, ...withErrorOutput }));
		expect(done.values('product_name', 'Create', 0)).toEqual(['Glow Serum']);
		expect(done.json('Create', 1)).toMatchObject([
			{ name: 'x', code: 'invalid_input', error: "x: 'Product Name' is too short" },
			{ name: 'Mask', code: 'invalid_input', error: matchText(/^Mask: 'Product ID' is “abc”/) },
		]);
		expect(sandbox.createdCount()).toBe(1);
	});
});
