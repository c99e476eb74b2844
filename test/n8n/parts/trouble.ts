import { setTimeout as sleep } from 'node:timers/promises';
import { nothing, products, rows, start } from '../../../harness/workflows/built-in-nodes';
import type { Execution } from '../../../harness/client/execution';
import { workflow, type Wire, type WorkflowNode } from '../../../harness/workflows/workflow';
import { client, testWorkflow, serviceWith, testName, type Service } from '../../support/n8n/rig';

export function ending(): void {
	describe('ends at once and asks nothing more', () => {
		it.each(WAITS)('with Stop, while it waits for %s', async (what) => {
			const service = await waitingFor(what);
			const saved = await client().createWorkflow(testWorkflow(service.workflowNodes));
			const id = await client().startManually(saved);
			await looks(service, 5);
			const stopped = Date.now();
			await client().stopExecution(id);
			const done = await client().waitForEnd(id, 5_000);
			expect(Date.now() - stopped).toBeLessThan(2_500);
			expect(done.status).toBe('canceled');
			await asksNothingMore(service);
		});

		it('at the timeout of the workflow', async () => {
			const service = await waitingFor('its own briefs');
			const saved = await client().createWorkflow({
				...testWorkflow(service.workflowNodes),
				settings: { executionOrder: 'v1', executionTimeout: 3 },
			});
			const done = await client().runManually(saved);
			expect(done.status).toBe('canceled');
			expect(done.duration).toBeGreaterThan(2_500);
			expect(done.duration).toBeLessThan(8_000);
			expect(service.count()).toBeGreaterThan(3);
			await asksNothingMore(service);
		});
	});
}

export function failing(): void {
	describe('an item that fails', () => {
		const nobody = '00000000-0000-4000-8000-000000000000';

		it.each([
			['Create', /'Product Name' /],
			['Get', /^There is no brief /],
		] as const)('ends %s, or goes its way as On Error says', async (name, error) => {
			const { sandbox, nodes } = await serviceWith();
			const { id } = sandbox.addBrief({ status: 'ready' });
			const items = [
				{ name: 'Glow Serum', id },
				{ name: 'x', id: nobody },
			];
			const node = (onError: WorkflowNode['onError']) =>
				name === 'Get' ? nodes.get({}, { onError }) : nodes.create({}, { onError });
			const ran = async (onError: WorkflowNode['onError']) =>
				await client().createAndRun(
					workflow(
						testName(),
						[start, rows(items), node(onError), nothing('Good'), nothing('Bad')],
						[
							['Start', 'Rows'],
							['Rows', name],
							[name, 0, 'Good'],
							[name, 1, 'Bad'],
						],
					),
				);
			const routed = await ran('continueErrorOutput');
			const failed = { error: expect.stringMatching(error) as string };
			expect(routed.json('Good')).toHaveLength(1);
			expect(routed.json('Bad')).toMatchObject([{ ...items[1], ...failed }]);
			const going = await ran('continueRegularOutput');
			expect(going.json('Good')).toMatchObject([
				{ id: expect.any(String) as string },
				{ ...items[1], ...failed },
			]);
			const stopped = await ran('stopWorkflow');
			expect(stopped.status).toBe('error');
			expect(stopped.error!.message).toMatch(error);
		});
	});
}

/** A list as people have it: a brief, no name, the same again, too long a text, and what cannot be written. */
const FIVE = [
	{ id: 'rec1', url: 'https://a.example/1', name: 'Glow Serum', audience: '' },
	{ id: 'rec2', url: 'https://a.example/2', name: '', audience: '' },
	{ id: 'rec3', url: 'https://a.example/3', name: 'Glow Serum', audience: '' },
	{ id: 'rec4', url: 'https://a.example/4', name: 'Lip Oil', audience: 'x'.repeat(1501) },
	{ id: 'rec5', url: 'https://a.example/5', name: 'Old Mask (discontinued)', audience: '' },
];

/** The fields of a brief beside those of a row. */
const beside = (brief: object) =>
	Object.fromEntries(Object.entries(brief).map(([name, value]) => [`brief_${name}`, value]));

/** Runs the five rows through Create and Wait Until Ready, and shows what each output has. */
async function fiveRows({ nodes }: Service, onError: WorkflowNode['onError']): Promise<Execution> {
	const form = { audience: '={{ $json.audience }}', includeInputFields: true };
	const create = nodes.create(form, { onError });
	const wait = nodes.wait(
		{ includeInputFields: true, briefId: { __rl: true, mode: 'list', value: '' } },
		{ onError },
	);
	const wires: Wire[] = [
		['Start', 'Rows'],
		['Rows', 'Create'],
		['Create', 'Wait'],
		['Wait', 0, 'Ready'],
		['Wait', 1, 'Failed'],
	];
	if (onError === 'continueErrorOutput') wires.push(['Create', 1, 'Refused']);
	const ends = ['Ready', 'Failed', 'Refused'].map(nothing);
	const all = [start, rows(FIVE), create, wait, ...ends];
	return await client().createAndRun(workflow(testName(), all, wires));
}

export function fiveRowsOfASheet(): void {
	const says = (text: RegExp) => expect.stringMatching(text) as string;

	it('five rows order nothing if one of them has a mistake and On Error is on Stop', async () => {
		const service = await serviceWith();
		const done = await fiveRows(service, 'stopWorkflow');
		expect(done.error!.message).toMatch(/2nd of 5 items.*'Product Name'/);
		expect(service.sandbox.createdCount()).toBe(0);
	});

	it.each(['continueRegularOutput', 'continueErrorOutput'] as const)(
		'five rows keep their fields beside their brief or what went wrong, with On Error on %s',
		async (onError) => {
			const service = await serviceWith();
			const done = await fiveRows(service, onError);
			const [serum, mask] = service.sandbox.briefs();
			const anyText = says(/./);
			const brief = { url: says(/^https/), created_at: anyText, finished_at: anyText };
			const ready = {
				...brief,
				id: serum!.id,
				title: says(/Glow Serum/),
				status: 'ready',
				product_name: 'Glow Serum',
				error_code: null,
				warnings: [says(/^No approved facts/)],
				markdown: says(/^# /),
			};
			expect(done.json('Ready')).toEqual([
				{ ...FIVE[0], ...beside({ ...ready, already_existed: false }) },
				{ ...FIVE[2], ...beside({ ...ready, already_existed: true }) },
			]);
			const refused = [
				{ ...FIVE[1], error: says(/2nd of 5 items.*'Product Name'/) },
				{ ...FIVE[3], error: says(/^Lip Oil: 'Audience'/) },
			].map((row) => ({ ...row, code: 'invalid_input', message: anyText }));
			const failed = {
				...FIVE[4],
				...beside({
					...brief,
					id: mask!.id,
					title: null,
					status: 'failed',
					product_name: FIVE[4]!.name,
					already_existed: false,
					markdown: null,
					error_code: 'product_unavailable',
					warnings: [],
				}),
				error_code: 'product_unavailable',
				code: 'brief_failed',
				error: says(
					/^Old Mask.*: the service cannot write about this product: product_unavailable \(brief \S+\)$/,
				),
				message: says(/^It used one brief/),
			};
			if (onError === 'continueErrorOutput') {
				expect(done.json('Refused')).toEqual(refused);
				expect(done.json('Failed')).toEqual([failed]);
			} else expect(done.json('Failed')).toEqual([...refused, failed]);
			expect(service.sandbox.createdCount()).toBe(2);
		},
	);
}

/** Create waits for a slot, Create waits for what it has created, and Wait Until Ready waits for others' briefs. */
const WAITS = ['a slot', 'its own briefs', 'briefs of others'] as const;

/** Real time in the sandbox, so that the briefs are not done before the test is. */
async function waitingFor(
	what: (typeof WAITS)[number],
): Promise<Service & { workflowNodes: WorkflowNode[] }> {
	const service = await serviceWith({ speed: 1 });
	const { nodes, sandbox } = service;
	const others = what === 'its own briefs' ? [] : [sandbox.addBrief(), sandbox.addBrief()];
	const workflowNodes =
		what === 'briefs of others'
			? [start, rows(others.map(({ id }) => ({ id }))), nodes.wait()]
			: [start, rows(products(2)), nodes.create({ waitUntilReady: true })];
	return { ...service, workflowNodes };
}

async function looks({ count }: Service, number: number): Promise<void> {
	const deadline = Date.now() + 20_000;
	while (count() < number) {
		if (Date.now() > deadline) throw new Error('The service was not looked at.');
		await sleep(50);
	}
}

async function asksNothingMore({ count, sandbox }: Service): Promise<void> {
	const before = count();
	await sleep(1_500);
	expect(count()).toBe(before);
	expect(sandbox.maxRunning()).toBe(2);
}
