import {
	UserError,
	type IExecuteFunctions,
	type ILoadOptionsFunctions,
	type IPollFunctions,
} from 'n8n-workflow';
import { readConnection, type Connection, type CredentialData } from '../../service/api/connection';
import { ConnectionGone, SendFailure } from '../../service/api/ports';
import { nodeErrorFrom, operationError, withCode } from './node-errors';

export const CREDENTIAL = 'creatorBriefingApi';

/** n8n's contexts in which these nodes speak to the service. */
export type Context = IExecuteFunctions | ILoadOptionsFunctions | IPollFunctions;

export async function connectionOf(context: Context): Promise<Connection> {
	const credential = await context
		.getCredentials<CredentialData>(CREDENTIAL)
		.catch((thrown: unknown) => {
			throw withCode(nodeErrorFrom(context.getNode(), thrown, Date.now()), 'credential_invalid');
		});
	const connection = readConnection(credential);
	if ('baseUrl' in connection) return connection;
	throw operationError(context.getNode(), {
		code: 'credential_invalid',
		message: `The credential's 'Base URL' cannot be used: ${connection.what}`,
		description: `Open the credential and correct it. ${connection.cure}`,
	});
}

/**
 * n8n reads the credential again for each request, and somebody may have edited or deleted it since the node began.
 * @throws {SendFailure} if the credential has changed or cannot be read
 */
export async function assertUnchanged(context: Context, began: Connection): Promise<void> {
	const credential = await context
		.getCredentials<CredentialData>(CREDENTIAL)
		.catch((thrown: unknown) => {
			const { message } = thrown as Error;
			// Any other error may be a database that is busy for a moment.
			if (!(thrown instanceof UserError)) throw new SendFailure(message, false);
			throw new ConnectionGone(
				`The credential is not there any more: ${message.replace(/\.$/, '')}`,
			);
		});
	const now = readConnection(credential);
	if ('baseUrl' in now && now.baseUrl === began.baseUrl && now.apiKey === began.apiKey) return;
	throw new ConnectionGone('The credential was changed while this node was running');
}
