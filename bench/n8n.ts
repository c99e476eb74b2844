import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CREDENTIAL, PackageNodes } from '../harness/workflows/package-nodes';
import { startN8nWithPackage } from '../harness/n8n-with-package';
import { startSandbox } from '../sandbox/sandbox';
import { compareGet, ITEMS, ROUNDS } from './n8n-get';
import { countLooks, countPolls, WATCHED } from './n8n-requests';
import { asTable, isKept } from './table';

/**
 * `npm run bench:n8n`: measures in a real n8n, and writes docs/performance-n8n.md. Ends with 1 where a promise is
 * broken.
 */
async function main(): Promise<void> {
	// In real time, so that nothing happens in it by itself.
	const sandbox = await startSandbox({ failureShare: 0, requestsPerMinute: 0, seed: 'bench' });
	const n8n = await startN8nWithPackage();
	try {
		const { client } = n8n;
		const data = { baseUrl: sandbox.url, apiKey: sandbox.keys.allScopes };
		const nodes = new PackageNodes(await client.createCredential(CREDENTIAL, 'Sandbox', data), 2);
		const lines = [
			...(await compareGet(client, sandbox, nodes)),
			...(await countPolls(client, sandbox, nodes)),
			...(await countLooks(client, sandbox, nodes)),
		];
		const text = `# Performance in n8n

Written by \`npm run bench:n8n\`, in a real n8n ${n8n.version} with the package installed, against the sandbox on the same machine.

${asTable(lines)}

- Both nodes get the same ${ITEMS} whole briefs with the same credential and give them as items, one request each. They take
  turns, ${ROUNDS} rounds after one that does not count; a round's ratio is that of the times n8n notes for the two nodes, and the
  value is the median. The runs are started by a webhook, as in daily work. HTTP Request sends everything at once; Brief → Get begins with twenty requests at a time, sends
  twice as many with each round that is answered, and half as many after a 429. With latency the sandbox answers each request later by that.
- A quiet poll is one at which nothing has happened, with running and finished briefs in the list.
- ${WATCHED} items, each with another running brief, in one run of Wait Until Ready: a look at all of them is one request.
`;
		writeFileSync(join(__dirname, '..', 'docs', 'performance-n8n.md'), text);
		console.log(asTable(lines));
		if (!lines.every(isKept)) process.exitCode = 1;
	} finally {
		await n8n.dispose();
		await sandbox.close();
	}
}

main().catch((error: unknown) => {
	console.error(error);
	process.exitCode = 1;
});
