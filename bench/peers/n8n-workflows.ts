import type { Sandbox } from '../../sandbox/sandbox';
import type { CredentialReference } from '../../harness/client/api-types';
import type { PackageNodes } from '../../harness/workflows/package-nodes';
import {
	chain,
	workflow,
	type Workflow,
	type WorkflowNode,
} from '../../harness/workflows/workflow';

/** What a workflow takes the products of a sheet through the service with. */
export interface Parts {
	sandbox: Sandbox;
	nodes: PackageNodes;
	/** The path of the webhook that starts it. */
	path: string;
	/** It has the sheet Products with the columns Product Name, Status and Brief. */
	spreadsheet: string;
	sheets: CredentialReference;
	pollSeconds: number;
}

/**
 * The peer: as guides show it, one brief at a time. Create → Wait → Get → If ready → back. An execution for each slot
 * takes every other row, so `body.lane` of the webhook is 0 or 1. A 429 waits as long as the service names.
 */
export function withHttpRequest(parts: Parts): Workflow {
	const { sandbox, pollSeconds } = parts;
	const product = "$('Loop Over Items').item.json['Product Name']";
	const mine = "!$json.Status && $json.row_number % 2 === $('Start').first().json.body.lane";
	const create = http(parts, 'Create', `${sandbox.url}/briefs`, {
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
	const isEnded = "['ready', 'failed'].includes($json.body.status)";
	return workflow(
		'Briefs with HTTP Request',
		[
			webhook(parts),
			readSheet(parts),
			test('filter', 'To do', mine),
			loop,
			create,
			test('if', 'Busy?', '$json.statusCode === 429'),
			wait('Wait as asked', "={{ Number($json.headers['retry-after']) }}"),
			wait('Wait', pollSeconds),
			http(parts, 'Get', `=${sandbox.url}/briefs/{{ $json.body.id }}`),
			test('if', 'Ready?', isEnded),
			noteInSheet(parts, `={{ ${product} }}`, '={{ $json.body.status }}', '={{ $json.body.id }}'),
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
			['Get', 'Ready?'],
			['Ready?', 0, 'Note'],
			['Ready?', 1, 'Wait'],
			['Note', 'Loop Over Items'],
		],
	);
}

/** Brief → Create with Wait Until Ready, for all rows at once. */
export function withOurNodes(parts: Parts): Workflow {
	const product = "$('To do').item.json['Product Name']";
	const create = parts.nodes.create({
		productName: "={{ $json['Product Name'] }}",
		waitUntilReady: true,
		maxBriefs: 0,
		options: { timeout: 120 },
	});
	return chain('Briefs with Creator Briefing', [
		webhook(parts),
		readSheet(parts),
		test('filter', 'To do', '!$json.Status'),
		create,
		noteInSheet(parts, `={{ ${product} }}`, '={{ $json.status }}', '={{ $json.id }}'),
	]);
}

function webhook({ path }: Parts): WorkflowNode {
	return {
		name: 'Start',
		type: 'n8n-nodes-base.webhook',
		typeVersion: 2,
		parameters: { httpMethod: 'POST', path, responseMode: 'onReceived', options: {} },
	};
}

function sheetNode(parts: Parts, name: string, parameters: Record<string, unknown>): WorkflowNode {
	return {
		name,
		type: 'n8n-nodes-base.googleSheets',
		typeVersion: 4.5,
		parameters: {
			documentId: { __rl: true, mode: 'id', value: parts.spreadsheet },
			sheetName: { __rl: true, mode: 'name', value: 'Products' },
			options: {},
			...parameters,
		},
		credentials: { googleSheetsOAuth2Api: parts.sheets },
	};
}

function readSheet(parts: Parts): WorkflowNode {
	return sheetNode(parts, 'Products', { operation: 'read' });
}

/** A row with a status is left out by the next execution. */
function noteInSheet(parts: Parts, product: string, status: string, brief: string): WorkflowNode {
	const value = { 'Product Name': product, Status: status, Brief: brief };
	const schema = Object.keys(value).map((id) => ({
		id,
		displayName: id,
		type: 'string',
		display: true,
		removed: false,
		required: false,
		defaultMatch: false,
		canBeUsedToMatch: true,
	}));
	const matchingColumns = ['Product Name'];
	const columns = { mappingMode: 'defineBelow', value, matchingColumns, schema };
	return sheetNode(parts, 'Note', { operation: 'update', columns });
}

/** HTTP Request that gives status code and headers of every answer, also of a refusal. */
function http(
	{ nodes }: Parts,
	name: string,
	url: string,
	parameters: Record<string, unknown> = {},
): WorkflowNode {
	const whole = { response: { response: { fullResponse: true, neverError: true } } };
	const node = nodes.httpRequest(url, whole);
	return { ...node, name, parameters: { ...node.parameters, ...parameters } };
}

function wait(name: string, amount: number | string): WorkflowNode {
	const parameters = { resume: 'timeInterval', amount, unit: 'seconds' };
	return { name, type: 'n8n-nodes-base.wait', typeVersion: 1.1, parameters };
}

function test(type: 'if' | 'filter', name: string, expression: string): WorkflowNode {
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
