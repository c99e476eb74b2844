import {
	UserError,
	type IExecuteFunctions,
	type ILoadOptionsFunctions,
	type IPollFunctions,
} from 'n8n-workflow';
import { ConnectionGone, SendFailure } from '../../core/api/ports';
import { readConnection, type Connection, type CredentialData } from './connection';
import { makeNodeError, makeOperationError, setCode } from './node-errors';

export const CREDENTIAL = 'creatorBriefingApi';

/** n8n's contexts in which these nodes send requests. */
export type Context = IExecuteFunctions | ILoadOptionsFunctions | IPollFunctions;

/** @throws {NodeOperationError} if the credential cannot be read or used */
export async function getConnection(context: Context): Promise<Connection> {
	const credential = await context
		.getCredentials<CredentialData>(CREDENTIAL)
		.catch((thrown: unknown) => {
			throw setCode(makeNodeError(context.getNode(), thrown, Date.now()), 'credential_invalid');
		});
	const connection = readConnection(credential);
	if ('baseUrl' in connection) return connection;
	const [step] = connection.nextSteps;
	throw makeOperationError(context.getNode(), {
		code: 'credential_invalid',
		message: connection.message.replace(/\.$/, ''),
		description: `Open the credential and correct it. ${step?.text ?? ''}`,
	});
}

/**
 * Checks that the credential is the same as at the start of the node. n8n reads the credential again for each request,
 * and a user might have edited or deleted it meanwhile.
 * @throws {SendFailure} if the credential has changed or cannot be read
 */
export async function assertUnchanged(context: Context, atStart: Connection): Promise<void> {
	const credential = await context
		.getCredentials<CredentialData>(CREDENTIAL)
		.catch((thrown: unknown) => {
			const { message } = thrown as Error;
			// Any other error can be a database that is busy for a moment.
			if (!(thrown instanceof UserError)) throw new SendFailure(message, false);
			throw new ConnectionGone(`The credential no longer exists: ${message.replace(/\.$/, '')}`);
		});
	const now = readConnection(credential);
	if ('baseUrl' in now && now.baseUrl === atStart.baseUrl && now.apiKey === atStart.apiKey) return;
	throw new ConnectionGone('The credential was changed while this node was running');
}
