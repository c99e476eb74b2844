import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CredentialReference } from '../client/api-types';
import type { N8nClient } from '../client/client';
import type { N8nWithPackage } from '../n8n-with-package';
import { repositoryRoot } from '../paths';
import { PACKAGE, pollEverySeconds } from './package-nodes';
import type { SavedWorkflow, Workflow, WorkflowNode } from './workflow';

export const exampleFolder = join(repositoryRoot, 'examples', 'workflows');

/** The header of the sheet that the examples read products from. */
export const sheetColumns = [
	...['Order', 'SKU', 'Product Name', 'Product ID', 'Audience', 'Approved Facts'],
	...['Brief Status', 'Brief Link', 'Brief Note'],
];

/** The header of the sheet that the examples write hooks to. */
export const hookColumns = [
	...['Category', 'Hook', 'Angle', 'Why It Works', 'Views', 'Units Sold', 'Video', 'Hook ID'],
];

/** The columns of the data table Products. */
export const dataTableColumns = [
	{ name: 'order', type: 'boolean' as const },
	...['product_name', 'product_id', 'audience', 'approved_facts', 'status', 'link', 'note'].map(
		(name) => ({ name, type: 'string' as const }),
	),
];

interface ExampleSettings {
	/** The credentials to select, by type. */
	credentials: Record<string, CredentialReference>;
	/** The replacement of each placeholder, such as YOUR_SPREADSHEET_ID. */
	values?: Record<string, string>;
	/** The Poll Interval of the package's nodes, for a sandbox in fast time. */
	pollSeconds?: number;
	/** The Poll Times of the package's triggers: every two seconds by default. */
	pollTimes?: object;
}

/** Imports an example workflow, selects its credentials, and replaces its placeholders as its note asks. */
export async function importExample(
	client: N8nClient,
	file: string,
	{ credentials, values = {}, pollSeconds, pollTimes = pollEverySeconds(2) }: ExampleSettings,
): Promise<SavedWorkflow> {
	const example = JSON.parse(readFileSync(file, 'utf8')) as Workflow;
	const text = Object.entries(values).reduce(
		(text, [placeholder, value]) => text.replaceAll(placeholder, value),
		JSON.stringify(example.nodes),
	);
	const nodes = (JSON.parse(text) as WorkflowNode[]).map((node) => {
		const selected = Object.entries(node.credentials ?? {}).map(
			([type, current]) => [type, credentials[type] ?? current] as const,
		);
		const connected = { ...node, credentials: Object.fromEntries(selected) };
		if (pollSeconds === undefined || !node.type.startsWith(PACKAGE)) return connected;
		const { parameters } = node;
		const options = { ...(parameters['options'] as object | undefined), pollInterval: pollSeconds };
		const pace = 'pollTimes' in parameters ? { pollTimes } : { options };
		return { ...connected, parameters: { ...parameters, ...pace } };
	});
	return await client.createWorkflow({ ...example, nodes });
}

/** Creates the credentials for the stand-ins, and returns them by type. */
export async function vendorCredentials({
	client,
	slack,
	sheets,
	airtable,
}: N8nWithPackage): Promise<Record<string, CredentialReference>> {
	const byType: Record<string, CredentialReference> = {};
	for (const { type, data } of [slack.credential, sheets.credential, airtable.credential]) {
		byType[type] = await client.createCredential(type, `${type}, stand-in`, data);
	}
	return byType;
}
