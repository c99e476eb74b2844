import type { RowResult } from '../../../batch/results/row-result';
import type { WhenBusy } from '../../../batch/folder/put-in-place';

export function aRow(facts: Partial<RowResult> = {}): RowResult {
	const cells = facts.cells ?? ['Glow Serum 30 ml'];
	return {
		number: 2,
		product: cells[0] ?? '',
		cells,
		status: 'pending',
		brief_id: '',
		title: '',
		url: '',
		file: '',
		error_code: '',
		error: '',
		next: [],
		created_at: '',
		finished_at: '',
		...facts,
	};
}

/** As at the end of a run, on a system without open files. */
export const AT_THE_END: WhenBusy = { isLastTry: true, report: () => undefined };
