import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { N8nClient } from '../../../harness/client/client';
import { installIntoUserFolder, packPackage } from '../../../harness/install/community-package';
import { installN8n } from '../../../harness/install/install-n8n';
import { freshUserFolder, N8nServer } from '../../../harness/server/server';
import { LocalVendors } from '../../../harness/vendors/local-vendors';
import { SheetsStandIn } from '../../../harness/vendors/sheets';
import { SlackStandIn } from '../../../harness/vendors/slack';

/** Long enough for the first start, which installs n8n. */
export const STARTING_MS = 15 * 60_000;

/** A real n8n with nothing of this repository in it but the probe, the smallest community package. */
export interface SmokeN8n {
	server: N8nServer;
	/** Logged in as the owner. */
	client: N8nClient;
	vendors: LocalVendors;
	slack: SlackStandIn;
	sheets: SheetsStandIn;
	dispose: () => Promise<void>;
}

export async function startSmokeN8n(): Promise<SmokeN8n> {
	const n8n = await installN8n(process.env['N8N_VERSION']);
	const slack = new SlackStandIn();
	const sheets = new SheetsStandIn();
	const vendors = await LocalVendors.start([slack, sheets]);
	const userFolder = await freshUserFolder();
	const probe = await packPackage(join(__dirname, 'probe'));
	await installIntoUserFolder(probe, userFolder);
	await probe.remove();
	const server = await N8nServer.start({ n8n, userFolder, env: vendors.env });
	const client = new N8nClient(server.url);
	await client.setUpOwner();
	const dispose = async () => {
		await server.dispose();
		await vendors.stop();
		await rm(userFolder, { recursive: true, force: true, maxRetries: 3 });
	};
	return { server, client, vendors, slack, sheets, dispose };
}
