// The resources of the service and their fields (docs/api.md 2).

const BRIEF_STATUSES = ['queued', 'researching', 'writing', 'checking', 'ready', 'failed'] as const;
export const HOOK_CATEGORIES = [
	'Beauty & skincare',
	'Wellness',
	'Personal care',
	'Home & kitchen',
	'Fashion',
	'Tech & gadgets',
] as const;
export const HOOK_SORTS = ['score', 'views', 'units_sold', 'newest'] as const;

/** A known value, or a value that the service has added since (P9). */
type Open<T extends string> = T | (string & {});

export type BriefStatus = Open<(typeof BRIEF_STATUSES)[number]>;
export type HookCategory = (typeof HOOK_CATEGORIES)[number];
export type HookSort = (typeof HOOK_SORTS)[number];

/** docs/api.md shows no format. Read it with `parseTimestamp`. */
export type Timestamp = string | number;

export interface Licence {
	product: string;
	name: string;
	channels: string[];
	/** Null if the service shows no number. */
	monthly_allowance: number | null;
	used_this_month: number;
	renews_or_ends_at: Timestamp | null;
}

export interface NamedBrief {
	id: string;
	product_name: string;
}

export interface BriefSummary extends NamedBrief {
	status: BriefStatus;
	title: string | null;
	created_at: Timestamp;
	updated_at: Timestamp;
	finished_at: Timestamp | null;
	url: string;
}

export interface Brief extends BriefSummary {
	input: Record<string, unknown>;
	markdown: string | null;
	document: Record<string, unknown> | null;
	sources: unknown[];
	warnings: unknown[];
	error_code: string | null;
	revision: number;
}

export function toSummary(brief: BriefSummary): BriefSummary {
	const { id, product_name, status, title, created_at, updated_at, finished_at, url } = brief;
	return { id, product_name, status, title, created_at, updated_at, finished_at, url };
}

export interface Hook {
	id: string;
	category: Open<HookCategory>;
	video_id: string;
	video_url: string | null;
	hook: string;
	angle: string | null;
	why_it_works: string | null;
	evidence: string | null;
	views: number | null;
	units_sold: number | null;
	gmv_usd: number | null;
	metric_window_days: number | null;
	is_ad: boolean | null;
	observed_at: Timestamp | null;
}

export interface BriefPage {
	data: BriefSummary[];
	next_cursor: string | null;
}

export interface HookList {
	data: Hook[];
	refreshed_at: Timestamp | null;
}

/** The body of a create request (docs/api.md 4.3), without the idempotency key. */
export interface BriefInput {
	product_name: string;
	product_id?: string;
	audience?: string;
	objective?: string;
	approved_facts?: string;
	campaign_terms?: string;
	creative_direction?: string;
	reference_urls?: string[];
}

/** True if the brief uses a slot. An unknown status counts as running until `finished_at` is set (P9). */
export function isRunning(brief: Pick<BriefSummary, 'status' | 'finished_at'>): boolean {
	if (brief.status === 'ready' || brief.status === 'failed') return false;
	const isKnown = (BRIEF_STATUSES as readonly string[]).includes(brief.status);
	return isKnown || brief.finished_at === null;
}
