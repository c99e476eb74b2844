import { readDetails } from '../../service/api/error-details';
import type { Brief, Hook } from '../../service/api/resources';

/** The fields that most people go on to use, ten at most, the useful ones first (n8n's guidelines for Simplify). */
const BRIEF_FIELDS = [
	'id',
	'status',
	'title',
	'product_name',
	'markdown',
	'url',
	'error_code',
	'warnings',
	'created_at',
	'finished_at',
] as const satisfies ReadonlyArray<keyof Brief>;

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

/** Of a refresh, whose time says more than when the video was seen. */
const REFRESHED_FIELDS = HOOK_FIELDS.filter((field) => field !== 'observed_at');

export function simpleBrief(brief: Brief): object {
	// How the service writes a warning is not shown, and people read them: each becomes a text.
	return { ...only(BRIEF_FIELDS, brief), warnings: readDetails(brief.warnings) };
}

export function simpleHook(hook: Hook): object {
	return only(HOOK_FIELDS, hook);
}

export function simpleRefreshedHook(hook: Hook): object {
	return only(REFRESHED_FIELDS, hook);
}

function only<T extends object>(fields: ReadonlyArray<keyof T>, all: T): object {
	return Object.fromEntries(fields.map((field) => [field, all[field]]));
}
