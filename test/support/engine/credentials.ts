import type { ICredentialDataDecryptedObject, IHttpRequestOptions } from 'n8n-workflow';
import { CreatorBriefingApi } from '../../../credentials/CreatorBriefingApi.credentials';

/** What n8n's server does with credentials: all nodes have this credential, authenticated as its type declares. */
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
