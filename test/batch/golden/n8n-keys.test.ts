import { asIdempotencyKey } from '../../../service/input/key';
import { create, sandboxWith, targetOf } from '../../support/engine/fixtures';
import { runLoop, runNode, type TestNode } from '../../support/engine/engine';

/*
 * Freezes the idempotency keys of Brief → Create. Executions that begin together must send the same key for the same
 * values, whatever version of the package they have: with another key the service would take it for a new order, and it
 * would be paid again. So an expectation here is never changed to fit the code.
 *
 * The keys were computed by a program of their own (Python's json and hashlib, none of this project's code), written
 * together as golden-rows.ts says: from "idempotency-key" and the text; from "n8n" and the JSON of the content in lower
 * case, and the ID of a brief that is not to be used; and for another brief from "n8n", workflow ID, execution ID, node
 * ID and that JSON.
 */

describe('an Order Key that a person gives', () => {
	test.each([
		['SKU-1', '27a4101c-799b-411f-94e1-0a8f9d541381'],
		['\t SKU-1\r\n', '27a4101c-799b-411f-94e1-0a8f9d541381'],
		['sku-1', 'eadbd41b-aa66-45b2-9e6a-d5e1d4a317cf'],
		['17', '6213beba-064a-4899-9e8a-60341b3a1719'],
		['Größe XL 🧴', '47066ad8-42b9-4021-b013-8db718150983'],
		// No UUIDs: one digit short, and in braces.
		['3F2504E0-4F89-11D3-9A0C-0305E82C330', '5fa0f381-facb-4af2-bacd-57e232ffcb92'],
		['{3f2504e0-4f89-11d3-9a0c-0305e82c3301}', '0962ed40-1118-4999-82af-9cd60afa6fd5'],
		// UUIDs, of any version.
		['3F2504E0-4F89-11D3-9A0C-0305E82C3301', '3f2504e0-4f89-11d3-9a0c-0305e82c3301'],
		[' 0190a6c0-0000-7000-8000-00000000000A ', '0190a6c0-0000-7000-8000-00000000000a'],
		['00000000-0000-0000-0000-000000000000', '00000000-0000-0000-0000-000000000000'],
	])('is sent for %j as %s', (given, key) => {
		expect(asIdempotencyKey(given)).toBe(key);
	});
});

/** The keys of all creates, in the order in which the service got them, of one execution with this ID. */
async function keysOf(
	executionId: string,
	items: object[],
	node: TestNode,
	mode: 'trigger' | 'manual' | 'loop' = 'trigger',
): Promise<Array<string | null>> {
	const sandbox = await sandboxWith();
	const at = { ...targetOf(sandbox), executionId };
	const done =
		mode === 'loop' ? await runLoop(at, items, node) : await runNode(at, items, node, mode);
	expect(done.status).toBe('success');
	return sandbox.requests
		.filter(({ operation }) => operation === 'create_brief')
		.map(({ idempotencyKey }) => idempotencyKey);
}

const MASK = { name: 'Mask' };
/** Every field, written so that it must be brought into the form in which it is sent. */
const SERUM = {
	name: ' Glow Serum\n',
	id: 1729384756,
	audience: 'New to skincare ',
	goal: 'Sell the "refill"',
	facts: 'Free of parabens.\r\nVegan.',
	terms: '20 %',
	direction: 'Natural light',
	links: 'https://a.example.com/1\r\n https://b.example.com/2',
};
const byItem = {
	audience: '={{ $json.audience }}',
	approvedFacts: '={{ $json.facts }}',
	additionalFields: {
		productId: '={{ $json.id }}',
		objective: '={{ $json.goal }}',
		campaignTerms: '={{ $json.terms }}',
		creativeDirection: '={{ $json.direction }}',
		referenceUrls: ['={{ $json.links }}', ''],
	},
};

const MASK_KEY = 'b2848733-3a30-49fc-bfa5-572add79c827';
const SERUM_KEY = 'e0258a5f-f4c7-423b-b6c3-186df1afb4d3';

describe('the key that Create gives an order by itself', () => {
	test('comes from the content alone, whatever the execution, place, node, mode, caller and spelling', async () => {
		const node = create(byItem);
		expect(await keysOf('4711', [SERUM, MASK], node)).toEqual([SERUM_KEY, MASK_KEY]);
		expect(await keysOf('4712', [{ name: ' MASK' }, SERUM], node)).toEqual([MASK_KEY, SERUM_KEY]);
		const other = create({ ...byItem, name: 'Other' });
		expect(await keysOf('4711', [MASK], other, 'manual')).toEqual([MASK_KEY]);
		const tool = { ...node, type: 'creatorBriefingTool' };
		expect(await keysOf('4711', [SERUM], tool)).toEqual([SERUM_KEY]);
		expect(await keysOf('4711', [MASK, SERUM], node, 'loop')).toEqual([MASK_KEY, SERUM_KEY]);
	}, 20_000);

	test('comes from the failed brief that is ordered again too', async () => {
		const sandbox = await sandboxWith({ seed: 'golden' });
		const { id } = sandbox.addBrief({ product_name: 'Mask', status: 'failed' });
		expect(id).toBe('6d6f4b1e-a64f-4caf-83bd-71f1678f84e6');
		await runNode(sandbox, [MASK], create({ whenBriefExists: 'useUnlessFailed' }));
		const creates = sandbox.requests.filter(({ operation }) => operation === 'create_brief');
		expect(creates).toMatchObject([{ idempotencyKey: '95c5ea34-fd8c-4d6e-966d-b1ef99ebc93e' }]);
	});

	test('is another in each execution and node for one more brief', async () => {
		const another = { ...byItem, whenBriefExists: 'orderAnother' };
		const node = create(another);
		expect(await keysOf('4711', [MASK], node)).toEqual(['9750965d-40fd-45d3-b039-bcbf5069e6bd']);
		expect(await keysOf('4712', [MASK], node)).toEqual(['bc100d3f-dbed-4baf-b02d-5fb0dff04d58']);
		const other = create({ ...another, name: 'Other' });
		expect(await keysOf('4711', [MASK], other)).toEqual(['d0a8c180-f64a-4e42-bd6c-b152befafecf']);
	});

	test('gives way to one that a person gives, text or number', async () => {
		const own = create({
			whenBriefExists: 'orderAnother',
			idempotencyKey: '={{ $json.own }}',
		});
		const items = [
			{ name: 'Mask', own: ' SKU-1' },
			{ name: 'Serum', own: 17 },
		];
		expect(await keysOf('4711', items, own)).toEqual([
			'27a4101c-799b-411f-94e1-0a8f9d541381',
			'6213beba-064a-4899-9e8a-60341b3a1719',
		]);
	});
});
