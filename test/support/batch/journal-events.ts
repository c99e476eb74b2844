import { JOURNAL_FORMAT, type JournalEvent } from '../../../batch/folder/journal/journal-events';
import { Records } from '../../../batch/folder/journal/records';

/** An event without its time, as it is handed to the journal. */
export type Untimed = JournalEvent extends infer E
	? E extends unknown
		? Omit<E, 'at'>
		: never
	: never;

export const AT = '2026-11-20T09:00:00.000Z';

export const order = (key = 'k1', row = 'aaaa', generation = 1) => ({
	key,
	row,
	generation,
	product_name: `Product ${row}`,
});

const LATE = { reason: 'late', status: 'writing', waited_ms: 1_800_000, unseen_ms: 0 } as const;

/** One event of each kind that speaks of an order, as short as they can be. */
export const entry = {
	batch: (format = JOURNAL_FORMAT) => ({
		type: 'batch' as const,
		format,
		batch: 'products.csv',
		base_url: 'https://api.vendor.example/v1',
	}),
	started: () => ({ type: 'run_started' as const, csv: 'products.csv', allowance: 100, used: 3 }),
	intent: (facts = order()) => ({ type: 'intent' as const, ...facts, service_time: AT }),
	restarted: (facts = order('k2', 'aaaa', 2)) => ({ type: 'restarted' as const, ...facts }),
	accepted: (key = 'k1', brief_id = 'brief-1') => ({
		type: 'accepted' as const,
		key,
		brief_id,
		found: false,
	}),
	withdrawn: (key = 'k1') => ({ type: 'withdrawn' as const, key, why: 'Slow down.' }),
	refused: (key = 'k1', code = 'bad_name') => ({
		type: 'refused' as const,
		key,
		answer: {
			kind: 'invalid_input' as const,
			operation: 'create_brief' as const,
			status: 400,
			...(code !== '' && { code }),
			message: 'Not valid.',
		},
	}),
	ended: (status: 'ready' | 'failed' = 'ready', key = 'k1') => ({
		type: 'ended' as const,
		key,
		status,
		title: 'A title',
		url: 'https://app.example/b',
		error_code: status === 'failed' ? 'no_videos' : null,
		took_ms: 240_000,
		created_at: AT,
		finished_at: AT,
	}),
	written: (key = 'k1') => ({ type: 'written' as const, key, file: 'product-1' }),
	parked: (key = 'k1', needs: 'person' | 'later' = 'later') => ({
		type: 'parked' as const,
		key,
		cause: needs === 'later' ? LATE : ({ reason: 'unknown_brief' } as const),
	}),
	runEnded: () => ({
		type: 'run_ended' as const,
		outcome: 'complete',
		allowance: 100,
		used: 4,
		counts: {
			ready: 1,
			failed: 0,
			invalid: 0,
			deferred: 0,
			parked: 0,
			changed: 0,
			pending: 0,
			duplicate: 0,
		},
	}),
};

export const timed = (event: Untimed, at = AT): JournalEvent => ({ ...event, at });

/** What a journal of these events says. */
export function recordsOf(...events: Untimed[]): Records {
	const records = new Records();
	for (const event of events) records.apply(timed(event));
	return records;
}
