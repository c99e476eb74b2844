import { readDetails } from '../../core/api/error-details';
import type { Brief, BriefSummary, Hook } from '../../core/api/types';

/** The fields of a full brief that the brief list does not show. */
export const NO_TEXT: Omit<Brief, keyof BriefSummary> = {
	input: {},
	markdown: null,
	document: null,
	sources: [],
	warnings: [],
	error_code: null,
	revision: 0,
};

/** The fields that most workflows use, in the sequence in which they use them. The text is long, so it is last. */
const BRIEF_FIELDS = [
	'id',
	'title',
	'url',
	'status',
	'product_name',
	'error_code',
	'warnings',
	'created_at',
	'finished_at',
	'markdown',
] as const satisfies ReadonlyArray<keyof Brief>;

/** A brief of Create. Whether the brief existed before is more useful there than when it was finished. */
export type CreatedBrief = Brief & { readonly already_existed: boolean };
const CREATED_BRIEF_FIELDS = [
	'id',
	'title',
	'url',
	'status',
	'product_name',
	'already_existed',
	'error_code',
	'warnings',
	'created_at',
	'markdown',
] as const satisfies ReadonlyArray<keyof CreatedBrief>;

const HOOK_FIELDS = [
	'id',
	'hook',
	'angle',
	'why_it_works',
	'category',
	'video_url',
	'views',
	'units_sold',
	'gmv_usd',
	'observed_at',
] as const satisfies ReadonlyArray<keyof Hook>;

/** The fields of a hook in a refresh. The time of the refresh replaces the time when the video was seen. */
const REFRESHED_FIELDS = HOOK_FIELDS.filter((field) => field !== 'observed_at');

export function simplifyBrief(brief: Brief | CreatedBrief): object {
	// docs/api.md does not show the shape of a warning, and users read them: each becomes a text.
	const readable = { ...brief, warnings: readDetails(brief.warnings) };
	if ('already_existed' in readable) return pick(readable, CREATED_BRIEF_FIELDS);
	return pick(readable, BRIEF_FIELDS);
}

export function simplifyHook(hook: Hook): object {
	return pick(hook, HOOK_FIELDS);
}

export function simplifyRefreshedHook(hook: Hook): object {
	return pick(hook, REFRESHED_FIELDS);
}

function pick<T extends object>(from: T, fields: ReadonlyArray<keyof T>): object {
	return Object.fromEntries(fields.map((field) => [field, from[field]]));
}
