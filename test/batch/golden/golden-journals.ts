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
	/** In test/golden/journals/. */
	file: string;
	/** The rows of csv/products.csv that were in the CSV; without it, row 2. */
	rows?: number[];
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
/** Older than the list is read: until then an unknown brief means the key of another workspace. */
const WEEKS_OLD = '2026-12-20T12:00:00Z';

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
	{ file: 'open.jsonl', resumed: OPEN },
	{
		file: 'open-tried-twice.jsonl',
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
		resumed: OPEN,
	},
	{
		file: 'withdrawn.jsonl',
		resumed: [['2026-11-10T14:30:00Z', 'is sent with the same key', [], [SOAP_KEY], 0, [NEW]]],
	},
	{
		file: 'accepted.jsonl',
		resumed: [
			[YOUNG, 'has ended meanwhile', [SOAP_BRIEF], [], 0, [KNOWN]],
			[YOUNG, 'still runs', [RUNNING], [], 0, [KNOWN]],
			[DAYS_OLD, 'has ended days ago', [SOAP_BRIEF], [], 0, [KNOWN]],
			[WEEKS_OLD, 'is not known to the service any more', [], [], 1, [`parked ${ID}`]],
		],
	},
	{ file: 'ended.jsonl', resumed: [[DAYS_OLD, 'gets its files', [SOAP_BRIEF], [], 0, [KNOWN]]] },
	{
		file: 'done-ready.jsonl',
		resumed: [
			[DAYS_OLD, 'stays so', [SOAP_BRIEF], [], 0, [KNOWN]],
			[WEEKS_OLD, 'stays so, though the service has forgotten it', [], [], 0, [KNOWN]],
		],
	},
	{
		file: 'done-failed.jsonl',
		resumed: [[DAYS_OLD, 'stays so', [FAILED_BRIEF], [], 1, [KNOWN_FAILED]]],
	},
	{ file: 'refused.jsonl', resumed: [[DAYS_OLD, 'stays so', [], [], 1, ['refused']]] },
	{
		file: 'restarted.jsonl',
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
		resumed: [
			[DAYS_OLD, 'has ended meanwhile', [LONG], [], 0, [KNOWN]],
			[AN_HOUR_OLD, 'still runs', [LONG], [], 1, [`parked ${ID}`]],
		],
	},
	{
		file: 'parked-without-brief.jsonl',
		resumed: [
			[DAYS_OLD, 'stays so if nothing is listed', [], [], 1, ['parked']],
			[DAYS_OLD, 'gets its brief if it is listed', [SOAP_BRIEF], [], 0, [KNOWN]],
		],
	},
	{
		// Four rows: one done, two with running briefs, and one sent without an answer when the process was killed.
		file: 'cut-off.jsonl',
		rows: [2, 3, 4, 5],
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
