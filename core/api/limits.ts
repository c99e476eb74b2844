// docs/api.md 8, and the field sizes of section 4.3. Lengths are in Unicode code points, as in JSON Schema.

/** Briefs that can run in a workspace at the same time. */
export const SLOTS = 2;
export const BRIEFS_PAGE_MAX = 100;
export const HOOKS_LIMIT = { min: 1, max: 80 } as const;
export const HOOKS_QUERY_MAX_LENGTH = 80;

export const PRODUCT_NAME_LENGTH = { min: 2, max: 180 } as const;
export const PRODUCT_ID_PATTERN = /^\d{5,40}$/;
export const TEXT_MAX_LENGTH = {
	audience: 1500,
	objective: 1500,
	approved_facts: 10_000,
	campaign_terms: 3000,
	creative_direction: 3000,
} as const;
export const REFERENCE_URLS_MAX = 8;

/** Time from queued to ready, in milliseconds: typically 3 to 6 minutes (docs/api.md 3). */
export const TYPICAL_DURATION_MS = 4.5 * 60_000;

/** The time between two polls, in milliseconds: `shortest` while a brief is in `checking`, and `usual` for other statuses. */
export interface PollInterval {
	readonly shortest: number;
	readonly usual: number;
}

/** The interval that the service recommends (docs/api.md 3). In `researching`, the poller waits longer. */
export const DEFAULT_POLL_INTERVAL: PollInterval = { shortest: 15_000, usual: 30_000 };
