import { ServiceError, type ErrorKind } from '../../service/api/errors';
import type { Brief, BriefSummary } from '../../service/api/resources';

/** An error of the service of which nothing else is known. */
export function anError(kind: ErrorKind, facts: Partial<ServiceError> = {}): ServiceError {
	return new ServiceError({ kind, operation: 'create_brief', ...facts });
}

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

/** A brief as the list shows it. */
export function aSummary(facts: Partial<BriefSummary> = {}): BriefSummary {
	return {
		id: 'b',
		status: 'queued',
		product_name: '',
		title: null,
		created_at: '',
		updated_at: '',
		finished_at: null,
		url: '',
		...facts,
	};
}
