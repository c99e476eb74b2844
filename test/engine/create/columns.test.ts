import { makeWorkflow, runNode } from '../../support/engine/engine';
import {
	asTool,
	continuing,
	create,
	openService,
	runInSandbox,
	type NodeSettings,
} from '../../support/engine/fixtures';
import { makeProducts, matchText } from '../../support/values';

/** Returns Create without an expression for the product. */
const byName = (settings: NodeSettings = {}) =>
	create({ mappingMode: 'autoMapInputData', productName: '', ...settings });

const row = {
	Notes: 'urgent',
	'Reference URLs': 'https://a.example.com/1 https://b.example.com/2',
	'Creative Direction': 'Natural light',
	'Campaign Terms': '20 %',
	'Approved Facts': '30 ml',
	Objective: 'First purchases',
	Audience: 'Cooks',
	'Product ID': 1729384756,
	'Product Name': 'Mug',
};

describe('Map Columns by Name', () => {
	test('orders a sheet without an expression, and the notice names the columns', async () => {
		const { sandbox, done } = await runInSandbox([row], byName());
		expect(sandbox.briefs()[0]!.input).toEqual({
			product_name: 'Mug',
			product_id: '1729384756',
			audience: 'Cooks',
			objective: 'First purchases',
			approved_facts: '30 ml',
			campaign_terms: '20 %',
			creative_direction: 'Natural light',
			reference_urls: ['https://a.example.com/1', 'https://b.example.com/2'],
		});
		expect(done.hints('Create')).toEqual([
			matchText(
				/<br>Columns sent: “Product Name”, “Product ID”, .*“Reference URLs”\. Not sent: “Notes”\./,
			),
		]);
	});

	test('reads columns that only some items have, by the names of brief-batch', async () => {
		const items = [
			{ Title: 'Mug', 'Claims (optional)': ['1 litre', 'Blue'] },
			{ Title: 'Lamp', 'TARGET-GROUP': 'Readers' },
			{ 'TARGET-GROUP': 'Nobody' },
		];
		const { sandbox, done } = await runInSandbox(items, byName(continuing));
		expect(sandbox.briefs().map(({ input }) => input)).toEqual([
			{ product_name: 'Mug', approved_facts: '1 litre\nBlue' },
			{ product_name: 'Lamp', audience: 'Readers' },
		]);
		expect(done.json('Create')[2]).toMatchObject({
			error: "'Product Name' is missing",
			code: 'invalid_input',
		});
		expect(done.hints('Create')[0]).toContain(
			'Columns sent: “Title” as Product Name, “TARGET-GROUP” as Audience, “Claims (optional)” as Approved Facts.',
		);
	});

	test('prefers the name of the field, and the notice names up to ten columns that were not sent', async () => {
		const others = Object.fromEntries(Array.from({ length: 10 }, (_, index) => [`C${index}`, 1]));
		const item = { Title: 'A poem', 'Product Name': 'Mug', ...others };
		const { sandbox, done } = await runInSandbox([item], byName({ checkOnly: true }));
		expect(sandbox.createdCount()).toBe(0);
		expect(done.json('Create')).toMatchObject([{ planned_action: 'order', product_name: 'Mug' }]);
		expect(done.hints('Create')).toEqual([
			matchText(/Columns sent: “Product Name”\. Not sent: “Title”, “C0”, .*, “C8” and 1 more\./),
		]);
	});

	test.each<[object[], RegExp, RegExp]>([
		[
			[{ Title: 'Mug' }, { Name: 'Lamp' }],
			/^Two columns could be Product Name: “Title” and “Name”$/,
			/^Rename one of them in a node before this node, or choose 'Map Each Field Below'\.$/,
		],
		[
			[{ SKU: 'A-1', Brand: 'Glow' }],
			/^No column has the product name$/,
			/^The columns are: “SKU”, “Brand”\. Name a column Product Name/,
		],
		[[{}], /^No column has the product name$/, /^There are no columns\./],
	])(
		'ends before anything is sent if the columns are not clear: %j',
		async (items, error, step) => {
			const { sandbox, done } = await runInSandbox(items, byName());
			expect(done.error.message).toMatch(error);
			expect(done.error.description).toMatch(step);
			const failed = await runNode(sandbox, items, byName(continuing));
			expect(failed.json('Create')).toMatchObject(
				items.map((item) => ({ ...item, code: 'invalid_input', error: matchText(error) })),
			);
			expect(sandbox.requests).toEqual([]);
		},
	);

	test.each([
		['autoMapInputData', []],
		['defineBelow', ['productName', 'audience', 'approvedFacts', 'additionalFields']],
	])('hides the eight fields in a node: %s', (mappingMode, shown) => {
		const node = create({ mappingMode, audience: 'Cooks', additionalFields: { objective: 'x' } });
		const { parameters } = makeWorkflow([node]).getNode('Create')!;
		const fields = Object.keys(parameters).filter((name) =>
			/^(productName|audience|approvedFacts|additionalFields)$/.test(name),
		);
		expect(fields.sort()).toEqual([...shown].sort());
	});

	test('is ignored in a tool, whose fields are never hidden', async () => {
		const node = asTool(byName({ productName: 'Mug', audience: 'Cooks' }));
		const { sandbox } = await runInSandbox([{ 'Product Name': 'Lamp' }], node);
		expect(sandbox.briefs()[0]!.input).toEqual({ product_name: 'Mug', audience: 'Cooks' });
	});

	test('gets the same brief as the mapping of each field', async () => {
		const sandbox = await openService();
		await runNode(sandbox, [row], byName());
		const audience = '={{ $json.Audience }}';
		await runNode(sandbox, makeProducts(1), create({ audience: 'Cooks' }));
		const item = { name: 'Glow Serum No. 1', Audience: ' COOKS' };
		const done = await runNode(sandbox, [item], create({ audience }));
		expect(done.values('already_existed', 'Create')).toEqual([true]);
		const mapped = await runNode(sandbox, [item], byName());
		expect(mapped.values('already_existed', 'Create')).toEqual([true]);
	});
});

describe('a column whose name has invisible characters', () => {
	const bom = '\ufeff';

	test.each<[string, object, NodeSettings]>([
		['by name', { [`${bom}Product Name`]: 'Mug' }, byName().parameters!],
		['of another column', { [`${bom}SKU`]: 'A-1', name: 'Mug' }, {}],
	])(
		'begins with a byte-order mark, which is an error before anything is paid: %s',
		async (_, item, settings) => {
			const { sandbox, done } = await runInSandbox([item], create(settings));
			expect(done.error.message).toMatch(
				/^The column “(Product Name|SKU)” begins with an invisible byte-order mark$/,
			);
			expect(done.error.description).toMatch(/'Exclude Byte Order Mark \(BOM\)'/);
			expect(sandbox.requests).toEqual([]);
		},
	);

	test.each<[string, NodeSettings]>([
		['Audience\u200b', {}],
		['Target\u00ad Group', {}],
		['who\u200b', { audience: '={{ $json.who }}' }],
	])(
		'is an error if the name is a field or used by an expression: %s',
		async (column, settings) => {
			const item = { name: 'Mug', [column]: 'Cooks' };
			const { sandbox, done } = await runInSandbox([item], create(settings));
			expect(done.error.message).toMatch(
				/^The name of the column “[\w ]+” has invisible characters$/,
			);
			expect(sandbox.requests).toEqual([]);
		},
	);

	test('is no error otherwise, and not in a tool', async () => {
		const { sandbox } = await runInSandbox([{ name: 'Mug', 'Notes\u200b': 'x' }], create());
		await runNode(sandbox, [{ name: 'Lamp', [`${bom}SKU`]: 'x' }], asTool(create()));
		expect(sandbox.createdCount()).toBe(2);
	});
});
