import { join } from 'node:path';
import type { N8nClient } from '../client/client';
import type { CredentialReference } from '../client/api-types';
import { PACKAGE } from './package-nodes';
import type { N8nWithPackage } from '../n8n-with-package';
import { repositoryRoot } from '../paths';
import { pollEverySeconds } from './schedules';
import { readWorkflow, withCredentials, type SavedWorkflow, type WorkflowNode } from './workflow';

export const exampleFolder = join(repositoryRoot, 'examples', 'workflows');

/** The header of the sheet that the examples read products from. */
export const sheetColumns = [
	...['Order', 'SKU', 'Product Name', 'Product ID', 'Audience', 'Approved Facts'],
	...['Brief Status', 'Brief Link', 'Brief Note'],
];

/** The columns of the data table Products. */
export const dataTableColumns = [
	{ name: 'order', type: 'boolean' as const },
	...['product_name', 'product_id', 'audience', 'approved_facts', 'status', 'link', 'note'].map(
		(name) => ({ name, type: 'string' as const }),
	),
];

interface ExampleValues {
	/** By type. */
	credentials: Record<string, CredentialReference>;
	/** What to put in the place of placeholders, such as YOUR_SPREADSHEET_ID. */
	values?: Record<string, string>;
	/** For a service whose time runs fast: how often the package's nodes look, in seconds. */
	pollSeconds?: number;
	/** When its triggers poll then: every other second unless given. */
	pollTimes?: object;
}

/** Imports an example workflow, selects its credentials and fills it in, as its note asks. */
export async function importExample(
	client: N8nClient,
	file: string,
	{ credentials, values = {}, pollSeconds, pollTimes = pollEverySeconds(2) }: ExampleValues,
): Promise<SavedWorkflow> {
	const example = withCredentials(await readWorkflow(file), credentials);
	const text = Object.entries(values).reduce(
		(text, [placeholder, value]) => text.replaceAll(placeholder, value),
		JSON.stringify(example.nodes),
	);
	const nodes = JSON.parse(text) as WorkflowNode[];
	const pacedNodes =
		pollSeconds === undefined
			? nodes
			: nodes.map((node) => withFastPolling(node, pollSeconds, pollTimes));
	return await client.createWorkflow({ ...example, nodes: pacedNodes });
}

/** Credentials for the stand-ins, by type. */
export async function vendorCredentials({
	client,
	slack,
	sheets,
	airtable,
}: N8nWithPackage): Promise<Record<string, CredentialReference>> {
	const accounts = [
		{ name: 'Slack, local stand-in', ...slack.credential },
		{ name: 'Google Sheets, local stand-in', ...sheets.oauthCredential },
		{ name: 'Airtable, local stand-in', ...airtable.credential },
	];
	const credentials = accounts.map(
		async ({ type, name, data }) =>
			[type, await client.createCredential(type, name, data)] as const,
	);
	return Object.fromEntries(await Promise.all(credentials));
}

function withFastPolling(node: WorkflowNode, pollSeconds: number, pollTimes: object): WorkflowNode {
	const { parameters } = node;
	if ('pollTimes' in parameters) {
		const options = { ...(parameters['options'] as object | undefined), checkInterval: 0 };
		return { ...node, parameters: { ...parameters, options, pollTimes } };
	}
	if (!node.type.startsWith(PACKAGE)) return node;
	const options = { ...(parameters['options'] as object | undefined), pollInterval: pollSeconds };
	return { ...node, parameters: { ...parameters, options } };
}
