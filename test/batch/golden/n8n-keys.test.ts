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
 * together as golden-rows.ts says: from "idempotency-key" and the text; from "n8n", workflow ID, execution ID, node ID,
 * run index and the JSON of what is sent; and by hand from "n8n", "manual", credential ID and that JSON, and then from
 * the UUID of these and the number of the hour since 1970.
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
	test('comes from what is sent, whatever the place of the item', async () => {
		expect(await keysOf('4711', [SERUM, MASK], create(byItem))).toEqual([
			'0862f74e-2513-49a6-8ea0-9514a794cd4a',
			'fd83d400-92bb-43c0-b112-073845b31da4',
		]);
		expect(await keysOf('4711', [MASK, SERUM], create(byItem))).toEqual([
			'fd83d400-92bb-43c0-b112-073845b31da4',
			'0862f74e-2513-49a6-8ea0-9514a794cd4a',
		]);
	});

	test('is another in each execution', async () => {
		expect(await keysOf('4712', [SERUM], create(byItem))).toEqual([
			'92245187-cf11-4aba-9054-1b50538d6ae9',
		]);
	});

	test('is another in each node', async () => {
		expect(await keysOf('4711', [MASK], create({ ...byItem, name: 'Other' }))).toEqual([
			'311cf738-4b22-4b8a-9de2-5e693549a809',
		]);
	});

	test('is another in each pass of a loop', async () => {
		const items = [MASK, MASK, SERUM];
		expect(await keysOf('4711', items, create({ ...byItem, waitUntilReady: true }), true)).toEqual([
			'fd83d400-92bb-43c0-b112-073845b31da4',
			'673c793d-043c-4084-8a81-2db480a4b13f',
			'55c905d0-b125-43c4-9a0e-37a5b2d97883',
		]);
	}, 20_000);

	test('is the same if an AI agent runs the node as its tool', async () => {
		const tool = { ...create(byItem), type: 'creatorBriefingTool' };
		expect(await keysOf('4711', [SERUM], tool)).toEqual(['0862f74e-2513-49a6-8ea0-9514a794cd4a']);
	});

	test('is the same in all manual runs of an hour, also after n8n was started again', async () => {
		const now = jest.spyOn(clock, 'now').mockReturnValue(1_800_000_000_000);
		const manual = async () => await keysOf('4711', [MASK], create(byItem), false, 'manual');
		expect(await manual()).toEqual(['7dbb2c8e-4e32-47a1-99ce-d161cb38bd78']);
		now.mockReturnValue(1_800_003_600_000);
		expect(await manual()).toEqual(['04cf1353-9b1d-48f1-a374-f8b20a4f85d7']);
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
