import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { startSandbox, type Sandbox } from '../sandbox/sandbox';
import type { CredentialReference } from './client/api-types';
import { DataTable } from './client/data-table';
import { compareVersions } from './install/versions';
import {
	dataTableColumns,
	exampleFolder,
	importExample,
	sheetColumns,
	vendorCredentials,
} from './workflows/examples';
import { CREDENTIAL_TYPE } from './workflows/package-nodes';
import {
	startN8nWithPackage,
	type N8nWithPackage,
	type N8nWithPackageOptions,
} from './n8n-with-package';
import type { SavedWorkflow } from './workflows/workflow';

export interface Demo extends N8nWithPackage {
	sandbox: Sandbox;
	credential: CredentialReference;
	examples: SavedWorkflow[];
}

export const SPREADSHEET = 'spreadsheet-of-the-stand-in';
const AIRTABLE_BASE = 'appLocalStandIn';
const AIRTABLE_TABLE = 'tblProducts';
/** One line in a trigger's form, as somebody would choose it. */
const EVERY_MINUTE = { item: [{ mode: 'everyMinute' }] };

/** An n8n to try: with the sandbox, its credential and the example workflows, filled in and ready to be run. */
export async function startDemo(
	speed: number,
	options: N8nWithPackageOptions & { seed?: string } = {},
): Promise<Demo> {
	const sandbox = await startSandbox({ speed, seed: options.seed });
	populate(sandbox);
	try {
		const n8n = await startN8nWithPackage(options);
		const dispose = async () => {
			await n8n.dispose();
			await sandbox.close();
		};
		try {
			const data = { baseUrl: sandbox.url, apiKey: sandbox.keys.allScopes };
			const name = 'Creator Briefing API, sandbox';
			const credential = await n8n.client.createCredential(CREDENTIAL_TYPE, name, data);
			addProducts(n8n);
			await addDataTable(n8n);
			const token = { token: sandbox.keys.allScopes };
			const credentials = {
				[CREDENTIAL_TYPE]: credential,
				httpBearerAuth: await n8n.client.createCredential('httpBearerAuth', name, token),
				...(await vendorCredentials(n8n)),
			};
			const values = {
				YOUR_SPREADSHEET_ID: SPREADSHEET,
				YOUR_BASE_ID: AIRTABLE_BASE,
				YOUR_TABLE_ID: AIRTABLE_TABLE,
				'https://api.example.com/v1': sandbox.url,
				'https://api.example.com/mcp': sandbox.mcpUrl,
			};
			const examples: SavedWorkflow[] = [];
			for (const file of readdirSync(exampleFolder).filter((each) => each.endsWith('.json'))) {
				const filling = { credentials, values, pollSeconds: 15 / speed, pollTimes: EVERY_MINUTE };
				examples.push(await importExample(n8n.client, join(exampleFolder, file), filling));
			}
			return { ...n8n, sandbox, credential, examples, dispose };
		} catch (error) {
			await dispose();
			throw error;
		}
	} catch (error) {
		await sandbox.close();
		throw error;
	}
}

const PRODUCTS = [
	['Glow Serum with Vitamin C, 30 ml', '1729384756102938475', 'New to skincare', 'Vegan'],
	['Lunch Box with Two Tiers', '1729384756102938512', 'Students', 'Dishwasher-safe'],
	['Old Charger (discontinued)', '1729384756102938533', '', ''],
] as const;

/** Finished briefs, so that no list is empty. */
function populate(sandbox: Sandbox): void {
	const products = ['Insulated Steel Bottle, 750 ml', 'Overnight Lip Mask', 'Foldable Phone Stand'];
	for (const product_name of products) sandbox.addBrief({ status: 'ready', product_name });
	sandbox.addBrief({ status: 'failed', product_name: 'Retired Hair Serum' });
}

function addProducts({ sheets, airtable }: N8nWithPackage): void {
	sheets.addSheet(SPREADSHEET, 'Products', [
		sheetColumns,
		...PRODUCTS.map((row, index) => ['yes', `B-${index + 1}`, ...row]),
	]);
	const records = PRODUCTS.map(([name, id, audience, facts]) => ({
		Order: true,
		'Product Name': name,
		'Product ID': id,
		Audience: audience,
		'Approved Facts': facts,
	}));
	airtable.addRecords(AIRTABLE_BASE, AIRTABLE_TABLE, records);
	sheets.addSheet(SPREADSHEET, 'Hooks', [
		['Category', 'Hook', 'Angle', 'Why It Works', 'Views', 'Units Sold', 'Video', 'Hook ID'],
	]);
}

async function addDataTable({ version, client }: N8nWithPackage): Promise<void> {
	// Version 1 has no data tables, or not yet those of these calls.
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
