import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { CREDENTIAL } from '../../../harness/workflows/package-nodes';
import { client, isNewest, serviceWith } from '../../support/n8n/rig';

export function credential(): void {
	describe('the test of a credential', () => {
		it('passes with a good key, with or without a slash behind the address', async () => {
			const { sandbox } = await serviceWith();
			const apiKey = sandbox.keys.allScopes;
			for (const baseUrl of [sandbox.url, `${sandbox.url}/`, ` ${sandbox.url} `]) {
				expect(await test(baseUrl, apiKey)).toMatchObject({ status: 'OK' });
			}
			expect(sandbox.requests.map(({ method, path }) => `${method} ${path}`)).toEqual(
				Array(3).fill('GET /v1/licences'),
			);
		});

		it('does not pass with a refused key', async () => {
			const { sandbox } = await serviceWith();
			const { status, message } = await test(sandbox.url, sandbox.keys.revoked);
			expect(status).toBe('Error');
			// Older versions have texts of their own.
			if (isNewest)
				expect(message).toMatch(/^The API key was refused: .*\(401\)\. Create a new one/);
		});

		it('says of a key without products:read that it may work for briefs and hooks', async () => {
			const { sandbox } = await serviceWith();
			const { status, message } = await test(sandbox.url, sandbox.keys.noProducts);
			expect(status).toBe('Error');
			if (isNewest) expect(message).toMatch(/products:read.*may still work for briefs and hooks/);
		});

		it('tells of a wrong address', async () => {
			const { sandbox } = await serviceWith();
			const forgotten = await test(sandbox.url.replace('/v1', ''), sandbox.keys.allScopes);
			expect(forgotten.status).toBe('Error');
			if (isNewest)
				expect(forgotten.message).toMatch(/does not answer at this Base URL.*\/v1.*\(404\)/);
			const nobody = await test('http://127.0.0.1:9/v1', sandbox.keys.allScopes);
			expect(nobody.status).toBe('Error');
			expect(nobody.message).toMatch(/refused|connect/i);
		});

		it('takes no page of somebody else for the service', async () => {
			const page = createServer((_request, answer) => {
				answer.setHeader('content-type', 'text/html').end('<title>Log in</title>');
			});
			await new Promise<void>((done) => page.listen(0, '127.0.0.1', done));
			try {
				const { port } = page.address() as AddressInfo;
				const { status, message } = await test(`http://127.0.0.1:${port}/v1`, 'any');
				expect(status).toBe('Error');
				if (isNewest) expect(message).toMatch(/no proxy or login page may stand in front of it/);
			} finally {
				page.close();
			}
		});
	});
}

function test(baseUrl: string, apiKey: string) {
	return client().testCredential(CREDENTIAL, { baseUrl, apiKey });
}
