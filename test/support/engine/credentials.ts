import type { ICredentialDataDecryptedObject, IHttpRequestOptions } from 'n8n-workflow';
import { CreatorBriefingApi } from '../../../credentials/CreatorBriefingApi.credentials';

/** Replaces the credentials of n8n's server: every node has this credential, with the authentication of its type. */
export class StubCredentials {
	private readonly type = new CreatorBriefingApi();
	readonly getParentTypes = () => [];
	readonly isCredentialUsableByNode = () => true;
	readonly preAuthentication = () => Promise.resolve(undefined);

	constructor(readonly data: { baseUrl: string; apiKey: string }) {}

	getDecrypted(): Promise<ICredentialDataDecryptedObject> {
		return Promise.resolve({ ...this.data });
	}

	async authenticate(
		credentials: ICredentialDataDecryptedObject,
		_type: string,
		request: IHttpRequestOptions,
	): Promise<IHttpRequestOptions> {
		return await this.type.authenticate(credentials, request);
	}
}
