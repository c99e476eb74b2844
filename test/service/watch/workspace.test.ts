import type { BriefSummary } from '../../../service/resources';
import { Workspace } from '../../../service/watch/workspace';
import { aSummary } from '../../support/builders';

const NOW = Date.UTC(2026, 10, 20, 12);
const brief = (id: string, status = 'writing', created_at: string | number = NOW): BriefSummary =>
	aSummary({ id, status, created_at, finished_at: status === 'ready' ? created_at : null });

describe('the slots of the workspace', () => {
	test('are two, taken by whatever runs, whoever ordered it, in the list or not', () => {
		const workspace = new Workspace();
		expect(workspace.freeSlots()).toBe(2);
		workspace.observePage([brief('other'), brief('done', 'ready')], NOW);
		expect([workspace.freeSlots(), workspace.othersRunning()]).toEqual([1, 1]);
		workspace.adopt(brief('ours'), NOW);
		expect([workspace.freeSlots(), workspace.othersRunning()]).toEqual([0, 1]);
		workspace.observePage([brief('other'), brief('ours')], NOW);
		expect([workspace.freeSlots(), workspace.othersRunning()]).toEqual([0, 1]);
		workspace.observePage([brief('ours', 'ready')], NOW);
		expect([workspace.freeSlots(), workspace.othersRunning()]).toEqual([2, 0]);
	});

	test('are held by the briefs that run, as far as the list shows them, and by nobody while one is free', () => {
		const held = () => workspace.slotsHeldBy()?.map(({ id, status }) => `${id} ${status}`) ?? null;
		const workspace = new Workspace();
		workspace.observePage([brief('other')], NOW);
		expect(held()).toBeNull();
		workspace.adopt(brief('ours', 'queued'), NOW);
		expect(held()).toBeNull();
		workspace.observePage([brief('other'), brief('ours', 'queued')], NOW);
		expect(held()!.sort()).toEqual(['other writing', 'ours queued']);
	});

	test('are held by nobody known while an order is on its way or in doubt', () => {
		const workspace = new Workspace();
		workspace.observePage([brief('a')], NOW);
		const permit = workspace.permit(() => NOW);
		expect([workspace.freeSlots(), workspace.slotsHeldBy()]).toEqual([0, null]);
		permit.keepInDoubt();
		expect([workspace.freeSlots(), workspace.slotsHeldBy()]).toEqual([0, null]);
	});

	test('are not held by a brief that has run for too long', () => {
		const workspace = new Workspace(0, 1000);
		workspace.observePage([brief('stuck', 'writing', NOW - 2000), brief('a'), brief('b')], NOW);
		expect(workspace.slotsHeldBy()!.map(({ id }) => id)).toEqual(['a', 'b']);
	});

	test('of an order in doubt stays taken where the list shows a brief that may be of an order on its way', () => {
		const workspace = new Workspace();
		workspace.permit(() => NOW).keepInDoubt();
		const onItsWay = workspace.permit(() => NOW);
		workspace.observePage([brief('on its way')], NOW);
		onItsWay.accepted(brief('on its way'));
		expect(workspace.freeSlots()).toBe(0);
	});

	test('are never fewer than none, however many run', () => {
		const workspace = new Workspace();
		workspace.observePage([brief('a'), brief('b'), brief('c')], NOW);
		expect(workspace.freeSlots()).toBe(0);
	});

	test('are held by a permit until it is known what came of it', () => {
		const workspace = new Workspace();
		const [a, b] = [workspace.permit(() => NOW), workspace.permit(() => NOW)];
		expect(workspace.freeSlots()).toBe(0);
		a.release();
		a.release();
		expect(workspace.freeSlots()).toBe(1);
		b.accepted(brief('ours'));
		b.release();
		b.keepInDoubt();
		expect(workspace.freeSlots()).toBe(1);
		workspace.observe(brief('ours', 'failed'), NOW);
		expect(workspace.freeSlots()).toBe(2);
	});

	test('stay held where it is open what came of it, until the list would surely show it', () => {
		const workspace = new Workspace();
		workspace.permit(() => NOW).keepInDoubt();
		expect(workspace.freeSlots()).toBe(1);
		workspace.observePage([], NOW + 600_000);
		expect(workspace.freeSlots()).toBe(1);
		workspace.observePage([], NOW + 600_001);
		expect(workspace.freeSlots()).toBe(2);
	});

	test('are held for an order that an earlier run left in doubt, if that was just now', () => {
		const workspace = new Workspace();
		workspace.permit(() => NOW).keepInDoubt();
		workspace.holdInDoubt(NOW - 600_001, NOW);
		expect(workspace.freeSlots()).toBe(1);
		workspace.holdInDoubt(NOW - 100_000, NOW);
		expect(workspace.freeSlots()).toBe(0);
		workspace.observePage([], NOW + 500_001);
		expect(workspace.freeSlots()).toBe(1);
		workspace.observePage([], NOW + 600_000);
		expect(workspace.freeSlots()).toBe(1);
		workspace.observePage([], NOW + 600_001);
		expect(workspace.freeSlots()).toBe(2);
	});

	test('are held for orders in doubt until a time that can be told, the oldest first', () => {
		const workspace = new Workspace();
		expect(workspace.inDoubtUntil()).toEqual([]);
		workspace.permit(() => NOW).keepInDoubt();
		workspace.holdInDoubt(NOW - 600_000, NOW);
		workspace.holdInDoubt(NOW - 100_000, NOW);
		expect(workspace.inDoubtUntil()).toEqual([NOW, NOW + 500_000, NOW + 600_000]);
	});

	test('pass to a brief that appears from the order that was in doubt first', () => {
		const workspace = new Workspace();
		workspace.permit(() => NOW).keepInDoubt();
		workspace.holdInDoubt(NOW - 100_000, NOW);
		workspace.observePage([brief('perhaps ours')], NOW + 1);
		expect(workspace.freeSlots()).toBe(0);
		expect(workspace.inDoubtUntil()).toEqual([NOW + 600_000]);
		workspace.observePage([brief('perhaps ours', 'ready')], NOW + 300_000);
		expect(workspace.freeSlots()).toBe(1);
	});

	test.each([
		['ran before the order', () => [brief('before')]],
		['is known to be of another order of this process', () => [brief('ours')]],
		['has ended already', () => [brief('before'), brief('ours'), brief('gone', 'ready')]],
	])('do not pass to a brief that %s', (_case, page) => {
		const workspace = new Workspace();
		workspace.observePage([brief('before')], NOW);
		workspace.adopt(brief('ours'), NOW);
		workspace.permit(() => NOW).keepInDoubt();
		workspace.observePage(page(), NOW + 1);
		expect(workspace.freeSlots()).toBe(0);
		// What is left when those two are done is the slot of the order in doubt.
		for (const id of ['before', 'ours']) workspace.observe(brief(id, 'ready'), NOW + 2);
		expect(workspace.freeSlots()).toBe(1);
	});

	test('are one for us where one is left to others, even if they use none', () => {
		const workspace = new Workspace(1);
		expect(workspace.freeSlots()).toBe(1);
		workspace.adopt(brief('ours'), NOW);
		expect(workspace.freeSlots()).toBe(0);
		const shared = new Workspace(1);
		shared.observePage([brief('other')], NOW);
		expect(shared.freeSlots()).toBe(1);
	});

	test('are given back for a brief that is forgotten', () => {
		const workspace = new Workspace();
		workspace.adopt(brief('ours'), NOW);
		workspace.adopt(brief('ours'), NOW + 5);
		expect([...workspace.unlisted()]).toEqual([['ours', NOW]]);
		workspace.observePage([brief('ours')], NOW);
		expect([...workspace.unlisted()]).toEqual([]);
		workspace.forget('ours');
		expect(workspace.freeSlots()).toBe(2);
	});
});

describe('a brief of an earlier run that the list does not show', () => {
	const created = NOW - 60_000;

	test('holds its slot where it may run, until it is seen to have ended or is forgotten', () => {
		const workspace = new Workspace();
		workspace.recall('a', { product_name: 'Lamp', created, mayRun: true }, NOW);
		workspace.recall('a', { product_name: 'Lamp', created, mayRun: true }, NOW + 5);
		workspace.recall('b', { product_name: 'Lamp', created, mayRun: true }, NOW);
		expect([...workspace.unlisted()]).toEqual([
			['a', NOW],
			['b', NOW],
		]);
		workspace.observePage([], NOW);
		expect([workspace.freeSlots(), workspace.othersRunning()]).toEqual([0, 0]);
		workspace.observe(brief('a', 'ready'), NOW);
		expect(workspace.freeSlots()).toBe(1);
		workspace.forget('b');
		expect(workspace.freeSlots()).toBe(2);
	});

	test('is told among those that run, with its product and its age, the oldest first', () => {
		const workspace = new Workspace();
		workspace.observePage([brief('other', 'writing', NOW - 10)], NOW);
		workspace.recall('a', { product_name: 'Lamp', created, mayRun: true }, NOW);
		expect(workspace.holders()).toEqual([
			{ id: 'a', product_name: 'Lamp', since: created, isOurs: true },
			{ id: 'other', product_name: '', since: NOW - 10, isOurs: false, status: 'writing' },
		]);
	});

	test('makes the workspace know more than the list until that shows it', () => {
		const workspace = new Workspace();
		expect(workspace.isAheadOfList()).toBe(false);
		workspace.recall('a', { product_name: 'Lamp', created, mayRun: true }, NOW);
		expect(workspace.isAheadOfList()).toBe(true);
		workspace.observePage([brief('a')], NOW);
		expect(workspace.isAheadOfList()).toBe(false);
		workspace.holdInDoubt(NOW, NOW);
		expect(workspace.isAheadOfList()).toBe(true);
	});

	test('holds none where it has ended, and counts in the month of its creation all the same', () => {
		const workspace = new Workspace();
		workspace.recall('a', { product_name: 'Lamp', created, mayRun: false }, NOW);
		workspace.recall('b', { product_name: 'Lamp', created: '2026-10-31', mayRun: false }, NOW);
		workspace.observePage([brief('a', 'ready', created)], NOW);
		expect(workspace.freeSlots()).toBe(2);
		expect([workspace.used(NOW), workspace.used(Date.UTC(2026, 9, 31))]).toEqual([1, 1]);
	});

	test('is not taken for somebody else’s once the list shows it', () => {
		const workspace = new Workspace();
		workspace.recall('a', { product_name: 'Lamp', created, mayRun: true }, NOW);
		workspace.observePage([brief('a')], NOW);
		expect([workspace.freeSlots(), workspace.othersRunning()]).toEqual([1, 0]);
		expect([...workspace.unlisted()]).toEqual([]);
	});
});

test('counts the briefs of a month once each, from wherever they were learnt', () => {
	const workspace = new Workspace();
	workspace.observePage(
		[brief('a'), brief('b', 'ready'), brief('old', 'ready', '2026-10-31')],
		NOW,
	);
	workspace.observe(brief('a', 'ready'), NOW);
	workspace.adopt(brief('c'), NOW);
	workspace.adopt(brief('d', 'ready'), NOW);
	expect(workspace.used(NOW)).toBe(4);
	expect(workspace.used(Date.UTC(2026, 9, 31))).toBe(1);
	expect(workspace.used(Date.UTC(2026, 11, 1))).toBe(0);
});

describe('for an order that has a slot and was refused, both slots are taken', () => {
	test.each<[string, number, (workspace: Workspace) => void, boolean]>([
		['by two briefs', 2, () => undefined, true],
		['by a brief and another order on its way', 1, (one) => one.permit(() => NOW), true],
		['by a brief and one in doubt', 1, (one) => one.holdInDoubt(NOW, NOW), true],
		[
			'by one on its way and one in doubt',
			0,
			(one) => {
				one.permit(() => NOW);
				one.holdInDoubt(NOW, NOW);
			},
			true,
		],
		['but not by one brief', 1, () => undefined, false],
		['but not by one on its way', 0, (one) => one.permit(() => NOW), false],
		['but not by one in doubt', 0, (one) => one.holdInDoubt(NOW, NOW), false],
	])('%s', (_, running, happens, expected) => {
		const workspace = new Workspace();
		workspace.observePage(
			['a', 'b'].slice(0, running).map((id) => brief(id)),
			NOW,
		);
		// Its own slot is not counted.
		workspace.permit(() => NOW);
		happens(workspace);
		expect(workspace.areSlotsTaken()).toBe(expected);
	});
});

describe('one order after the other', () => {
	const young = (id: string) => ({
		...brief(id, 'queued'),
		created_at: new Date(NOW).toISOString(),
	});

	test('is sent: no slot is given while an order has no answer', () => {
		const workspace = new Workspace();
		const permit = workspace.permit(() => NOW);
		expect([workspace.freeSlots(), workspace.slotsToGive()]).toEqual([1, 0]);
		permit.answered();
		permit.answered();
		expect(workspace.slotsToGive()).toBe(1);
		workspace.permit(() => NOW).release();
		expect(workspace.slotsToGive()).toBe(1);
		permit.release();
		workspace.permit(() => NOW);
		expect([workspace.freeSlots(), workspace.slotsToGive()]).toEqual([1, 0]);
	});

	test('needs no look before anything was ordered', () => {
		expect(new Workspace().isLookWanted).toBe(false);
	});

	test('is sent after a look that shows the brief of the one before', () => {
		const workspace = new Workspace();
		workspace.permit(() => NOW).accepted(young('a'));
		expect([workspace.slotsToGive(), workspace.isLookWanted]).toEqual([0, true]);
		workspace.observePage([], NOW + 1000);
		expect([workspace.slotsToGive(), workspace.isLookWanted]).toEqual([0, false]);
		workspace.observePage([young('a')], NOW + 2000);
		expect(workspace.slotsToGive()).toBe(1);
	});

	test('is sent all the same where the list does not show it in two minutes, or it has ended', () => {
		const workspace = new Workspace();
		workspace.permit(() => NOW).accepted(young('a'));
		workspace.observePage([], NOW + 120_000);
		expect(workspace.slotsToGive()).toBe(0);
		workspace.observePage([], NOW + 120_001);
		expect(workspace.slotsToGive()).toBe(1);
		workspace.permit(() => NOW).accepted(young('b'));
		workspace.observe({ ...young('b'), status: 'ready' }, NOW);
		workspace.observe({ ...young('a'), status: 'ready' }, NOW);
		expect(workspace.slotsToGive()).toBe(1);
	});

	test('does not wait for a brief that was there long before', () => {
		const workspace = new Workspace();
		const old = new Date(NOW - 600_000).toISOString();
		workspace.permit(() => NOW).accepted({ ...brief('a', 'writing'), created_at: old });
		expect(workspace.slotsToGive()).toBe(1);
	});

	test('waits for a brief as long as the list usually lags behind, to the millisecond', () => {
		const created = new Date(NOW - 120_000).toISOString();
		const next = (now: number) => {
			const workspace = new Workspace();
			workspace.permit(() => now).accepted({ ...brief('a', 'writing'), created_at: created });
			return workspace.slotsToGive();
		};
		expect([next(NOW), next(NOW + 1)]).toEqual([0, 1]);
	});
});

describe('a brief that runs for very long', () => {
	const since = (minutes: number) => new Date(NOW - minutes * 60_000).toISOString();
	const page = [
		{ ...brief('a', 'writing'), created_at: since(61) },
		{ ...brief('b', 'writing'), created_at: since(59) },
	];

	test('holds no slot that others were seen to have beside it', () => {
		const stuck = page.map((one) => ({ ...one, created_at: since(90) }));
		const workspace = new Workspace();
		workspace.observePage(stuck, NOW);
		expect(workspace.areSlotsTaken()).toBe(true);
		const young = { ...brief('c', 'writing'), created_at: since(1) };
		workspace.observePage([young, ...stuck], NOW);
		// One of the two may still hold the other slot.
		expect(workspace.areSlotsTaken()).toBe(true);
		workspace.observePage([{ ...young, status: 'ready' }, ...stuck], NOW);
		expect(workspace.areSlotsTaken()).toBe(false);
		// Another one that never ends has the slot that it was seen with.
		workspace.observePage([{ ...brief('d', 'writing'), created_at: since(61) }, ...stuck], NOW);
		expect(workspace.areSlotsTaken()).toBe(true);
	});

	test('is not believed to hold a slot, but may be what the service refuses another one for', () => {
		const workspace = new Workspace();
		workspace.observePage(page, NOW);
		expect([workspace.freeSlots(), workspace.areSlotsTaken()]).toEqual([1, true]);
		workspace.observePage(page, NOW + 120_000);
		expect(workspace.freeSlots()).toBe(2);
		expect(workspace.holders().map(({ id, isOurs }) => [id, isOurs])).toEqual([
			['a', false],
			['b', false],
		]);
	});

	test('counts from when it was first seen where its time cannot be read', () => {
		const workspace = new Workspace(0, 60_000);
		const timeless = { ...brief('a', 'writing'), created_at: 'once' };
		workspace.observePage([timeless], NOW);
		workspace.observePage([timeless], NOW + 60_000);
		expect(workspace.freeSlots()).toBe(1);
		workspace.observePage([timeless], NOW + 60_001);
		expect(workspace.freeSlots()).toBe(2);
	});

	test('is forgotten when it is no longer listed', () => {
		const workspace = new Workspace();
		workspace.observePage(page, NOW);
		workspace.observePage([], NOW);
		expect(workspace.holders()).toEqual([]);
	});
});

test('an order in doubt holds its slot no longer because the service’s clock was set back', () => {
	const workspace = new Workspace();
	workspace.permit(() => NOW).keepInDoubt();
	const back = NOW - 5 * 3_600_000;
	workspace.observePage([], back);
	expect(workspace.freeSlots()).toBe(1);
	workspace.observePage([], back + 600_001);
	expect(workspace.freeSlots()).toBe(2);
});
