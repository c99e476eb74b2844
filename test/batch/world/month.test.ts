import { Events } from '../../../batch/folder/events';
import { dirname } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Records } from '../../../batch/folder/records';
import { BriefingService } from '../../../service/api/service';
import {
	BATCH,
	JOURNAL,
	openJournal,
	OUT,
	products,
	SETTINGS,
	tableOf,
	wholeRun,
} from '../../support/batch/desk';
import { MemoryDisk, type DiskCall } from '../../support/batch/memory-disk';
import { VirtualSandbox } from '../../support/virtual-sandbox';
import { VirtualClock } from '../../support/virtual-clock';
import { MINUTE, SECOND } from '../../support/time';
import { isTorture } from '../../support/long-run';

/** TORTURE=1 takes as many briefs as two slots can write in a month. */
const BRIEFS = isTorture ? 18_000 : 800;
jest.setTimeout(isTorture ? 7_200_000 : 300_000);

/** What a run has done since it began, counted. */
interface Work {
	requests: number;
	/** Calls of the disk for the journal and for the files of the briefs. */
	diskCalls: number;
	/** Rows of the CSV that were read, and records of the journal that were gone through. */
	walked: number;
	/** Bytes that are in use. */
	heap: number;
}

/**
 * To write results.csv and report.html, all rows and records are gone through. A run writes them less often the longer
 * that takes; this machine is slow enough to show it.
 */
const WALK_TAKES = 0.1 * SECOND;

/** How long the briefs take, one after the other, two at a time. */
const MINUTES = [3, 3.5, 4, 4.5];
const TIME_PER_BRIEF = (3.75 * MINUTE) / 2;

/** Takes so many rows through the service. Notes the work done each time that another `step` briefs were ready. */
async function month(briefs: number, step: number): Promise<Work[]> {
	const clock = new VirtualClock(Date.UTC(2026, 10, 1, 1), Infinity);
	const duration = (index: number) => MINUTES[index % MINUTES.length]! * MINUTE;
	const service = new VirtualSandbox(clock, { latency: 300, allowance: briefs, duration });
	const disk = new MemoryDisk();
	const work: Work = { requests: 0, diskCalls: 0, walked: 0, heap: 0 };
	disk.before = async (call) => {
		const walked = walkedSince(walks) + rowsRead;
		rowsRead = 0;
		work.walked += walked;
		if (!isOfRefresh(call)) work.diskCalls += 1;
		// To go through the records takes no turn of its own: the next thing that is done takes the time.
		if (walked > 0) await clock.sleep(WALK_TAKES * walked);
	};
	const walks = [jest.spyOn(Records.prototype, 'all'), jest.spyOn(Records.prototype, 'inDoubt')];
	let rowsRead = 0;
	const { rows, ...table } = tableOf(products(briefs));
	let ready = 0;
	const noted: Work[] = [];
	const onReady = () => {
		ready += 1;
		// What the tests keep is no work of the run.
		work.requests += service.requests.splice(0).length;
		disk.calls.length = 0;
		if (ready % step === 0) noted.push({ ...work, heap: heapUsed() });
	};
	await disk.makeFolder(OUT);
	const events = new Events();
	events.listen(({ event }) => {
		if (event === 'filed') onReady();
	});
	const journal = await openJournal(disk, clock, events.tell);
	const request = {
		...SETTINGS,
		batch: BATCH,
		rows,
		table: {
			...table,
			get rows() {
				rowsRead += rows.length;
				return rows;
			},
		},
	};
	const { signal: interruption } = new AbortController();
	const asked = new BriefingService(service.send, clock);
	const outside = { service: asked, clock, disk, journal, interruption, events };
	const { end } = await wholeRun(request, outside);
	await journal.close();
	jest.restoreAllMocks();
	expect(end).toMatchObject({ exit_code: 0, counts: { ready: briefs } });
	expect(service.briefs).toHaveLength(briefs);
	return noted;
}

/** The report reads the newest briefs again. */
function isOfRefresh({ operation, path }: DiskCall): boolean {
	const isInFolder = dirname(path) === OUT && path !== JOURNAL;
	return operation === 'read' || isInFolder || (operation === 'makeFolder' && path === OUT);
}

/** How many records these calls have returned, which are forgotten. */
function walkedSince(walks: ReadonlyArray<jest.SpyInstance<unknown[]>>): number {
	let walked = 0;
	for (const walk of walks) {
		for (const { value } of walk.mock.results) walked += (value as unknown[]).length;
		walk.mockClear();
	}
	return walked;
}

function heapUsed(): number {
	setFlagsFromString('--expose-gc');
	(runInNewContext('gc') as () => void)();
	return process.memoryUsage().heapUsed;
}

describe(`a run of ${BRIEFS} briefs`, () => {
	let quarters: Work[];
	/** How much more of it there was for each brief in the last quarter than in the second. */
	const growth = (of: 'requests' | 'diskCalls') => {
		const [first, second, third, last] = quarters.map((work) => work[of]);
		return (last! - third!) / (second! - first!);
	};

	beforeAll(async () => {
		quarters = await month(BRIEFS, BRIEFS / 4);
	});

	test('sends as many requests for each of the last briefs as for earlier ones', () => {
		expect(growth('requests')).toBeCloseTo(1, 1.5);
	});

	test('calls the disk as often for each of the last briefs as for earlier ones', () => {
		expect(growth('diskCalls')).toBeCloseTo(1, 1.5);
	});

	test('keeps its files fresh in a small part of the time, however many rows there are', () => {
		const SHARE_OF_TIME = 0.03;
		const atMost = (SHARE_OF_TIME * TIME_PER_BRIEF) / WALK_TAKES;
		quarters.slice(1).forEach(({ walked }, index) => {
			expect((walked - quarters[index]!.walked) / (BRIEFS / 4)).toBeLessThan(1.2 * atMost);
		});
	});

	test('keeps in memory a short record of each brief and no more', () => {
		const [, half, , end] = quarters;
		expect((end!.heap - half!.heap) / (BRIEFS / 2)).toBeLessThan(5000);
	});
});
