import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { formatCount } from '../core/text';
import type { N8nWithPackage } from '../harness/n8n-with-package';
import { briefBatch } from '../harness/paths';
import { rows, start } from '../harness/workflows/built-in-nodes';
import { CREDENTIAL_TYPE, PackageNodes } from '../harness/workflows/package-nodes';
import { chain, type WorkflowNode } from '../harness/workflows/workflow';
import { startSandbox, type Sandbox } from '../sandbox/sandbox';
import { median, type Figure } from './figure';
import { timeNode, withFolder } from './process';

export const ITEMS = 500;
const FOREIGN_ROWS = 1000;
const ROUNDS = 5;

/** Compares Get and Create with n8n's HTTP Request, for many items whose briefs exist. */
export function measureItems(n8n: N8nWithPackage): Promise<Figure[]> {
	return withBriefs(n8n, ITEMS, async ({ sandbox, nodes, run }) => {
		const get = nodes.get({ simplify: false });
		const request = nodes.httpRequest(`=${sandbox.url}/briefs/{{ $json.id }}`);
		const ratio = await measureRatio(
			() => run(get),
			() => run(request),
		);
		const before = sandbox.requests.length;
		await run(nodes.create({ simplify: false, waitUntilReady: true }));
		const requests = (sandbox.requests.length - before) / ITEMS;
		return [
			{
				name: `${ITEMS} items through Brief → Get: time ÷ HTTP Request`,
				value: ratio,
				target: 0.75,
			},
			{
				name: `${ITEMS} items through Create whose briefs exist: requests per item`,
				value: requests,
				target: 1.01,
			},
		];
	});
}

/** Compares `brief-batch plan` in a new folder with Check Only of Create, for many rows whose briefs exist. */
export function measureForeignRows(n8n: N8nWithPackage): Promise<Figure> {
	return withBriefs(n8n, FOREIGN_ROWS, ({ sandbox, nodes, names, run }) =>
		withFolder(async (cwd) => {
			writeFileSync(join(cwd, 'products.csv'), `Product Name\n${names.join('\n')}\n`);
			const env = {
				CREATOR_BRIEFING_BASE_URL: sandbox.url,
				CREATOR_BRIEFING_API_KEY: sandbox.keys.allScopes,
			};
			const args = [briefBatch, 'plan', 'products.csv'];
			const check = nodes.create({ checkOnly: true });
			const value = await measureRatio(
				() => timeNode({ args, cwd, env }),
				() => run(check),
			);
			const name = `\`plan\` of ${formatCount(FOREIGN_ROWS, 'row')} whose briefs another folder ordered: time ÷ Check Only in n8n`;
			return { name, value, target: 1 };
		}),
	);
}

interface Setup {
	sandbox: Sandbox;
	nodes: PackageNodes;
	/** The products of the briefs. */
	names: string[];
	/** Runs a node for all products. Returns the milliseconds that n8n measures for it. */
	run: (node: WorkflowNode) => Promise<number>;
}

/** Calls `work` with a sandbox that has a ready brief for each of many products. */
async function withBriefs<T>(
	{ client }: N8nWithPackage,
	count: number,
	work: (setup: Setup) => Promise<T>,
): Promise<T> {
	const sandbox = await startSandbox({ failureShare: 0, requestsPerMinute: 0, seed: 'bench' });
	try {
		const data = { baseUrl: sandbox.url, apiKey: sandbox.keys.allScopes };
		const nodes = new PackageNodes(await client.createCredential(CREDENTIAL_TYPE, 'Items', data));
		const names = Array.from({ length: count }, (_, index) => `Lamp ${index}`);
		const items = names.map((name) => {
			const { id } = sandbox.addBrief({ product_name: name, status: 'ready' });
			return { name, id };
		});
		const run = async (node: WorkflowNode) => {
			const flow = await client.createWorkflow(chain(node.name, [start, rows(items), node]));
			const execution = await client.runManually(flow);
			if (execution.items(node.name).length !== count) throw new Error(execution.describe());
			return execution.runs(node.name)[0]?.executionTime ?? NaN;
		};
		return await work({ sandbox, nodes, names, run });
	} finally {
		await sandbox.close();
	}
}

/** Returns the median ratio of two times that are measured in alternation. */
async function measureRatio(
	measureOurs: () => Promise<number>,
	measurePeer: () => Promise<number>,
): Promise<number> {
	const ratios: number[] = [];
	for (let round = 0; round <= ROUNDS; round += 1) {
		const ratio = (await measureOurs()) / (await measurePeer());
		// The first round warms n8n up.
		if (round > 0) ratios.push(ratio);
	}
	return median(ratios);
}
