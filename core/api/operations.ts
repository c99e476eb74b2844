import { toBody } from '../input/idempotency-key';
import { BRIEFS_PAGE_MAX } from './limits';
import type { BriefInput, BriefStatus, HookCategory, HookSort } from './types';

export type OperationId =
	'list_licences' | 'list_briefs' | 'create_brief' | 'get_brief' | 'list_hooks';

/** The scope that each operation needs (docs/api.md 4). */
export const SCOPES: Readonly<Record<OperationId, string>> = {
	list_licences: 'products:read',
	list_briefs: 'creator-briefs:read',
	create_brief: 'creator-briefs:execute',
	get_brief: 'creator-briefs:read',
	list_hooks: 'content-iq:read',
};

/** One request as a plain value (docs/api.md 4). `body` is the exact text that is sent. */
export interface ServiceRequest {
	operation: OperationId;
	method: 'GET' | 'POST';
	/** Relative to the base URL, which ends in /v1. */
	path: string;
	query: Readonly<Record<string, string>>;
	headers: Readonly<Record<string, string>>;
	body?: string;
}

export interface ListBriefsQuery {
	status?: BriefStatus;
	limit?: number;
	cursor?: string;
}

export interface ListHooksQuery {
	category?: HookCategory;
	sort?: HookSort;
	q?: string;
	limit?: number;
}

export function listLicences(): ServiceRequest {
	return get('list_licences', '/licences');
}

export function listBriefs(query: ListBriefsQuery = {}): ServiceRequest {
	const { status, limit = BRIEFS_PAGE_MAX, cursor } = query;
	return get('list_briefs', '/briefs', { status, limit, cursor });
}

export function getBrief(id: string): ServiceRequest {
	return get('get_brief', `/briefs/${encodeURIComponent(id)}`);
}

export function listHooks(query: ListHooksQuery = {}): ServiceRequest {
	return get('list_hooks', '/content-iq/hooks', { ...query });
}

/**
 * The key is sent in header and body, which mean the same (docs/api.md 4.3): a proxy that drops the header cannot make a
 * retry cost a second brief. The same input and key produce the same bytes, whatever the sequence of the fields.
 */
export function createBrief(input: BriefInput, idempotencyKey: string): ServiceRequest {
	return {
		operation: 'create_brief',
		method: 'POST',
		path: '/briefs',
		query: {},
		headers: {
			accept: 'application/json',
			'content-type': 'application/json',
			'idempotency-key': idempotencyKey,
		},
		body: JSON.stringify({ ...toBody(input), idempotency_key: idempotencyKey }),
	};
}

function get(
	operation: OperationId,
	path: string,
	query: Record<string, string | number | undefined> = {},
): ServiceRequest {
	const parameters = Object.entries(query).filter(
		([, value]) => value !== undefined && value !== '',
	);
	return {
		operation,
		method: 'GET',
		path,
		query: Object.fromEntries(parameters.map(([name, value]) => [name, String(value)])),
		headers: { accept: 'application/json' },
	};
}
