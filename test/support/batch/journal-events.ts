import { JOURNAL_FORMAT, type Lasting, type Line } from '../../../batch/folder/events';
import { fromJournal } from '../../../batch/folder/journal/journal-paths';
import { decodeLine } from '../../../batch/folder/journal/line';
import { noRows } from '../../../batch/folder/journal/row-status';
import { Records } from '../../../batch/folder/records';
import { summaryOf } from '../../../service/api/resources';
import { aBrief } from '../builders';

export type { Lasting };

export const AT = '2026-11-20T09:00:00.000Z';

export const order = (key = 'k1', content_id = 'aaaa', n = 1) => ({
	key,
	content_id,
	try: n,
	product_name: `Product ${content_id}`,
});

/** A brief as an order has it. */
export const listed = (id: string, status = 'queued') =>
	summaryOf(aBrief({ id, status, title: 'A title', url: 'https://app.example/b', created_at: AT }));

export const ROWS_TO_DO = {
	all: 1,
	to_order: 1,
	to_compare: 0,
	to_resume: 0,
	done: 0,
	changed: 0,
	invalid: 0,
	duplicate: 0,
};

const LATE = { reason: 'late', status: 'writing', waited_ms: 1_800_000, unseen_ms: 0 } as const;

/** One line of each kind that speaks of an order, as short as they can be. */
export const entry = {
	batch: (format = JOURNAL_FORMAT) => ({
		event: 'batch' as const,
		format,
		batch: 'products.csv',
		base_url: 'https://api.vendor.example/v1',
	}),
	started: () => ({
		event: 'run_started' as const,
		csv: 'products.csv',
		allowance: 100,
		used: 3,
		rows: ROWS_TO_DO,
		others_running: 0,
	}),
	ordered: (facts = order()) => ({ event: 'ordered' as const, ...facts, content: {} }),
	intended: (key = 'k1') => ({
		event: 'intended' as const,
		key,
		at: AT,
		service_time: AT,
		briefs_known: 0,
	}),
	accepted: (key = 'k1', brief_id = 'brief-1') => ({
		event: 'accepted' as const,
		key,
		brief: listed(brief_id),
		found: false,
		paid: true,
	}),
	withdrawn: (key = 'k1') => ({ event: 'withdrawn' as const, key, why: 'Slow down.' }),
	refused: (key = 'k1', code = 'bad_name') => ({
		event: 'refused' as const,
		key,
		answer: {
			kind: 'invalid_input' as const,
			operation: 'create_brief' as const,
			status: 400,
			...(code !== '' && { code }),
			message: 'Not valid.',
		},
	}),
	ended: (status: 'ready' | 'failed' = 'ready', key = 'k1', brief_id = 'brief-1') => ({
		event: 'ended' as const,
		key,
		brief: {
			...listed(brief_id, status),
			finished_at: AT,
			error_code: status === 'failed' ? 'no_videos' : null,
		},
		took_ms: 240_000,
	}),
	filed: (key = 'k1') => ({ event: 'filed' as const, key, file: 'product-1' }),
	putOff: (key = 'k1') => ({ event: 'put_off' as const, key, ...LATE }),
	parked: (key = 'k1', needs: 'person' | 'later' = 'later') => ({
		event: 'parked' as const,
		key,
		...(needs === 'later' ? LATE : ({ reason: 'unknown_brief' } as const)),
	}),
	runEnded: () => ({
		event: 'run_ended' as const,
		outcome: 'complete' as const,
		exit_code: 0 as const,
		news: true,
		allowance: 100,
		used: 4,
		rest: 96,
		deferral: { reason: 'used_up' as const },
		counts: {
			...noRows(),
			ready: 1,
		},
		known: { failed: 0, invalid: 0, parked: 0, changed: 0 },
		paid: 1,
		taken_over: 0,
		fetched: 1,
		new_briefs: [],
		new_parked: [],
		resets_at: '2026-12-01T00:00:00.000Z',
	}),
};

/** An order and its intent, as they come on record before it is sent. */
export const intent = (facts = order()) => [entry.ordered(facts), entry.intended(facts.key)];

export function timed(line: Lasting, at = AT): Line {
	const stamped: object = Object.assign({ at }, line, { at });
	return stamped as Line;
}

/** What a journal of these lines says. */
export function recordsOf(...lines: Lasting[]): Records {
	const records = new Records();
	for (const line of lines) records.apply(timed(line));
	return records;
}

/** What a journal says; a torn last line counts for nothing, and any other damage throws (P3). */
export function journalIn(bytes: Uint8Array, path: string): { records: Records; lines: number } {
	const records = new Records();
	const lines = Buffer.from(bytes).toString().split('\n').slice(0, -1);
	for (const [at, text] of lines.entries()) {
		const line = decodeLine(at + 1, text);
		if (line === null) throw new Error(`${path} is damaged at line ${at + 1}: ${text}`);
		records.apply(fromJournal(line, path));
	}
	return { records, lines: lines.length };
}
