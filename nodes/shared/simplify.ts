import { readDetails } from '../../service/api/error-details';
import type { Brief, Hook } from '../../service/api/resources';

/** A brief; from Create with whether it was there before. */
export type ShownBrief = Brief & { already_existed?: boolean };

/** The fields that most people go on to use, in the order in which they use them. The text is long, so it is last. */
const BRIEF_FIELDS = [
	'id',
	'title',
	'url',
	'status',
	'product_name',
	'already_existed',
	'error_code',
	'warnings',
	'created_at',
	'finished_at',
	'markdown',
] as const satisfies ReadonlyArray<keyof ShownBrief>;

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

/** The fields of a hook in a refresh, whose time says more than when the video was seen. */
const REFRESHED_FIELDS = HOOK_FIELDS.filter((field) => field !== 'observed_at');

export function simpleBrief(brief: ShownBrief): object {
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
	return Object.fromEntries(
		fields.filter((field) => field in all).map((field) => [field, all[field]]),
	);
}
