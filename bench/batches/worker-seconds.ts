import type { N8nWithPackage } from '../../harness/n8n-with-package';
import { nothing, rows, start } from '../../harness/workflows/built-in-nodes';
import { CREDENTIAL_TYPE, PackageNodes } from '../../harness/workflows/package-nodes';
import { workflow, type Workflow, type WorkflowNode } from '../../harness/workflows/workflow';
import type { Figure } from '../figure';
import { openBatch, POLL_SECONDS, SPEED } from './contender';

const BRIEFS = 10;
const SEED = 'worker-1';
const TIMEOUT_MS = 10 * 60_000;
const SLEEP_MINUTES = 5;

/** The columns of the figure. */
export const WAITS = ['asleep', 'waiting in Create'];

/**
 * Measures how long n8n works on a brief, in seconds of the sandbox: in a workflow that sleeps between two looks, and while
 * Create waits.
 */
export async function measureWorkerSeconds(n8n: N8nWithPackage): Promise<Figure> {
	const [value = NaN, ...peers] = await Promise.all(
		[buildAsleep, buildWaiting].map((build) => measure(n8n, build)),
	);
	const name = `${BRIEFS} briefs: seconds of a worker per brief`;
	return { name, value, target: 45, peers };
}

async function measure({ client }: N8nWithPackage, build: Builder): Promise<number> {
	const batch = await openBatch(SEED, BRIEFS);
	const { sandbox, products } = batch;
	try {
		const key = { baseUrl: sandbox.url, apiKey: sandbox.keys.allScopes };
		const nodes = new PackageNodes(
			await client.createCredential(CREDENTIAL_TYPE, 'Worker', key),
			POLL_SECONDS,
		);
		const saved = await client.createWorkflow(build(nodes, products));
		const done = await client.waitForEnd(await client.startManually(saved), TIMEOUT_MS);
		if (done.allItems('Done').length !== BRIEFS) throw new Error(done.describe());
		const runs = Object.entries(done.runData).flatMap(([name, all]) => (name === SLEEP ? [] : all));
		const milliseconds = runs.reduce((sum, { executionTime }) => sum + executionTime, 0);
		return (milliseconds * SPEED) / 1000 / BRIEFS;
	} finally {
		await batch.close();
	}
}

type Builder = (nodes: PackageNodes, products: string[]) => Workflow;

const SLEEP = 'Sleep';

/** n8n runs the highest node first: a brief is looked at until it has ended before others are ordered. */
const move = (node: WorkflowNode, y: number): WorkflowNode => ({ ...node, position: [0, y] });
const makeRows = (products: string[]) => rows(products.map((name) => ({ name })));
const CONTINUE = { onError: 'continueRegularOutput' } as const;

function buildWaiting(nodes: PackageNodes, products: string[]): Workflow {
	const create = nodes.create({ waitUntilReady: true }, CONTINUE);
	return workflow(
		'Worker, waiting',
		[start, makeRows(products), create, nothing('Done')],
		[
			['Start', 'Rows'],
			['Rows', 'Create'],
			['Create', 'Done'],
		],
	);
}

/** The loops of the example products-asleep, without a sheet. */
function buildAsleep(nodes: PackageNodes, products: string[]): Workflow {
	const sleep: WorkflowNode = {
		name: SLEEP,
		type: 'n8n-nodes-base.wait',
		typeVersion: 1.1,
		parameters: { amount: (SLEEP_MINUTES * 60) / SPEED, unit: 'seconds' },
	};
	// A minute of the sandbox.
	const create = nodes.create({ options: { timeout: 1 / SPEED } }, CONTINUE);
	const look = nodes.wait({ options: { timeout: 0 } }, { onError: 'continueErrorOutput' });
	return workflow(
		'Worker, asleep',
		[
			start,
			makeRows(products),
			move(create, 400),
			move(sleep, 200),
			look,
			move(nothing('Done'), 0),
		],
		[
			['Start', 'Rows'],
			['Rows', 'Create'],
			['Create', SLEEP],
			[SLEEP, 'Wait'],
			['Wait', 0, 'Done'],
			['Wait', 2, 'Create'],
			['Wait', 3, SLEEP],
		],
	);
}
