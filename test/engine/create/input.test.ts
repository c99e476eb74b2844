import type { INodeProperties } from 'n8n-workflow';
import { description as parameters } from '../../../nodes/CreatorBriefing/actions/brief/create.operation';
import { runLoop, runNode } from '../../support/engine/engine';
import {
	asTool,
	continuing,
	create,
	runInSandbox,
	withErrorOutput,
	type NodeSettings,
} from '../../support/engine/fixtures';
import { matchText } from '../../support/values';

const AUDIENCE = '={{ $json.Audience }}';

describe('an expression that is undefined for an item', () => {
	const row = { name: 'Mug', 'Target audience': 'Cooks' };
	const columns = '^The columns are: “name”, “Target audience”\\. Correct the expression\\.';

	test.each<[string, object, NodeSettings, RegExp, RegExp]>([
		[
			'in a field',
			row,
			{ audience: AUDIENCE },
			/^Mug: 'Audience' uses a column that this item does not have/,
			new RegExp(
				`${columns} If the column can be empty, write {{ \\$json\\.Audience \\?\\? '' }}\\.`,
			),
		],
		[
			'in an additional field',
			row,
			{ additionalFields: { productId: '={{ $json.ID }}' } },
			/'Product ID' uses a column that this item does not have/,
			new RegExp(columns),
		],
		[
			'among links',
			row,
			{ additionalFields: { referenceUrls: ['https://a.example.com/1', '={{ $json.link }}'] } },
			/'Reference URLs' uses a column that this item does not have/,
			/write {{ \$json\.link \?\? '' }}/,
		],
		[
			'in a text',
			row,
			{ audience: '=Cooks in {{ $json.Country }}, {{ "{{".length }} of them' },
			/'Audience' uses a column that this item does not have/,
			/write {{ \$json\.Country \?\? '' }}/,
		],
		[
			'for the product name',
			{ Product: 'Mug' },
			{},
			/^'Product Name' uses a column that this item does not have/,
			/^The columns are: “Product”\. Correct the expression\. Nothing/,
		],
		[
			'of an item without columns',
			{},
			{ productName: 'Mug', audience: AUDIENCE },
			/^Mug: 'Audience' uses a column that this item does not have/,
			/^There are no columns\./,
		],
	])('is the error of this item: %s', async (_, item, settings, title, nextStep) => {
		const alone = await runInSandbox([item], create(settings));
		expect(alone.done.error.message).toMatch(title);
		expect(alone.done.error.description).toMatch(nextStep);
		expect(alone.sandbox.requests).toEqual([]);
	});

	const items = [{ name: 'Mug', Audience: 'Cooks' }, { name: 'Lamp' }, { name: 'Soap' }];

	test('is the error of the same item among others, in a loop and in Check Only', async () => {
		const node = create({ audience: AUDIENCE, ...continuing });
		const { sandbox, done } = await runInSandbox(items, node);
		expect(sandbox.createdCount()).toBe(1);
		expect(done.values('code', 'Create')).toEqual([undefined, 'invalid_input', 'invalid_input']);
		expect(done.json('Create')[1]).toMatchObject({
			error: "Lamp: 'Audience' uses a column that this item does not have",
			message: matchText(/^The columns are: “name”\. .*write {{ \$json\.Audience \?\? '' }}/),
		});
		const loop = await runLoop(sandbox, items, node);
		expect(loop.passes('Create').map((item) => item!['code'])).toEqual(
			done.values('code', 'Create'),
		);
		const planned = await runNode(sandbox, items, create({ audience: AUDIENCE, checkOnly: true }));
		expect(planned.values('planned_action', 'Create')).toEqual(['reuse', 'error', 'error']);
	});

	test('is an empty value with the fallback that the message names', async () => {
		const node = create({ audience: "={{ $json.Audience ?? '' }}" });
		const { sandbox } = await runInSandbox(items, node);
		expect(sandbox.briefs().map(({ input }) => input['audience'])).toEqual([
			'Cooks',
			undefined,
			undefined,
		]);
	});

	test('is an empty value for an agent that calls the node as a tool', async () => {
		const node = asTool(create({ audience: AUDIENCE }));
		const { sandbox } = await runInSandbox([{ name: 'Mug' }], node);
		expect(sandbox.briefs()[0]!.input).toEqual({ product_name: 'Mug' });
	});

	test('has its fallback in the hint of each optional field', () => {
		const collection = parameters.find(({ name }) => name === 'additionalFields')!;
		const fields = [
			...parameters.filter(({ name }) => /^(audience|approvedFacts)$/.test(name)),
			...(collection.options as INodeProperties[]),
		];
		for (const { hint } of fields) expect(hint).toMatch(/^If .*empty.*\{\{ .* \?\? '' \}\}$/);
	});
});

describe('a list of texts', () => {
	test('is joined: facts one a line, other texts with commas', async () => {
		const item = { name: ['Mug'], who: ['Cooks', null, 'Bakers'], facts: ['1 litre', 7], goal: [] };
		const { sandbox } = await runInSandbox(
			[item],
			create({
				audience: '={{ $json.who }}',
				approvedFacts: '={{ $json.facts }}',
				additionalFields: { objective: '={{ $json.goal }}' },
			}),
		);
		expect(sandbox.briefs()[0]!.input).toEqual({
			product_name: 'Mug',
			audience: 'Cooks, Bakers',
			approved_facts: '1 litre\n7',
		});
	});

	test('with an object is refused', async () => {
		const item = { name: 'Mug', who: ['Cooks', { url: 'x' }] };
		const { done } = await runInSandbox([item], create({ audience: '={{ $json.who }}' }));
		expect(done.error.message).toMatch(/^Mug: 'Audience' is not text/);
	});
});

describe('a text from an expression', () => {
	const flask = { name: 'Flask', facts: '1 litre.', who: { age: 30 } };

	test.each([
		[
			'the word undefined',
			"={{ $json.facts + ' ' + $json.more }}",
			/^Flask: 'Audience' is “1 litre\. undefined”, which contains the word undefined/,
			/^The columns are: “name”, “facts”, “who”\. Correct the expression\. If/,
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
			{ productName: '[name]' },
			/'Product Name' is “\[name\]”, the name of a column in brackets/,
			/^Drag the column from the input into the field, or write {{ \$json\["name"\] }} as an expression\./,
		],
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

test('a text without a letter or digit counts as empty, and the notice shows its beginning', async () => {
	const { done } = await runInSandbox([{ name: 'Mug' }], create({ audience: '-'.repeat(500) }));
	expect(done.hints('Create')).toEqual([matchText(/'Audience' is “-{59}…” and counts as empty/)]);
});

describe('a product name', () => {
	test('that is probably no name is ordered, and the notice names it', async () => {
		const names = ['12345678', '# spring list'];
		const items = names.map((name) => ({ name }));
		const { done } = await runInSandbox(items, create());
		expect(done.hints('Create')).toEqual([
			matchText(
				/12345678: 'Product Name' is “12345678”, which has no letter\.<br>.*'Product Name' is “# spring list”, like a comment/,
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
			"Enter 2 to 180 characters. Nothing was ordered. 1 other item cannot be ordered, either. To let the other items through, set 'On Error' in the node's settings to 'Continue'.",
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
