import { join } from 'node:path';
import type { CredentialReference } from '../../../harness/client/api-types';
import { CREDENTIAL_TYPE } from '../../../harness/workflows/package-nodes';
import {
	exampleFolder,
	importExample,
	vendorCredentials,
} from '../../../harness/workflows/examples';
import type { SavedWorkflow } from '../../../harness/workflows/workflow';
import { client, n8n, POLL_SECONDS, type Service } from './rig';

export const UUID = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/;

/** The files of the examples that were imported. */
export const imported = new Set<string>();

/**
 * Imports an example from its file, selects its credentials and fills in its placeholders. Its triggers poll every two
 * seconds, and the package's nodes at the pace of the sandbox's clock.
 */
export async function useExample(
	file: string,
	{ nodes }: Pick<Service, 'nodes'>,
	values: Record<string, string> = {},
	credentials: Record<string, CredentialReference> = {},
): Promise<SavedWorkflow> {
	imported.add(file);
	const { chatModel, vendors } = n8n();
	const { type, data } = chatModel.credential(vendors.origin);
	return await importExample(client(), join(exampleFolder, file), {
		credentials: {
			[CREDENTIAL_TYPE]: nodes.reference,
			[type]: await client().createCredential(type, 'Chat model, local stand-in', data),
			...(await vendorCredentials(n8n())),
			...credentials,
		},
		values,
		pollSeconds: POLL_SECONDS,
	});
}

/** Creates n8n's credential for a bearer token. */
export async function createBearer(
	token: string,
): Promise<{ httpBearerAuth: CredentialReference }> {
	return {
		httpBearerAuth: await client().createCredential('httpBearerAuth', 'Bearer', { token }),
	};
}

/** Returns a function that lists what was posted to a Slack channel since this call. */
export function newMessages(): (channel: string) => string[] {
	const { messages } = n8n().slack;
	const before = messages.length;
	return (channel) =>
		messages
			.slice(before)
			.flatMap((message) => (message.channel === channel ? [message.text] : []));
}
