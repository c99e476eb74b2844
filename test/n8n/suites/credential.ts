import { createServer } from 'node:http';
import { rows, start } from '../../../harness/workflows/built-in-nodes';
import { CREDENTIAL_TYPE } from '../../../harness/workflows/package-nodes';
import type { Sandbox } from '../../../sandbox/sandbox';
import { pollUntil } from '../../../harness/process/poll-until';
import { listenOnFreePort } from '../../support/listen-on-free-port';
import { waitForSuccess } from '../../support/n8n/executions';
import {
	client,
	isNewest,
	openSandbox,
	publish,
	openService,
	STILL,
	testWorkflow,
	type Service,
} from '../../support/n8n/rig';

type Values = [baseUrl: string, apiKey: string];

/** Tests a credential with the button in its form. */
function testCredential([baseUrl, apiKey]: Values) {
	return client().testCredential(CREDENTIAL_TYPE, { baseUrl, apiKey });
}

/** Returns the address of another program, which answers with a page. */
async function startPage(): Promise<string> {
	const page = createServer((_request, answer) => {
		answer.setHeader('content-type', 'text/html').end('<title>Log in</title>');
	});
	return `http://127.0.0.1:${await listenOnFreePort(page)}/v1`;
}

export function credential(): void {
	describe('the test of a credential', () => {
		test('passes with a good key, with or without a slash at the end of the address', async () => {
			const { sandbox } = await openService();
			const { url, keys } = sandbox;
			for (const baseUrl of [url, `${url}/`, ` ${url} `])
				expect(await testCredential([baseUrl, keys.allScopes])).toMatchObject({ status: 'OK' });
			expect(sandbox.requests.map(({ method, path }) => `${method} ${path}`)).toEqual(
				Array(3).fill('GET /v1/licences'),
			);
		});

		test.each<[string, (sandbox: Sandbox) => Values | Promise<Values>, RegExp]>([
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
			['an address without a server', () => ['http://127.0.0.1:9/v1', 'any'], /refused|connect/i],
			[
				'the page of another program',
				async () => [await startPage(), 'any'],
				/no proxy or sign-in page is in front of it/,
			],
			[
				'an unencrypted address',
				() => ['http://10.0.0.1:1/v1', 'any'],
				/^The credential's 'Base URL' cannot be used\. .*without encryption\. Use https:/,
			],
		])('fails with %s', async (_, getValues, message) => {
			const { sandbox } = await openService();
			const result = await testCredential(await getValues(sandbox));
			expect(result.status).toBe('Error');
			// Older versions show their own texts for answers of the service.
			if (isNewest) expect(result.message).toMatch(message);
		});
	});

	describe('the key of a credential', () => {
		test('is not sent to another host by n8n’s HTTP Request node, nor with a redirect', async () => {
			const { sandbox, nodes, run } = await openService();
			const other = await openSandbox();
			const elsewhere = await run([{}], nodes.httpRequest(`${other.url}/licences`));
			expect(elsewhere.error!.message).toMatch(
				/^The API key was not sent, because it is only for http/,
			);
			expect(other.requests).toEqual([]);
			sandbox.faults.add({ kind: 'redirect' });
			const redirected = await run([{}], nodes.httpRequest(`${sandbox.url}/licences`));
			expect(redirected.status).toBe('error');
			expect(sandbox.requests).toMatchObject([{ key: 'allScopes' }]);
		});

		test('is sent with each request of a poll, even if two triggers of one workflow poll in the same second', async () => {
			const { sandbox, nodes } = await openService(STILL);
			const both = [
				{ ...nodes.trigger('briefFinished', { outcome: 'failed' }), name: 'Failed briefs' },
				{ ...nodes.trigger('briefFinished'), name: 'Briefs' },
			];
			const { id } = sandbox.addBrief({ durationMs: 999_000_000 });
			const workflow = { ...testWorkflow(both), connections: {} };
			const saved = await publish(await client().createWorkflow(workflow));
			// The poll of the other trigger ends before this trigger has read the brief.
			sandbox.faults.add({ kind: 'slow', delayMs: 500, operation: 'list_briefs', times: 1_000 });
			sandbox.advance(10_000);
			sandbox.finish(id, 'ready');
			const [execution] = await waitForSuccess(saved);
			expect(execution!.json('Briefs')).toMatchObject([{ id, status: 'ready' }]);
		}, 90_000);

		test.each<[string, RegExp, (service: Service, other: Sandbox) => Promise<unknown>]>([
			[
				'is edited',
				/^The credential was changed/,
				({ nodes }, { url }) => {
					const data = { baseUrl: url, apiKey: 'key-of-another-workspace' };
					return client().editCredential(nodes.reference, CREDENTIAL_TYPE, data);
				},
			],
			[
				'is deleted',
				/^The credential no longer exists: /,
				({ nodes }) => client().deleteCredential(nodes.reference),
			],
		])('is not used by a waiting execution after the credential %s', async (_, message, change) => {
			const service = await openService(STILL);
			const { sandbox, nodes, count } = service;
			const other = await openSandbox();
			const { id } = sandbox.addBrief();
			const saved = await client().createWorkflow(
				testWorkflow([start, rows([{ id }]), nodes.wait()]),
			);
			const execution = await client().startManually(saved);
			const hasPolled = () => count() >= 3 || undefined;
			await pollUntil(hasPolled, {
				timeoutMs: 20_000,
				getTimeoutMessage: () => 'n8n did not poll.',
			});
			await change(service, other);
			const { error } = await client().waitForEnd(execution);
			expect(error!.message).toMatch(message);
			expect(error!.description).toContain(id);
			expect(sandbox.requests.filter(({ key }) => key !== 'allScopes')).toEqual([]);
			expect(other.requests).toEqual([]);
		});
	});
}
