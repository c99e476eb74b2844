import { CREDENTIAL_TYPE, PackageNodes } from '../harness/workflows/package-nodes';
import { startN8nWithPackage } from '../harness/n8n-with-package';
import { startSandbox } from '../sandbox/sandbox';
import { timeFirstOrder } from './n8n-first-order';
import { compareGets } from './n8n-get';
import { countLooks, countPolls } from './n8n-requests';
import { writeFigures } from './performance-page';
import { asTable, isPromiseKept } from './figures-table';

/**
 * `npm run bench:n8n`: measures in a real n8n, and writes its figures into docs/performance.md. Ends with 1 if a promise is
 * broken.
 */
async function main(): Promise<void> {
	// In real time, so that nothing changes during a measurement.
	const sandbox = await startSandbox({ failureShare: 0, requestsPerMinute: 0, seed: 'bench' });
	const n8n = await startN8nWithPackage();
	try {
		const { client } = n8n;
		const data = { baseUrl: sandbox.url, apiKey: sandbox.keys.allScopes };
		const nodes = new PackageNodes(
			await client.createCredential(CREDENTIAL_TYPE, 'Sandbox', data),
			2,
		);
		const lines = [
			...(await compareGets(client, sandbox, nodes)),
			...(await timeFirstOrder(client)),
			...(await countPolls(client, sandbox, nodes)),
			...(await countLooks(client, sandbox, nodes)),
		];
		writeFigures('In n8n', `${asTable(lines)}\n\nIn n8n ${n8n.version}.`);
		console.log(asTable(lines));
		if (!lines.every(isPromiseKept)) process.exitCode = 1;
	} finally {
		await n8n.dispose();
		await sandbox.close();
	}
}

main().catch((error: unknown) => {
	console.error(error);
	process.exitCode = 1;
});
