import { createServer } from 'node:http';
import { rows, start } from '../../../harness/workflows/built-in-nodes';
import { CREDENTIAL_TYPE } from '../../../harness/workflows/package-nodes';
import type { Sandbox } from '../../../sandbox/sandbox';
import { listening } from '../../support/listening';
import { firings } from '../../support/n8n/firings';
import {
	client,
	isNewest,
	testWorkflow,
	openSandbox,
	serviceWith,
	type Service,
} from '../../support/n8n/rig';

export function credential(): void {
	describe('the test of a credential', () => {
		it('passes with a good key, with or without a slash at the end of the address', async () => {
			const { sandbox } = await serviceWith();
			const apiKey = sandbox.keys.allScopes;
			for (const baseUrl of [sandbox.url, `${sandbox.url}/`, ` ${sandbox.url} `]) {
				expect(await test(baseUrl, apiKey)).toMatchObject({ status: 'OK' });
			}
			expect(sandbox.requests.map(({ method, path }) => `${method} ${path}`)).toEqual(
				Array(3).fill('GET /v1/licences'),
			);
		});

		type Given = (sandbox: Sandbox) => [baseUrl: string, apiKey: string];
		const unencrypted =
			/^The credential's 'Base URL' cannot be used\. .*without encryption\. Use https:/;

		// Older versions have texts of their own for what the service answers.
		it.each<[string, Given, RegExp, RegExp?]>([
			[
				'a refused key',
				({ url, keys }) => [url, keys.revoked],
				/^API key refused \(401\): .*Create a new key/,
			],
			[
				'a key without products:read',
				({ url, keys }) => [url, keys.noProducts],
				/\(403\).*products:read.*works for briefs and hooks\.$/,
			],
			[
				'an address without its path',
				({ url, keys }) => [url.replace('/v1', ''), keys.allScopes],
				/^The service did not answer at this 'Base URL' \(404\)\. .*\/v1/,
			],
			[
				'an address without a server',
				() => ['http://127.0.0.1:9/v1', 'any'],
				/refused|connect/i,
				/refused|connect/i,
			],
			['an unencrypted address', () => ['http://10.0.0.1:1/v1', 'any'], unencrypted, unencrypted],
		])('fails with %s', async (_, given, message, always = /./) => {
			const { sandbox } = await serviceWith();
			const { status, message: shown } = await test(...given(sandbox));
			expect(status).toBe('Error');
			expect(shown).toMatch(isNewest ? message : always);
		});

		it('fails if another program answers with a page', async () => {
			const page = createServer((_request, answer) => {
				answer.setHeader('content-type', 'text/html').end('<title>Log in</title>');
			});
			const port = await listening(page);
			const { status, message } = await test(`http://127.0.0.1:${port}/v1`, 'any');
			expect(status).toBe('Error');
			expect(message).toMatch(isNewest ? /no proxy or sign-in page is in front of it/ : /./);
		});
	});

	describe('the key of a credential', () => {
		it('is not sent to another host by n8n’s HTTP Request node, nor with a redirect', async () => {
			const { sandbox, nodes, run } = await serviceWith();
			const other = await openSandbox({});
			const elsewhere = await run([{}], nodes.httpRequest(`${other.url}/licences`));
			expect(elsewhere.status).toBe('error');
			expect(elsewhere.error!.message).toMatch(
				/^The API key was not sent, because it is only for http/,
			);
			expect(other.requests).toEqual([]);
			sandbox.faults.add({ kind: 'redirect' });
			const redirected = await run([{}], nodes.httpRequest(`${sandbox.url}/licences`));
			expect(redirected.status).toBe('error');
			expect(withKey(sandbox)).toBe(1);
			expect(sandbox.requests).toHaveLength(1);
		});

		it('is sent with each request of a poll, even if two triggers of one workflow poll in the same second', async () => {
			const { sandbox, nodes } = await serviceWith({ speed: 1 });
			const both = [
				{ ...nodes.trigger('hooksRefreshed', { options: { checkInterval: 0 } }), name: 'Hooks' },
				{ ...nodes.trigger('briefFinished'), name: 'Briefs' },
			];
			const { id } = sandbox.addBrief({ durationMs: 999_000_000 });
			const saved = await client().createWorkflow({ ...testWorkflow(both), connections: {} });
			await client().publishAndWait(saved);
			try {
				// The poll of the other trigger is over before this one has read the brief.
				sandbox.faults.add({ kind: 'slow', delayMs: 500, operation: 'list_briefs', times: 1_000 });
				sandbox.advance(10_000);
				sandbox.finish(id, 'ready');
				const [fired] = await firings(saved, 1);
				expect(fired!.json('Briefs')).toMatchObject([{ id, status: 'ready' }]);
			} finally {
				await client().unpublish(saved.id);
			}
		}, 90_000);

		it.each<[string, RegExp, (service: Service, other: Sandbox) => Promise<unknown>]>([
			[
				'is edited',
				/: the credential was changed/,
				({ nodes }, { url }) => {
					const data = { baseUrl: url, apiKey: 'key-of-another-workspace' };
					return client().editCredential(nodes.reference, CREDENTIAL_TYPE, data);
				},
			],
			[
				'is deleted',
				/: the credential no longer exists: /,
				({ nodes }) => client().deleteCredential(nodes.reference),
			],
		])('ends the execution that waits with it if the credential %s', async (_, message, change) => {
			const service = await serviceWith({ speed: 1 });
			const { sandbox, nodes, count } = service;
			const other = await openSandbox({});
			const { id } = sandbox.addBrief();
			const saved = await client().createWorkflow(
				testWorkflow([start, rows([{ id }]), nodes.wait()]),
			);
			const execution = await client().startManually(saved);
			while (count() < 3) await new Promise((resolve) => setTimeout(resolve, 50));
			await change(service, other);
			const { error } = await client().waitForEnd(execution);
			expect(error!.message).toMatch(message);
			expect(error!.message).toContain(id);
			expect(sandbox.requests.filter(({ key }) => key !== 'allScopes')).toEqual([]);
			expect(other.requests).toEqual([]);
		});
	});
}

/** Returns how many requests came with a key. */
function withKey({ requests }: Sandbox): number {
	return requests.filter(({ authorised }) => authorised).length;
}

function test(baseUrl: string, apiKey: string) {
	return client().testCredential(CREDENTIAL_TYPE, { baseUrl, apiKey });
}
