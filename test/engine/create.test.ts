import { NodeHelpers } from 'n8n-workflow';
import { CreatorBriefing } from '../../nodes/CreatorBriefing/CreatorBriefing.node';
import { clock } from '../../nodes/shared/clock';
import type { Sandbox } from '../../sandbox/sandbox';
import { create, products, requestsOf, sandboxWith, targetOf } from '../support/engine/fixtures';
import { itemsNode, run, runNode, startNode, type Finished } from '../support/engine/engine';

describe('Brief → Create', () => {
	it('returns each brief at once, queued, in the order of the items and linked to them', async () => {
		const sandbox = await sandboxWith();
		const done = await runNode(targetOf(sandbox), products(2), create());
		expect(done.json('Create')).toMatchObject([
			{ status: 'queued', product_name: 'Glow Serum No. 1' },
			{ status: 'queued', product_name: 'Glow Serum No. 2' },
		]);
		expect(done.items('Create').map(({ pairedItem }) => pairedItem)).toEqual([
			{ item: 0 },
			{ item: 1 },
		]);
	});

	it('keeps to two running briefs, whatever the number of items, and returns all finished', async () => {
		const sandbox = await sandboxWith();
		const done = await runNode(targetOf(sandbox), products(6), create({ waitUntilReady: true }));
		expect(done.status).toBe('success');
		expect(done.json('Create').map(({ status }) => status)).toEqual(Array(6).fill('ready'));
		expect(done.json('Create').map(({ product_name }) => product_name)).toEqual(
			products(6).map(({ name }) => name),
		);
		expect(done.json('Create')[0]!['markdown']).toMatch(/^# /);
		expect(sandbox.createdCount()).toBe(6);
		expect(sandbox.maxRunning()).toBe(2);
		// No brief was refused: nothing was sent without a slot.
		expect(requestsOf(sandbox, 'create_brief')).toBe(6);
	}, 30_000);

	it('leaves the slots of colleagues alone', async () => {
		const sandbox = await sandboxWith();
		sandbox.addBrief({ durationMs: 200_000 });
		sandbox.addBrief({ durationMs: 100_000 });
		const done = await runNode(targetOf(sandbox), products(2), create());
		expect(done.status).toBe('success');
		expect(sandbox.maxRunning()).toBe(2);
		expect(requestsOf(sandbox, 'create_brief')).toBe(2);
	});

	it.each(['refuse', 'queue', 'conflict'] as const)(
		'gets every brief where the list is late and a third brief meets: %s',
		async (thirdBrief) => {
			const sandbox = await sandboxWith({ thirdBrief, listLagMs: 60_000 });
			sandbox.addBrief({ durationMs: 150_000 });
			sandbox.addBrief({ durationMs: 150_000 });
			const done = await runNode(targetOf(sandbox), products(3), create({ waitUntilReady: true }));
			expect(done.status).toBe('success');
			expect(sandbox.createdCount()).toBe(3);
			expect(done.json('Create').map(({ status }) => status)).toEqual(Array(3).fill('ready'));
		},
		30_000,
	);

	it('tells refused slots from a rate limit by their text alone', async () => {
		const sandbox = await sandboxWith({ errorCodes: 'generic', rateLimitHeaders: 'none' });
		const done = await runNode(targetOf(sandbox), products(3), create());
		expect(done.status).toBe('success');
		expect(sandbox.createdCount()).toBe(3);
		expect(sandbox.maxRunning()).toBe(2);
	});

	it('sends what the form says, with texts for numbers, terms as they are written and links as URIs', async () => {
		const sandbox = await sandboxWith();
		const item = {
			name: ' Glow\r\nSerum ',
			id: 1729384756,
			links: 'https://a.example.com/1\nhttps://b.example.com/2 | https://d.example.com/4\n',
		};
		const done = await runNode(
			targetOf(sandbox),
			[item],
			create({
				additionalFields: {
					productId: '={{ $json.id }}',
					audience: 'New to skincare',
					objective: '',
					approvedFacts: 'Free of parabens.',
					campaignTerms: ' 20 %\r\nnet\n',
					creativeDirection: 'Natural light',
					referenceUrls: ['={{ $json.links }}', 'https://c.example.com/größe?x[]=3'],
				},
			}),
		);
		expect(done.status).toBe('success');
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

	it('simplifies to the useful fields, or returns the brief as the service gave it', async () => {
		const sandbox = await sandboxWith({ unknownFields: true });
		const simple = await runNode(targetOf(sandbox), products(1), create());
		expect(Object.keys(simple.json('Create')[0]!)).toEqual([
			'id',
			'status',
			'title',
			'product_name',
			'markdown',
			'url',
			'error_code',
			'warnings',
			'created_at',
			'finished_at',
		]);
		const waited = await runNode(targetOf(sandbox), products(1), create({ waitUntilReady: true }));
		expect(waited.json('Create')[0]!['warnings']).toEqual([
			expect.stringMatching(/^No approved facts were given/),
		]);
		const whole = await runNode(targetOf(sandbox), products(1), create({ simplify: false }));
		expect(whole.json('Create')[0]).toMatchObject({ revision: 1, sources: [], document: null });
	});

	it('puts the Markdown into a file too', async () => {
		const sandbox = await sandboxWith();
		const done = await runNode(
			targetOf(sandbox),
			products(1),
			create({
				waitUntilReady: true,
				options: { markdownFile: true, outputDataFieldName: 'brief' },
			}),
		);
		const file = done.items('Create')[0]!.binary!['brief']!;
		expect(file).toMatchObject({ mimeType: 'text/markdown', fileExtension: 'md' });
		expect(Buffer.from(file.data, 'base64').toString()).toBe(done.json('Create')[0]!['markdown']);
	});

	it('asks for a Markdown file only where it waits for the Markdown', () => {
		const { description } = new CreatorBriefing();
		const fieldsOf = (waitUntilReady: boolean) => {
			const given = { resource: 'brief', operation: 'create', waitUntilReady };
			const values = { ...given, options: { markdownFile: true } };
			const { properties } = description;
			const node = { typeVersion: 1 };
			return NodeHelpers.getNodeParameters(properties, values, true, false, node, description);
		};
		expect(fieldsOf(true)).toMatchObject({ options: { markdownFile: true } });
		expect(fieldsOf(false)!['options']).toEqual({});
	});

	it.each([
		[{ replayStatus: 200 }],
		[{ replayStatus: 202, replayState: 'original' }],
		[{ timestamps: 'epoch-seconds' }],
		[{ timestamps: 'rfc1123' }],
		[{ unknownStatus: 'polishing' }],
		[{ unknownFields: true, inputShape: 'wrapped' }],
	] as const)('finishes with a service that answers in its own way: %j', async (options) => {
		const sandbox = await sandboxWith(options);
		const done = await runNode(targetOf(sandbox), products(2), create({ waitUntilReady: true }));
		expect(done.json('Create').map(({ status }) => status)).toEqual(['ready', 'ready']);
	});
});

describe('a hint after the run', () => {
	it('says that the briefs are being written, how to go on, and what executing again costs', async () => {
		const sandbox = await sandboxWith();
		const done = await runNode(targetOf(sandbox), products(2), create());
		const [hint, ...others] = done.runs('Create')[0]?.hints ?? [];
		expect(others).toEqual([]);
		expect(hint?.message).toMatch(/^The 2 briefs are ordered and being written/);
		expect(hint?.message).toMatch(/Wait Until Ready.*again orders and pays for new briefs/);
	});

	it('is not needed where the briefs are finished', async () => {
		const sandbox = await sandboxWith();
		const done = await runNode(targetOf(sandbox), products(1), create({ waitUntilReady: true }));
		expect(done.runs('Create')[0]?.hints ?? []).toEqual([]);
	});
});

describe('executed by hand, again and again', () => {
	const byHand = async (sandbox: Sandbox, items: object[], given = {}) =>
		await runNode(targetOf(sandbox), items, create(given), 'manual');
	const ids = (done: Finished) => done.json('Create').map(({ id }) => id);
	const shift = (minutes: number) => {
		jest.spyOn(clock, 'now').mockImplementation(() => Date.now() + minutes * 60_000);
	};
	afterEach(() => jest.restoreAllMocks());

	it('gives the same briefs for the same values, although both slots are taken, and says so', async () => {
		const sandbox = await sandboxWith({ speed: 1 });
		const first = await byHand(sandbox, products(2));
		expect(first.runs('Create')[0]!.hints![0]!.message).toMatch(
			/again within an hour.*costs nothing/,
		);
		const again = await byHand(sandbox, products(2), { simplify: false, options: { timeout: 5 } });
		expect(ids(again)).toEqual(ids(first));
		expect(requestsOf(sandbox, 'create_brief')).toBe(2);
		const [hint] = again.runs('Create')[0]!.hints!;
		expect(hint!.message).toMatch(
			/^Same values as at \d\d:\d\d: the same 2 briefs, nothing paid\. For a new brief.*change a value or/,
		);
	});

	it('orders a new one where a value is another, with an Order Key, an hour later, and when the workflow is started otherwise', async () => {
		const sandbox = await sandboxWith();
		const item = [{ name: 'Night Cream' }];
		const [first] = ids(await byHand(sandbox, item));
		const others = [
			await byHand(sandbox, [{ name: 'Day Cream' }]),
			await byHand(sandbox, item, { additionalFields: { audience: 'Cooks' } }),
			await byHand(sandbox, item, { additionalFields: { idempotencyKey: 'second' } }),
			await runNode(targetOf(sandbox), item, create()),
		];
		shift(58);
		expect(ids(await byHand(sandbox, item))).toEqual([first]);
		shift(61);
		others.push(await byHand(sandbox, item));
		expect(new Set([first, ...others.flatMap(ids)]).size).toBe(6);
		expect(sandbox.createdCount()).toBe(6);
	}, 20_000);

	it('sends an order in doubt with the key that it had', async () => {
		const sandbox = await sandboxWith();
		sandbox.faults.add({ kind: 'reset', at: 'after-work', operation: 'create_brief', times: 7 });
		const item = [{ name: 'Hand Balm' }];
		const doubtful = await byHand(sandbox, item);
		expect(doubtful.error.description).toMatch(/executed again with the same values/);
		shift(50);
		await byHand(sandbox, item);
		expect(sandbox.createdCount()).toBe(1);
	}, 20_000);

	it('orders in another workspace what only the first one has', async () => {
		const [one, two] = [await sandboxWith({ seed: 1 }), await sandboxWith({ seed: 2 })];
		await byHand(one, [{ name: 'Foot Balm' }]);
		const done = await byHand(two, [{ name: 'Foot Balm' }]);
		expect(ids(done)).toEqual([two.briefs()[0]!.id]);
		expect(done.runs('Create')[0]!.hints!.map(({ message }) => message)).not.toContainEqual(
			expect.stringMatching(/nothing paid/),
		);
	});
});

describe('Max Briefs per Run', () => {
	const most = (maxBriefs: unknown, given = {}) => create({ ...given, options: { maxBriefs } });

	it('leaves what is beyond as error items, and asks nothing for them', async () => {
		const sandbox = await sandboxWith();
		const items = [{ name: 'x' }, ...products(4)];
		const node = most(2, { onError: 'continueRegularOutput' });
		const done = await runNode(targetOf(sandbox), items, node);
		expect(done.json('Create')).toMatchObject([
			{ code: 'invalid_input' },
			{ product_name: 'Glow Serum No. 1' },
			{ product_name: 'Glow Serum No. 2' },
			{ code: 'beyond_max', error: expect.stringMatching(/is 2, and/) as string },
			{ code: 'beyond_max' },
		]);
		expect(requestsOf(sandbox, 'create_brief')).toBe(2);
	});

	it('stops before anything is paid for where On Error stops', async () => {
		const sandbox = await sandboxWith();
		const done = await runNode(targetOf(sandbox), products(4), most(2));
		expect(done.error.message).toMatch(/^'Max Briefs per Run' is 2, .* \[item 2\]$/);
		expect(done.error.description).toMatch(/Nothing was sent.*1 more item cannot be ordered/);
		expect(sandbox.requests).toEqual([]);
	});

	it('is no limit at 0, counts a brief of several items once, and is a number', async () => {
		const sandbox = await sandboxWith();
		expect((await runNode(targetOf(sandbox), products(2), most(0))).status).toBe('success');
		const same = [{ name: 'Mask' }, { name: 'Mask' }];
		const shared = most(1, { additionalFields: { idempotencyKey: 'mask' } });
		expect((await runNode(targetOf(sandbox), same, shared)).status).toBe('success');
		expect(sandbox.createdCount()).toBe(3);
		const many = await runNode(targetOf(sandbox), same, most('many'));
		expect(many.error.message).toMatch(/^'Max Briefs per Run' is not a whole number/);
	});
});

describe('requests', () => {
	it('of two briefs in an idle workspace are a look before each and two creates', async () => {
		const sandbox = await sandboxWith();
		await runNode(targetOf(sandbox), products(2), create({ options: { pollInterval: 5 } }));
		expect(sandbox.requests.map(({ operation }) => operation)).toEqual([
			'list_briefs',
			'create_brief',
			'list_briefs',
			'create_brief',
		]);
	});

	it('end with the run, also where briefs were being waited for', async () => {
		const sandbox = await sandboxWith({ allowance: 1 });
		const done = await runNode(targetOf(sandbox), products(2), create({ waitUntilReady: true }));
		expect(done.status).toBe('error');
		const requests = sandbox.requests.length;
		await new Promise((resolve) => setTimeout(resolve, 500));
		expect(sandbox.requests).toHaveLength(requests);
	});
});

describe('an expression that fails', () => {
	it('is reported before anything is paid for, at whichever item', async () => {
		const sandbox = await sandboxWith();
		for (const parameter of [
			{ simplify: '={{ $("Nobody").item.json.x }}' },
			{ waitUntilReady: '={{ $("Nobody").item.json.x }}' },
			{ waitUntilReady: true, options: { markdownFile: '={{ $("Nobody").item.json.x }}' } },
		]) {
			const done = await runNode(targetOf(sandbox), products(1), create(parameter));
			expect(done.status).toBe('error');
		}
		expect(sandbox.requests).toHaveLength(0);
	});
});

describe('a bad item', () => {
	it('keeps everything from being sent, and is named with its field', async () => {
		const sandbox = await sandboxWith();
		const items = [{ name: 'Glow Serum' }, { name: 'x' }, { name: 'Mask', id: 'abc' }];
		const done = await runNode(
			targetOf(sandbox),
			items,
			create({ additionalFields: { productId: '={{ $json.id }}' } }),
		);
		expect(done.error.message).toBe("'Product Name' is too short [item 1]");
		expect(done.error.description).toMatch(/It takes 2 to 180 characters/);
		expect(done.error.description).toMatch(/Nothing was sent, and no brief was used/);
		expect(done.error.description).toMatch(/1 more item cannot be ordered/);
		expect(sandbox.requests).toHaveLength(0);
	});

	it('names the cure for an ID that a spreadsheet has rounded', async () => {
		const sandbox = await sandboxWith();
		const done = await runNode(
			targetOf(sandbox),
			[{ name: 'Glow Serum', id: 1729384756102938475n.toString() }],
			create({ additionalFields: { productId: '={{ Number($json.id) }}' } }),
		);
		expect(done.error.message).toMatch(/^'Product ID' arrived as the number 17293847561029384\d\d/);
		expect(done.error.description).toMatch(/as text/i);
		expect(sandbox.requests).toHaveLength(0);
	});

	it.each([
		[
			'that chance does not explain',
			['1729384756123450000'],
			/^'Product ID' is “1729384756123450000”/,
		],
		[
			'that chance does not explain in all items together',
			['1005006123456780', '1005006123456790', '1005006123456700'],
			/^'Product ID' is “1005006123456780”/,
		],
	])('refuses rounded IDs %s', async (_, ids, message) => {
		const sandbox = await sandboxWith();
		const done = await runNode(
			targetOf(sandbox),
			ids.map((id) => ({ name: `Glow ${id}`, id })),
			create({ additionalFields: { productId: '={{ $json.id }}' } }),
		);
		expect(done.error.message).toMatch(message);
		expect(done.error.description).toContain('give the product’s link as its name');
		expect(sandbox.requests).toHaveLength(0);
	});

	it('sends an ID that may be rounded or true, with a hint', async () => {
		const sandbox = await sandboxWith();
		const fields = { productId: '1005006123456780' };
		const done = await runNode(
			targetOf(sandbox),
			[{ name: 'Glow Serum' }],
			create({ additionalFields: fields }),
		);
		expect(done.json('Create')).toMatchObject([{ product_name: 'Glow Serum' }]);
		const [hint] = done.runs('Create')[0]?.hints ?? [];
		expect(hint?.message).toContain('Check the product ID 1005006123456780');
	});

	it('is an error item with Continue On Fail, and the others are created', async () => {
		const sandbox = await sandboxWith();
		const items = [{ name: 'Glow Serum' }, { name: 'x' }, { name: 'Mask' }];
		const done = await runNode(
			targetOf(sandbox),
			items,
			create({ onError: 'continueRegularOutput' }),
		);
		expect(done.json('Create')).toMatchObject([
			{ product_name: 'Glow Serum' },
			{
				error: "'Product Name' is too short [item 1]",
				message: 'It takes 2 to 180 characters.',
				code: 'invalid_input',
			},
			{ product_name: 'Mask' },
		]);
	});

	it('goes to the error output with its own input, and the others to the first', async () => {
		const sandbox = await sandboxWith();
		const items = [
			{ name: 'x', row: 7 },
			{ name: 'Mask', row: 8 },
		];
		const done = await runNode(
			targetOf(sandbox),
			items,
			create({ onError: 'continueErrorOutput' }),
		);
		expect(done.json('Create', 0)).toMatchObject([{ product_name: 'Mask' }]);
		expect(done.json('Create', 1)).toMatchObject([
			{
				name: 'x',
				row: 7,
				error: expect.stringMatching(/too short/) as string,
				message: 'It takes 2 to 180 characters.',
				code: 'invalid_input',
			},
		]);
	});

	it('is found when one Order Key was typed in for different briefs', async () => {
		const sandbox = await sandboxWith();
		const done = await runNode(
			targetOf(sandbox),
			products(2),
			create({ additionalFields: { idempotencyKey: 'launch' } }),
		);
		expect(done.error.message).toBe(
			"'Order Key' is the same as in item 0, which orders a different brief [item 1]",
		);
		expect(sandbox.requests).toHaveLength(0);
	});

	it.each(['spring-{{ $json.name }}', 'spring-{{ $json.name'])(
		'is found when an Order Key was typed in as text and not as an expression: %s',
		async (idempotencyKey) => {
			const sandbox = await sandboxWith();
			const typed = create({ additionalFields: { idempotencyKey } });
			const done = await runNode(targetOf(sandbox), products(1), typed);
			expect(done.error.message).toBe(
				`'Order Key' contains the text ${idempotencyKey} instead of its value [item 0]`,
			);
			expect(done.error.description).toMatch(/from Fixed to Expression/);
			expect(sandbox.requests).toHaveLength(0);
		},
	);

	it.each([
		['that names a field which is not there', '={{ $json.sku }}'],
		['that gives yes or no', '={{ $json.isNew }}'],
		['that gives several values', '={{ $json.sizes }}'],
	])('is found when its Order Key is an expression %s', async (_, idempotencyKey) => {
		const sandbox = await sandboxWith();
		const keyed = create({ additionalFields: { idempotencyKey } });
		const item = { name: 'Glow Serum', SKU: 'A-1', isNew: true, sizes: ['S', 'M'] };
		const done = await runNode(targetOf(sandbox), [item], keyed);
		expect(done.error.message).toBe("'Order Key' is empty for this item [item 0]");
		expect(done.error.description).toMatch(/Correct the expression.*, or clear the field/);
		expect(sandbox.requests).toHaveLength(0);
	});

	it.each([
		['=spring-launch-{{ $json.sku }}', {}, 'spring-launch-'],
		['=spring-2026-{{ $json.sku }}', {}, 'spring-2026-'],
		['={{ "spring-" + $json.sku }}', {}, 'spring-undefined'],
		['={{ $json.campaign }}', { campaign: 'spring-launch-' }, 'spring-launch-'],
		['spring-launch-', {}, 'spring-launch-'],
	])('is found when its Order Key ends with nothing: %s', async (idempotencyKey, fields, key) => {
		const sandbox = await sandboxWith();
		const keyed = create({ additionalFields: { idempotencyKey } });
		const done = await runNode(targetOf(sandbox), [{ name: 'Glow Serum', ...fields }], keyed);
		expect(done.error.message).toBe(
			`'Order Key' is “${key}”, and the part at its end has no value [item 0]`,
		);
		expect(done.error.description).toMatch(/a field that every item has/);
		expect(sandbox.requests).toHaveLength(0);
	});

	it('is not one whose Order Key is a random ID that ends with a separator', async () => {
		const sandbox = await sandboxWith();
		const keyed = create({ additionalFields: { idempotencyKey: '={{ $json.id }}' } });
		const item = { name: 'Glow Serum', id: 'V1StGXR8_Z5jdHi6B-my-' };
		expect((await runNode(targetOf(sandbox), [item], keyed)).status).toBe('success');
	});

	it.each([
		[
			'Product Name',
			{ productName: '{{ $json.name }}' },
			/{{ \$json.name }}/,
			/Fixed to Expression/,
		],
		['Product Name', { productName: '=Glow Serum }}' }, /Glow Serum }}/, /braces .* left over/],
		[
			'Audience',
			{ additionalFields: { audience: '={{ $json.who }}' } },
			/\[object Object\]/,
			/field/,
		],
		[
			'Order Key',
			{ additionalFields: { idempotencyKey: '={{ "" + $json.who }}' } },
			/object/,
			/field/,
		],
	])('is found when %s is no text: %j', async (field, parameters, what, cure) => {
		const sandbox = await sandboxWith();
		const item = { name: 'Glow Serum', who: '[object Object]' };
		const done = await runNode(targetOf(sandbox), [item], create(parameters));
		expect(done.error.message).toMatch(new RegExp(`^'${field}' contains “.*” *.*\\[item 0\\]$`));
		expect(done.error.message).toMatch(what);
		expect(done.error.description).toMatch(cure);
		expect(sandbox.requests).toHaveLength(0);
	});

	it('is not one whose Order Key is an expression that nobody has filled in', async () => {
		const sandbox = await sandboxWith();
		const keyed = create({ additionalFields: { idempotencyKey: '=' } });
		expect((await runNode(targetOf(sandbox), products(1), keyed)).status).toBe('success');
	});

	it('is not one whose Order Key has the value {{x}}', async () => {
		const sandbox = await sandboxWith();
		const keyed = create({ additionalFields: { idempotencyKey: '={{ $json.key }}' } });
		const item = { name: 'Glow Serum', key: 'spring-{{x}}' };
		expect((await runNode(targetOf(sandbox), [item], keyed)).status).toBe('success');
	});

	it.each(['conflict', 'unprocessable'] as const)(
		'is told when its Order Key was used for another brief, and the service answers: %s',
		async (replayOtherBody) => {
			const sandbox = await sandboxWith({ replayOtherBody });
			const keyed = create({ additionalFields: { idempotencyKey: '={{ $json.row }}' } });
			await runNode(targetOf(sandbox), [{ name: 'Glow Serum', row: 17 }], keyed);
			const done = await runNode(targetOf(sandbox), [{ name: 'Night Cream', row: 17 }], keyed);
			expect(done.error.message).toMatch(/^The idempotency key is already in use/);
			expect(done.error.description).toContain('before you create it again');
			expect(sandbox.createdCount()).toBe(1);
		},
	);

	it('is explained when the service refuses what passed the checks here', async () => {
		const sandbox = await sandboxWith();
		// 180 characters that the service counts otherwise would be such a case; a fault stands for it.
		sandbox.faults.add({ kind: '5xx', status: 422, operation: 'create_brief' });
		const done = await runNode(targetOf(sandbox), products(1), create());
		expect(done.error.httpCode).toBe('422');
		expect(done.error.description).toMatch(/Correct what it names/);
	});
});

describe('paying twice', () => {
	const lost = { kind: 'reset', at: 'after-work', operation: 'create_brief' } as const;

	it('does not happen when the answer to a create is lost', async () => {
		const sandbox = await sandboxWith();
		sandbox.faults.add(lost);
		const done = await runNode(targetOf(sandbox), products(2), create());
		expect(done.status).toBe('success');
		expect(sandbox.createdCount()).toBe(2);
		expect(sandbox.briefs()[0]!.replays).toBe(1);
	});

	describe('for an order in doubt', () => {
		const silent = { ...lost, times: 7 };
		const keyIn = (text: unknown) => /Its key is ([0-9a-f-]{36}):/.exec(String(text))?.[1];

		it('does not happen when its key is pasted from the message into the next run', async () => {
			const sandbox = await sandboxWith();
			sandbox.faults.add(silent);
			const doubtful = await runNode(targetOf(sandbox), products(1), create());
			expect(doubtful.error.message).toMatch(/may have been created or not/);
			const key = keyIn(doubtful.error.description);
			expect(doubtful.error.description).toMatch(/under Additional Fields, for this item alone/);
			const pasted = create({ additionalFields: { idempotencyKey: key } });
			const done = await runNode(targetOf(sandbox), products(1), pasted);
			expect(done.json('Create')[0]!['id']).toBe(sandbox.briefs()[0]!.id);
			expect(sandbox.createdCount()).toBe(1);
		});

		it('shows the key on the error output too', async () => {
			const sandbox = await sandboxWith();
			sandbox.faults.add(silent);
			const node = create({ onError: 'continueRegularOutput' });
			const done = await runNode(targetOf(sandbox), products(1), node);
			const [item] = done.json('Create');
			expect(item!['code']).toBe('in_doubt');
			expect(sandbox.briefs()[0]!.idempotencyKeys).toEqual([keyIn(item!['message'])]);
		});

		it('names the key that was given, which the next run has as well', async () => {
			const sandbox = await sandboxWith();
			sandbox.faults.add(silent);
			const keyed = create({
				additionalFields: { idempotencyKey: '={{ "spring-" + $json.name }}' },
			});
			const done = await runNode(targetOf(sandbox), products(1), keyed);
			expect(done.error.description).toContain(
				'Its key is spring-Glow Serum No. 1, which you gave',
			);
			await runNode(targetOf(sandbox), products(1), keyed);
			expect(sandbox.createdCount()).toBe(1);
		});

		it('shows the key where the service says that its first try is still at work', async () => {
			const sandbox = await sandboxWith();
			sandbox.faults.add({ kind: '5xx', status: 409, operation: 'create_brief', times: 9 });
			const done = await runNode(targetOf(sandbox), products(1), create());
			expect(done.error.message).toMatch(/already in use for another request \(409\)/);
			expect(keyIn(done.error.description)).toBe(
				sandbox.requests.find(({ operation }) => operation === 'create_brief')!.idempotencyKey,
			);
		});

		it('says nothing of keys where no brief can have come of it', async () => {
			const sandbox = await sandboxWith({ allowance: 0 });
			const done = await runNode(targetOf(sandbox), products(1), create());
			expect(done.error.description).not.toMatch(/key/i);
		});
	});

	it('does not happen when Retry On Fail runs all items again', async () => {
		const sandbox = await sandboxWith();
		// The second brief meets a refusal that ends the first try, after the first brief was paid.
		sandbox.faults.add({ kind: '5xx', status: 418, operation: 'create_brief', skip: 1 });
		const retrying = { retryOnFail: true, maxTries: 2, waitBetweenTries: 10 };
		const done = await runNode(
			targetOf(sandbox),
			products(3),
			create({ waitUntilReady: true, ...retrying }),
		);
		expect(done.status).toBe('success');
		expect(done.json('Create').map(({ product_name }) => product_name)).toEqual(
			products(3).map(({ name }) => name),
		);
		expect(sandbox.createdCount()).toBe(3);
	}, 20_000);

	it.each([
		{ campaignTerms: '={{ "As of " + $now.toMillis() }}' },
		{ idempotencyKey: '={{ $json.name + $now.toMillis() }}' },
	])(
		'does not happen either where an expression gives something else in each try: %j',
		async (additionalFields) => {
			const sandbox = await sandboxWith();
			sandbox.faults.add({ kind: '5xx', status: 418, operation: 'create_brief', skip: 1 });
			const retrying = { retryOnFail: true, maxTries: 2, waitBetweenTries: 10 };
			const done = await runNode(
				targetOf(sandbox),
				products(2),
				create({ additionalFields, ...retrying }),
			);
			expect(done.status).toBe('success');
			expect(sandbox.createdCount()).toBe(2);
		},
		20_000,
	);

	it('is what each pass of a loop does on purpose: a brief of its own', async () => {
		const sandbox = await sandboxWith();
		const same = [{ name: 'Glow Serum' }, { name: 'Glow Serum' }, { name: 'Glow Serum' }];
		const done = await run(
			targetOf(sandbox),
			[itemsNode(same), { name: 'Loop', type: 'loop' }, create({ waitUntilReady: true })],
			[
				['Start', 0, 'Loop'],
				['Loop', 1, 'Create'],
				['Create', 0, 'Loop'],
			],
		);
		expect(done.runs('Create')).toHaveLength(3);
		expect(new Set(done.json('Loop', 0, 3).map(({ id }) => id)).size).toBe(3);
		expect(sandbox.createdCount()).toBe(3);
	}, 20_000);

	it('does not happen when Retry On Fail tries an order in doubt again', async () => {
		const sandbox = await sandboxWith();
		sandbox.faults.add({ ...lost, times: 7 });
		const retrying = { retryOnFail: true, maxTries: 2, waitBetweenTries: 10 };
		const done = await runNode(targetOf(sandbox), products(2), create(retrying));
		expect(done.status).toBe('success');
		expect(sandbox.createdCount()).toBe(2);
	}, 20_000);

	it.each([
		['happens', {}, 4],
		['does not happen', { idempotencyKey: '={{ "spring-" + $json.name }}' }, 2],
	])(
		'%s where a run that was ended in the middle is run again, with the fields %j',
		async (_, additionalFields, paid) => {
			const sandbox = await sandboxWith();
			const node = create({ waitUntilReady: true, additionalFields });
			const ended = startNode(targetOf(sandbox), products(2), node);
			while (sandbox.createdCount() < 2) await new Promise((resolve) => setTimeout(resolve, 10));
			ended.stop();
			expect((await ended.ended).status).toBe('canceled');
			const done = await runNode(targetOf(sandbox), products(2), node);
			expect(done.status).toBe('success');
			expect(sandbox.createdCount()).toBe(paid);
		},
		20_000,
	);

	it('does not happen in the passes of a loop with an Order Key, unless it is another', async () => {
		const sandbox = await sandboxWith();
		const rows = ['A', 'A', 'B'].map((SKU) => ({ name: 'Glow Serum', SKU }));
		const keyed = create({ additionalFields: { idempotencyKey: '=spring-{{ $json.SKU }}' } });
		const done = await run(
			targetOf(sandbox),
			[itemsNode(rows), { name: 'Loop', type: 'loop' }, keyed],
			[
				['Start', 0, 'Loop'],
				['Loop', 1, 'Create'],
				['Create', 0, 'Loop'],
			],
		);
		const ids = done.json('Loop', 0, 3).map(({ id }) => id);
		expect(ids).toEqual([ids[0], ids[0], ids[2]]);
		expect(sandbox.createdCount()).toBe(2);
	});

	it('leaves it to the service what an Order Key gives in a later pass with other values', async () => {
		const sandbox = await sandboxWith();
		const rows = ['Cooks', 'Runners'].map((audience) => ({ name: 'Glow Serum', audience }));
		const keyed = create({
			additionalFields: { idempotencyKey: 'spring', audience: '={{ $json.audience }}' },
		});
		await run(
			targetOf(sandbox),
			[itemsNode(rows), { name: 'Loop', type: 'loop' }, keyed],
			[
				['Start', 0, 'Loop'],
				['Loop', 1, 'Create'],
				['Create', 0, 'Loop'],
			],
		);
		expect(requestsOf(sandbox, 'create_brief')).toBe(2);
		expect(sandbox.createdCount()).toBe(1);
	});

	it('does not happen across executions with an Order Key, and happens without', async () => {
		const sandbox = await sandboxWith();
		const keyed = create({ additionalFields: { idempotencyKey: '={{ $json.row }}' } });
		const item = { name: 'Glow Serum', row: 17 };
		const one = await runNode(targetOf(sandbox), [item], keyed);
		const two = await runNode(targetOf(sandbox), [item], keyed);
		expect(two.json('Create')[0]!['id']).toBe(one.json('Create')[0]!['id']);
		expect(sandbox.createdCount()).toBe(1);
		await runNode(targetOf(sandbox), [item], create());
		await runNode(targetOf(sandbox), [item], create({ options: { timeout: 1 } }));
		expect(sandbox.createdCount()).toBe(3);
	});

	it('is avoided for equal items in one run by item, so that both get a brief', async () => {
		const sandbox = await sandboxWith();
		await runNode(targetOf(sandbox), [{ name: 'Mask' }, { name: 'Mask' }], create());
		expect(sandbox.createdCount()).toBe(2);
	});
});
