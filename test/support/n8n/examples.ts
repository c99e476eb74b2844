import { join } from 'node:path';
import { CREDENTIAL_TYPE } from '../../../harness/workflows/package-nodes';
import {
	exampleFolder,
	importExample,
	vendorCredentials,
} from '../../../harness/workflows/examples';
import type { SavedWorkflow } from '../../../harness/workflows/workflow';
import { client, n8n, POLL_SECONDS, type Service } from './rig';

/** The files of the examples that were imported. */
export const imported = new Set<string>();

/**
 * Imports an example as it is in its file, with credentials selected and its placeholders filled in. Its triggers poll
 * every two seconds, and the package's nodes at the pace of the sandbox's clock.
 */
export async function useExample(
	file: string,
	service: Service,
	values: Record<string, string> = {},
): Promise<SavedWorkflow> {
	imported.add(file);
	return await importExample(client(), join(exampleFolder, file), {
		credentials: {
			[CREDENTIAL_TYPE]: service.nodes.reference,
			...(await vendorCredentials(n8n())),
		},
		values,
		pollSeconds: POLL_SECONDS,
	});
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
