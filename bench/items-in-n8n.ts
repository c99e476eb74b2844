import type { N8nWithPackage } from '../harness/n8n-with-package';
import { rows, start } from '../harness/workflows/built-in-nodes';
import { CREDENTIAL_TYPE, PackageNodes } from '../harness/workflows/package-nodes';
import { chain, type WorkflowNode } from '../harness/workflows/workflow';
import { startSandbox } from '../sandbox/sandbox';
import { median, type Figure } from './figure';

export const ITEMS = 500;
const ROUNDS = 5;

/** Compares Get and Create with n8n's HTTP Request, for many items whose briefs exist. */
export async function measureItems({ client }: N8nWithPackage): Promise<Figure[]> {
	const sandbox = await startSandbox({ failureShare: 0, requestsPerMinute: 0, seed: 'bench' });
	try {
		const data = { baseUrl: sandbox.url, apiKey: sandbox.keys.allScopes };
		const nodes = new PackageNodes(await client.createCredential(CREDENTIAL_TYPE, 'Items', data));
		const items = Array.from({ length: ITEMS }, (_, index) => {
			const name = `Lamp ${index}`;
			return { name, id: sandbox.addBrief({ product_name: name, status: 'ready' }).id };
		});
		/** Returns the milliseconds that n8n measures for the node. */
		const run = async (node: WorkflowNode) => {
			const flow = await client.createWorkflow(chain(node.name, [start, rows(items), node]));
			const execution = await client.runManually(flow);
			if (execution.items(node.name).length !== ITEMS) throw new Error(execution.describe());
			return execution.runs(node.name)[0]?.executionTime ?? NaN;
		};
		const get = nodes.get({ simplify: false });
		const request = nodes.httpRequest(`=${sandbox.url}/briefs/{{ $json.id }}`);
		const ratios: number[] = [];
		for (let round = 0; round <= ROUNDS; round += 1) {
			const ratio = (await run(get)) / (await run(request));
			// The first round warms n8n up.
			if (round > 0) ratios.push(ratio);
		}
		const before = sandbox.requests.length;
		await run(nodes.create({ simplify: false, waitUntilReady: true }));
		const requests = (sandbox.requests.length - before) / ITEMS;
		return [
			{
				name: `${ITEMS} items through Brief → Get: time ÷ HTTP Request`,
				value: median(ratios),
				target: 0.8,
			},
			{
				name: `${ITEMS} items through Create whose briefs exist: requests per item`,
				value: requests,
				target: 1.02,
			},
		];
	} finally {
		await sandbox.close();
	}
}
