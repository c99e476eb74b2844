import { BinaryDataService } from 'n8n-core';
import { NodeHelpers } from 'n8n-workflow';
import { INPUT_FIELDS } from '../../../core/input/input-fields';
import { CreatorBriefing } from '../../../nodes/CreatorBriefing/CreatorBriefing.node';
import { runNode, startNode, type Execution } from '../../support/engine/engine';
import { continuing, create, openService, runInSandbox, wait } from '../../support/engine/fixtures';
import { getEngineClock, waitUntil } from '../../support/engine/time';
import { makeProducts, matchText } from '../../support/values';

describe('the items of Create', () => {
	test('are in the sequence of their input and linked to it, with a notice about the next step', async () => {
		const { done } = await runInSandbox(makeProducts(2), create());
		expect(done.items('Create')).toMatchObject([
			{ json: { product_name: 'Glow Serum No. 1' }, pairedItem: { item: 0 } },
			{ json: { product_name: 'Glow Serum No. 2' }, pairedItem: { item: 1 } },
		]);
		expect(done.hints('Create')).toEqual([
			'2 items: 2 briefs ordered.<br>98 of 100 briefs left this month.<br>A brief takes 3 to 6 minutes to write, two at a time. To get the text, connect Creator Briefing Wait Until Ready after this node.',
		]);
		expect(done.hintTypes('Create')).toEqual(['info']);
	});

	test.each([
		['within three days', 30, /<br>The licence renews or ends on 1 January 2027 \(UTC\)\./],
		['later', 28, /^(?!.*licence)/],
	])('have a notice of the end of the licence %s', async (_, day, notice) => {
		const options = { startAt: Date.UTC(2026, 11, day) };
		const { done } = await runInSandbox(makeProducts(1), create(), options);
		expect(done.hints('Create')).toEqual([matchText(notice)]);
	});

	test('have no hint to connect Wait Until Ready if it is connected', async () => {
		const { done } = await runInSandbox(makeProducts(1), [create(), wait()]);
		expect(done.hints('Create')).toEqual([matchText(/two at a time\.$/)]);
	});

	test('are ready with their texts if Wait Until Ready is on, while two briefs are written at a time', async () => {
		const { sandbox, done } = await runInSandbox(makeProducts(6), create({ waitUntilReady: true }));
		expect(done.json('Create')).toMatchObject(
			makeProducts(6).map(({ name }) => ({
				product_name: name,
				status: 'ready',
				markdown: matchText(/^# /),
			})),
		);
		expect(done.hints('Create')).toEqual([
			'6 items: 6 briefs ordered.<br>94 of 100 briefs left this month.',
		]);
		// No order was refused because both slots were in use.
		expect([sandbox.countRequests('create_brief'), sandbox.maxRunning()]).toEqual([6, 2]);
	});

	test('have the newest status: a brief that became ready while others were ordered has its text', async () => {
		const { done } = await runInSandbox(makeProducts(6), create());
		const items = done.json('Create');
		expect(items[0]).toMatchObject({ status: 'ready', markdown: matchText(/^# /) });
		expect(items[5]).toMatchObject({ status: matchText(/^(queued|researching)$/), markdown: null });
	});

	test('have at most ten fields if they are simplified, and all fields if not', async () => {
		const { sandbox, done } = await runInSandbox(makeProducts(1), create({ waitUntilReady: true }));
		expect(Object.keys(done.json('Create')[0]!)).toEqual([
			...['id', 'title', 'url', 'status', 'product_name', 'already_existed'],
			...['error_code', 'warnings', 'created_at', 'markdown'],
		]);
		const whole = await runNode(sandbox, makeProducts(1), create({ simplify: false }));
		expect(whole.json('Create')).toMatchObject([
			{ revision: 1, input: { product_name: 'Glow Serum No. 1' }, already_existed: true },
		]);
	});

	test('order briefs with all fields of the form, numbers as text and lists of links in one field', async () => {
		const form = {
			audience: 'Cooks',
			approvedFacts: '30 ml',
			additionalFields: {
				productId: '={{ $json.id }}',
				objective: 'First purchases',
				campaignTerms: ' 20 %\nnet\n',
				creativeDirection: 'Natural light',
				referenceUrls: ['={{ $json.links }}', 'https://c.example.com/3'],
			},
		};
		const links = 'https://a.example.com/1\nhttps://b.example.com/2';
		const item = { name: ' Glow Serum ', id: 1729384756, links };
		const { sandbox } = await runInSandbox([item], create(form));
		const { input } = sandbox.briefs()[0]!;
		expect(Object.keys(input)).toEqual(INPUT_FIELDS);
		expect(input).toEqual({
			product_name: 'Glow Serum',
			product_id: '1729384756',
			audience: 'Cooks',
			objective: 'First purchases',
			approved_facts: '30 ml',
			campaign_terms: ' 20 %\nnet\n',
			creative_direction: 'Natural light',
			reference_urls: [
				'https://a.example.com/1',
				'https://b.example.com/2',
				'https://c.example.com/3',
			],
		});
	});
});

describe('Include Input Fields', () => {
	const own = { error: 'own', code: 'SKU-1', message: 'Hi', brief_status: 'new', status: 'active' };

	test('keeps input fields with the name of an output field as input_<name>, and the others unchanged', async () => {
		const items = [{ name: 'Mug', ...own }];
		const { sandbox, done } = await runInSandbox(items, create({ includeInputFields: true }));
		expect(done.json('Create')).toMatchObject([
			{
				name: 'Mug',
				code: 'SKU-1',
				message: 'Hi',
				status: 'active',
				input_error: 'own',
				input_brief_status: 'new',
				brief_id: sandbox.listIds()[0],
				brief_status: matchText(/^(queued|researching)$/),
				already_existed: false,
			},
		]);
		// n8n takes an item with this field for a failed item.
		expect(done.json('Create')[0]).not.toHaveProperty('error');
	});

	test('keeps input fields in an error item, too', async () => {
		const node = create({ includeInputFields: true, ...continuing });
		const { done } = await runInSandbox([{ name: 'x', ...own }], node);
		expect(done.json('Create')).toEqual([
			{
				name: 'x',
				status: 'active',
				brief_status: 'new',
				input_error: 'own',
				input_code: 'SKU-1',
				input_message: 'Hi',
				error: "x: 'Product Name' is too short",
				code: 'invalid_input',
				message: 'Enter 2 to 180 characters.',
			},
		]);
	});
});

describe('Markdown as File', () => {
	const options = { markdownFile: true, outputDataFieldName: 'brief' };

	test('adds the text of the brief as a file', async () => {
		const { done } = await runInSandbox(makeProducts(1), create({ waitUntilReady: true, options }));
		const [item] = done.items('Create');
		const file = item!.binary!['brief']!;
		expect(file).toMatchObject({ mimeType: 'text/markdown', fileExtension: 'md' });
		expect(Buffer.from(file.data, 'base64').toString()).toBe(item!.json['markdown']);
	});

	test.each([true, false])('is an option only if Wait Until Ready is on: %s', (waitUntilReady) => {
		const { description } = new CreatorBriefing();
		const { properties } = description;
		const values = { resource: 'brief', operation: 'create', waitUntilReady, options };
		const node = { typeVersion: 1 };
		const form = NodeHelpers.getNodeParameters(properties, values, true, false, node, description);
		expect('markdownFile' in (form!['options'] as object)).toBe(waitUntilReady);
	});

	test.each<[string, object, (done: Execution) => unknown]>([
		['Stop', {}, (done) => done.error.description],
		['Continue', continuing, (done) => JSON.stringify(done.json('Create'))],
	])('names the paid briefs if a file cannot be stored: %s', async (_, onError, getText) => {
		jest
			.spyOn(BinaryDataService.prototype, 'store')
			.mockRejectedValueOnce(new Error('The disk is full'));
		const node = create({ waitUntilReady: true, ...onError, options });
		const { sandbox, done } = await runInSandbox(makeProducts(2), node);
		expect(sandbox.createdCount()).toBe(2);
		for (const id of sandbox.listIds()) expect(getText(done)).toContain(id);
	});
});

test('an execution that is stopped ends as canceled, names the paid briefs, and sends no more requests', async () => {
	const sandbox = await openService();
	const execution = startNode(sandbox, makeProducts(3), create({ waitUntilReady: true }));
	await waitUntil(() => sandbox.createdCount() === 2);
	execution.stop();
	const done = await execution.ended;
	expect(done.status).toBe('canceled');
	const [{ error } = {}] = done.runs('Create');
	expect(error?.message).toMatch(/^The execution was canceled/);
	expect(error?.description).toMatch(/already created are still written, and are paid for/);
	expect(await sandbox.countLaterRequests()).toBe(0);
});

describe('the brief of an execution that was stopped', () => {
	test.each([
		['at once', {}, 0, []],
		['later, with Check Only between', {}, 20_000, ['reuse']],
		['while the list lags, with Check Only between', { listLagMs: 120_000 }, 20_000, ['order']],
	])('already existed in the next execution: %s', async (_, options, pause, actions) => {
		const sandbox = await openService(options);
		const execution = startNode(sandbox, makeProducts(1), create());
		await waitUntil(() => sandbox.createdCount() === 1);
		execution.stop();
		await execution.ended;
		await getEngineClock().pass(pause);
		for (const action of actions) {
			const check = await runNode(sandbox, makeProducts(1), create({ checkOnly: true }));
			expect(check.values('planned_action', 'Create')).toEqual([action]);
		}
		const next = await runNode(sandbox, makeProducts(1), create());
		expect(next.values('already_existed', 'Create')).toEqual([true]);
		expect(next.hints('Create')[0]).toMatch(/^1 item: 1 already existed \(nothing paid\)/);
		expect(sandbox.createdCount()).toBe(1);
	});
});
