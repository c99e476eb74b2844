import { BinaryDataService } from 'n8n-core';
import { NodeHelpers } from 'n8n-workflow';
import { CreatorBriefing } from '../../nodes/CreatorBriefing/CreatorBriefing.node';
import { clock } from '../../nodes/shared/node-clock';
import type { Sandbox, SandboxOptions } from '../../sandbox/sandbox';
import { type Execution, retry, runLoop, runNode, startNode } from '../support/engine/engine';
import { laggingTarget } from '../support/engine/lagging';
import {
	continuing,
	create,
	type Fault,
	itemsIn,
	LONG,
	products,
	ran,
	requestsOf,
	sandboxWith,
	says,
	wait,
	withErrorOutput,
} from '../support/engine/fixtures';
import { SHAPED_ROWS, SHAPES } from '../support/sandbox/shapes';
import { engineTime, until } from '../support/engine/time';

const idsIn = (sandbox: Sandbox) => sandbox.briefs().map(({ id }) => id);
/** Orders one more brief, by an Order Key. */
const keyed = (idempotencyKey: string, more = {}) =>
	create({ whenBriefExists: 'orderAnother', idempotencyKey, ...more });
const namesOf = (items: Array<{ name: string }>) => items.map(({ name }) => name);

describe('Brief → Create', () => {
	it('returns each brief at once, in the order of the items, linked to them, with what comes next', async () => {
		const { done } = await ran(products(2), create());
		expect(done.json('Create')).toMatchObject([
			{ status: 'queued', product_name: 'Glow Serum No. 1' },
			{ status: 'queued', product_name: 'Glow Serum No. 2' },
		]);
		const links = done.items('Create').map(({ pairedItem }) => pairedItem);
		expect(links).toEqual([{ item: 0 }, { item: 1 }]);
		expect(done.hints('Create')).toEqual([
			'2 items: 2 briefs ordered. 98 of 100 left this month. The last text is ready in about 4 minutes. To get it, connect Creator Briefing Wait Until Ready after this node.',
		]);
	});

	it('keeps to two running briefs, and returns all when they are ready', async () => {
		const { sandbox, done } = await ran(products(6), create({ waitUntilReady: true }));
		expect(done.all('status', 'Create')).toEqual(Array(6).fill('ready'));
		expect(done.all('product_name', 'Create')).toEqual(namesOf(products(6)));
		expect(done.json('Create')[0]!['markdown']).toMatch(/^# /);
		expect(done.hints('Create')).toEqual(['6 items: 6 briefs ordered. 94 of 100 left this month.']);
		expect([sandbox.createdCount(), sandbox.maxRunning()]).toEqual([6, 2]);
		// No brief was refused: nothing was sent without a slot.
		expect(requestsOf(sandbox, 'create_brief')).toBe(6);
	});

	it.each<SandboxOptions>([
		{ thirdBrief: 'refuse' },
		{ thirdBrief: 'queue' },
		{ errorCodes: 'generic', rateLimitHeaders: 'none' },
	])('gets every brief if the list is late and colleagues hold both slots: %j', async (options) => {
		const sandbox = await sandboxWith({ listLagMs: 60_000, ...options });
		itemsIn(sandbox, 150_000, 150_000);
		const done = await runNode(sandbox, products(3), create({ waitUntilReady: true }));
		expect(done.all('status', 'Create')).toEqual(Array(3).fill('ready'));
		expect(sandbox.createdCount()).toBe(3);
	});

	it('sends numbers as text, terms as they are written and links as URIs', async () => {
		const links = 'https://a.example.com/1\nhttps://b.example.com/2 | https://d.example.com/4\n';
		const form = { audience: 'New to skincare', approvedFacts: 'Free of parabens.' };
		const additionalFields = {
			productId: '={{ $json.id }}',
			objective: '',
			campaignTerms: ' 20 %\r\nnet\n',
			creativeDirection: 'Natural light',
			referenceUrls: ['={{ $json.links }}', 'https://c.example.com/größe?x[]=3'],
		};
		const item = { name: ' Glow\r\nSerum ', id: 1729384756, links };
		const { sandbox } = await ran([item], create({ ...form, additionalFields }));
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

	it('gives the useful fields and a file, or the brief as the service gave it', async () => {
		const options = { markdownFile: true, outputDataFieldName: 'brief' };
		const simple = create({ waitUntilReady: true, options });
		const { sandbox, done } = await ran(products(1), simple, { unknownFields: true });
		const [brief] = done.items('Create');
		expect(Object.keys(brief!.json)).toEqual([
			...['id', 'title', 'url', 'status', 'product_name', 'already_existed', 'error_code'],
			...['warnings', 'created_at', 'finished_at', 'markdown'],
		]);
		expect(brief!.json['warnings']).toEqual([says(/^No approved facts were given/)]);
		const file = brief!.binary!['brief']!;
		expect(file).toMatchObject({ mimeType: 'text/markdown', fileExtension: 'md' });
		expect(Buffer.from(file.data, 'base64').toString()).toBe(brief!.json['markdown']);
		const whole = await runNode(sandbox, products(1), create({ simplify: false }));
		expect(whole.json('Create')).toMatchObject([{ revision: 1, already_existed: true }]);
	});

	it.each([
		[true, { markdownFile: true }],
		[false, {}],
	])(
		'asks for a Markdown file only if it waits for the Markdown: %s',
		(waitUntilReady, options) => {
			const { description } = new CreatorBriefing();
			const given = { resource: 'brief', operation: 'create', waitUntilReady };
			const values = { ...given, options: { markdownFile: true } };
			const node = { typeVersion: 1 };
			const { properties } = description;
			expect(
				NodeHelpers.getNodeParameters(properties, values, true, false, node, description),
			).toMatchObject({ options });
		},
	);
});

const SHAPED_ITEMS = SHAPED_ROWS.map((row, sku) => ({ ...row, name: row.product_name, sku }));

describe('Create, then Wait Until Ready', () => {
	const additionalFields = {
		productId: '={{ $json.product_id }}',
		campaignTerms: '={{ $json.campaign_terms }}',
	};
	const form = {
		audience: '={{ $json.audience }}',
		approvedFacts: '={{ $json.approved_facts }}',
		additionalFields,
	};
	const another = {
		...form,
		whenBriefExists: 'orderAnother',
		idempotencyKey: '=launch-{{ $json.sku }}',
	};

	const shapes: Array<[string, SandboxOptions]> = [
		...SHAPES,
		['replays with 200', { replayStatus: 200 }],
		['replays as the brief was', { replayStatus: 202, replayState: 'original' }],
		['times as seconds', { timestamps: 'epoch-seconds' }],
		['times as in headers', { timestamps: 'rfc1123' }],
		['an unknown status', { unknownStatus: 'polishing' }],
		['unknown fields', { unknownFields: true, inputShape: 'wrapped' }],
	];
	// If another text is shown beside fields as they were sent, the values may have been changed under the same key.
	const executions = ({ inputShape }: SandboxOptions) => (inputShape === 'rewritten' ? 1 : 2);

	it.each(shapes.map(([what, options]) => [what, executions(options), options] as const))(
		'has every item ready, and paid once with the same Order Keys: %s, in %i executions',
		async (_, times, options) => {
			const sandbox = await sandboxWith(options);
			for (let time = 1; time <= times; time += 1) {
				const done = await runNode(sandbox, SHAPED_ITEMS, [create(another), wait()]);
				expect(done.all('status', 'Wait')).toEqual(SHAPED_ITEMS.map(() => 'ready'));
				const ids = done.all('id', 'Wait').map((id) => String(id).toLowerCase());
				expect(ids).toEqual(idsIn(sandbox));
			}
		},
	);

	it.each(shapes)(
		'has its brief or one that it may be, after keys were forgotten, and pays for none: %s',
		async (_, options) => {
			const sandbox = await sandboxWith({ keyMemoryMs: 1, ...options });
			await runNode(sandbox, SHAPED_ITEMS, [create(another), wait()]);
			const paid = sandbox.createdCount();
			const again = await runNode(sandbox, SHAPED_ITEMS, create({ ...form, ...continuing }));
			for (const { already_existed, code } of again.json('Create'))
				expect([already_existed, code]).toContainEqual(code === undefined ? true : 'may_exist');
			expect(sandbox.createdCount()).toBe(paid);
		},
	);
});

describe('a service that answers each order with a brief of another product', () => {
	/** It writes the brief that was ordered, and shows another name. */
	const mistaken = { productNames: 'others' } as const;
	const order = create(continuing);

	it('has nothing more ordered after the first, and the other items say why', async () => {
		const { sandbox, done } = await ran(SHAPED_ITEMS.slice(1), order, mistaken);
		const errors = done.all('error', 'Create').map(String);
		const reasons = errors.map((error) => error.includes('with the brief of another order'));
		expect(reasons).toEqual([false, true, true, true]);
		expect(errors[3]).toContain('Name of another product');
		expect(sandbox.createdCount()).toBe(1);
	});

	it('has nothing more ordered in a loop either, with one item a pass', async () => {
		const sandbox = await sandboxWith(mistaken);
		await runLoop(sandbox, SHAPED_ITEMS, order);
		expect(sandbox.createdCount()).toBe(1);
	});

	it('may be right if an Order Key was used before: the other items are ordered', async () => {
		const node = keyed('={{ $json.sku }}', continuing);
		const { sandbox } = await ran(SHAPED_ITEMS.slice(0, 3), node);
		const others = [4, 5, 6].map((at) => ({ name: `Soap of sort ${at}`, sku: at - 4 }));
		const done = await runNode(sandbox, [...others, { name: 'New', sku: 9 }], node);
		expect(done.all('error', 'Create').join()).not.toContain('with the brief of another order');
		expect(done.json('Create')[3]?.['product_name']).toBe('New');
		expect(sandbox.createdCount()).toBe(4);
	});
});

describe('Max Briefs per Run', () => {
	const most = (maxBriefs: unknown, given = {}) => create({ ...given, maxBriefs });

	it('leaves what is beyond it for the next run, which goes on with it', async () => {
		const node = most(2, continuing);
		const items = [{ name: 'x' }, ...products(5)];
		const { sandbox, done } = await ran(items, node);
		expect(done.json('Create')).toMatchObject([
			{ code: 'invalid_input' },
			{ product_name: 'Glow Serum No. 1', already_existed: false },
			{ product_name: 'Glow Serum No. 2', already_existed: false },
		]);
		expect(done.hints('Create')).toEqual([
			says(
				/^6 items: 2 briefs ordered, 1 not ordered, 3 left for the next run\. 98 of 100 left this month\. 'Max Briefs per Run' is 2: run the workflow again, and it goes on/,
			),
		]);
		const next = await runNode(sandbox, items, node);
		expect(next.all('already_existed', 'Create')).toEqual([undefined, true, true, false, false]);
		expect((await runNode(sandbox, products(5), most(2))).json('Create')).toHaveLength(5);
		expect([sandbox.createdCount(), requestsOf(sandbox, 'create_brief')]).toEqual([5, 5]);
	});

	it('is no limit at 0, and counts a brief of several items, or of several tries, once', async () => {
		const { sandbox, done } = await ran(products(2), most(0));
		expect(done.status).toBe('success');
		const same = [{ name: 'Mask' }, { name: 'Mask' }];
		expect((await runNode(sandbox, same, most(1))).json('Create')).toHaveLength(2);
		sandbox.faults.add(second);
		const tried = await runNode(sandbox, [{ name: 'Soap' }, { name: 'Balm' }], most(1, retrying));
		expect(tried.all('product_name', 'Create')).toEqual(['Soap']);
		expect(sandbox.createdCount()).toBe(4);
	});
});

describe('requests', () => {
	it('of two briefs in an idle workspace are a look before each, two creates, and what is left of the month', async () => {
		const { sandbox } = await ran(products(2), create({ options: { pollInterval: 5 } }));
		const pair = ['list_briefs', 'create_brief'];
		expect(sandbox.requests.map(({ operation }) => operation)).toEqual([
			...pair,
			...pair,
			'list_licences',
		]);
	});

	it('end with the run, also if briefs were being waited for', async () => {
		const waiting = create({ waitUntilReady: true });
		const { sandbox, done } = await ran(products(2), waiting, { allowance: 1 });
		expect(done.status).toBe('error');
		const requests = sandbox.requests.length;
		await engineTime().pass(600_000);
		expect(sandbox.requests).toHaveLength(requests);
	});
});

const NOBODY = '={{ $("Nobody").item.json.x }}';

describe('what cannot be ordered stops the run before anything is sent', () => {
	/** The item with everything that goes wrong, also letters by which n8n replaces a message. */
	const item = { name: 'ENOENT cream', isNew: true, who: '[object Object]' };
	it.each<[string, Record<string, unknown>, RegExp, RegExp, object[]?]>([
		['an option that fails', { simplify: NOBODY }, /node doesn't exist/, /./],
		['Wait Until Ready that fails', { waitUntilReady: NOBODY }, /node doesn't exist/, /./],
		[
			'a file option that fails',
			{ waitUntilReady: true, options: { markdownFile: NOBODY } },
			/node doesn't exist/,
			/./,
		],
		[
			'two bad items of three',
			{ additionalFields: { productId: '={{ $json.id }}' } },
			/^x: 'Product Name' is too short \[item 1\]$/,
			/^It takes 2 to 180 characters.*Nothing was sent, and no brief was used.*1 more item cannot/,
			[{ name: 'Glow Serum' }, { name: 'x' }, { name: 'Mask', id: 'abc' }],
		],
		['no number', { maxBriefs: 'many' }, /'Max Briefs per Run' is not a whole/, /./],
		['braces', { productName: '{{ $json.name }}' }, /{{ \$json.name }}/, /Fixed to Expression/],
		[
			'a brace left over',
			{ productName: '=Glow Serum }}' },
			/Glow Serum }}/,
			/braces .* left over/,
		],
	])('%s', async (_, parameters, message, cure, items = [item]) => {
		const { sandbox, done } = await ran(items, create(parameters));
		expect(done.error.message).toMatch(message);
		expect(done.error.description ?? '.').toMatch(cure);
		expect(sandbox.requests).toEqual([]);
	});

	it.each<[string, string, RegExp, RegExp, object[]?]>([
		[
			'audience',
			'={{ $json.who }}',
			/^ENOENT cream: 'Audience' contains .*\[object Object\]/,
			/field/,
		],
		[
			'idempotencyKey',
			'={{ "" + $json.who }}',
			/^ENOENT cream: 'Order Key' contains .*object/,
			/field/,
		],
		[
			'productId',
			'={{ Number("1729384756102938475") }}',
			/the number 17293847561029384/,
			/as text/i,
		],
		['productId', '1729384756123450000', /is “1729384756123450000”/, /link as its name/],
		[
			'idempotencyKey',
			'{{ $json.name }}',
			/^ENOENT cream: 'Order Key' .*{{ \$json.name }}/,
			/to Expression/,
		],
		['idempotencyKey', '={{ $json.sku }}', /empty for this item/, /Correct .*or clear the field/],
		['idempotencyKey', '={{ $json.isNew }}', /empty for this item/, /Correct/],
	])('the field %s with %s', async (field, value, message, cure, items = [item]) => {
		const isOnForm = field !== 'productId';
		const given = isOnForm ? { [field]: value } : { additionalFields: { [field]: value } };
		const node = create({ whenBriefExists: 'orderAnother', ...given });
		const { sandbox, done } = await ran(items, node);
		expect(done.error.message).toMatch(message);
		expect(done.error.description).toMatch(cure);
		expect(sandbox.requests).toEqual([]);
	});

	it('but not an Order Key whose expression nobody has filled in', async () => {
		const { done } = await ran([{ name: 'Mask' }], keyed('='));
		expect(done.status).toBe('success');
	});
});

const stop = (more = {}) => create({ options: { whenSlotsBusy: 'stop' }, ...more });
const operationsOf = (sandbox: Sandbox) => sandbox.requests.map(({ operation }) => operation);

/** A workspace whose slots are taken for longer than a test. */
async function busySandbox(): Promise<Sandbox> {
	const sandbox = await sandboxWith();
	itemsIn(sandbox, LONG, LONG);
	return sandbox;
}

describe('a hard stop', () => {
	it('names the briefs that were created, and the month in which the allowance starts again', async () => {
		const options = { allowance: 2, startAt: Date.UTC(2026, 10, 12) };
		const { sandbox, done } = await ran(products(4), create(), options);
		const [one, two] = idsIn(sandbox);
		expect(done.status).toBe('error');
		expect(done.error.message).toBe(
			'Glow Serum No. 3: the month’s allowance of briefs is used up [item 2]',
		);
		const [next, created] = done.error.description!.split('Already created in this run:');
		expect(next).toContain('1 December 2026');
		expect(created).toContain(`${one} (“Glow Serum No. 1”)`);
		expect(created).toContain(two);
		expect(done.error.httpCode).toBe('429');
		expect(requestsOf(sandbox, 'create_brief')).toBe(3);
	});

	it('sends nothing more if On Error continues either, and says so on each item', async () => {
		const node = create(withErrorOutput);
		const { sandbox, done } = await ran(products(4), node, { allowance: 1 });
		expect(done.json('Create', 0)).toHaveLength(1);
		expect(done.json('Create', 1)).toHaveLength(3);
		expect(done.json('Create', 1)[1]).toMatchObject({
			name: 'Glow Serum No. 3',
			error: 'Glow Serum No. 3: not ordered, because the month’s allowance of briefs is used up',
			code: 'allowance_used_up',
		});
		expect(requestsOf(sandbox, 'create_brief')).toBe(2);
	});

	it('comes at once if nothing answers at the address', async () => {
		const sleep = jest.spyOn(clock, 'sleep');
		const nowhere = { url: 'http://127.0.0.1:9/v1', key: 'k' };
		const { error } = await runNode(nowhere, products(1), create());
		expect(error.message).toMatch(/could not be reached/);
		expect(error.description).toMatch(/^Check the Base URL .* are in the credential/);
		expect(sleep).not.toHaveBeenCalled();
		sleep.mockRestore();
	});
});

describe('When Two Briefs Are Running on Stop', () => {
	it('stops at once, and says what runs, what was created and how to wait', async () => {
		const sandbox = await sandboxWith();
		itemsIn(sandbox, LONG);
		const { error } = await runNode(sandbox, products(3), stop());
		expect(error.message).toMatch(/^Glow Serum No. 2: both slots are taken.*\[item 1\]$/);
		for (const id of idsIn(sandbox)) {
			expect(error.description).toMatch(new RegExp(`^Running: .*${id}.* since 2.* Run it again`));
		}
		expect(error.description).toContain(
			"set the option 'When Two Briefs Are Running' to 'Wait'. Already created in this run:",
		);
		expect([sandbox.createdCount(), requestsOf(sandbox, 'create_brief')]).toEqual([1, 1]);
	});

	it('names the briefs of an earlier try too if Retry On Fail comes less far', async () => {
		const node = stop({ retryOnFail: true, maxTries: 2, waitBetweenTries: 10 });
		const { sandbox, done } = await ran(products(3), node);
		expect(done.error.message).toMatch(/^Glow Serum No. 3: both slots are taken.*\[item 2\]$/);
		expect(idsIn(sandbox)).toHaveLength(2);
		for (const id of idsIn(sandbox)) expect(done.error.description).toContain(id);
	});

	it('stops after the first look, whatever the poll interval, and has a code for it', async () => {
		const sandbox = await busySandbox();
		const options = { whenSlotsBusy: 'stop', pollInterval: 600 };
		const node = create({ options, ...withErrorOutput });
		const done = await runNode(sandbox, [{ name: 'x' }, { name: 'Mask' }], node);
		expect(done.all('code', 'Create', 1)).toEqual(['invalid_input', 'slots_busy']);
		expect(operationsOf(sandbox)).toEqual(['list_briefs', 'list_licences']);
	});
});

describe('a wait for a slot', () => {
	const impatient = (timeout: number) => create({ options: { timeout } });

	it('ends at the timeout, and names what runs', async () => {
		const sandbox = await busySandbox();
		const { error } = await runNode(sandbox, products(1), impatient(5));
		expect(error.message).toBe(
			'Glow Serum No. 1: not ordered, because two other briefs were being written for 5 minutes [item 0]',
		);
		for (const id of idsIn(sandbox)) expect(error.description).toContain(id);
		expect(sandbox.createdCount()).toBe(0);
	});

	it('names the orders that were stopped before their answer if those hold the slots', async () => {
		const sandbox = await sandboxWith();
		sandbox.faults.add({ kind: 'slow', delayMs: LONG, operation: 'create_brief', times: 2 });
		for (const sent of [1, 2]) {
			const execution = startNode(sandbox, [{ name: `Soap ${sent}` }], create());
			await until(() => requestsOf(sandbox, 'create_brief') === sent);
			execution.stop();
			await execution.ended;
		}
		const { error } = await runNode(sandbox, [{ name: 'Mask' }], impatient(5));
		expect(error.message).toMatch(
			/^Mask: not ordered, because two other briefs were being written/,
		);
		expect(error.description).toMatch(/got no answer.* until 20\d\d-/);
		expect(sandbox.createdCount()).toBe(0);
	});
});

describe('a brief that fails in a run that ends with the first error', () => {
	const waiting = create({ waitUntilReady: true });
	const failing = { name: 'Old Mask (discontinued)' };

	it('has nothing more ordered, and what runs is waited for and named', async () => {
		const { sandbox, done } = await ran([failing, ...products(4)], waiting);
		const [failed, running] = sandbox.briefs();
		expect(done.error.message).toMatch(
			/^Old Mask \(discontinued\): the service cannot write about this product: product_un.*\[item 0\]$/,
		);
		expect(failed!.status).toBe('failed');
		expect(running!.status).toBe('ready');
		const [, alive] = done.error.description!.split('Already created in this run:');
		expect(alive).toContain(running!.id);
		expect(requestsOf(sandbox, 'create_brief')).toBe(2);
	});

	it.each<[string, Fault]>([
		['on its way', { kind: 'slow', at: 'after-work', delayMs: 50_000 }],
		['in doubt', { kind: 'reset', at: 'after-work', times: 6 }],
	])('and an order that is %s is carried on, and named', async (_, fault) => {
		const second = { ...fault, operation: 'create_brief', skip: 1 } as const;
		const sandbox = await sandboxWith({}, second);
		const { ended } = startNode(sandbox, products(4), waiting);
		await until(() => sandbox.createdCount() === 2);
		const [failed, carried] = idsIn(sandbox);
		sandbox.finish(failed!, 'failed');
		sandbox.finish(carried!);
		const { error } = await ended;
		expect(error.message).toMatch(/cannot write about this product.*\[item 0\]$/);
		const [, alive] = error.description!.split('Already created in this run:');
		expect(alive).toContain(carried);
		expect(sandbox.createdCount()).toBe(2);
	});

	it('has the others ordered if On Error continues', async () => {
		const node = create({ waitUntilReady: true, ...continuing });
		const { done } = await ran([failing, ...products(2)], node);
		expect(done.all('code', 'Create')).toEqual(['brief_failed', undefined, undefined]);
	});

	it.each<[string, object]>([
		[
			'an Order Key',
			{
				idempotencyKey: '={{ $json.name }}',
				whenBriefExists: 'orderAnother',
			},
		],
		['the same values', {}],
	])(
		'stops them before anything is ordered if %s bring back a brief that failed before',
		async (_, given) => {
			const node = create({ waitUntilReady: true, ...given });
			const { sandbox } = await ran([failing], node);
			await runNode(sandbox, [failing, ...products(2)], node);
			expect(sandbox.createdCount()).toBe(1);
		},
	);
});

describe('a brief that fails', () => {
	const items = [{ name: 'Glow Serum' }, { name: 'Old Mask (discontinued)', SKU: 'A-1' }];

	it('goes to the error output, and the others to the first', async () => {
		const node = create({ waitUntilReady: true, ...withErrorOutput });
		const { done } = await ran(items, node);
		expect(done.all('status', 'Create', 0)).toEqual(['ready']);
		expect(done.json('Create', 1)).toMatchObject([
			{ ...items[1], error: says(/product_unavailable/), code: 'brief_failed' },
		]);
	});

	it('keeps its Order Key, so the message says to change that for a new one', async () => {
		const node = keyed('=spring-{{ $json.SKU }}', { waitUntilReady: true });
		const { done } = await ran([items[1]!], node);
		expect(done.error.description).toMatch(/change the Order Key “spring-A-1”/);
	});
});

it('a timeout says how to go on without paying again', async () => {
	const node = create({ waitUntilReady: true, options: { timeout: 1 } });
	const { sandbox, done } = await ran(products(1), node);
	expect(done.error.message).toMatch(
		/^Glow Serum No. 1: the brief is still \w+ after a minute \(brief \S+\) \[item 0\]$/,
	);
	expect(done.error.description).toContain(`the ID ${idsIn(sandbox)[0]}: that costs nothing`);
});

it.each<[string, object, (done: Execution) => unknown]>([
	['the execution that does not continue', {}, (done) => done.error.description],
	['one that continues', continuing, (done) => JSON.stringify(done.json('Create'))],
])(
	'a file that cannot be stored is an error of %s, with the IDs of what was paid for',
	async (_, onError, shown) => {
		const store = jest
			.spyOn(BinaryDataService.prototype, 'store')
			.mockRejectedValueOnce(new Error('The disk is full'));
		const node = create({ waitUntilReady: true, ...onError, options: { markdownFile: true } });
		const { sandbox, done } = await ran(products(2), node);
		store.mockRestore();
		expect(idsIn(sandbox)).toHaveLength(2);
		for (const id of idsIn(sandbox)) expect(shown(done)).toContain(id);
	},
);

const lost: Fault = { kind: 'reset', at: 'after-work', operation: 'create_brief' };
/** Until the tries of a create are used up. */
const silent: Fault = { ...lost, times: 7 };
/** Ends the run at the second brief, after the first was paid for. */
const second: Fault = { kind: '5xx', status: 418, operation: 'create_brief', skip: 1 };
const retrying = { retryOnFail: true, maxTries: 2, waitBetweenTries: 10 };

const ids = (done: Execution) => done.all('id', 'Create');

describe('an execution pays once', () => {
	it('if the answer to a create is lost', async () => {
		const { sandbox, done } = await ran(products(2), create(), {}, lost);
		expect(ids(done)).toEqual(idsIn(sandbox));
		expect(sandbox.briefs()[0]!.replays).toBe(1);
	});

	it.each<[string, Fault, object, SandboxOptions]>([
		['refused and waited for', second, { waitUntilReady: true }, { keyMemoryMs: 1 }],
		['in doubt', silent, {}, {}],
		[
			'with terms of the moment',
			second,
			{ additionalFields: { campaignTerms: '={{ "As of " + $now.toMillis() }}' } },
			{},
		],
		[
			'with an Order Key of the moment',
			second,
			{
				whenBriefExists: 'orderAnother',
				idempotencyKey: '={{ $json.name + $now.toMillis() }}',
			},
			{},
		],
	])('with Retry On Fail: %s', async (_, fault, settings, options) => {
		const node = create({ ...settings, ...retrying });
		const { sandbox, done } = await ran(products(2), node, options, fault);
		expect(ids(done)).toHaveLength(2);
		expect(ids(done)).toEqual(idsIn(sandbox));
		expect(done.all('already_existed', 'Create')).toEqual([false, false]);
	});

	it('with Retry On Fail if the briefs of the first try hold both slots', async () => {
		const options = { whenSlotsBusy: 'stop' };
		const node = create({ options, ...continuing, ...retrying });
		const { sandbox, done } = await ran([{ name: 'x' }, ...products(3)], node);
		const [one, two] = idsIn(sandbox);
		expect(done.json('Create')).toMatchObject([
			{ code: 'invalid_input' },
			{ id: one, product_name: 'Glow Serum No. 1' },
			{ id: two, product_name: 'Glow Serum No. 2' },
			{ code: 'slots_busy' },
		]);
		expect(requestsOf(sandbox, 'create_brief')).toBe(2);
	});

	it('with Retry On Fail for a brief that has failed, and says so', async () => {
		const items = [{ name: 'Glow Serum' }, { name: 'Old Mask (discontinued)' }];
		const node = create({ waitUntilReady: true, ...retrying });
		const { sandbox, done } = await ran(items, node, { keyMemoryMs: 1 });
		const [ready, failed] = idsIn(sandbox);
		expect(done.error.message).toContain(`product_unavailable (brief ${failed}) [item 1]`);
		const [, alive] = done.error.description!.split('Already created in this run:');
		expect(alive).toContain(ready);
		expect(alive).not.toContain(failed);
		expect(requestsOf(sandbox, 'create_brief')).toBe(2);
	});

	it('for passes of a loop with the same Order Key', async () => {
		const rows = ['A', 'A', 'B'].map((SKU) => ({ name: 'Glow Serum', SKU }));
		const sandbox = await sandboxWith();
		const done = await runLoop(sandbox, rows, keyed('=spring-{{ $json.SKU }}'));
		const [one, two, three] = done.all('id', 'Loop', 0, 3);
		expect([two === one, three === one]).toEqual([true, false]);
		expect(sandbox.createdCount()).toBe(2);
	});

	it('for passes with the same Order Key and other values, as the service is asked', async () => {
		const rows = ['Cooks', 'Runners'].map((audience) => ({ name: 'Glow Serum', audience }));
		const sandbox = await sandboxWith();
		const node = keyed('spring', { audience: '={{ $json.audience }}' });
		await runLoop(sandbox, rows, { ...node, ...continuing });
		expect(requestsOf(sandbox, 'create_brief')).toBe(2);
		expect(sandbox.createdCount()).toBe(1);
	});
});

describe('items with other values', () => {
	const ordered = async (sandbox: Sandbox, form: object) => {
		const done = await runNode(sandbox, products(1), create({ ...form, ...continuing }));
		return done.all('already_existed', 'Create');
	};

	it.each<[string, object, object]>([
		['a sentence more', { approvedFacts: 'SPF 50' }, { approvedFacts: 'SPF 50. For 80 minutes.' }],
		['words more', { audience: 'Students' }, { audience: 'Students and teachers' }],
		['a text less', { approvedFacts: 'SPF 50' }, { approvedFacts: '' }],
		['a text more', {}, { audience: 'Students' }],
	])('are another brief with %s, and each is there afterwards', async (_, first, edited) => {
		const sandbox = await sandboxWith({ keyMemoryMs: 1 });
		for (const existed of [false, true])
			for (const form of [first, edited]) expect(await ordered(sandbox, form)).toEqual([existed]);
		expect(sandbox.createdCount()).toBe(2);
	});
});

describe('values that a program or a hand has damaged', () => {
	it('are sent, and named in the notice, if that is probable', async () => {
		const items = [
			{ name: 'CrÃ¨me', facts: 'N/A' },
			{ name: 'Mug', facts: '<b>Blue</b>' },
		];
		const form = create({ approvedFacts: '={{ $json.facts }}' });
		const { sandbox, done } = await ran(items, form);
		expect(done.hints('Create')).toEqual([
			says(
				"CrÃ¨me: 'Product Name' has “CrÃ¨me”, as if it was encoded twice. CrÃ¨me: 'Approved Facts' holds a word for nothing, and is empty. Mug: 'Approved Facts' has “<b>Blue</b>”, which is HTML.",
			),
		]);
		expect(sandbox.briefs().map(({ input }) => input)).toEqual([
			{ product_name: 'CrÃ¨me' },
			{ product_name: 'Mug', approved_facts: '<b>Blue</b>' },
		]);
	});

	it('are the error of their item, if that is certain', async () => {
		const items = [
			{ name: 'Mug', facts: 'Blue \ud83e' },
			{ name: '(null)', facts: '' },
		];
		const form = { ...create({ approvedFacts: '={{ $json.facts }}' }), ...continuing };
		const { sandbox, done } = await ran(items, form);
		expect(done.all('error', 'Create')).toEqual([
			says(/^Mug: 'Approved Facts' has damaged characters: /),
			"(null): 'Product Name' is “(null)”, which programs write for a value that is missing",
		]);
		expect(sandbox.createdCount()).toBe(0);
	});
});

describe('items with the same values', () => {
	const same = ['Mask', 'Soap', 'Mask', ' MASK '].map((name, sku) => ({ name, sku }));

	it('are one order in any spelling, which exists already for all but the first', async () => {
		const { sandbox, done } = await ran(same, create({ waitUntilReady: true }));
		const [mask, soap] = idsIn(sandbox);
		expect(ids(done)).toEqual([mask, soap, mask, mask]);
		expect(done.all('already_existed', 'Create')).toEqual([false, false, true, true]);
		expect(sandbox.createdCount()).toBe(2);
		expect(done.hints('Create')).toEqual([
			'4 items: 2 briefs ordered, 2 already existed (nothing paid). 98 of 100 left this month.',
		]);
	});

	it('have a brief each with an Order Key for each', async () => {
		const { done } = await ran(same, keyed('={{ $json.sku }}'));
		expect(new Set(ids(done)).size).toBe(4);
		expect(done.all('already_existed', 'Create')).toEqual(Array(4).fill(false));
	});

	it('are asked for once, also if the service refuses them', async () => {
		const refused: Fault = { kind: '5xx', status: 418, operation: 'create_brief' };
		const { sandbox, done } = await ran(same, create(continuing), {}, refused);
		expect(done.all('error', 'Create')).toEqual([
			says(/refused the request/),
			undefined,
			says(/refused the request/),
			says(/refused the request/),
		]);
		expect(requestsOf(sandbox, 'create_brief')).toBe(2);
	});
});

describe('an order in doubt', () => {
	it.each<[string, object]>([
		['the same values', {}],
		['the same Order Key', keyed('={{ "spring-" + $json.name }}').parameters ?? {}],
	])(
		'is paid for once if it is run again with %s, as its message says',
		async (what, parameters) => {
			const { sandbox, done } = await ran(products(1), create({ ...parameters }), {}, silent);
			expect(done.error.message).toMatch(/may have been created or not/);
			expect(done.error.description).toContain(`Run it again with ${what}`);
			const again = await runNode(sandbox, products(1), create({ ...parameters }));
			expect(ids(again)).toEqual(idsIn(sandbox));
			expect(sandbox.createdCount()).toBe(1);
		},
	);

	it('without a key for its further brief is not to be run again unseen', async () => {
		const node = create({ whenBriefExists: 'orderAnother', ...continuing });
		const { done } = await ran(products(1), node, {}, silent);
		expect(done.json('Create')).toMatchObject([
			{ code: 'in_doubt', message: says(/Look for it with Get Many first/) },
		]);
	});

	it('is also one whose first try the service says is still at work', async () => {
		const fault = { kind: '5xx', status: 409, operation: 'create_brief', times: 9 } as const;
		const { done } = await ran(products(1), create(), {}, fault);
		expect(done.error.message).toMatch(/already in use for another request \(409\)/);
		expect(done.error.description).toMatch(/Run it again with the same values/);
	});

	it('is none of which no brief can have come: nothing is to be repeated', async () => {
		const { done } = await ran(products(1), create(), { allowance: 0 });
		expect(done.error.description).not.toMatch(/Run it again with/);
	});
});

/** Forgets each key at once. */
const forgetful = { keyMemoryMs: 1 };

describe('a later execution gets what the workspace has', () => {
	it('after one that was ended in the middle, with its keys forgotten', async () => {
		const sandbox = await sandboxWith(forgetful);
		const node = create({ waitUntilReady: true });
		const ended = startNode(sandbox, products(2), node);
		await until(() => sandbox.createdCount() === 2);
		ended.stop();
		expect((await ended.ended).status).toBe('canceled');
		const done = await runNode(sandbox, products(3), node);
		expect(done.all('already_existed', 'Create')).toEqual([true, true, false]);
		expect(done.all('status', 'Create')).toEqual(Array(3).fill('ready'));
		expect(done.hints('Create')).toEqual([
			'3 items: 1 brief ordered, 2 already existed (nothing paid). 97 of 100 left this month.',
		]);
		expect(sandbox.createdCount()).toBe(3);
	});

	it.each<[string, 'trigger' | 'manual' | 'retry', object]>([
		['a published workflow', 'trigger', {}],
		['by hand', 'manual', {}],
		['a Retry of an execution of which n8n kept nothing', 'retry', {}],
		[
			'a copy of the node with another credential',
			'trigger',
			{ name: 'Copy', credentials: { creatorBriefingApi: { id: '2', name: 'Other' } } },
		],
	])('in %s', async (_, mode, { ...given }) => {
		const { sandbox, done } = await ran(products(2), create(), forgetful);
		const node = { ...create(), ...given };
		const again = await runNode(sandbox, products(2), node, mode);
		expect(again.all('id', node.name)).toEqual(ids(done));
		expect(again.all('already_existed', node.name)).toEqual([true, true]);
		expect(sandbox.createdCount()).toBe(2);
	});

	it('after a restart of n8n: a finished brief comes at once, with one get', async () => {
		const sandbox = await sandboxWith(forgetful);
		const input = { product_name: 'Lamp' };
		const { id } = sandbox.addBrief({ ...input, status: 'ready' });
		itemsIn(sandbox, LONG, LONG);
		const done = await runNode(sandbox, [{ name: 'Lamp' }], create({ waitUntilReady: true }));
		expect(done.json('Create')).toMatchObject([{ id, status: 'ready', already_existed: true }]);
		expect(operationsOf(sandbox)).toEqual(['list_briefs', 'get_brief', 'list_licences']);
	});

	it('in each pass of a loop', async () => {
		const sandbox = await sandboxWith(forgetful);
		const same = [{ name: 'Mask' }, { name: 'Mask' }];
		const done = await runLoop(sandbox, same, create({ waitUntilReady: true }));
		expect(done.all('already_existed', 'Loop', 0, 2)).toEqual([false, true]);
		expect(sandbox.createdCount()).toBe(1);
	});

	it('in three that begin at once: one pays, and for the others it was there', async () => {
		const sandbox = await sandboxWith();
		const three = [1, 2, 3].map(() => startNode(sandbox, products(1), create()).ended);
		const done = await Promise.all(three);
		expect(new Set(done.flatMap(ids)).size).toBe(1);
		const existed = done.flatMap((one) => one.all('already_existed', 'Create'));
		expect(existed.sort()).toEqual([false, true, true]);
		expect(sandbox.createdCount()).toBe(1);
	});

	it('of many items with one get each and the pages of the list', async () => {
		const sandbox = await sandboxWith();
		const names = Array.from({ length: 250 }, (_, index) => ({ name: `Lamp ${index}` }));
		for (const { name } of names) sandbox.addBrief({ product_name: name, status: 'ready' });
		const done = await runNode(sandbox, names, create({ waitUntilReady: true }));
		expect(done.all('already_existed', 'Create')).toEqual(names.map(() => true));
		expect(requestsOf(sandbox, 'list_briefs')).toBe(3);
		expect(requestsOf(sandbox, 'get_brief')).toBe(250);
		expect(sandbox.createdCount()).toBe(0);
	});

	it('after a pause in which others ordered more than a page shows: it is read down to what is known', async () => {
		const sandbox = await sandboxWith();
		await runNode(sandbox, products(1), create());
		sandbox.finish(idsIn(sandbox)[0]!);
		for (const product_name of ['Lamp', ...Array<string>(150).fill('Else')])
			sandbox.addBrief({ product_name, status: 'ready', createdAt: sandbox.now() });
		const lists = requestsOf(sandbox, 'list_briefs');
		await engineTime().pass(60_000);
		const done = await runNode(sandbox, [{ name: 'Lamp' }, ...products(1)], create());
		expect(done.all('already_existed', 'Create')).toEqual([true, true]);
		expect(requestsOf(sandbox, 'list_briefs') - lists).toBe(2);
	});

	it('although a get does not know it yet', async () => {
		const sandbox = await sandboxWith();
		const { id } = sandbox.addBrief({ product_name: 'Lamp' });
		let gets = 0;
		const target = await laggingTarget(sandbox, () => (++gets < 3 ? 'unknown' : undefined));
		const done = await runNode(target, [{ name: 'Lamp' }], create());
		expect(done.json('Create')).toMatchObject([{ id, already_existed: true }]);
	});

	it('but not of a colleague’s brief with other values, and without a word about it', async () => {
		const sandbox = await sandboxWith();
		const input = { product_name: 'Lamp', audience: 'Cooks' };
		sandbox.addBrief({ ...input, status: 'ready' });
		const node = create({ audience: 'Runners', waitUntilReady: true });
		const done = await runNode(sandbox, [{ name: 'Lamp' }], node);
		expect(done.all('already_existed', 'Create')).toEqual([false]);
		expect(done.hints('Create')).toEqual(['1 item: 1 brief ordered. 98 of 100 left this month.']);
	});

	it('Order Another pays for one more in each execution, which its lost answers and tries share', async () => {
		const sandbox = await sandboxWith({}, lost, second);
		const node = create({ whenBriefExists: 'orderAnother', ...retrying });
		for (const paid of [2, 4]) {
			const done = await runNode(sandbox, products(2), node);
			expect(done.all('already_existed', 'Create')).toEqual([false, false]);
			expect(sandbox.createdCount()).toBe(paid);
		}
	});
});

describe('a brief that is there', () => {
	const DAY = 86_400_000;
	const input = { product_name: 'Lamp' };
	const lamp = [{ name: 'Lamp' }];

	it('is waited for while it is being written', async () => {
		const sandbox = await sandboxWith();
		const { id } = sandbox.addBrief({ ...input, durationMs: 60_000 });
		const done = await runNode(sandbox, lamp, create({ waitUntilReady: true }));
		expect(done.json('Create')).toMatchObject([{ id, status: 'ready', already_existed: true }]);
		expect(sandbox.createdCount()).toBe(0);
	});

	it('that has failed is the error of the item, with its code and its day', async () => {
		const sandbox = await sandboxWith({ startAt: Date.UTC(2026, 10, 12, 9) });
		const { id } = sandbox.addBrief({ ...input, status: 'failed' });
		const done = await runNode(sandbox, lamp, create(continuing));
		expect(done.json('Create')).toMatchObject([
			{
				code: 'brief_failed',
				error: says(id),
				error_code: says(/./),
				message: says(/ordered on 12 November 2026.*'Use It Unless It Failed'/),
			},
		]);
		expect(sandbox.createdCount()).toBe(0);
	});

	it('that has failed is ordered again, once for all that begin together, and each time', async () => {
		const node = create({ whenBriefExists: 'useUnlessFailed' });
		const sandbox = await sandboxWith();
		sandbox.addBrief({ ...input, status: 'failed' });
		for (const paid of [1, 2]) {
			sandbox.faults.add(lost);
			const two = await Promise.all([1, 2].map(() => runNode(sandbox, lamp, node)));
			expect(new Set(two.flatMap(ids)).size).toBe(1);
			expect(sandbox.createdCount()).toBe(paid);
			await runNode(sandbox, lamp, node);
			expect(sandbox.createdCount()).toBe(paid);
			sandbox.finish(idsIn(sandbox).at(-1)!, 'failed');
		}
	});

	it('may be of the same values if it does not show its own: an error names it and both ways on', async () => {
		const sandbox = await sandboxWith({ inputShape: 'empty' });
		const { id } = sandbox.addBrief({ ...input, status: 'ready' });
		const done = await runNode(sandbox, [...lamp, ...lamp], create(continuing));
		const error = {
			code: 'may_exist',
			error: says(id),
			message: says(/See https:.*get it with its ID, which costs nothing.*'Order Another'/),
		};
		expect(done.json('Create')).toMatchObject([error, error]);
		expect(sandbox.createdCount()).toBe(0);
	});

	it.each([99 * DAY, 1])(
		'is too old after 31 days, whether the service remembers its key or not: %s',
		async (keyMemoryMs) => {
			const { sandbox } = await ran(lamp, create(), { keyMemoryMs });
			for (const paid of [2, 3]) {
				engineTime().set(sandbox.now() + 45 * DAY);
				for (const existed of [false, true]) {
					const done = await runNode(sandbox, lamp, create());
					expect(done.all('already_existed', 'Create')).toEqual([existed]);
				}
				expect(sandbox.createdCount()).toBe(paid);
			}
		},
	);
});

describe('an order that was tried twice without an answer', () => {
	const soon = { options: { timeout: 5 } };
	/** Lost before the service has heard of it, which the node cannot know. */
	const unsent = { ...lost, at: 'before-work' } as const;

	it('holds one slot, and the other one is free for other orders', async () => {
		const twice = { ...unsent, times: 14 };
		const { sandbox, done } = await ran(products(1), create(retrying), {}, twice);
		expect(done.error.message).toMatch(/may have been created or not/);
		const other = await runNode(sandbox, [{ name: 'Mask' }], create(soon));
		expect(other.status).toBe('success');
	});

	it('holds none beside its brief once a further try had its answer', async () => {
		const once = { ...unsent, times: 7 };
		const { sandbox } = await ran(products(1), keyed('one'), {}, once);
		expect((await runNode(sandbox, products(1), keyed('one'))).status).toBe('success');
		const other = await runNode(sandbox, [{ name: 'Mask' }], create(soon));
		expect(other.status).toBe('success');
	});
});

describe('an Order Key that belongs to another brief', () => {
	const node = (settings = {}) => ({ ...keyed('={{ $json.row }}'), ...settings });

	it.each([
		[
			'original',
			/^Night Cream: the Order Key “2” belongs to another brief: Brief .* \(“Glow Serum”\) \[item 0\]$/,
		],
		[
			'conflict',
			/^Night Cream: the Order Key “2” belongs to an order with other values \[item 0\]$/,
		],
		['unprocessable', /^Night Cream: the Order Key “2” belongs to an order with other values/],
	] as const)('is an error if the service answers: %s', async (replayOtherBody, message) => {
		const first = await ran([{ name: 'Glow Serum', row: 2 }], node(), { replayOtherBody });
		const { error } = await runNode(first.sandbox, [{ name: 'Night Cream', row: 2 }], node());
		expect(error.message).toMatch(message);
		const cure = /a key that no other row of any sheet has|before you create it again/;
		expect(error.description).toMatch(cure);
		expect(first.sandbox.createdCount()).toBe(1);
	});

	it.each(['conflict', 'unprocessable'] as const)(
		'leaves no doubt, and no slot is held for it: %s',
		async (replayOtherBody) => {
			const sandbox = await sandboxWith({ replayOtherBody });
			const keys = [2, 3];
			for (const row of keys) await runNode(sandbox, [{ name: 'Glow Serum', row }], node());
			for (const { id } of sandbox.briefs()) sandbox.finish(id);
			for (const row of keys) await runNode(sandbox, [{ name: 'Night Cream', row }], node());
			const other = await runNode(sandbox, [{ name: 'Mask' }], create({ options: { timeout: 2 } }));
			expect(other.status).toBe('success');
		},
	);

	it('goes to the error output, and the other items are ordered', async () => {
		const { sandbox } = await ran([{ name: 'Glow Serum', row: 2 }], node());
		const items = [
			{ name: 'Night Cream', row: 2 },
			{ name: 'Day Cream', row: 3 },
		];
		const done = await runNode(sandbox, items, node(withErrorOutput));
		expect(done.all('product_name', 'Create', 0)).toEqual(['Day Cream']);
		expect(done.all('error', 'Create', 1)).toEqual([says(/“2” belongs to another brief/)]);
		expect(sandbox.createdCount()).toBe(2);
	});

	it('is noticed by the input too if the product is the same', async () => {
		const asked = (audience: string) => keyed('launch', { audience });
		const { sandbox } = await ran(products(1), asked('Runners'));
		const { error } = await runNode(sandbox, products(1), asked('Cooks'));
		expect(error.message).toMatch(/“launch” belongs to another brief/);
		expect(error.description).toMatch(
			/another product or other values.*a new brief, which is paid for, give each row a key/,
		);
		expect((await runNode(sandbox, products(1), asked('Runners'))).status).toBe('success');
		expect(sandbox.createdCount()).toBe(1);
	});
});

describe('Retry in the list of executions', () => {
	const fails: Fault = { kind: '5xx', status: 401, operation: 'create_brief', skip: 1 };

	it.each([{}, { keyMemoryMs: 1 }])(
		'has the briefs of the execution that failed, and so has a Retry of the Retry: %j',
		async (options) => {
			const { sandbox, done: failed } = await ran(products(3), create(), options, fails);
			sandbox.faults.add(fails);
			const again = await retry(sandbox, failed, products(3), create());
			expect(again.error.message).toMatch(/418|401|key/i);
			const done = await retry(sandbox, again, products(3), create());
			expect(ids(done)).toEqual(idsIn(sandbox));
			expect(sandbox.createdCount()).toBe(3);
		},
	);

	it('sends an order in doubt with the same key', async () => {
		const { sandbox, done: failed } = await ran(products(1), create(), {}, silent);
		const done = await retry(sandbox, failed, products(1), create());
		expect(ids(done)).toEqual(idsIn(sandbox));
	});

	it('orders in the workspace of the credential as it is now', async () => {
		const { sandbox, done: failed } = await ran(products(2), create(), { allowance: 1 });
		const now = await sandboxWith({ seed: 2 });
		const done = await retry(now, failed, products(2), create());
		expect(ids(done)).toEqual(idsIn(now));
		expect([sandbox.createdCount(), now.createdCount()]).toEqual([1, 2]);
	});

	it('orders what the failed execution never came to', async () => {
		const order = create({ productName: 'Glow Serum' });
		const { sandbox, done: failed } = await ran([{ id: 'none' }], [wait(), order]);
		expect(failed.runs('Create')).toEqual([]);
		const corrected = [{ name: 'Wait', type: 'pass' }, order];
		const done = await retry(sandbox, failed, [{ id: 'none' }], corrected);
		expect(done.all('status', 'Create')).toEqual(['queued']);
	});

	it('orders no further one for Order Another', async () => {
		const node = create({ whenBriefExists: 'orderAnother' });
		const { sandbox, done: failed } = await ran(products(3), node, {}, fails);
		await retry(sandbox, failed, products(3), node);
		expect(sandbox.createdCount()).toBe(3);
	});
});
