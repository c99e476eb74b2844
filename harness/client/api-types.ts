/** The fields of n8n's interface that are used here. */

export interface NodeTypeDescription {
	name: string;
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

export interface PublicationStatus {
	status: 'in_progress' | 'not_published' | 'published' | 'partial' | 'failed';
	triggers: Array<{ errorMessage: string | null }>;
}
