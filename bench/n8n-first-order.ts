import type { N8nClient } from '../harness/client/client';
import { rows, start } from '../harness/workflows/built-in-nodes';
import { CREDENTIAL_TYPE, PackageNodes } from '../harness/workflows/package-nodes';
import { chain } from '../harness/workflows/workflow';
import { startSandbox } from '../sandbox/sandbox';
import { LATENCIES } from './n8n-get';
import type { Figure } from './figures-table';

export const LISTED_BRIEFS = 3000;

/** How long the first order takes in a workspace with many briefs, whose list this n8n has not read yet. */
export async function timeFirstOrder(client: N8nClient): Promise<Figure[]> {
	const lines: Figure[] = [];
	for (const latency of LATENCIES) {
		const sandbox = await startSandbox({ failureShare: 0, requestsPerMinute: 0, seed: 'bench' });
		try {
			for (let index = 0; index < LISTED_BRIEFS; index += 1)
				sandbox.addBrief({ product_name: `Lamp ${index}`, status: 'ready' });
			if (latency > 0) sandbox.faults.addChance({ kind: 'slow', delayMs: latency, chance: 1 });
			const data = { baseUrl: sandbox.url, apiKey: sandbox.keys.allScopes };
			const nodes = new PackageNodes(
				await client.createCredential(CREDENTIAL_TYPE, 'Many', data),
				2,
			);
			const nodesOf = [start, rows([{ name: 'Mask' }]), nodes.create()];
			const flow = await client.createWorkflow(chain('First order', nodesOf));
			await client.waitForEnd(await client.startManually(flow));
			const times = sandbox.requests.map(({ at }) => at);
			const value = (Math.max(...times) - Math.min(...times)) / 1000;
			const network = latency === 0 ? 'without latency' : `at ${latency} ms of latency`;
			const what = `Create: seconds to the first order beside ${LISTED_BRIEFS} briefs, ${network}`;
			lines.push({ what, value, atMost: latency === 0 ? 3 : 6 });
		} finally {
			await sandbox.close();
		}
	}
	return lines;
}
