import type { BriefRecord } from '../../../batch/folder/journal/records';
import type { BriefInput } from '../../../service/api/resources';

/**
 * A brief that the service holds when a journal is resumed. It knows no key any more: a second order is a second brief.
 */
export interface Held {
	id: string;
	key: string;
	/** The row of csv/products.csv that it is of. */
	row: number;
	created: string;
	minutes: number;
	failed?: boolean;
	/** What the service shows of the order, if that is not all. */
	shows?: BriefInput;
}

/**
 * One run of the same command on a golden journal: when, what is so then, the keys of all creates that are sent, in order,
 * and after it the state, status and brief of each record.
 */
export type Resumed = [
	at: string,
	name: string,
	holds: Held[],
	sent: string[],
	exitCode: number,
	after: string[],
];

export interface GoldenJournal {
	/** In journals/ beside this file. */
	file: string;
	/** The start of the SHA-256 of the file, which shows whether the fixture is damaged or the code changed. */
	bytes: string;
	/** The rows of csv/products.csv that were in the CSV. */
	rows: number[];
	/** Whether a run had begun and not ended. */
	isUnderWay: boolean;
	/** All records, without what is null in them. Written by hand from the lines of the journal. */
	records: Array<Partial<BriefRecord>>;
	resumed: Resumed[];
}

const SOAP_KEY = 'f7255910-08bc-48ba-80be-cdf643dae111';
const SOAP_KEY_2 = '59924f83-c65e-42b7-ba9e-87b3475e3114';
const MUG_KEY = '4910548d-9f5a-4296-aede-dae31929a3d2';
const PAN_KEY = '8f33bfa3-7971-48e1-a4c1-f3558702ad24';
const CREME_KEY = 'e57f7093-f54f-4d99-bb03-be24de3f7fd0';

const ID = '5feceb66-ffc8-4f38-8952-786c6d696c79';
const ID_2 = '6b86b273-ff34-4ce1-8d6b-804eff5a3f57';
const ID_3 = 'd4735e3a-265e-46ee-803f-59718b9b5d03';
const OTHER_ID = '0190a6c0-0000-4000-8000-000000000001';

const SOAP = {
	key: SOAP_KEY,
	row: '4e489797b6356e18529af2ae5fc7a31d',
	generation: 1,
	row_number: 2,
	product_name: 'Lavender Hand Soap',
} as const;

/** The times of a single try, by this machine's clock and by the service's. */
const triedAt = (time: string, service_time: string) => ({
	first_tried: time,
	service_time,
	last_tried: time,
	last_service_time: service_time,
});

const FIRST_TRY = triedAt('2026-11-10T12:00:00.600Z', '2026-11-10T12:00:00.300Z');
const ACCEPTED = { accepted_at: '2026-11-10T12:00:00.900Z', brief_id: ID } as const;
const ENDED = {
	url: `https://app.example/briefs/${ID}`,
	took_ms: 243_000,
	created_at: '2026-11-10T12:00:00.750Z',
	finished_at: '2026-11-10T12:04:00.750Z',
	ended_at: '2026-11-10T12:04:04.200Z',
} as const;
const READY = { ...ENDED, status: 'ready', title: 'A title' } as const;
const WRITTEN = {
	file: 'lavender-hand-soap-5feceb66',
} as const;
const FAILED = { ...ENDED, status: 'failed', error_code: 'research_failed' } as const;
const GENERATION_1_FAILED = {
	...SOAP,
	...FIRST_TRY,
	...ACCEPTED,
	...FAILED,
	state: 'done',
} as const;

const SOAP_BRIEF: Held = {
	id: ID,
	key: SOAP_KEY,
	row: 2,
	created: '2026-11-10T12:00:00.750Z',
	minutes: 4,
};
const FAILED_BRIEF: Held = { ...SOAP_BRIEF, failed: true };
/** What of an order is shown by a service that shows little. */
const NAME_ONLY = { product_name: 'Lavender Hand Soap' };
const NEW = 'done ready new';
const KNOWN = `done ready ${ID}`;

const KNOWN_FAILED = `done failed ${ID}`;

const YOUNG = '2026-11-10T12:05:00Z';
const NINE_MINUTES_ON = '2026-11-10T12:09:00Z';
const AN_HOUR_OLD = '2026-11-10T13:10:00Z';
const DAYS_OLD = '2026-11-13T12:00:00Z';

const RUNNING: Held = { ...SOAP_BRIEF, minutes: 7 };
const LONG: Held = { ...SOAP_BRIEF, minutes: 120 };
const SHORT: Held = { ...SOAP_BRIEF, shows: NAME_ONLY };
const OTHERS: Held = { ...SHORT, id: OTHER_ID, key: '' };
const FROM_BEFORE: Held = { ...SOAP_BRIEF, created: '2026-11-10T11:00:00Z', key: '' };
const LONG_AGO: Held = { ...FROM_BEFORE, created: '2026-10-01T11:00:00Z' };
const OF_SECOND_TRY: Held = { ...SOAP_BRIEF, created: '2026-11-10T12:05:01Z' };
const OF_SECOND_KEY: Held = {
	...SOAP_BRIEF,
	id: ID_2,
	key: SOAP_KEY_2,
	created: '2026-11-10T12:04:05.300Z',
};

/** An order without an answer is looked for, and sent with its own key only if nothing is listed. */
const OPEN: Resumed[] = [
	[YOUNG, 'is young, nothing is listed', [], [SOAP_KEY], 0, [NEW]],
	[YOUNG, 'is young, its brief is listed', [SOAP_BRIEF], [], 0, [KNOWN]],
	[YOUNG, 'is young, its brief is listed and still runs', [RUNNING], [], 0, [KNOWN]],
	[AN_HOUR_OLD, 'is an hour old, nothing is listed', [], [SOAP_KEY], 0, [NEW]],
	[AN_HOUR_OLD, 'is an hour old, its brief is listed', [SOAP_BRIEF], [], 0, [KNOWN]],
	[
		AN_HOUR_OLD,
		'is an hour old, a brief is listed that is likely its own',
		[SHORT],
		[],
		0,
		[KNOWN],
	],
	[DAYS_OLD, 'is days old, nothing is listed', [], [SOAP_KEY], 0, [NEW]],
	[DAYS_OLD, 'is days old, its brief is listed', [SOAP_BRIEF], [], 0, [KNOWN]],
	[DAYS_OLD, 'is days old, its brief is listed as failed', [FAILED_BRIEF], [], 1, [KNOWN_FAILED]],
	[DAYS_OLD, 'is days old, two that may be its own are listed', [SHORT, OTHERS], [], 1, ['parked']],
	[DAYS_OLD, 'is days old, the list shows a brief from before', [FROM_BEFORE], [], 0, [KNOWN]],
	[DAYS_OLD, 'is days old, one from long before is listed', [LONG_AGO], [SOAP_KEY], 0, [NEW]],
];

export const GOLDEN_JOURNALS: GoldenJournal[] = [
	{
		file: 'open.jsonl',
		bytes: '88c92afee62b1e8a',
		rows: [2],
		isUnderWay: true,
		records: [{ ...SOAP, ...FIRST_TRY, state: 'in_doubt' }],
		resumed: OPEN,
	},
	{
		file: 'open-tried-twice.jsonl',
		bytes: '116424982e553e31',
		rows: [2],
		isUnderWay: true,
		records: [
			{
				...SOAP,
				...FIRST_TRY,
				state: 'in_doubt',
				last_tried: '2026-11-10T12:05:01.500Z',
				last_service_time: '2026-11-10T12:05:01.000Z',
			},
		],
		resumed: [
			[NINE_MINUTES_ON, 'is young, nothing is listed', [], [SOAP_KEY], 0, [NEW]],
			[
				AN_HOUR_OLD,
				'is an hour old, the brief of its second try is listed',
				[OF_SECOND_TRY],
				[],
				0,
				[KNOWN],
			],
		],
	},
	{
		// The last line, cut in the middle, would have named the brief.
		file: 'torn.jsonl',
		bytes: '36e2ebacb286b525',
		rows: [2],
		isUnderWay: true,
		records: [{ ...SOAP, ...FIRST_TRY, state: 'in_doubt' }],
		resumed: OPEN,
	},
	{
		file: 'withdrawn.jsonl',
		bytes: 'fe32f7a8a9803a6c',
		rows: [2],
		isUnderWay: false,
		records: [{ ...SOAP, ...FIRST_TRY, state: 'withdrawn' }],
		resumed: [['2026-11-10T14:30:00Z', 'is sent with the same key', [], [SOAP_KEY], 0, [NEW]]],
	},
	{
		file: 'accepted.jsonl',
		bytes: '6a9ab9d849ba15bf',
		rows: [2],
		isUnderWay: true,
		records: [{ ...SOAP, ...FIRST_TRY, ...ACCEPTED, state: 'accepted' }],
		resumed: [
			[YOUNG, 'has ended meanwhile', [SOAP_BRIEF], [], 0, [KNOWN]],
			[YOUNG, 'still runs', [RUNNING], [], 0, [KNOWN]],
			[DAYS_OLD, 'has ended days ago', [SOAP_BRIEF], [], 0, [KNOWN]],
			[DAYS_OLD, 'is not known to the service any more', [], [], 1, [`parked ${ID}`]],
		],
	},
	{
		file: 'ended.jsonl',
		bytes: 'e0470eae5d03c0e4',
		rows: [2],
		isUnderWay: true,
		records: [{ ...SOAP, ...FIRST_TRY, ...ACCEPTED, ...READY, state: 'ended' }],
		resumed: [[DAYS_OLD, 'gets its files', [SOAP_BRIEF], [], 0, [KNOWN]]],
	},
	{
		file: 'done-ready.jsonl',
		bytes: '8519910e17a290e0',
		rows: [2],
		isUnderWay: false,
		records: [{ ...SOAP, ...FIRST_TRY, ...ACCEPTED, ...READY, ...WRITTEN, state: 'done' }],
		resumed: [
			[DAYS_OLD, 'stays so', [SOAP_BRIEF], [], 0, [KNOWN]],
			[DAYS_OLD, 'stays so, though the service has forgotten it', [], [], 0, [KNOWN]],
		],
	},
	{
		file: 'done-failed.jsonl',
		bytes: 'b87ec3cd5e96c016',
		rows: [2],
		isUnderWay: false,
		records: [GENERATION_1_FAILED],
		resumed: [[DAYS_OLD, 'stays so', [FAILED_BRIEF], [], 1, [KNOWN_FAILED]]],
	},
	{
		file: 'refused.jsonl',
		bytes: '7aeca5185e9396b6',
		rows: [2],
		isUnderWay: false,
		records: [
			{
				...SOAP,
				...FIRST_TRY,
				state: 'done',
				status: 'failed',
				error_code: 'validation_failed',
				ended_at: '2026-11-10T12:00:00.900Z',
				error:
					'The service refused the request as not valid (400). It says: Not this product (request req_1)',
			},
		],
		resumed: [[DAYS_OLD, 'stays so', [], [], 1, ['done failed']]],
	},
	{
		file: 'restarted.jsonl',
		bytes: '63cc792888e9c2fe',
		rows: [2],
		isUnderWay: false,
		records: [
			GENERATION_1_FAILED,
			{
				...SOAP,
				key: SOAP_KEY_2,
				generation: 2,
				state: 'withdrawn',
				first_tried: '2026-11-10T12:04:04.200Z',
				last_tried: '2026-11-10T12:04:04.200Z',
			},
		],
		resumed: [
			[
				DAYS_OLD,
				'is sent with its second key',
				[FAILED_BRIEF],
				[SOAP_KEY_2],
				0,
				[KNOWN_FAILED, NEW],
			],
		],
	},
	{
		file: 'restarted-open.jsonl',
		bytes: 'b848e80810335459',
		rows: [2],
		isUnderWay: true,
		records: [
			GENERATION_1_FAILED,
			{
				...SOAP,
				key: SOAP_KEY_2,
				generation: 2,
				state: 'in_doubt',
				first_tried: '2026-11-10T12:04:04.200Z',
				last_tried: '2026-11-10T12:04:05.100Z',
				service_time: '2026-11-10T12:04:05.000Z',
				last_service_time: '2026-11-10T12:04:05.000Z',
			},
		],
		resumed: [
			[
				NINE_MINUTES_ON,
				'is young, nothing but the failed brief is listed',
				[FAILED_BRIEF],
				[SOAP_KEY_2],
				0,
				[KNOWN_FAILED, NEW],
			],
			[
				DAYS_OLD,
				'is days old, its second brief is listed',
				[FAILED_BRIEF, OF_SECOND_KEY],
				[],
				0,
				[KNOWN_FAILED, `done ready ${ID_2}`],
			],
		],
	},
	{
		file: 'parked-with-brief.jsonl',
		bytes: '3056dc1705771c92',
		rows: [2],
		isUnderWay: false,
		records: [
			{
				...SOAP,
				...FIRST_TRY,
				...ACCEPTED,
				state: 'parked',
				error: `The brief was still researching after 30 minutes. It is paid for: run the same command again later to fetch it. If it never ends, ask the vendor’s support about brief ${ID}.`,
			},
		],
		resumed: [
			[DAYS_OLD, 'has ended meanwhile', [LONG], [], 0, [KNOWN]],
			[AN_HOUR_OLD, 'still runs', [LONG], [], 1, [`parked ${ID}`]],
		],
	},
	{
		file: 'parked-without-brief.jsonl',
		bytes: 'a2187ce0d4b8a589',
		rows: [2],
		isUnderWay: false,
		records: [
			{
				...SOAP,
				...FIRST_TRY,
				state: 'parked',
				error: `It was ordered at 2026-11-10T12:00:00.600Z and the answer was lost. Its brief is one of ${ID_2} or ${ID}: look at them in the vendor’s web app.`,
			},
		],
		resumed: [
			[DAYS_OLD, 'stays so if nothing is listed', [], [], 1, ['parked']],
			[DAYS_OLD, 'gets its brief if it is listed', [SOAP_BRIEF], [], 0, [KNOWN]],
		],
	},
	{
		// Four rows: one done, two with running briefs, and one sent without an answer when the process was killed.
		file: 'cut-off.jsonl',
		bytes: 'c93eac5683ef917d',
		rows: [2, 3, 4, 5],
		isUnderWay: true,
		records: [
			{ ...SOAP, ...FIRST_TRY, ...ACCEPTED, ...READY, ...WRITTEN, state: 'done' },
			{
				key: MUG_KEY,
				row: '1341e7d065c95e5b4119303ff585fbf1',
				generation: 1,
				row_number: 3,
				product_name: 'Mug',
				state: 'accepted',
				...FIRST_TRY,
				...ACCEPTED,
				brief_id: ID_2,
			},
			{
				key: PAN_KEY,
				row: 'd9d32b4d8deab418529258f23bbabdcf',
				generation: 1,
				row_number: 4,
				product_name: '12" Pan',
				state: 'accepted',
				...triedAt('2026-11-10T12:04:03.900Z', '2026-11-10T12:04:03.300Z'),
				accepted_at: '2026-11-10T12:04:04.200Z',
				brief_id: ID_3,
			},
			{
				key: CREME_KEY,
				row: '5ce642ae7d8cdaa0a5ba4dd2c5b0f9e6',
				generation: 1,
				row_number: 5,
				product_name: 'Crème “Ré” 🧴 ｆｕｌｌ',
				state: 'in_doubt',
				...triedAt('2026-11-10T12:09:08.700Z', '2026-11-10T12:09:08.200Z'),
			},
		],
		resumed: (['2026-11-10T12:09:30Z', AN_HOUR_OLD, DAYS_OLD] as const).flatMap((at): Resumed[] => {
			const known: Held[] = [
				SOAP_BRIEF,
				{ ...SOAP_BRIEF, id: ID_2, key: MUG_KEY, row: 3, minutes: 9 },
				{ id: ID_3, key: PAN_KEY, row: 4, created: '2026-11-10T12:04:04.050Z', minutes: 6 },
			];
			const creme: Held = {
				id: OTHER_ID,
				key: CREME_KEY,
				row: 5,
				created: '2026-11-10T12:09:09Z',
				minutes: 6,
			};
			const after = [KNOWN, `done ready ${ID_2}`, `done ready ${ID_3}`];
			const [listed, missing] = ['the last brief is listed', 'the last brief is not listed'];
			const all = [...known, creme];
			return [
				[at, `is resumed at ${at}, ${listed}`, all, [], 0, [...after, `done ready ${OTHER_ID}`]],
				[at, `is resumed at ${at}, ${missing}`, known, [CREME_KEY], 0, [...after, NEW]],
			];
		}),
	},
];
