import type { OperationId } from './contract';

/** docs/api.md section 5. */
const everyScope = [
	'products:read',
	'creator-briefs:read',
	'creator-briefs:execute',
	'seller-advisor:read',
	'seller-advisor:execute',
	'content-iq:read',
	'receipts:read',
	'receipts:documents',
	'receipts:write',
	'receipts:send',
] as const;

type Scope = (typeof everyScope)[number];

/** docs/api.md section 4: the scope that each operation needs. */
export const scopeOf: Readonly<Record<OperationId, Scope>> = {
	list_licences: 'products:read',
	list_briefs: 'creator-briefs:read',
	create_brief: 'creator-briefs:execute',
	get_brief: 'creator-briefs:read',
	list_hooks: 'content-iq:read',
};

export type KeyName =
	| 'allScopes'
	| 'colleague'
	| 'readOnly'
	| 'noProducts'
	| 'otherWorkspace'
	| 'noLicence'
	| 'revoked';

interface KeyWorkspace {
	id: string;
	/** docs/api.md section 1: API access requires a Business licence. */
	business: boolean;
}

export interface Key {
	name: KeyName;
	secret: string;
	workspace: KeyWorkspace;
	scopes: readonly Scope[];
	/** What the key is for, as printed at the start. */
	purpose: string;
}

const studio: KeyWorkspace = { id: 'ws_studio', business: true };
const agency: KeyWorkspace = { id: 'ws_agency', business: true };
const starter: KeyWorkspace = { id: 'ws_starter', business: false };

export const keys: Readonly<Record<KeyName, Key>> = {
	allScopes: {
		name: 'allScopes',
		secret: 'sandbox-all-scopes',
		workspace: studio,
		scopes: everyScope,
		purpose: 'everything, workspace ws_studio',
	},
	colleague: {
		name: 'colleague',
		secret: 'sandbox-colleague',
		workspace: studio,
		scopes: everyScope,
		purpose: 'everything, for another system in the same workspace',
	},
	readOnly: {
		name: 'readOnly',
		secret: 'sandbox-read-only',
		workspace: studio,
		scopes: ['creator-briefs:read', 'content-iq:read', 'products:read'],
		purpose: 'reads in the same workspace, create_brief gives 403',
	},
	noProducts: {
		name: 'noProducts',
		secret: 'sandbox-no-products',
		workspace: studio,
		scopes: ['creator-briefs:read', 'creator-briefs:execute', 'content-iq:read'],
		purpose: 'briefs and hooks in the same workspace, list_licences gives 403',
	},
	otherWorkspace: {
		name: 'otherWorkspace',
		secret: 'sandbox-other-workspace',
		workspace: agency,
		scopes: everyScope,
		purpose: 'everything, workspace ws_agency',
	},
	noLicence: {
		name: 'noLicence',
		secret: 'sandbox-no-licence',
		workspace: starter,
		scopes: everyScope,
		purpose: 'a workspace without a Business licence, every request gives 403',
	},
	revoked: {
		name: 'revoked',
		secret: 'sandbox-revoked',
		workspace: studio,
		scopes: everyScope,
		purpose: 'revoked, every request gives 401',
	},
};
