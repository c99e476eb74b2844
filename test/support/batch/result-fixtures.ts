import type { RowResult } from '../../../batch/results/row-result';
import type { WhenBusy } from '../../../batch/results/put-in-place';
import type { Brief } from '../../../service/resources';

export function aBrief(facts: Partial<Brief> = {}): Brief {
	return {
		id: '1f0c22aa-7d41-4c52-9f3e-0a6f2b7c9d10',
		status: 'ready',
		product_name: 'Glow Serum 30 ml',
		title: 'The 10-second glow',
		created_at: '2026-11-20T09:00:00Z',
		updated_at: '2026-11-20T09:04:10Z',
		finished_at: '2026-11-20T09:04:10Z',
		url: 'https://app.vendor.example/briefs/1f0c22aa',
		input: { product_name: 'Glow Serum 30 ml' },
		markdown: '# The 10-second glow\n\nStart on the skin, not on the bottle.\n',
		document: { mission: 'Show the glow' },
		sources: [],
		warnings: [],
		error_code: null,
		revision: 1,
		...facts,
	};
}

export function aRow(facts: Partial<RowResult> = {}): RowResult {
	const cells = facts.cells ?? ['Glow Serum 30 ml'];
	return {
		number: 2,
		product: cells[0] ?? '',
		tries: 1,
		cells,
		status: 'pending',
		brief_id: '',
		title: '',
		url: '',
		file: '',
		error_code: '',
		error: '',
		created_at: '',
		finished_at: '',
		...facts,
	};
}

/** As at the end of a run, on a system where nobody holds a file open. */
export const AT_THE_END: WhenBusy = { isLastTry: true, say: () => undefined };
