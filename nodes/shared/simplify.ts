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

/** A brief of Create. Whether the brief existed before is more useful there than when it was finished. */
export type CreatedBrief = Brief & { readonly already_existed: boolean };

/** The fields that most workflows use, in the sequence in which they use them. The text is long, so it is last. */
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

export function simplifyBrief(brief: Brief | CreatedBrief): object {
	// docs/api.md does not show the shape of a warning, and users read them: each becomes a text.
	const readable = { ...brief, warnings: readDetails(brief.warnings) };
	return pick(
		readable,
		BRIEF_FIELDS,
		'already_existed' in brief ? 'finished_at' : 'already_existed',
	);
}

export function simplifyHook(hook: Hook): object {
	return pick(hook, HOOK_FIELDS);
}

/** In a refresh, the time of the refresh replaces the time when the video was seen. */
export function simplifyRefreshedHook(hook: Hook): object {
	return pick(hook, HOOK_FIELDS, 'observed_at');
}

function pick<Field extends string>(
	from: Partial<Record<Field, unknown>>,
	fields: readonly Field[],
	omitted?: Field,
): object {
	const kept = fields.filter((field) => field !== omitted);
	return Object.fromEntries(kept.map((field) => [field, from[field]]));
}
