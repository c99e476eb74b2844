import { installN8n } from './install/install-n8n';
import { LocalVendors } from './vendors/local-vendors';
import { N8nClient } from './client/client';
import { installIntoUserFolder, packPackage } from './install/community-package';
import { N8nServer } from './server/server';
import { freshUserFolder } from './server/user-folder';
import { AirtableStandIn } from './vendors/airtable';
import { ChatModelStandIn } from './vendors/chat-model';
import { SheetsStandIn } from './vendors/sheets';
import { SlackStandIn } from './vendors/slack';
import { rm } from 'node:fs/promises';

export interface N8nWithPackageOptions {
	version?: string;
	/** A free one if not given. */
	port?: number;
	env?: Record<string, string>;
	say?: (line: string) => void;
}

/** A real n8n with a package installed as a user would, an owner, and stand-ins for Slack, Sheets, Airtable and a model. */
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
	/** The paths in the tarball that was installed. */
	packedPackage: { name: string; version: string; files: string[] };
	dispose: () => Promise<void>;
}

/** It packs what the last build made. */
export async function startN8nWithPackage({
	version,
	port,
	env = {},
	say = console.log,
}: N8nWithPackageOptions = {}): Promise<N8nWithPackage> {
	const n8n = await installN8n(version, { say });
	const slack = new SlackStandIn();
	const sheets = new SheetsStandIn();
	const airtable = new AirtableStandIn();
	const chatModel = new ChatModelStandIn();
	const standIns = { slack, sheets, airtable, chatModel };
	const vendors = await LocalVendors.start(Object.values(standIns));
	const userFolder = await freshUserFolder();
	const away = async (server?: N8nServer) => {
		await server?.dispose();
		await vendors.stop();
		await rm(userFolder, { recursive: true, force: true, maxRetries: 3 });
	};
	try {
		const packedPackage = await packPackage();
		await installIntoUserFolder(packedPackage, userFolder);
		await packedPackage.remove();
		say(`n8n ${n8n.version} starts, with ${packedPackage.name} ${packedPackage.version}.`);
		const server = await N8nServer.start({
			n8n,
			userFolder,
			port,
			env: { ...vendors.env, ...env },
		});
		const client = new N8nClient(server.url);
		const dispose = () => away(server);
		try {
			await client.setUpOwner();
		} catch (error) {
			await server.dispose();
			throw error;
		}
		return { version: n8n.version, server, client, vendors, ...standIns, packedPackage, dispose };
	} catch (error) {
		await away();
		throw error;
	}
}
