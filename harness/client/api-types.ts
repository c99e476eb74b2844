/** The part of n8n's interface that is used here. */

export interface NodeTypeDescription {
	name: string;
	displayName: string;
	version: number | number[];
	group: string[];
	properties: Array<Record<string, unknown>>;
	credentials?: Array<Record<string, unknown>>;
	outputs: unknown;
	usableAsTool?: boolean;
	[field: string]: unknown;
}

export interface CredentialReference {
	id: string;
	name: string;
}

export interface CredentialTestResult {
	status: 'OK' | 'Error';
	message: string;
}

export interface LocatorPage {
	results: Array<{ name: string; value: string | number; url?: string; description?: string }>;
	paginationToken?: string;
}

export interface PublicationStatus {
	status: 'in_progress' | 'not_published' | 'published' | 'partial' | 'failed';
	triggers: Array<{ nodeId: string; status: string; errorMessage: string | null }>;
}

export interface WorkflowRunOptions {
	/** The trigger to start from. The workflow's first trigger if not given. */
	trigger?: string;
	/** Run up to and with this node only. */
	destination?: string;
	timeoutMs?: number;
}
