import { clock } from '../../../nodes/shared/clock';
import { asIdempotencyKey } from '../../../service/input/key';
import { create, sandboxWith, targetOf } from '../../support/engine/fixtures';
import { runLoop, runNode, type TestNode } from '../../support/engine/engine';

/*
 * Freezes the idempotency keys of Brief → Create. A workflow that is run again with the same Order Key in its
 * sheet, and an item that Retry On Fail sends once more, must get the brief that they have: with another key the
 * service would take it for a new order, and it would be paid again. So an expectation here is never changed to fit the
 * code.
 *
 * The keys were computed by a program of their own (Python's json and hashlib, none of this project's code), written
 * together as golden-rows.ts says: from "idempotency-key" and the text; and from "n8n", workflow ID, execution ID, node
 * ID, run index, item index and the JSON of what is sent.
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
	loop = false,
	mode: 'trigger' | 'manual' = 'trigger',
): Promise<Array<string | null>> {
	const sandbox = await sandboxWith();
	const at = { ...targetOf(sandbox), executionId };
	const done = loop ? await runLoop(at, items, node) : await runNode(at, items, node, mode);
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
	additionalFields: {
		productId: '={{ $json.id }}',
		audience: '={{ $json.audience }}',
		objective: '={{ $json.goal }}',
		approvedFacts: '={{ $json.facts }}',
		campaignTerms: '={{ $json.terms }}',
		creativeDirection: '={{ $json.direction }}',
		referenceUrls: ['={{ $json.links }}', ''],
	},
};

describe('the key that Create gives an order by itself', () => {
	test('comes from what is sent and from the place of the item', async () => {
		expect(await keysOf('4711', [SERUM, MASK], create(byItem))).toEqual([
			'855d2717-93c6-4edf-bdd1-7ad4b1d603e4',
			'c444f3ef-c6da-4fe7-9d27-8b1b93a1117b',
		]);
		expect(await keysOf('4711', [MASK, SERUM], create(byItem))).toEqual([
			'ec889f7b-e670-4e98-bf28-83c98c965a0c',
			'3230db3a-6f8c-4933-9a18-2abd9f3b5c74',
		]);
	});

	test('is another in each execution', async () => {
		expect(await keysOf('4712', [SERUM], create(byItem))).toEqual([
			'3468c56c-2359-475a-98ee-9a6186f700d9',
		]);
	});

	test('is another in each node', async () => {
		expect(await keysOf('4711', [MASK], create({ ...byItem, name: 'Other' }))).toEqual([
			'28d42f1d-ff94-400a-83da-495d5a0f0df3',
		]);
	});

	test('is another in each pass of a loop', async () => {
		const items = [MASK, MASK, SERUM];
		expect(await keysOf('4711', items, create({ ...byItem, waitUntilReady: true }), true)).toEqual([
			'ec889f7b-e670-4e98-bf28-83c98c965a0c',
			'84766651-c27e-4d76-8167-cbc234681b04',
			'3e39e6ae-aa57-489f-ba27-ae8e078ab248',
		]);
	}, 20_000);

	test('is the same if an AI agent runs the node as its tool', async () => {
		const tool = { ...create(byItem), type: 'creatorBriefingTool' };
		expect(await keysOf('4711', [SERUM], tool)).toEqual(['855d2717-93c6-4edf-bdd1-7ad4b1d603e4']);
	});

	// The UUID that they have with "manual" for the execution, and from that and the number of the hour since 1970.
	test('is the same in all manual runs of an hour, also after n8n was started again', async () => {
		const now = jest.spyOn(clock, 'now').mockReturnValue(1_800_000_000_000);
		const manual = async () => await keysOf('4711', [MASK], create(byItem), false, 'manual');
		expect(await manual()).toEqual(['6f9f2f44-b150-40cc-9f89-4ca068a1fc20']);
		now.mockReturnValue(1_800_003_600_000);
		expect(await manual()).toEqual(['9e2e5896-5999-48cc-bd32-dd2109fb0238']);
		now.mockRestore();
	});

	test('gives way to one that a person gives, text or number', async () => {
		const own = create({ additionalFields: { idempotencyKey: '={{ $json.own }}' } });
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
