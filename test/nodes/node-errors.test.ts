import type { IExecuteFunctions, INode } from 'n8n-workflow';
import { NodeApiError, NodeOperationError } from 'n8n-workflow';
import { apiError, nodeErrorFrom, operationError } from '../../nodes/shared/node-errors';
import { errorItem, linked } from '../../nodes/shared/items';
import { ServiceError } from '../../service/api/errors';
import { anError } from '../support/builders';

const node: INode = {
	id: 'n',
	name: 'Create',
	type: 'creatorBriefing',
	typeVersion: 1,
	position: [0, 0],
	parameters: {},
};

const says = (text: RegExp) => expect.stringMatching(text) as string;

function serviceError(facts: Partial<ServiceError> = {}): ServiceError {
	return anError('key_refused', {
		operation: 'get_brief',
		status: 401,
		code: 'unauthorized',
		message: 'No such key',
		requestId: 'req_1',
		...facts,
	});
}

describe('an error of the service', () => {
	it('shows what happened, what to do, the status and the item', () => {
		const error = nodeErrorFrom(node, serviceError(), 0, 3);
		expect(error).toBeInstanceOf(NodeApiError);
		expect(error).toMatchObject({
			message: 'The API key was refused: it is wrong, has expired or was revoked (401) [item 3]',
			description: says(
				/^Create a new key .* in the credential \(Creator Briefing API\)\. The service says: No such key\. The request was req_1\.$/,
			),
			httpCode: '401',
			context: { itemIndex: 3, code: 'key_refused' },
		});
	});

	it.each([
		[
			{ kind: 'invalid_input', status: 400, message: 'Too long' },
			{
				httpCode: '400',
				description:
					'The service says: Too long. The request was req_1. Correct what it names and send it again. Nothing was spent.',
			},
		],
		[
			{ kind: 'service_unavailable', status: null, message: 'connect ECONNREFUSED' },
			{ httpCode: null, message: says(/could not be reached or failed: connect ECONNREFUSED/) },
		],
	] as const)('shows what it is: %j', (facts, shown) => {
		expect(nodeErrorFrom(node, serviceError(facts), 0)).toMatchObject(shown);
	});

	it.each(['HomeAccessories', 'Supermarket EPERM', 'ENOENT cream'])(
		'keeps its text although n8n knows letters in it: %s',
		(name) => {
			const text = { message: `Brief 1 (“${name}”) failed`, description: 'x' };
			expect(operationError(node, text).message).toBe(text.message);
			expect(apiError(node, serviceError(), text).message).toBe(text.message);
		},
	);
});

it('an error that n8n made already keeps its text, and gets the item', () => {
	const made = new NodeOperationError(node, 'as it was', { description: 'cure' });
	const error = nodeErrorFrom(node, made, 0, 2);
	expect(error).toBe(made);
	expect(error.context['itemIndex']).toBe(2);
});

describe('an item', () => {
	it('of success never has a key `error`, whatever the service sends', () => {
		expect(linked({ json: { id: '1', error: null } }, 4)).toEqual({
			json: { id: '1', service_error: null },
			pairedItem: { item: 4 },
		});
	});

	/** A run of the node with one row. */
	const running = (settings: Partial<INode> = {}) =>
		({
			getNode: () => ({ ...node, ...settings }),
			getInputData: () => [{ json: { SKU: 'A-1', message: 'call me' } }],
		}) as unknown as IExecuteFunctions;

	it('of failure keeps its row, and says in a word what went wrong, what happened and what to do', () => {
		const error = operationError(node, { message: 'what', description: 'cure' }, 0);
		expect(errorItem(running(), error, 0)).toEqual({
			json: { SKU: 'A-1', error: 'what', code: 'invalid_input', message: 'cure' },
			pairedItem: { item: 0 },
		});
	});

	it.each([
		[serviceError(), 'key_refused', /key was refused/],
		// n8n looks for this word in a stopped execution.
		[AbortSignal.abort().reason, 'canceled', /canceled/],
		[new Error('odd'), 'unexpected', /odd/],
	])('of failure has the code of what was thrown: %s', (thrown: unknown, code, error) => {
		const { json } = errorItem(running(), nodeErrorFrom(node, thrown, 0), 0);
		expect(json).toMatchObject({ code, error: says(error) });
	});

	it('of failure has an error that n8n finds and does not copy, if there is an error output', () => {
		const error = operationError(node, { message: 'what', description: 'cure' });
		const item = errorItem(running({ onError: 'continueErrorOutput' }), error, 0);
		expect(item.error).toBe(error);
		expect({ ...item }.error).toBeUndefined();
		// As versions before 2.x do.
		item.error = undefined;
		expect(item.error).toBeUndefined();
		const going = errorItem(running({ onError: 'continueRegularOutput' }), error, 0);
		expect(going.error).toBeUndefined();
	});
});
