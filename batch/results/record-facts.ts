import type { BriefRecord } from '../journal/records';
import { notWritten } from './failed-groups';
import type { RowResult, RowStatus } from './row-result';

/** What results.csv says of an order. */
export function factsOf(record: BriefRecord): Omit<RowResult, 'number' | 'cells' | 'status'> {
	return {
		product: record.product_name,
		tries: record.generation,
		brief_id: record.brief_id ?? '',
		title: record.title ?? '',
		url: record.url ?? '',
		file: record.file === null ? '' : `results/${record.file}.md`,
		error_code: record.error_code ?? '',
		error: record.error ?? (record.status === 'failed' ? notWritten(record.error_code) : ''),
		created_at: String(record.created_at ?? ''),
		finished_at: String(record.finished_at ?? ''),
	};
}

export function statusOf({
	state,
	status,
}: BriefRecord): Extract<RowStatus, 'ready' | 'failed' | 'parked' | 'pending'> {
	switch (state) {
		case 'withdrawn':
		case 'in_doubt':
		case 'accepted':
		case 'ended':
			return 'pending';
		case 'parked':
			return 'parked';
		case 'done':
			return status === 'failed' ? 'failed' : 'ready';
	}
}
