import type { RunEvent } from '../../../batch/events';

type Of<Name extends RunEvent['event']> = Extract<RunEvent, { event: Name }>;

/** One event of each kind that a terminal shows, as plain as they can be. */
export const reported = {
	started: (facts: Partial<Of<'run_started'>> = {}): RunEvent => ({
		event: 'run_started',
		batch: 'b',
		rows: 12,
		to_create: 8,
		to_resume: 1,
		done: 2,
		changed: 0,
		invalid: 1,
		duplicates: 0,
		allowance: 50,
		used: 7,
		others_running: 0,
		...facts,
	}),
	accepted: (row: number, product_name = 'Glow Serum', found = false): RunEvent => ({
		event: 'brief_accepted',
		row,
		product_name,
		brief_id: 'b',
		status: 'queued',
		found,
	}),
	status: (row: number, status: string, product_name = 'x'): RunEvent => ({
		event: 'brief_status',
		row,
		product_name,
		brief_id: 'b',
		status,
	}),
	ready: (row: number, product_name = 'x', facts: Partial<Of<'brief_ready'>> = {}): RunEvent => ({
		event: 'brief_ready',
		row,
		product_name,
		brief_id: 'b',
		title: 'T',
		url: 'https://app.example/b',
		file: 'results/x.md',
		took_ms: 240_000,
		...facts,
	}),
	failed: (row: number, product_name = 'x', error = 'e'): RunEvent => ({
		event: 'row_failed',
		row,
		product_name,
		brief_id: null,
		error_code: 'c',
		reason: 'not_written',
		error,
	}),
	parked: (row: number, product_name = 'x', error = 'e'): RunEvent => ({
		event: 'row_parked',
		row,
		product_name,
		brief_id: null,
		reason: 'unknown_brief',
		error,
	}),
	others: (others_running: number): RunEvent => ({ event: 'others_running', others_running }),
};
