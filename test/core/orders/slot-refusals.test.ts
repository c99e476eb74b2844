import { Workspace } from '../../../core/workspace/workspace';
import {
	createBrief,
	getEnd,
	interceptCreates,
	MUG,
	USUAL,
	withRetryAfter,
} from '../support/orders';
import { HOUR, MINUTE, VirtualService, type Nature } from '../support/virtual-service';

/** The API does not say how it refuses a third brief (docs/api.md 8): if both slots are in use, any refusal can mean it. */

const BUSY: Nature = { ...USUAL, briefMs: 20 * MINUTE };

/** Another process creates two briefs, which the next list shows. */
function takeBothSlots(service: VirtualService): void {
	service.create('x', { product_name: 'Pan' });
	service.create('x', { product_name: 'Pot' });
}

test.each([
	[400, 'validation_failed'],
	[403, 'insufficient_scope'],
	[403, 'licence_required'],
	[404, 'not_found'],
	[429, 'too_many_briefs'],
])(
	'an order refused with %i %s while both slots are in use is sent again',
	async (status, code) => {
		const service = new VirtualService(BUSY);
		interceptCreates(service, (count) => {
			if (count > 1) return null;
			takeBothSlots(service);
			return service.refuse(status, code).answer;
		});
		const start = service.clock.now();
		expect(getEnd(await createBrief(service, MUG))).toBe('created');
		expect(service.clock.now() - start).toBeGreaterThan(20 * MINUTE);
		expect(service.mostRunning).toBe(2);
	},
);

test('401 stops ordering even if both slots are in use', async () => {
	const service = new VirtualService(BUSY);
	interceptCreates(service, () => {
		takeBothSlots(service);
		return service.refuse(401, 'unauthorized').answer;
	});
	expect(getEnd(await createBrief(service, MUG))).toBe('stopped');
});

test('a slot refusal is reported before the order waits again', async () => {
	const service = new VirtualService(BUSY);
	const log: string[] = [];
	interceptCreates(service, (count) => {
		log.push('create');
		return count === 1 ? service.refuse(429, 'too_many_briefs').answer : null;
	});
	const recordSlotRefusal = async () => void log.push('refused');
	await createBrief(service, MUG, { options: { recordSlotRefusal } });
	expect(log).toEqual(['create', 'refused', 'create']);
});

test('a slot refusal after a lost answer is not reported, because the brief might exist', async () => {
	const service = new VirtualService(BUSY);
	let reports = 0;
	interceptCreates(service, (count) => {
		if (count === 1) return 'lost';
		return count === 2 ? service.refuse(429, 'too_many_briefs').answer : null;
	});
	const recordSlotRefusal = async () => void (reports += 1);
	expect(getEnd(await createBrief(service, MUG, { options: { recordSlotRefusal } }))).toBe(
		'created',
	);
	expect(reports).toBe(0);
});

test('an order that is refused until its deadline stops there', async () => {
	const service = new VirtualService(BUSY);
	interceptCreates(service, () => service.refuse(429, 'too_many_briefs').answer);
	const start = service.clock.now();
	const result = await createBrief(service, MUG, { options: { deadline: start + 30 * MINUTE } });
	expect(getEnd(result)).toBe('stopped');
	expect(service.clock.now() - start).toBeGreaterThanOrEqual(30 * MINUTE);
	expect(service.clock.now() - start).toBeLessThan(32 * MINUTE);
	// The waits grow from 15 seconds to a minute.
	expect(service.count('create_brief')).toBeLessThan(35);
});

test('the waits after refusals grow, and are short again after an order was created', async () => {
	const service = new VirtualService({ ...USUAL, briefMs: MINUTE });
	const workspace = new Workspace();
	const times: number[] = [];
	interceptCreates(service, (count) => {
		times.push(service.clock.now());
		return [3, 5].includes(count) ? null : service.refuse(429, 'too_many_briefs').answer;
	});
	for (const product_name of ['A', 'B']) {
		await createBrief(service, { product_name }, { workspace });
		await service.clock.pass(10 * MINUTE);
	}
	const [first = 0, second = 0, third = 0, fourth = 0, fifth = 0] = times;
	expect(third - second).toBeGreaterThanOrEqual(30_000);
	expect(fifth - fourth).toBeLessThan(30_000);
	expect(second - first).toBeLessThan(30_000);
});

test.each([
	['10 minutes', 10, 10],
	['90 minutes', 90, 60],
	['0', 0, 0.25],
])(
	'an order refused with a Retry-After of %s is sent again after %d minutes',
	async (_title, retryAfter, expected) => {
		expectMinutes(await measureWait(retryAfter), expected);
	},
);

test('an order refused without a Retry-After is sent again after 15 seconds', async () => {
	expectMinutes(await measureWait(null), 0.25);
});

/** The next poll can be up to a minute later. */
function expectMinutes(waited: number, expected: number): void {
	expect(waited).toBeGreaterThanOrEqual(expected);
	expect(waited).toBeLessThan(expected + 1);
}

/** Returns the minutes between two create requests, while another caller waits for a running brief and polls. */
async function measureWait(retryAfter: number | null): Promise<number> {
	const service = new VirtualService(BUSY);
	const { context } = service.startProcess();
	const workspace = new Workspace();
	const running = service.create('x', { product_name: 'Pan' });
	const creates: number[] = [];
	const polls: number[] = [];
	service.intercept = ({ operation }) => {
		const now = service.clock.now();
		if (operation === 'list_briefs') polls.push(now);
		if (operation !== 'create_brief' || creates.push(now) > 1) return null;
		const { answer } = service.refuse(429, 'too_many_briefs');
		return retryAfter === null ? answer : withRetryAfter(answer, retryAfter);
	};
	const brief = await context.client.getBrief(running.id);
	const deadline = service.clock.now() + HOUR;
	const waiting = workspace.poller.waitUntilFinished(brief, deadline, context);
	const names = ['Mug', 'Cup'];
	await Promise.all(
		names.map((product_name) => createBrief(service, { product_name }, { workspace, context })),
	);
	await waiting;
	const [refused = 0, repeated = 0] = creates;
	// A refusal for want of a slot delays create requests alone.
	const between = polls.filter((time) => time > refused && time < refused + 10 * MINUTE);
	expect(between.length).toBeGreaterThanOrEqual(10);
	return (repeated - refused) / MINUTE;
}
