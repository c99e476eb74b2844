import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { N8nClient } from './client/client';
import { installPackage } from './install/community-package';
import { installN8n } from './install/install-n8n';
import { findFreePort } from './process/free-port';
import { N8nServer } from './server/server';
import { AirtableStandIn } from './vendors/airtable';
import { ChatModelStandIn } from './vendors/chat-model';
import { LocalVendors } from './vendors/local-vendors';
import { SheetsStandIn } from './vendors/sheets';
import { SlackStandIn } from './vendors/slack';

/**
 * A real n8n with the package of the last build, an owner, and stand-ins for the services that the examples use. It calls
 * no other host:
 *
 *     const { client, dispose } = await startN8nWithPackage();
 *     const execution = await client.createAndRun(workflow('One brief', [start, create], [['Start', 'Create']]));
 */
export interface N8nWithPackage {
	version: string;
	server: N8nServer;
	/** Logged in as the owner. */
	client: N8nClient;
	vendors: LocalVendors;
	slack: SlackStandIn;
	sheets: SheetsStandIn;
	airtable: AirtableStandIn;
	chatModel: ChatModelStandIn;
	packedPackage: { name: string; version: string; files: string[] };
	dispose: () => Promise<void>;
}

export interface N8nOptions {
	version?: string | undefined;
	/** A free port by default. */
	port?: number | undefined;
	env?: Record<string, string>;
}

export async function startN8nWithPackage(options: N8nOptions = {}): Promise<N8nWithPackage> {
	const n8n = await installN8n(options.version);
	const standIns = {
		slack: new SlackStandIn(),
		sheets: new SheetsStandIn(),
		airtable: new AirtableStandIn(),
		chatModel: new ChatModelStandIn(),
	};
	const vendors = await LocalVendors.start(Object.values(standIns));
	const userFolder = await mkdtemp(join(tmpdir(), 'n8n-'));
	const env = { ...vendors.env, ...options.env };
	const server = new N8nServer({ n8n, userFolder, env }, options.port ?? (await findFreePort()));
	const dispose = async () => {
		await server.stop(10_000);
		await vendors.stop();
		await rm(userFolder, { recursive: true, force: true, maxRetries: 3 });
	};
	try {
		const packedPackage = await installPackage(userFolder);
		console.log(`Starting n8n ${n8n.version} with ${packedPackage.name} ${packedPackage.version}.`);
		await server.start();
		const client = new N8nClient(server.url);
		await client.setUpOwner();
		return { version: n8n.version, server, client, vendors, ...standIns, packedPackage, dispose };
	} catch (error) {
		await dispose();
		throw error;
	}
}
