import type { OperationId } from './contract';

const EVERY_SCOPE = [
	'products:read',
	'creator-briefs:read',
	'creator-briefs:execute',
	'content-iq:read',
] as const;

type Scope = (typeof EVERY_SCOPE)[number];

/** docs/api.md section 4: the scope that each operation needs. */
export const requiredScopes: Readonly<Record<OperationId, Scope>> = {
	list_licences: 'products:read',
	list_briefs: 'creator-briefs:read',
	create_brief: 'creator-briefs:execute',
	get_brief: 'creator-briefs:read',
	list_hooks: 'content-iq:read',
};

export type KeyName =
	'allScopes' | 'readOnly' | 'noProducts' | 'otherWorkspace' | 'noLicence' | 'revoked';

export interface Key {
	secret: string;
	workspace: string;
	/** docs/api.md section 1: API access needs a Business licence. */
	hasLicence: boolean;
	scopes: readonly Scope[];
	/** The description that `node sandbox` prints. */
	purpose: string;
}

const studio = { workspace: 'ws_studio', hasLicence: true, scopes: EVERY_SCOPE };

export const keys: Readonly<Record<KeyName, Key>> = {
	allScopes: { ...studio, secret: 'sandbox-all-scopes', purpose: 'everything' },
	readOnly: {
		...studio,
		secret: 'sandbox-read-only',
		scopes: ['products:read', 'creator-briefs:read', 'content-iq:read'],
		purpose: 'same workspace, create_brief returns 403',
	},
	noProducts: {
		...studio,
		secret: 'sandbox-no-products',
		scopes: ['creator-briefs:read', 'creator-briefs:execute', 'content-iq:read'],
		purpose: 'same workspace, list_licences returns 403',
	},
	otherWorkspace: {
		...studio,
		secret: 'sandbox-other-workspace',
		workspace: 'ws_agency',
		purpose: 'everything, in another workspace',
	},
	noLicence: {
		...studio,
		secret: 'sandbox-no-licence',
		workspace: 'ws_starter',
		hasLicence: false,
		purpose: 'a workspace without a Business licence, every request returns 403',
	},
	revoked: {
		...studio,
		secret: 'sandbox-revoked',
		purpose: 'revoked, every request returns 401',
	},
};

/** Returns the name of the key in the Authorization header; undefined for a missing or unknown key. */
export function findKeyName(headers: Readonly<Record<string, string>>): KeyName | undefined {
	const [, secret] = /^Bearer +(\S+)$/i.exec(headers['authorization'] ?? '') ?? [];
	const names = Object.keys(keys) as KeyName[];
	return names.find((name) => keys[name].secret === secret);
}
