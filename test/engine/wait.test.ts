import { randomUUID } from 'node:crypto';
import { BinaryDataService } from 'n8n-core';
import { NodeHelpers, type INode } from 'n8n-workflow';
import { CreatorBriefingWait } from '../../nodes/CreatorBriefingWait/CreatorBriefingWait.node';
import type { Sandbox } from '../../sandbox/sandbox';
import { runNode, startNode } from '../support/engine/engine';
import {
	continuing,
	create,
	itemsIn,
	locator,
	LONG,
	POLL_MS,
	products,
	ran,
	requestsOf,
	sandboxWith,
	says,
	wait,
	withErrorOutput,
} from '../support/engine/fixtures';
import { laggingTarget, type Lag } from '../support/engine/lagging';
import { engineTime, until } from '../support/engine/time';

/** As the field is in a node that was just added. */
const NO_BRIEF = locator('list', '');
const linkTo = (id: string) =>
	`https://app.example.com/workspaces/${randomUUID()}/briefs/${id}?from=x`;

describe('Wait Until Ready', () => {
	it('gives ready briefs to the first output and failed ones to the second, linked to their items', async () => {
		const sandbox = await sandboxWith();
		const failed = sandbox.addBrief({ durationMs: 100_000, product_name: 'Mask (discontinued)' });
		const [ready] = itemsIn(sandbox, 200_000);
		const done = await runNode(sandbox, [{ id: failed.id }, ready!], wait());
		expect(done.items('Wait', 0)).toMatchObject([
			{ json: { ...ready, status: 'ready', markdown: says(/^# /) }, pairedItem: { item: 1 } },
		]);
		const json = { id: failed.id, status: 'failed', error_code: 'product_unavailable' };
		expect(done.items('Wait', 1)).toMatchObject([{ json, pairedItem: { item: 0 } }]);
	});

	/** Rows of a sheet: a brief that is ready, one that failed, and none. */
	async function sheet() {
		const sandbox = await sandboxWith();
		const [ready] = itemsIn(sandbox, 'ready');
		const failed = sandbox.addBrief({ status: 'failed', product_name: 'Mask' });
		const own = { message: 'call me', error: null };
		const rows = [ready!, { id: failed.id }, { id: '' }].map((brief, at) => ({
			SKU: `A-${at}`,
			...own,
			...brief,
		}));
		return { sandbox, rows };
	}

	it.each([
		['stops', {}, null],
		['continues', continuing, 1],
		['continues with an error output', withErrorOutput, 2],
	] as const)(
		'says of each row that has no brief why, beside its own fields, if it %s',
		async (_, settings, output) => {
			const { sandbox, rows } = await sheet();
			const asked = output === null ? rows.slice(0, 2) : rows;
			const done = await runNode(sandbox, asked, wait(settings));
			const failed = [
				{
					SKU: 'A-1',
					id: rows[1]!.id,
					title: null,
					url: says(/^https/),
					status: 'failed',
					product_name: 'Mask',
					error_code: 'generation_failed',
					warnings: [],
					created_at: says(/./),
					finished_at: says(/./),
					markdown: null,
					error: `Mask: the service cannot write about this product: generation_failed (brief ${rows[1]!.id})`,
					code: 'brief_failed',
					message: says(
						/^It used one brief from the monthly allowance. See https.* Check the product's/,
					),
				},
			];
			const none = {
				...rows[2],
				error:
					"The 3rd of 3 items: 'Brief' is empty, and the item has no brief ID in its field brief_id or id",
				code: 'invalid_input',
				message: says(/^Connect this node to Create/),
			};
			expect(done.json('Wait', 1)).toEqual(output === 1 ? [...failed, none] : failed);
			if (output === 2) expect(done.json('Wait', 2)).toEqual([none]);
			expect(done.json('Wait', 0)).toMatchObject([{ id: rows[0]!.id, status: 'ready' }]);
		},
	);

	/** A row of Notion, whose ID looks like that of a brief, with a brief of an earlier run. */
	const ownFields = {
		id: '59833787-2cf9-4fdf-8782-e53db20768a5',
		url: 'https://airtable.example/rec1',
		title: 'Row 1',
		status: 'Done',
		brief_id: '00000000-0000-4000-8000-000000000000',
		brief_url: 'old',
		SKU: 'A-1',
	};
	const briefFields = (brief: object) =>
		Object.fromEntries(Object.entries(brief).map(([name, value]) => [`brief_${name}`, value]));

	it('leaves the fields of a row as they are, and has the new brief beside them', async () => {
		const sandbox = await sandboxWith();
		const row = { ...ownFields, name: 'Mask' };
		const including = { includeInputFields: true };
		const nodes = [create(including), wait({ ...including, briefId: NO_BRIEF })];
		const done = await runNode(sandbox, [row], nodes);
		const { id } = sandbox.briefs()[0]!;
		const [brief] = (await runNode(sandbox, [{ id }], wait())).json('Wait');
		const [{ brief_already_existed, ...created } = {}] = done.json('Create');
		const { markdown, title, finished_at, ...early } = brief!;
		expect([brief_already_existed, markdown, title, finished_at]).toEqual([
			false,
			says(/^# /),
			says(/./),
			says(/./),
		]);
		expect(created).toEqual({
			...row,
			...briefFields({ ...early, status: 'queued', warnings: [] }),
			...briefFields({ markdown: null, title: null, finished_at: null }),
		});
		expect(done.json('Wait')).toEqual([
			{ ...row, brief_already_existed: false, ...briefFields(brief!) },
		]);
	});

	it('leaves them as they are for a brief that failed too, and says what failed', async () => {
		const sandbox = await sandboxWith();
		const { id } = sandbox.addBrief({ status: 'failed', product_name: 'Mask' });
		const row = { ...ownFields, brief_id: id };
		for (const includeInputFields of [true, false]) {
			const node = wait({ includeInputFields, briefId: NO_BRIEF });
			const [item] = (await runNode(sandbox, [row], node)).json('Wait', 1);
			expect(item).toMatchObject({
				...row,
				...(includeInputFields ? { brief_url: says(/^https/), brief_status: 'failed' } : {}),
				error: says(/^Mask: the service cannot write about this product: .*\(brief .*\)$/),
				code: 'brief_failed',
			});
		}
	});

	it.each([
		['stops', {}, 1],
		['continues', continuing, 1],
		['continues with an error output', withErrorOutput, 2],
	] as const)(
		'passes an item with an error on as it came, whatever ID it has, if it %s',
		async (_, settings, output) => {
			const sandbox = await sandboxWith();
			const [ready] = itemsIn(sandbox, 'ready');
			const item = { ...ready, SKU: 'A-1', error: 'Mask: not ordered', message: 'Wait.', row: 2 };
			const done = await runNode(sandbox, [item], wait(settings));
			expect(done.status).toBe('success');
			expect(done.json('Wait', output)).toEqual([item]);
			expect(done.json('Wait', 0)).toEqual([]);
		},
	);

	it('keeps the row beside its brief if it includes the input fields, and nothing of it otherwise', async () => {
		const { sandbox, rows } = await sheet();
		const asked = rows.slice(0, 1);
		const [alone] = (await runNode(sandbox, asked, wait())).json('Wait');
		expect(Object.keys(alone!)).toEqual([
			...['id', 'title', 'url', 'status', 'product_name', 'error_code', 'warnings'],
			...['created_at', 'finished_at', 'markdown'],
		]);
		const done = await runNode(sandbox, asked, wait({ includeInputFields: true }));
		expect(done.json('Wait')).toEqual([
			{ SKU: 'A-0', id: rows[0]!.id, message: 'call me', ...briefFields(alone!) },
		]);
	});

	it('lets the editor show the ID of a link by itself', () => {
		const { properties } = new CreatorBriefingWait().description;
		const { modes } = properties.find(({ name }) => name === 'briefId')!;
		const { extractValue } = modes!.find(({ name }) => name === 'url')!;
		const id = randomUUID();
		expect(new RegExp(extractValue!.regex as string).exec(linkTo(id))?.[1]).toBe(id);
	});

	it('takes what Create gives, by its ID, its link or an empty field', async () => {
		const briefIds = [
			locator('id', '={{ $json.id }}'),
			locator('url', '={{ $json.url }}'),
			NO_BRIEF,
		];
		const waits = briefIds.map((briefId, at) => wait({ briefId, name: `Wait ${at}` }));
		const { sandbox, done } = await ran(products(2), [create(), ...waits]);
		const ready = sandbox.briefs().map(({ id }) => ({ id, status: 'ready' }));
		for (const { name } of waits) expect(done.json(name)).toMatchObject(ready);
	});

	it.each([
		['list', null],
		['id', expect.anything()],
		['url', expect.anything()],
	])('has no red triangle while it is empty: %s', (mode, otherwise) => {
		const { description } = new CreatorBriefingWait();
		const issuesOf = (value: string) => {
			const parameters = { briefId: locator(mode, value) };
			const node = { parameters, type: 'creatorBriefingWait', typeVersion: 1 } as unknown as INode;
			return NodeHelpers.getNodeParametersIssues(description.properties, node, description);
		};
		expect(issuesOf('')).toBeNull();
		expect(issuesOf('nothing')).toEqual(otherwise);
	});

	it('reads few of the finished briefs at a time', async () => {
		const slow = { kind: 'slow', delayMs: 1_000, operation: 'get_brief', times: 40 } as const;
		const sandbox = await sandboxWith({}, slow);
		const items = itemsIn(sandbox, ...Array<'ready'>(40).fill('ready'));
		const execution = startNode(sandbox, items, wait());
		await until(() => requestsOf(sandbox, 'get_brief') > 0);
		await engineTime().pass(500);
		expect(requestsOf(sandbox, 'get_brief')).toBeLessThan(25);
		expect((await execution.ended).json('Wait')).toMatchObject(items);
	});

	it('reads all finished briefs under a rate limit, and reports none of them as failed', async () => {
		const sandbox = await sandboxWith({ requestsPerMinute: 10 });
		const items = itemsIn(sandbox, ...Array<'ready'>(58).fill('ready'));
		const done = await runNode(sandbox, items, wait(continuing));
		expect(done.json('Wait', 0)).toHaveLength(58);
		expect(done.json('Wait', 1)).toEqual([]);
	});

	it('looks at a brief once if several items name it', async () => {
		const sandbox = await sandboxWith();
		const [item] = itemsIn(sandbox, 1_000_000);
		const items = [item!, item!, item!];
		const started = sandbox.now();
		const done = await runNode(sandbox, items, wait());
		expect(done.json('Wait')).toMatchObject([item, item, item]);
		const looks = (sandbox.now() - started) / POLL_MS;
		// One at the beginning and one at the end are not looks.
		expect(sandbox.requests.length).toBeLessThanOrEqual(looks + 2);
	});

	it.each([
		['it waits', ['5xx', 'reset', 'html', 'broken-json', '429'], { skip: 1 }],
		['it reads', ['reset', 'broken-json'], { operation: 'get_brief' }],
	] as const)('survives failures of the service while %s', async (_, kinds, more) => {
		const sandbox = await sandboxWith();
		const items = itemsIn(sandbox, 300_000, 300_000, 300_000);
		for (const kind of kinds) sandbox.faults.add({ kind, ...more });
		const done = await runNode(sandbox, items, wait());
		expect(done.all('status', 'Wait')).toEqual(['ready', 'ready', 'ready']);
		expect(sandbox.faults.hitsToCome).toBe(0);
	});

	it('does not say that a brief is still running if the service could not be asked', async () => {
		const failing = { kind: '5xx', operation: 'get_brief', skip: 1, times: 10_000 } as const;
		const sandbox = await sandboxWith({}, failing);
		const items = itemsIn(sandbox, LONG);
		const { error } = await runNode(sandbox, items, wait({ options: { timeout: 5 } }));
		expect(error.message).toMatch(/could not be looked at for .*, and was \w+ before that/);
		expect(error.description).toMatch(/Wait for it again .* costs nothing/);
	});

	it('gives what is ready, what timed out and what is no brief to their outputs', async () => {
		const sandbox = await sandboxWith();
		const [slow, quick] = itemsIn(sandbox, LONG, 60_000);
		const items = [slow!, quick!, { id: 'no brief' }];
		const options = { timeout: 5 };
		const timedOut = {
			...slow,
			error: says(`^Brief ${slow!.id}.* is still \\w+ after 5 minutes$`),
			message: says(`Wait for it again .*${slow!.id}.* costs nothing`),
			code: 'still_running',
		};
		const none = {
			id: 'no brief',
			error: "'Brief' contains no brief ID",
			message: says(/Select one/),
			code: 'invalid_input',
		};
		const going = await runNode(sandbox, items, wait({ options, ...continuing }));
		expect(going.json('Wait', 0)).toMatchObject([quick!]);
		expect(going.json('Wait', 1)).toEqual([timedOut, none]);
		const routed = await runNode(sandbox, items, wait({ options, ...withErrorOutput }));
		expect(routed.json('Wait', 0)).toMatchObject([quick!]);
		expect(routed.json('Wait', 1)).toEqual([]);
		expect(routed.json('Wait', 2)).toEqual([timedOut, none]);
	});

	it('reports an ID that the service refuses as its alone: the others are waited for', async () => {
		const refusal = { kind: '5xx', status: 400, operation: 'get_brief' } as const;
		const sandbox = await sandboxWith({}, refusal);
		const [item] = itemsIn(sandbox, 200_000);
		const noUuid = { id: '00000000-0000-0000-0000-000000000000' };
		const done = await runNode(sandbox, [item!, noUuid], wait(withErrorOutput));
		expect(done.json('Wait', 0)).toMatchObject([{ ...item, status: 'ready' }]);
		expect(done.json('Wait', 2)).toMatchObject([{ ...noUuid, code: 'invalid_input' }]);
	});

	it.each([{}, { id: null }, { id: 'row 7' }, { id: '' }])(
		'says what is missing for an item without a brief: %j',
		async (item) => {
			for (const briefId of [NO_BRIEF, '={{ $json.nothing }}']) {
				const { done } = await ran([item], wait({ briefId }));
				expect(done.error.message).toBe(
					"'Brief' is empty, and the item has no brief ID in its field brief_id or id [item 0]",
				);
				expect(done.error.description).toMatch(/Create/);
			}
		},
	);
});

describe('a file that cannot be stored', () => {
	/** Two briefs that are ready; the file of the first cannot be stored. */
	async function waitedFor(settings: object) {
		const sandbox = await sandboxWith();
		const items = itemsIn(sandbox, 'ready', 'ready');
		const store = jest
			.spyOn(BinaryDataService.prototype, 'store')
			.mockRejectedValueOnce(new Error('The disk is full'));
		const node = wait({ options: { markdownFile: true }, ...settings });
		const done = await runNode(sandbox, items, node);
		store.mockRestore();
		return { done, items };
	}

	it.each([
		[continuing, 1],
		[withErrorOutput, 2],
	])('is the error of its item alone, and the others are ready: %j', async (settings, output) => {
		const { done, items } = await waitedFor(settings);
		expect(done.json('Wait', 0)).toMatchObject([{ ...items[1], status: 'ready' }]);
		const json = { error: says(/The disk is full/), message: says(`using the ID ${items[0]!.id}`) };
		expect(done.items('Wait', output)).toMatchObject([{ json, pairedItem: { item: 0 } }]);
	});

	it('ends the execution that does not continue, and names its brief', async () => {
		const { done, items } = await waitedFor({});
		expect(done.error.message).toMatch(
			/: the file could not be stored: The disk is full \(brief \S+\) \[item 0\]$/,
		);
		expect(done.error.description).toContain(items[0]!.id);
	});
});

/** A service whose get of a brief lags behind the list for so many times after the brief's end. */
async function lagging(lag: Lag, gets: number) {
	const sandbox = await sandboxWith();
	const counts = new Map<string, number>();
	const target = await laggingTarget(sandbox, (id) => {
		if (sandbox.briefs().find((one) => one.id === id)?.status !== 'ready') return undefined;
		const before = counts.get(id) ?? 0;
		counts.set(id, before + 1);
		return before < gets ? lag : undefined;
	});
	return { sandbox, target, counts };
}

const whole = { status: 'ready', markdown: says(/^# /) };

it('a get that lags behind the list is waited for by Create too', async () => {
	const { target, counts } = await lagging('unfinished', 4);
	const done = await runNode(target, products(2), create({ waitUntilReady: true }));
	expect(done.json('Create')).toMatchObject([whole, whole]);
	expect([...counts.values()]).toEqual([5, 5]);
});

describe.each<Lag>(['unfinished', 'unknown'])('a get that lags behind the list: %s', (lag) => {
	it('is waited for until it shows the end', async () => {
		const { sandbox, target } = await lagging(lag, 4);
		const done = await runNode(target, itemsIn(sandbox, 'ready', 'ready'), wait());
		expect(done.json('Wait')).toMatchObject([whole, whole]);
	});

	it('and never shows the end is reported as paid, with how to go on', async () => {
		const sandbox = await sandboxWith();
		const items = itemsIn(sandbox, 'ready', 'ready');
		const late = items[0]!;
		const target = await laggingTarget(sandbox, (id) => (id === late.id ? lag : undefined));
		const done = await runNode(target, items, wait(withErrorOutput));
		expect(done.json('Wait', 0)).toMatchObject([{ ...items[1], status: 'ready' }]);
		const error = says(/is ready, but the service does not return it in full yet$/);
		expect(done.json('Wait', 2)).toMatchObject([{ ...late, error }]);
		const stopped = await runNode(target, items, wait());
		expect(stopped.error.message).toContain(late.id);
		expect(stopped.error.description).toMatch(/is paid for.*costs nothing/);
	});

	it('is not waited for beyond the timeout', async () => {
		const { sandbox, target, counts } = await lagging(lag, Infinity);
		const items = itemsIn(sandbox, 'ready', 'ready');
		const { error } = await runNode(target, items, wait({ options: { timeout: 0.5 } }));
		expect(error.message).toMatch(/does not return it in full yet/);
		for (const gets of counts.values()) expect(gets).toBeLessThan(5);
	});
});

/** The highest number of briefs that were accepted and not finished at once, those included that the service queues. */
function mostOpen(sandbox: Sandbox): number {
	const briefs = sandbox.briefs();
	const open = (time: number) =>
		briefs.filter(({ createdAt, readyAt }) => createdAt <= time && time < (readyAt ?? Infinity));
	return Math.max(...briefs.map(({ createdAt }) => open(createdAt).length));
}

const allEnded = async (executions: Array<ReturnType<typeof startNode>>) =>
	await Promise.all(executions.map(({ ended }) => ended));

describe('executions that wait at the same time', () => {
	it('cost one request a look, though they are fifty', async () => {
		const sandbox = await sandboxWith({ slots: 50 });
		const items = itemsIn(sandbox, ...Array<number>(50).fill(LONG));
		const started = sandbox.now();
		const ended = allEnded(items.map((item) => startNode(sandbox, [item], wait())));
		await until(() => requestsOf(sandbox, 'list_briefs') > 2);
		for (const { id } of items) sandbox.finish(id);
		const done = await ended;
		expect(done.flatMap((one) => one.all('status', 'Wait'))).toEqual(Array(50).fill('ready'));
		// Each brief is read when its execution begins, and once more when it is ready.
		const { length } = sandbox.requests;
		expect(length - 100).toBeLessThanOrEqual((sandbox.now() - started) / POLL_MS);
		await engineTime().pass(600_000);
		expect(sandbox.requests).toHaveLength(length);
	});

	it('go on if the one that carries the looks is stopped', async () => {
		const sandbox = await sandboxWith();
		const items = itemsIn(sandbox, LONG, 1_000_000, 1_000_000);
		const [first, ...others] = items.map((item) => startNode(sandbox, [item], wait()));
		await until(() => requestsOf(sandbox, 'list_briefs') > 1);
		first!.stop();
		expect((await first!.ended).status).toBe('canceled');
		expect((await allEnded(others)).map(({ status }) => status)).toEqual(['success', 'success']);
	});

	it('have timeouts and poll intervals of their own', async () => {
		const sandbox = await sandboxWith();
		const [never, soon] = itemsIn(sandbox, LONG, 1_000_000);
		const started = engineTime().now();
		const waiting = (item: object, options: object) =>
			startNode(sandbox, [item], wait({ options }));
		const [impatient, seldom, often] = await allEnded([
			waiting(never!, { timeout: 5 }),
			waiting(soon!, { pollInterval: 3600, timeout: 90 }),
			waiting(soon!, {}),
		]);
		expect(impatient!.error.message).toMatch(/is still \w+ after 5 minutes/);
		expect([seldom!.status, often!.status]).toEqual(['success', 'success']);
		// The execution that looks most often decides for all.
		expect(engineTime().now() - started).toBeLessThan(30 * 60_000);
	});
});

describe('executions that order', () => {
	it.each(['queue', 'refuse'] as const)(
		'at the same time have two briefs running between them if a third would meet: %s',
		async (thirdBrief) => {
			const sandbox = await sandboxWith({ thirdBrief, listLagMs: 60_000 });
			const done = await allEnded(products(5).map((item) => startNode(sandbox, [item], create())));
			expect(done.map(({ status }) => status)).toEqual(Array(5).fill('success'));
			expect([sandbox.createdCount(), mostOpen(sandbox)]).toEqual([5, 2]);
			expect(requestsOf(sandbox, 'create_brief')).toBe(5);
		},
	);

	it('one after the other do so too, though the list does not show the first ones yet', async () => {
		const sandbox = await sandboxWith({ thirdBrief: 'queue', listLagMs: 60_000 });
		for (const product of products(3)) {
			expect((await runNode(sandbox, [product], create())).status).toBe('success');
		}
		expect(mostOpen(sandbox)).toBe(2);
	});

	/** Two that wait for a slot, of which the first has these settings. */
	async function bothWaiting(settings: Parameters<typeof create>[0] = {}) {
		const sandbox = await sandboxWith();
		itemsIn(sandbox, 1_000_000, 1_000_000);
		const [first, second] = [create(settings), create()].map((node, at) =>
			startNode(sandbox, [{ name: `Soap ${at}` }], node),
		);
		await until(() => requestsOf(sandbox, 'list_briefs') > 1);
		const expectSecondAlone = async () => {
			expect((await second!.ended).status).toBe('success');
			expect(sandbox.createdCount()).toBe(1);
		};
		return { first: first!, expectSecondAlone };
	}

	it('end alone if they wait for a slot and are stopped', async () => {
		const { first, expectSecondAlone } = await bothWaiting();
		first.stop();
		expect((await first.ended).status).toBe('canceled');
		await expectSecondAlone();
	});

	it('end alone if they wait for a slot and are on Stop', async () => {
		const both = await bothWaiting({ options: { whenSlotsBusy: 'stop' } });
		expect((await both.first.ended).error.message).toMatch(/^Soap 0: both slots are taken/);
		await both.expectSecondAlone();
	});
});
