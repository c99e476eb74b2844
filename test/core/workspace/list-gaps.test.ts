import type { BriefSummary } from '../../../core/api/types';
import { ListReader } from '../support/list-reader';
import { HOUR, MINUTE } from '../../support/time';
import type { CreatedBrief, ServiceBehavior, VirtualService } from '../../support/virtual-service';

/** A row is ordered only if the brief list was read without a gap for the period in which a brief could exist. */

let list: ListReader;
let service: VirtualService;
function start(behavior: Partial<ServiceBehavior> = {}): void {
	list = new ListReader(behavior);
	({ service } = list);
}
beforeEach(() => start());

describe('the list has no gap', () => {
	/** Sets the clock of the service back, as its answers show it. */
	async function setBack(ms: number): Promise<void> {
		service.intercept = ({ operation }) => {
			if (operation !== 'list_licences') return null;
			const date = new Date(service.clock.now() - ms).toUTCString();
			return { status: 200, headers: { date }, body: '{"data":[]}' };
		};
		for (let count = 0; count < 2; count += 1) await list.context.client.listLicences();
	}

	/** Creates L, which is listed late, and below B although B is six minutes older. */
	function createLate(): void {
		list.create('L', 'B');
		const late = service.created[1]!;
		Object.assign(late, { listedAt: late.listedAt + 6 * MINUTE });
		show((time, brief) => new Date(brief === late ? time + 6 * MINUTE : time).toISOString());
	}

	test('after a page that arrives after a younger page', async () => {
		await list.createDaily('ABCD');
		service.delayAnswer = () => (service.count('list_briefs') === 1 ? 1000 : 0);
		const slow = list.readNewestPage();
		await service.clock.pass(200);
		list.create('E');
		await list.readNewestPage();
		await slow;
		expect(await list.readNames()).toBe('EDCBA');
	});

	test('after a page that takes an hour to arrive', async () => {
		list.create('A');
		service.delayAnswer = () => (service.count('list_briefs') === 1 ? HOUR : 0);
		const reading = list.readNames();
		await service.clock.pass(30 * MINUTE);
		list.create('B', 'C', 'D');
		expect(await reading).toBe('A');
		await list.readNewestPage();
		expect(await list.readNames()).toHaveLength(4);
	});

	test('after a brief that is listed late, below an older brief', async () => {
		start({ listLagMs: 10 * MINUTE });
		list.create('A');
		await service.clock.pass(45 * MINUTE);
		createLate();
		await service.clock.pass(5.5 * MINUTE);
		list.create('C');
		await service.clock.pass(9.5 * MINUTE);
		expect(await list.readNames()).toBe('BA');
		await service.clock.pass(2 * MINUTE);
		await list.readNewestPage();
		expect(await list.readNames()).toHaveLength(4);
	});

	test('after a late brief below a brief six minutes older, if an answer shows a newer brief', async () => {
		start({ listLagMs: 10 * MINUTE });
		list.create('A');
		await service.clock.pass(46 * MINUTE);
		createLate();
		await service.clock.pass(14 * MINUTE);
		list.create('C');
		list.briefs.remember([service.show(service.created[3]!) as BriefSummary]);
		expect(await list.readNames()).toBe('CBA');
		await service.clock.pass(12 * MINUTE);
		await list.readNewestPage();
		expect(await list.readNames()).toBe('CLBA');
	});

	test('after a poll of another caller while the pages are read', async () => {
		start({ pageSize: 4 });
		await list.createDaily('a'.repeat(20));
		const reading = list.readNames();
		await service.clock.pass(500);
		list.create('A', 'B', 'C');
		await service.clock.pass(500);
		// More briefs than the newest page shows.
		list.create('D', 'E');
		await list.readNewestPage();
		expect(await reading).toHaveLength(25);
	});

	test('after the clock of the service was set back before the pages are read', async () => {
		await list.createDaily('ABCDEF');
		await list.readNewestPage();
		await setBack(MINUTE);
		await service.clock.pass(5000);
		expect(await list.readNames()).toBe('FEDCBA');
	});

	test('after the clock of the service was set back between two pages', async () => {
		await list.createDaily('A');
		await list.readNames();
		await setBack(5 * MINUTE);
		list.create('B', 'C', 'D');
		await list.readNewestPage();
		expect(await list.readNames()).toHaveLength(4);
	});
});

const FORMATS: ReadonlyArray<readonly [string, (time: number) => string]> = [
	['is exact', (time) => new Date(time).toISOString()],
	['is two hours behind', (time) => new Date(time - 2 * HOUR).toISOString()],
	['is two hours ahead', (time) => new Date(time + 2 * HOUR).toISOString()],
	['has only minutes', (time) => new Date(time).toISOString().slice(0, 16)],
	['has only days', (time) => new Date(time).toISOString().slice(0, 10)],
	['cannot be read', () => 'soon'],
];

function show(format: (time: number, brief: CreatedBrief) => string): void {
	const original = service.show.bind(service);
	service.show = (brief) => ({ ...original(brief), created_at: format(brief.createdAt, brief) });
}

describe.each([
	['after more briefs than a page shows', 0, 30_000, 2],
	['after a brief that is listed late', 5 * MINUTE, 4 * MINUTE, 1],
])('the list has no gap %s', (_title, listLagMs, pause, listed) => {
	test.each(FORMATS)('if created_at %s', async (_, format) => {
		start({ listLagMs });
		show(format);
		list.create('A');
		await service.clock.pass(HOUR);
		list.create('B');
		await service.clock.pass(pause);
		expect(await list.readNames(-2)).toHaveLength(listed);
		list.create('C', 'D', 'E');
		await service.clock.pass(6 * MINUTE);
		await list.readNewestPage();
		expect(await list.readNames(-2)).toHaveLength(5);
	});
});

test('the list has no gap after a brief from the future', async () => {
	show((time) => (time === list.start ? '2099-01-01' : new Date(time).toISOString()));
	list.create('A');
	await service.clock.pass(HOUR);
	list.create('B');
	await service.clock.pass(MINUTE);
	expect(await list.readNames()).toBe('AB');
	await service.clock.pass(HOUR);
	list.create('C', 'D', 'E');
	await list.readNewestPage();
	expect(await list.readNames()).toHaveLength(5);
});

test.each(FORMATS.slice(0, -1))(
	'a complete list is not read again if created_at %s',
	async (_, format) => {
		show(format);
		await list.createDaily('ABCDEF');
		await list.readNames();
		await list.readNewestPage();
		expect(await list.countLists(() => list.readNames())).toBe(0);
		list.create('G');
		await list.readNewestPage();
		// One more page, in case a brief is listed late below the newest known brief.
		expect(await list.countLists(() => list.readNames())).toBeLessThanOrEqual(1);
	},
);

test('the list is read to its end if created_at cannot be read', async () => {
	show(() => 'soon');
	await list.createDaily('ABCDEF');
	expect(await list.countLists(() => list.readNames(4))).toBe(3);
	await list.readNewestPage();
	expect(await list.countLists(() => list.readNames(4))).toBe(2);
});
