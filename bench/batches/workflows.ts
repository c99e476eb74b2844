import type { CredentialReference } from '../../harness/client/api-types';
import type { PackageNodes } from '../../harness/workflows/package-nodes';
import {
	chain,
	workflow,
	type Workflow,
	type WorkflowNode,
} from '../../harness/workflows/workflow';
import { POLL_SECONDS } from './contender';

/** The addresses and credentials that the nodes of a workflow use. */
export interface Connections {
	baseUrl: string;
	nodes: PackageNodes;
	/** The path of the webhook that starts the workflow. */
	path: string;
	/** A spreadsheet with the sheet Products, which has the columns Product Name, Status and Brief. */
	spreadsheet: string;
	google: CredentialReference;
}

/** Builds the workflow with our node: Create with Wait Until Ready, for all rows at once. */
export function buildCreateWorkflow(connections: Connections): Workflow {
	const product = "$('To do').item.json['Product Name']";
	const create = connections.nodes.create({
		productName: "={{ $json['Product Name'] }}",
		waitUntilReady: true,
		maxBriefs: 0,
		options: { timeout: 120 },
	});
	return chain('Briefs with Create', [
		webhook(connections),
		readSheet(connections),
		makeCondition('filter', 'To do', '!$json.Status'),
		create,
		writeStatus(connections, [product, '$json.status', '$json.id']),
	]);
}

/**
 * Builds the peer, a loop of create, wait, get and If as guides show it. There is one execution for each slot: the `lane` in
 * the webhook's body (0 or 1) selects every other row. After a 429, the loop waits for the time in Retry-After.
 */
export function buildHttpRequestWorkflow(connections: Connections): Workflow {
	const { baseUrl } = connections;
	const product = "$('Loop Over Items').item.json['Product Name']";
	const isOwnRow = "!$json.Status && $json.row_number % 2 === $('Start').first().json.body.lane";
	const create = httpRequest(connections, 'Create', `${baseUrl}/briefs`, {
		method: 'POST',
		sendBody: true,
		specifyBody: 'json',
		jsonBody: `={{ { product_name: ${product} } }}`,
	});
	const loop: WorkflowNode = {
		name: 'Loop Over Items',
		type: 'n8n-nodes-base.splitInBatches',
		typeVersion: 3,
		parameters: { options: {} },
	};
	const hasEnded = "['ready', 'failed'].includes($json.body.status)";
	return workflow(
		'Briefs with HTTP Request',
		[
			webhook(connections),
			readSheet(connections),
			makeCondition('filter', 'To do', isOwnRow),
			loop,
			create,
			makeCondition('if', 'Busy?', '$json.statusCode === 429'),
			wait('Wait as asked', "={{ Number($json.headers['retry-after']) }}"),
			wait('Wait', POLL_SECONDS),
			httpRequest(connections, 'Get', `=${baseUrl}/briefs/{{ $json.body.id }}`),
			makeCondition('if', 'Ended?', hasEnded),
			writeStatus(connections, [product, '$json.body.status', '$json.body.id']),
		],
		[
			['Start', 'Products'],
			['Products', 'To do'],
			['To do', 'Loop Over Items'],
			['Loop Over Items', 1, 'Create'],
			['Create', 'Busy?'],
			['Busy?', 0, 'Wait as asked'],
			['Wait as asked', 'Create'],
			['Busy?', 1, 'Wait'],
			['Wait', 'Get'],
			['Get', 'Ended?'],
			['Ended?', 0, 'Note'],
			['Ended?', 1, 'Wait'],
			['Note', 'Loop Over Items'],
		],
	);
}

function webhook({ path }: Connections): WorkflowNode {
	return {
		name: 'Start',
		type: 'n8n-nodes-base.webhook',
		typeVersion: 2,
		parameters: { httpMethod: 'POST', path, responseMode: 'onReceived', options: {} },
	};
}

function sheetNode(
	{ spreadsheet, google }: Connections,
	name: string,
	parameters: Record<string, unknown>,
): WorkflowNode {
	return {
		name,
		type: 'n8n-nodes-base.googleSheets',
		typeVersion: 4.5,
		parameters: {
			documentId: { __rl: true, mode: 'id', value: spreadsheet },
			sheetName: { __rl: true, mode: 'name', value: 'Products' },
			options: {},
			...parameters,
		},
		credentials: { googleSheetsOAuth2Api: google },
	};
}

function readSheet(connections: Connections): WorkflowNode {
	return sheetNode(connections, 'Products', { operation: 'read' });
}

/** Writes the values of these expressions into the product's row, which the next execution then skips. */
function writeStatus(connections: Connections, expressions: string[]): WorkflowNode {
	const names = ['Product Name', 'Status', 'Brief'];
	const value = names.map((name, index) => [name, `={{ ${expressions[index]} }}`]);
	const schema = names.map((id) => ({ id, displayName: id, type: 'string', display: true }));
	const columns = {
		mappingMode: 'defineBelow',
		value: Object.fromEntries(value) as object,
		matchingColumns: ['Product Name'],
		schema,
	};
	return sheetNode(connections, 'Note', { operation: 'update', columns });
}

/** Returns an HTTP Request node that outputs the status code and the headers of every answer, including errors. */
function httpRequest(
	{ nodes }: Connections,
	name: string,
	url: string,
	parameters: Record<string, unknown> = {},
): WorkflowNode {
	const response = { response: { fullResponse: true, neverError: true } };
	const node = nodes.httpRequest(url, { response });
	return { ...node, name, parameters: { ...node.parameters, ...parameters } };
}

function wait(name: string, amount: number | string): WorkflowNode {
	const parameters = { resume: 'timeInterval', amount, unit: 'seconds' };
	return { name, type: 'n8n-nodes-base.wait', typeVersion: 1.1, parameters };
}

function makeCondition(type: 'if' | 'filter', name: string, expression: string): WorkflowNode {
	const operator = { type: 'boolean', operation: 'true', singleValue: true };
	const conditions = {
		combinator: 'and',
		options: { caseSensitive: true, leftValue: '', typeValidation: 'strict', version: 2 },
		conditions: [{ leftValue: `={{ ${expression} }}`, rightValue: '', operator }],
	};
	return {
		name,
		type: `n8n-nodes-base.${type}`,
		typeVersion: 2.2,
		parameters: { conditions, options: {} },
	};
}
