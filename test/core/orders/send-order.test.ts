import { Workspace } from '../../../core/workspace/workspace';
import { COOKS } from '../support/decisions';
import { makeOrder } from '../support/facts';
import {
	answerCreates,
	CONFLICT,
	makeSent,
	MUG,
	order,
	orderMug,
	RATE_LIMIT,
	type Answer,
} from '../support/orders';
import { DAY } from '../../support/time';
import { VirtualService } from '../../support/virtual-service';

/** A single order in its turn, until it ends. */

let service: VirtualService;
beforeEach(() => (service = new VirtualService()));

describe('an order', () => {
	test.each<[Answer[], string]>([
		[['usual'], 'created'],
		[['lost', 'usual'], 'created'],
		[[CONFLICT, CONFLICT, 'usual'], 'created'],
		[['not sent', 'usual'], 'created'],
		[[RATE_LIMIT, 'usual'], 'created'],
		// The list shows the brief.
		[['lost after the work'], 'decided: use'],
		// Nothing was created.
		[[[400, 'validation_failed']], 'rejected'],
		[[[404, 'not_found']], 'rejected'],
		[['not sent', [400]], 'rejected'],
		[[RATE_LIMIT, [400]], 'rejected'],
		// Every other order would be refused.
		[[[401, 'unauthorized']], 'stopped: error'],
		[[[403, 'insufficient_scope']], 'stopped: error'],
		[[[403, 'licence_required']], 'stopped: error'],
		[[[429, 'allowance_reached']], 'stopped: error'],
		// An earlier request might have created the brief.
		[['lost', [400]], 'unconfirmed: refused'],
		[[CONFLICT, [400]], 'unconfirmed: refused'],
		[[[500], [400]], 'unconfirmed: refused'],
		[[[202], [400]], 'unconfirmed: refused'],
		[['lost', RATE_LIMIT, [400]], 'unconfirmed: refused'],
		[['lost', [401, 'unauthorized']], 'unconfirmed: error'],
		[['lost', [403, 'insufficient_scope']], 'unconfirmed: error'],
	])('whose requests get the answers %j ends as %s', async (answers, end) => {
		const sentAt = answerCreates(service, answers);
		expect((await orderMug(service)).end).toBe(end);
		expect(sentAt).toHaveLength(answers.length);
		const isCreated = end === 'created' || end === 'decided: use';
		expect(service.created).toHaveLength(isCreated ? 1 : 0);
	});

	test('sends the same key and body each time', async () => {
		answerCreates(service, ['lost', 'not sent', RATE_LIMIT, 'usual']);
		await orderMug(service);
		const creates = service.requests.filter(({ operation }) => operation === 'create_brief');
		expect(creates).toHaveLength(4);
		expect(new Set(creates.map(({ body }) => body)).size).toBe(1);
		expect(service.created).toMatchObject([{ key: makeOrder({ input: MUG }).key, input: MUG }]);
	});

	test.each([
		['the brief list cannot be read', 'list_briefs'],
		['a brief of its product cannot be fetched', 'get_brief'],
	])('is not sent if %s', async (_title, lost) => {
		service.create('x', COOKS);
		service.intercept = ({ operation }) => (operation === lost ? 'lost' : null);
		expect((await orderMug(service)).end).toBe('stopped: error');
		expect(service.count('create_brief')).toBe(0);
	});

	test('that an earlier command has sent is not sent again by a command that sends none', async () => {
		const sent = { order: makeSent(service, 20, 20), policy: { canResend: false } };
		expect((await orderMug(service, sent)).end).toBe('decided: drop');
		expect(service.count('create_brief')).toBe(0);
	});

	test('is sent again by the command that has sent it, whatever the command', async () => {
		answerCreates(service, ['lost', 'usual']);
		expect((await orderMug(service, { policy: { canResend: false } })).end).toBe('created');
	});

	test('finds its brief however old it is', async () => {
		service = new VirtualService({ pageSize: 1 });
		const { key } = makeOrder({ input: MUG });
		service.create(key, MUG);
		for (let days = 0; days < 100; days += 20) {
			await service.clock.pass(20 * DAY);
			service.create('x', { product_name: `Pan ${days}` });
		}
		const { result } = await orderMug(service, { order: makeSent(service, 144_000, 144_000) });
		expect(result).toMatchObject({ decision: { kind: 'use', source: 'own_unproven' } });
	});

	test('teaches the workspace its brief, and how the service shows inputs', async () => {
		const workspace = new Workspace();
		service.interceptCreates((request) => {
			const shown = service.show(service.createFromRequest(request));
			const body = JSON.stringify({ ...shown, input: { ...MUG, audience: 'People who cook' } });
			return { status: 202, body };
		});
		await order(service, COOKS, { workspace });
		expect(workspace.briefs.get(service.created[0]!.id)?.product_name).toBe('Mug');
		expect(workspace.display.isRewritten('audience')).toBe(true);
		expect(workspace.display.showsFields).toBe(true);
	});
});
