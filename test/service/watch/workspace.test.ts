import type { BriefSummary } from '../../../service/api/resources';
import { Workspace } from '../../../service/watch/workspace';
import { aSummary } from '../../support/builders';
import { MINUTE } from '../../support/time';

const NOW = Date.UTC(2026, 10, 20, 12);
const brief = (id: string, status = 'writing', created_at: string | number = NOW): BriefSummary =>
	aSummary({ id, status, created_at, finished_at: status === 'ready' ? created_at : null });

/** A workspace after a look that showed these briefs. */
function given(page: BriefSummary[] = [], ...options: ConstructorParameters<typeof Workspace>) {
	const workspace = new Workspace(...options);
	const look = (briefs: BriefSummary[] = [], at = NOW) => workspace.observePage(briefs, at);
	if (page.length > 0) look(page);
	return {
		workspace,
		look,
		addOwn: (id: string, status?: string, at = NOW) => workspace.addOwn(brief(id, status), at),
		reserve: () => workspace.reserve(() => NOW),
		free: () => workspace.freeSlots(),
		/** How many slots are free, and how many others hold. */
		slots: () => [workspace.freeSlots(), workspace.othersRunning()],
		heldBy: () => workspace.slotsHeldBy()?.map(({ id, status }) => `${id} ${status}`) ?? null,
		unlisted: () => [...workspace.unlisted()],
	};
}

describe('the slots of the workspace', () => {
	test('are two, taken by whatever runs, whoever ordered it, in the list or not', () => {
		const { slots, look, addOwn } = given();
		expect(slots()).toEqual([2, 0]);
		look([brief('other'), brief('done', 'ready')]);
		expect(slots()).toEqual([1, 1]);
		addOwn('ours');
		expect(slots()).toEqual([0, 1]);
		look([brief('other'), brief('ours')]);
		expect(slots()).toEqual([0, 1]);
		look([brief('ours', 'ready')]);
		expect(slots()).toEqual([2, 0]);
	});

	test('are held by the briefs that run, as the list shows them, and by nobody while one is free', () => {
		const { workspace, heldBy, addOwn, look } = given([brief('other')]);
		expect(heldBy()).toBeNull();
		addOwn('ours', 'queued');
		expect(heldBy()).toBeNull();
		look([brief('other'), brief('ours', 'queued')]);
		expect(heldBy()!.sort()).toEqual(['other writing', 'ours queued']);
		workspace.observe(brief('other', 'checking'), NOW);
		expect(heldBy()!.sort()).toEqual(['other checking', 'ours queued']);
	});

	test('are held by nobody known while an order is on its way or in doubt', () => {
		const { free, heldBy, reserve } = given([brief('a')]);
		const order = reserve();
		expect([free(), heldBy()]).toEqual([0, null]);
		order.keepUncertain('1');
		expect([free(), heldBy()]).toEqual([0, null]);
	});

	test('are not taken by a get of a brief that no page has shown, nor by a reserved one that was given back', () => {
		const { workspace, reserve, slots } = given();
		workspace.observe(brief('got'), NOW);
		const order = reserve();
		order.release();
		order.keepUncertainUntilLook('n');
		expect(slots()).toEqual([2, 0]);
	});

	test('are to be looked at again after an answer that is not believed', () => {
		const { workspace, reserve, free } = given();
		reserve().keepUncertainUntilLook('n');
		expect([workspace.isLookWanted, free()]).toEqual([true, 1]);
	});

	test('are held by a reservation until it is known what came of it', () => {
		const { workspace, reserve, free } = given();
		const [a, b] = [reserve(), reserve()];
		expect(free()).toBe(0);
		a.release();
		a.release();
		expect(free()).toBe(1);
		b.giveTo(brief('ours'));
		b.release();
		b.keepUncertain('3');
		expect(free()).toBe(1);
		workspace.observe(brief('ours', 'failed'), NOW);
		expect(free()).toBe(2);
	});

	test('are held for an order that an earlier run left in doubt, if that was just now', () => {
		const { workspace, reserve, free, look } = given();
		reserve().keepUncertain('4');
		workspace.addUncertain('9', NOW - 600_001, NOW);
		expect(free()).toBe(1);
		workspace.addUncertain('10', NOW - 600_000, NOW);
		expect(free()).toBe(0);
		workspace.addUncertain('10', NOW - 100_000, NOW);
		expect(free()).toBe(0);
		const freeAt = [500_001, 600_000, 600_001].map((ms) => (look([], NOW + ms), free()));
		expect(freeAt).toEqual([1, 1, 2]);
	});

	test('pass to a brief that appears from the order that was in doubt first', () => {
		const { workspace, reserve, look, free } = given();
		reserve().keepUncertain('7');
		workspace.addUncertain('13', NOW - 100_000, NOW);
		look([brief('perhaps ours')], NOW + 1);
		expect(free()).toBe(0);
		expect(workspace.uncertainUntil()).toEqual([NOW + 600_000]);
		look([brief('perhaps ours', 'ready')], NOW + 300_000);
		expect(free()).toBe(1);
	});

	test('do not pass from an order in doubt to a brief that may be that of an order on its way', () => {
		const { reserve, look, free } = given();
		reserve().keepUncertain('7');
		const order = reserve();
		look([brief('whose')], NOW + 1);
		order.release();
		expect(free()).toBe(0);
	});

	test('are one for us if one is left to others, even if they use none', () => {
		const { addOwn, free } = given([], 1);
		expect(free()).toBe(1);
		addOwn('ours');
		expect(free()).toBe(0);
		expect(given([brief('other')], 1).free()).toBe(1);
		const ordering = given([], 1);
		ordering.reserve();
		expect(ordering.free()).toBe(0);
	});
});

describe('a brief of an earlier run that the list does not show', () => {
	const created_at = NOW - MINUTE;
	function recalling(...ids: string[]) {
		const all = given();
		const recall = (id: string, at = NOW, facts = {}) =>
			all.workspace.recall(id, { product_name: 'Lamp', created_at, mayRun: true, ...facts }, at);
		for (const id of ids) recall(id);
		return { ...all, recall };
	}

	test('holds its slot if it may run, until it is seen to have ended or is forgotten', () => {
		const { workspace, recall, unlisted, look, slots, free } = recalling('a', 'b');
		recall('a', NOW + 5);
		expect(unlisted().join()).toBe(`a,${NOW},b,${NOW}`);
		look();
		expect(slots()).toEqual([0, 0]);
		workspace.observe(brief('a', 'ready'), NOW);
		expect(free()).toBe(1);
		workspace.forget('b');
		expect(free()).toBe(2);
	});

	test('is among those that run, with its product and its age, the oldest first', () => {
		const { workspace, look, recall } = recalling();
		look([brief('other', 'writing', NOW - 10)]);
		recall('a');
		expect(workspace.holders()).toEqual([
			{ id: 'a', product_name: 'Lamp', since: created_at, isOurs: true },
			{ id: 'other', product_name: '', since: NOW - 10, isOurs: false, status: 'writing' },
		]);
	});
});

describe('an order that is refused for the slots', () => {
	const stuck = brief('stuck', 'writing', NOW - 2 * MINUTE);
	const [a, b] = [brief('a'), brief('b')];

	test('may be behind those that have come to run for very long since others were seen', () => {
		const { workspace, look } = given([stuck, a, b], 0, MINUTE);
		look([stuck, a], NOW + 2 * MINUTE);
		expect(workspace.areSlotsTaken()).toBe(true);
	});

	test('may be behind an order in doubt', () => {
		const { workspace, reserve } = given([a]);
		reserve();
		workspace.addUncertain('7', NOW, NOW);
		expect(workspace.areSlotsTaken()).toBe(true);
	});
});

describe('a brief that runs for very long', () => {
	test('counts from when it was first seen if its time cannot be read', () => {
		const timeless = brief('a', 'writing', 'once');
		const { look, free } = given([timeless], 0, MINUTE);
		const freeAt = [60_000, 60_001].map((ms) => (look([timeless], NOW + ms), free()));
		expect(freeAt).toEqual([1, 2]);
	});
});

test('a brief was known if it was seen before so many others were', () => {
	const { workspace, look } = given([brief('a')]);
	const { briefsKnown } = workspace;
	look([brief('b'), brief('a')], NOW - MINUTE);
	const were = ['a', 'b', 'unseen'].map((id) => workspace.wasKnown(id, briefsKnown));
	expect(were).toEqual([true, false, false]);
	expect([workspace.briefsKnown, workspace.wasKnown('b', 2), workspace.wasKnown('a', 0)]).toEqual([
		...[2, true, false],
	]);
});
