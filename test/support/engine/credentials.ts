import {
	ICredentialsHelper,
	type ICredentialDataDecryptedObject,
	type ICredentials,
	type IHttpRequestOptions,
} from 'n8n-workflow';
import { CreatorBriefingApi } from '../../../credentials/CreatorBriefingApi.credentials';

/** Stands in for the one of n8n's server: one credential, authenticated as its type declares. */
export class OneCredential extends ICredentialsHelper {
	private readonly type = new CreatorBriefingApi();

	constructor(readonly data: { baseUrl: string; apiKey: string }) {
		super();
	}

	getParentTypes(): string[] {
		return [];
	}
	isCredentialUsableByNode(): boolean {
		return true;
	}
	async authenticate(
		credentials: ICredentialDataDecryptedObject,
		_type: string,
		request: IHttpRequestOptions,
	): Promise<IHttpRequestOptions> {
		return await this.type.authenticate(credentials, request);
	}
	preAuthentication(): Promise<undefined> {
		return Promise.resolve(undefined);
	}
	runPreAuthentication(): Promise<undefined> {
		return Promise.resolve(undefined);
	}
	getCredentials(): Promise<ICredentials> {
		throw new Error('not needed');
	}
	getDecrypted(): Promise<ICredentialDataDecryptedObject> {
		return Promise.resolve({ ...this.data });
	}
	updateCredentials(): Promise<void> {
		return Promise.resolve();
	}
	updateCredentialsOauthTokenData(): Promise<void> {
		return Promise.resolve();
	}
	getCredentialsProperties() {
		return this.type.properties;
	}
}
