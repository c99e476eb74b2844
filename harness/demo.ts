import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { startSandbox, type Sandbox } from '../sandbox/sandbox';
import type { CredentialReference } from './client/api-types';
import { DataTable } from './client/data-table';
import { compareVersions } from './install/versions';
import { startN8nWithPackage, type N8nOptions, type N8nWithPackage } from './n8n-with-package';
import {
	dataTableColumns,
	exampleFolder,
	hookColumns,
	importExample,
	sheetColumns,
	vendorCredentials,
} from './workflows/examples';
import { CREDENTIAL_TYPE } from './workflows/package-nodes';
import type { SavedWorkflow } from './workflows/workflow';

/** An n8n for a user: with the sandbox, its credential, and the example workflows, ready to run. */
export interface Demo extends N8nWithPackage {
	sandbox: Sandbox;
	credential: CredentialReference;
	examples: SavedWorkflow[];
}

export const SPREADSHEET = 'demo-spreadsheet';
const AIRTABLE_BASE = 'appDemo';
const AIRTABLE_TABLE = 'tblProducts';

const PRODUCTS = [
	['Glow Serum with Vitamin C, 30 ml', '1729384756102938475', 'New to skincare', 'Vegan'],
	['Lunch Box with Two Tiers', '1729384756102938512', 'Students', 'Dishwasher-safe'],
	['Old Charger (discontinued)', '1729384756102938533', '', ''],
] as const;

/** @param speed how many times as fast as real time the sandbox runs */
export async function startDemo(
	speed: number,
	{ seed, ...options }: N8nOptions & { seed?: string } = {},
): Promise<Demo> {
	const sandbox = await startSandbox({ speed, seed });
	addBriefs(sandbox);
	const n8n = await startN8nWithPackage(options).catch(async (error: unknown) => {
		await sandbox.close();
		throw error;
	});
	const dispose = async () => {
		await n8n.dispose();
		await sandbox.close();
	};
	try {
		const name = 'Creator Briefing API, sandbox';
		const data = { baseUrl: sandbox.url, apiKey: sandbox.keys.allScopes };
		const credential = await n8n.client.createCredential(CREDENTIAL_TYPE, name, data);
		await addProducts(n8n);
		const examples = await importExamples(n8n, sandbox, credential, speed);
		return { ...n8n, sandbox, credential, examples, dispose };
	} catch (error) {
		await dispose();
		throw error;
	}
}

/** Adds finished briefs, so that no list is empty. */
function addBriefs(sandbox: Sandbox): void {
	const products = ['Insulated Steel Bottle, 750 ml', 'Overnight Lip Mask', 'Foldable Phone Stand'];
	for (const product_name of products) sandbox.addBrief({ status: 'ready', product_name });
	sandbox.addBrief({ status: 'failed', product_name: 'Retired Hair Serum' });
}

/** Fills the tables that the examples read products from. */
async function addProducts({ version, client, sheets, airtable }: N8nWithPackage): Promise<void> {
	sheets.addSheet(SPREADSHEET, 'Products', [
		sheetColumns,
		...PRODUCTS.map((row, index) => ['yes', `B-${index + 1}`, ...row]),
	]);
	sheets.addSheet(SPREADSHEET, 'Hooks', [hookColumns]);
	const records = PRODUCTS.map(([name, id, audience, facts]) => ({
		Order: true,
		'Product Name': name,
		'Product ID': id,
		Audience: audience,
		'Approved Facts': facts,
	}));
	airtable.addRecords(AIRTABLE_BASE, AIRTABLE_TABLE, records);
	// Version 1 has no data tables, or none with this interface.
	if (compareVersions(version, '2.0.0') < 0) return;
	const table = await DataTable.create(client.session, 'Products', dataTableColumns);
	await table.insert(
		PRODUCTS.map(([product_name, product_id, audience, approved_facts]) => ({
			order: true,
			product_name,
			product_id,
			audience,
			approved_facts,
		})),
	);
}

async function importExamples(
	n8n: N8nWithPackage,
	{ keys, url, mcpUrl }: Sandbox,
	credential: CredentialReference,
	speed: number,
): Promise<SavedWorkflow[]> {
	const { client } = n8n;
	const bearer = { token: keys.allScopes };
	const credentials = {
		[CREDENTIAL_TYPE]: credential,
		httpBearerAuth: await client.createCredential('httpBearerAuth', credential.name, bearer),
		...(await vendorCredentials(n8n)),
	};
	const values = {
		YOUR_SPREADSHEET_ID: SPREADSHEET,
		YOUR_BASE_ID: AIRTABLE_BASE,
		YOUR_TABLE_ID: AIRTABLE_TABLE,
		'https://api.example.com/v1': url,
		'https://api.example.com/mcp': mcpUrl,
	};
	const files = readdirSync(exampleFolder).filter((file) => file.endsWith('.json'));
	const pollTimes = { item: [{ mode: 'everyMinute' }] };
	const settings = { credentials, values, pollSeconds: 15 / speed, pollTimes };
	const examples: SavedWorkflow[] = [];
	for (const file of files) {
		examples.push(await importExample(client, join(exampleFolder, file), settings));
	}
	return examples;
}
