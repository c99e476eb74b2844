import type { Sandbox } from '../../sandbox/sandbox';
import { runNode, startNode } from '../support/engine/engine';
import {
	create,
	addBriefs,
	products,
	countRequests,
	openService,
} from '../support/engine/fixtures';
import { until } from '../support/engine/time';

/** The highest number of briefs that were accepted and not finished at once, those included that the service queues. */
function mostOpen(sandbox: Sandbox): number {
	const briefs = sandbox.briefs();
	const open = (time: number) =>
		briefs.filter(({ createdAt, readyAt }) => createdAt <= time && time < (readyAt ?? Infinity));
	return Math.max(...briefs.map(({ createdAt }) => open(createdAt).length));
}

const allEnded = async (executions: Array<ReturnType<typeof startNode>>) =>
	await Promise.all(executions.map(({ ended }) => ended));

describe('executions that order', () => {
	it.each(['queue', 'refuse'] as const)(
		'at the same time have two briefs running between them if a third would meet: %s',
		async (thirdBrief) => {
			const sandbox = await openService({ thirdBrief, listLagMs: 60_000 });
			const done = await allEnded(products(5).map((item) => startNode(sandbox, [item], create())));
			expect(done.map(({ status }) => status)).toEqual(Array(5).fill('success'));
			expect([sandbox.createdCount(), mostOpen(sandbox)]).toEqual([5, 2]);
			expect(countRequests(sandbox, 'create_brief')).toBe(5);
		},
	);

	it('one after the other do so too, though the list does not show the first ones yet', async () => {
		const sandbox = await openService({ thirdBrief: 'queue', listLagMs: 60_000 });
		for (const product of products(3)) {
			expect((await runNode(sandbox, [product], create())).status).toBe('success');
		}
		expect(mostOpen(sandbox)).toBe(2);
	});

	/** Two that wait for a slot, of which the first has these settings. */
	async function bothWaiting(settings: Parameters<typeof create>[0] = {}) {
		const sandbox = await openService();
		addBriefs(sandbox, 1_000_000, 1_000_000);
		const [first, second] = [create(settings), create()].map((node, at) =>
			startNode(sandbox, [{ name: `Soap ${at}` }], node),
		);
		await until(() => countRequests(sandbox, 'list_briefs') > 1);
		const expectSecondAlone = async () => {
			expect((await second!.ended).status).toBe('success');
			expect(sandbox.createdCount()).toBe(1);
		};
		return { first: first!, expectSecondAlone };
	}

	it('end alone if they wait for a slot and are stopped', async () => {
		const { first, expectSecondAlone } = await bothWaiting();
		first.stop();
		expect((await first.ended).status).toBe('canceled');
		await expectSecondAlone();
	});

	it('end alone if they wait for a slot and are on Stop', async () => {
		const both = await bothWaiting({ options: { whenSlotsBusy: 'stop' } });
		expect((await both.first.ended).error.message).toMatch(
			/^Soap 0: not ordered, because two briefs are being/,
		);
		await both.expectSecondAlone();
	});
});
