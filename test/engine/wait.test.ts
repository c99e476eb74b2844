import { randomUUID } from 'node:crypto';
import { BinaryDataService } from 'n8n-core';
import { NodeHelpers, type INode } from 'n8n-workflow';
import { CreatorBriefingWait } from '../../nodes/CreatorBriefingWait/CreatorBriefingWait.node';
import { runNode, runWorkflow } from '../support/engine/engine';
import {
	asTool,
	continuing,
	create,
	get,
	makeLocator,
	LONG,
	openService,
	runInSandbox,
	wait,
	withErrorOutput,
} from '../support/engine/fixtures';
import { getEngineClock } from '../support/engine/time';
import { matchText } from '../support/values';

/** The field of a node that was just added. */
const NO_BRIEF = makeLocator('list', '');
const makeLink = (id: string) =>
	`https://app.example.com/workspaces/${randomUUID()}/briefs/${id}?from=x`;

/** On Error, and the output of an item with an error of this node. */
const onErrorSettings = [
	['continues', continuing, 1],
	['continues with an error output', withErrorOutput, 3],
] as const;

describe('the outputs of Wait Until Ready', () => {
	test('are Ready for ready briefs and Failed for failed briefs, linked to their items', async () => {
		const sandbox = await openService();
		const failed = sandbox.addBrief({ durationMs: 100_000, product_name: 'Mask (discontinued)' });
		const [ready] = sandbox.addBriefs(200_000);
		const done = await runNode(sandbox, [{ id: failed.id }, ready!], wait());
		expect(done.items('Wait', 0)).toMatchObject([
			{ json: { ...ready, status: 'ready', markdown: matchText(/^# /) }, pairedItem: { item: 1 } },
		]);
		const json = { id: failed.id, status: 'failed', error_code: 'product_unavailable' };
		expect(done.items('Wait', 1)).toMatchObject([{ json, pairedItem: { item: 0 } }]);
	});

	test('are one output in a tool', async () => {
		const sandbox = await openService();
		const { id } = sandbox.addBrief({ status: 'failed' });
		const [ready] = sandbox.addBriefs('ready');
		const done = await runNode(sandbox, [{ id }, ready!], asTool(wait()));
		expect(done.json('Wait', 0)).toMatchObject([ready!, { id, code: 'brief_failed' }]);
		expect(done.json('Wait', 1)).toEqual([]);
	});

	const NOT_ORDERED = ['limit_reached', 'allowance_used_up', 'timeout', 'slots_busy', 'check_only'];

	test.each([{}, continuing, withErrorOutput])(
		'are Not Ordered or Failed for items of Create without a brief, with any On Error: %j',
		async (settings) => {
			const sandbox = await openService();
			const codes = [...NOT_ORDERED, 'unconfirmed', 'may_exist', 'rate_limited', undefined];
			const makeItem = (code?: string) => ({ SKU: 'A-1', error: 'Mask: no brief', code });
			const done = await runNode(
				sandbox,
				codes.map(makeItem),
				wait({ ...settings, briefId: NO_BRIEF }),
			);
			expect(done.status).toBe('success');
			expect(done.json('Wait', 2)).toEqual(NOT_ORDERED.map(makeItem));
			expect(done.json('Wait', 1)).toEqual(codes.slice(5).map(makeItem));
			expect([0, 3].map((output) => done.json('Wait', output))).toEqual([[], []]);
			expect(sandbox.requests).toEqual([]);
		},
	);

	test('are Not Ordered for items of Check Only, with the reason', async () => {
		const sandbox = await openService();
		const [ready] = sandbox.addBriefs('ready');
		const items = [
			{ SKU: 'A-2', planned_action: 'order', product_name: 'Mask' },
			{ ...ready, planned_action: 'reuse', already_existed: true, message: 'call me' },
			{ planned_action: 'error', error: "'Product Name' is too short", code: 'invalid_input' },
		];
		const done = await runNode(sandbox, items, wait({ briefId: NO_BRIEF }));
		const checked = { code: 'check_only', message: matchText(/switch off 'Check Only'/) };
		const { message: own, ...reused } = { message: '', ...items[1] };
		expect(done.json('Wait', 2)).toEqual([
			{
				...items[0],
				error: "Mask: no brief was ordered, because 'Check Only' is on in Create",
				...checked,
			},
			{
				...reused,
				input_message: own,
				error: "No brief was ordered, because 'Check Only' is on in Create",
				...checked,
			},
			items[2],
		]);
		expect([0, 1].map((output) => done.json('Wait', output))).toEqual([[], []]);
		expect(sandbox.requests).toEqual([]);
	});

	test.each(onErrorSettings)(
		'are Failed or Error for late and refused briefs and items without a brief, if the node %s',
		async (_, settings, output) => {
			const refusal = { kind: '5xx', status: 400, operation: 'get_brief' } as const;
			const sandbox = await openService({}, refusal);
			const [slow, quick] = sandbox.addBriefs(LONG, 60_000);
			const refused = { id: '00000000-0000-0000-0000-000000000000' };
			const items = [slow!, quick!, { id: 'no brief' }, refused];
			const done = await runNode(sandbox, items, wait({ options: { timeout: 5 }, ...settings }));
			expect(done.json('Wait', 0)).toMatchObject([quick!]);
			expect(done.json('Wait', output)).toEqual([
				{
					...slow,
					error: matchText(
						`the brief was still \\w+ at the end of the timeout .brief ${slow!.id}.$`,
					),
					message: matchText(`Wait for it again .*${slow!.id}.* costs nothing`),
					code: 'still_running',
				},
				{
					id: 'no brief',
					error: '“no brief” is not a brief ID',
					message: matchText(/^Select a brief/),
					code: 'invalid_input',
				},
				{ ...refused, error: matchText(/\(400\)/), message: matchText(/./), code: 'invalid_input' },
			]);
		},
	);
});

describe('the fields of an item', () => {
	const prefixFields = (brief: object) =>
		Object.fromEntries(Object.entries(brief).map(([name, value]) => [`brief_${name}`, value]));

	/** A row of a sheet, whose ID has the form of a brief's ID. */
	const row = { id: '59833787-2cf9-4fdf-8782-e53db20768a5', title: 'Row 1', code: 'A', SKU: 'A-1' };
	/** The field `error` of the input, as Create keeps it. */
	const renamed = { input_error: 'none' };
	const withInput = wait({ includeInputFields: true, briefId: NO_BRIEF });

	test('are those of the brief alone, without Include Input Fields', async () => {
		const sandbox = await openService();
		const [ready] = sandbox.addBriefs('ready');
		const done = await runNode(sandbox, [{ ...ready, SKU: 'A-0' }], wait());
		expect(Object.keys(done.json('Wait')[0]!)).toEqual([
			...['id', 'title', 'url', 'status', 'product_name', 'error_code', 'warnings'],
			...['created_at', 'finished_at', 'markdown'],
		]);
	});

	test('are the row and the brief as brief_…, with Include Input Fields', async () => {
		const sandbox = await openService();
		const [ready] = sandbox.addBriefs('ready');
		const [brief] = (await runNode(sandbox, [ready!], wait())).json('Wait');
		const earlier = prefixFields({ ...ready, status: 'queued', markdown: null, title: null });
		const item = { ...row, ...renamed, ...earlier, already_existed: false };
		const done = await runNode(sandbox, [item], withInput);
		expect(done.json('Wait')).toEqual([
			{ ...row, ...renamed, already_existed: false, ...prefixFields(brief!) },
		]);
	});

	test('are also kept as input_… if they have the names of the fields of another brief', async () => {
		const sandbox = await openService();
		const [ready] = sandbox.addBriefs('ready');
		const item = { new_id: ready!.id, brief_id: randomUUID(), brief_status: 'ready' };
		const briefId = makeLocator('id', '={{ $json.new_id }}');
		const done = await runNode(sandbox, [item], wait({ includeInputFields: true, briefId }));
		expect(done.json('Wait')).toMatchObject([
			{ brief_id: ready!.id, input_brief_id: item.brief_id, input_brief_status: 'ready' },
		]);
	});

	test.each([{}, continuing, withErrorOutput])(
		'are those of the row and the failed brief, with error, code and message, with any On Error: %j',
		async (settings) => {
			const sandbox = await openService();
			const { id } = sandbox.addBrief({ status: 'failed', product_name: 'Mask' });
			// As Create returns the brief, next to a column that the error has too.
			const item = { SKU: 'A-1', id, status: 'queued', error_code: null, message: 'call me' };
			const done = await runNode(sandbox, [item], wait(settings));
			expect(done.json('Wait', 1)).toEqual([
				{
					SKU: 'A-1',
					id,
					title: null,
					url: matchText(/^https/),
					status: 'failed',
					product_name: 'Mask',
					error_code: 'generation_failed',
					warnings: [],
					created_at: matchText(/./),
					finished_at: matchText(/./),
					markdown: null,
					error: `Mask: the service could not write this brief: generation_failed (brief ${id})`,
					code: 'brief_failed',
					message: matchText(
						/^It used one brief from the monthly allowance. See https.* Check the product's/,
					),
					input_message: 'call me',
				},
			]);
		},
	);

	test('are the row and the failed brief as brief_…, with Include Input Fields', async () => {
		const sandbox = await openService();
		const { id } = sandbox.addBrief({ status: 'failed', product_name: 'Mask' });
		const item = { ...row, ...renamed, brief_id: id, brief_status: 'queued' };
		const [failed] = (await runNode(sandbox, [item], withInput)).json('Wait', 1);
		const { code, ...kept } = row;
		expect(failed).toMatchObject({ ...kept, ...renamed, input_code: code, brief_status: 'failed' });
		expect(failed).toMatchObject({ code: 'brief_failed', error_code: 'generation_failed' });
		expect(failed).not.toHaveProperty('input_brief_status');
	});
});

describe('an item whose wait ended without a brief', () => {
	const CODES = [
		'still_running',
		'rate_limited',
		'service_unavailable',
		'list_unreadable',
		'unreadable_answer',
	];
	const late = (code: string) => ({ error: 'Mask: late', code, message: 'Wait again' });
	const withInput = { includeInputFields: true, briefId: NO_BRIEF };

	test.each(CODES)('is waited for again, without its old error: %s', async (code) => {
		const sandbox = await openService();
		const [ready] = sandbox.addBriefs('ready');
		const item = { SKU: 'A-1', brief_id: ready!.id, ...late(code) };
		const done = await runNode(sandbox, [item], wait(withInput));
		expect(done.json('Wait')).toMatchObject([{ SKU: 'A-1', brief_status: 'ready' }]);
		const fields = Object.keys(done.json('Wait')[0]!);
		expect(fields.filter((name) => /error$|message|code$/.test(name))).toEqual([
			'brief_error_code',
		]);
	});

	test('has only its new error if it is late again, or if its brief fails', async () => {
		const sandbox = await openService();
		const [slow] = sandbox.addBriefs(LONG);
		const { id } = sandbox.addBrief({ status: 'failed' });
		const items = [slow!, { id }].map((item) => ({ ...item, ...late('rate_limited') }));
		const node = wait({ options: { timeout: 1 }, ...withErrorOutput });
		const done = await runNode(sandbox, items, node);
		expect(done.json('Wait', 3)).toEqual([
			{
				...slow,
				error: matchText(/at the end of the timeout/),
				code: 'still_running',
				message: matchText(/Wait for it again/),
			},
		]);
		expect(done.json('Wait', 1)).toMatchObject([{ id, code: 'brief_failed' }]);
		expect(done.json('Wait', 1)[0]).not.toHaveProperty('input_error');
	});

	test('has a new error if its brief is missing', async () => {
		const sandbox = await openService();
		const item = { id: randomUUID(), ...late('still_running') };
		const done = await runNode(sandbox, [item], wait({ briefId: NO_BRIEF, ...continuing }));
		expect(done.values('code', 'Wait', 1)).toEqual(['not_found']);
	});

	test('keeps its error if its ID is not the ID of a brief, such as the ID of a row', async () => {
		const sandbox = await openService();
		const item = { id: randomUUID(), ...late('rate_limited') };
		const done = await runNode(sandbox, [item], wait({ briefId: NO_BRIEF }));
		expect(done.json('Wait', 1)).toEqual([item]);
	});
});

describe('a Timeout of 0', () => {
	const look = (settings: object = {}) => wait({ options: { timeout: 0 }, ...settings });

	test('checks once, at a page that was read now', async () => {
		const sandbox = await openService();
		const [slow] = sandbox.addBriefs(60_000);
		const late = await runNode(sandbox, [slow!], look(continuing));
		expect(late.values('code', 'Wait', 1)).toEqual(['still_running']);
		await getEngineClock().pass(61_000);
		const requests = sandbox.requests.length;
		const done = await runNode(sandbox, [slow!], look());
		expect(done.values('status', 'Wait')).toEqual(['ready']);
		expect(sandbox.requests.length - requests).toBeLessThanOrEqual(2);
	});

	test('lets a workflow sleep between two checks, and each brief leaves once', async () => {
		const sandbox = await openService();
		const { id: failing } = sandbox.addBrief({
			durationMs: 200_000,
			product_name: 'Mask (discontinued)',
		});
		const [quick, slow] = sandbox.addBriefs(60_000, 330_000);
		const settings = { includeInputFields: true, briefId: NO_BRIEF, ...withErrorOutput };
		const nodes = [
			{ name: 'Sleep', type: 'wait' },
			look(settings),
			{
				...get({ briefId: makeLocator('id', '={{ $json.brief_id }}') }),
				name: 'Post',
				position: [0, -100] as [number, number],
			},
		];
		const items = [quick!, slow!, { id: failing }].map(({ id }, row) => ({ row, brief_id: id }));
		const done = await runWorkflow(sandbox, items, nodes, [
			['Start', 0, 'Sleep'],
			['Sleep', 0, 'Wait'],
			['Wait', 0, 'Post'],
			['Wait', 3, 'Sleep'],
		]);
		const read = (output: number) =>
			done.runs('Wait').map((_run, pass) => done.json('Wait', output, pass).map(({ row }) => row));
		expect(read(0)).toEqual([[0], [], [1]]);
		expect(read(1)).toEqual([[], [2], []]);
		expect(read(2)).toEqual([[], [], []]);
		expect(read(3)).toEqual([[1, 2], [1], []]);
		const [last] = done.json('Wait', 0, 2);
		expect(last).toMatchObject({ brief_status: 'ready', brief_markdown: matchText(/^# /) });
		expect(
			Object.keys(last!).filter((name) => /^(input_)?(error|code|message)$/.test(name)),
		).toEqual([]);
		const [posted] = done.runs('Post');
		const [, secondSleep] = done.runs('Sleep');
		expect(posted!.executionIndex).toBeLessThan(secondSleep!.executionIndex);
	});
});

describe('a brief that has failed', () => {
	const failing = { name: 'Mask (discontinued)', SKU: 'A-1' };
	const nodes = [
		['Create and Wait', [create(continuing), wait({ briefId: NO_BRIEF })]],
		[
			"Create's own waiting and Wait",
			[create({ waitUntilReady: true, ...continuing }), wait({ briefId: NO_BRIEF })],
		],
		[
			'with Include Input Fields',
			[
				create({ includeInputFields: true, ...continuing }),
				wait({ includeInputFields: true, briefId: NO_BRIEF }),
			],
		],
	] as const;

	test.each(nodes)('keeps its ID, link and status on every run: %s', async (_, [make, end]) => {
		const sandbox = await openService();
		for (const run of [1, 2]) {
			const done = await runNode(sandbox, [failing], [make, end]);
			const prefix = end.parameters?.['includeInputFields'] === true ? 'brief_' : '';
			expect({ run, failed: done.json('Wait', 1) }).toMatchObject({
				run,
				failed: [
					{
						[`${prefix}id`]: sandbox.listIds()[0],
						[`${prefix}url`]: matchText(/^https/),
						[`${prefix}status`]: 'failed',
						code: 'brief_failed',
					},
				],
			});
		}
		expect(sandbox.createdCount()).toBe(1);
	});
});

describe('the brief of an item', () => {
	const { description } = new CreatorBriefingWait();

	test('is a link by its ID, which the editor shows by itself', () => {
		const { modes } = description.properties.find(({ name }) => name === 'briefId')!;
		const { extractValue } = modes!.find(({ name }) => name === 'url')!;
		const id = randomUUID();
		expect(new RegExp(extractValue!.regex as string).exec(makeLink(id))?.[1]).toBe(id);
	});

	test.each([
		['its ID', makeLocator('id', '={{ $json.id }}')],
		['its link', makeLocator('url', '={{ $json.url }}')],
		['an empty field', NO_BRIEF],
	])('is the brief that Create returned, by %s', async (_, briefId) => {
		const sandbox = await openService();
		const [item] = sandbox.addBriefs('ready');
		const created = { ...item, url: makeLink(item!.id), status: 'queued' };
		const done = await runNode(sandbox, [created], wait({ briefId }));
		expect(done.json('Wait')).toMatchObject([{ ...item, status: 'ready' }]);
	});

	test.each([
		['list', null],
		['id', expect.anything()],
		['url', expect.anything()],
	])('can be empty in the form, but not another text: %s', (mode, expected) => {
		const findIssues = (value: string) => {
			const parameters = { briefId: makeLocator(mode, value) };
			const node = { parameters, type: 'creatorBriefingWait', typeVersion: 1 } as unknown as INode;
			return NodeHelpers.getNodeParametersIssues(description.properties, node, description);
		};
		expect(findIssues('')).toBeNull();
		expect(findIssues('nothing')).toEqual(expected);
	});

	test.each([
		[{}, NO_BRIEF],
		[{ id: null }, NO_BRIEF],
		[{ id: 'row 7' }, NO_BRIEF],
		[{ id: '' }, '={{ $json.nothing }}'],
	])('is missing, and the error names the fields: %j', async (item, briefId) => {
		const { done } = await runInSandbox([item], wait({ briefId }));
		expect(done.error.message).toBe(
			"'Brief' is empty, and the item has no brief ID in its field brief_id or id [item 0]",
		);
		expect(done.error.description).toMatch(/Create/);
	});

	test('is unknown, and an ID without a creation time is reported at once', async () => {
		const { sandbox, done } = await runInSandbox([{ id: randomUUID() }], wait());
		expect(done.error.message).toMatch(
			/^Brief .*: the workspace of this API key has no such brief/,
		);
		expect(sandbox.requests).toHaveLength(1);
	});
});

describe('a file that cannot be stored', () => {
	/** Waits for two briefs that are ready. The file of the first cannot be stored. */
	async function waitForFiles(settings: object) {
		const sandbox = await openService();
		const items = sandbox.addBriefs('ready', 'ready');
		jest
			.spyOn(BinaryDataService.prototype, 'store')
			.mockRejectedValueOnce(new Error('The disk is full'));
		const node = wait({ options: { markdownFile: true }, ...settings });
		return { done: await runNode(sandbox, items, node), items };
	}

	test.each(onErrorSettings)(
		'is the error of its item alone, if the node %s',
		async (_, settings, output) => {
			const { done, items } = await waitForFiles(settings);
			expect(done.json('Wait', 0)).toMatchObject([{ ...items[1], status: 'ready' }]);
			const error = matchText(/The disk is full/);
			const json = { error, message: matchText(`using the ID ${items[0]!.id}`) };
			expect(done.items('Wait', output)).toMatchObject([{ json, pairedItem: { item: 0 } }]);
		},
	);

	test('ends the execution that does not continue, and names its brief', async () => {
		const { done, items } = await waitForFiles({});
		expect(done.error.message).toMatch(
			/: the file could not be stored: The disk is full \(brief \S+\) \[item 0\]$/,
		);
		expect(done.error.description).toContain(items[0]!.id);
	});
});
