import { chmodSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { Check } from '../../../batch/screen/doctor-text';
import { machineOf, thisSystem } from '../../../batch/folder/lock/holder';
import type { SandboxOptions } from '../../../sandbox/sandbox';
import { AS_ANYBODY, deskOf, type Desk } from '../../support/batch/brief-batch';
import { startWebhook } from '../../support/batch/webhook-server';
import { listening, listeningSecurely } from '../../support/listening';
import { HOUR } from '../../support/time';

jest.setTimeout(60_000);

/** Its clock does not run ahead. */
const steady = (options: SandboxOptions = {}) => deskOf([], { speed: 1, ...options });

interface Document {
	checks: Check[];
	first: string | null;
	exit_code: number;
}

/** What doctor shows a machine. Its output never holds the key. */
async function doctor(desk: Desk, env: Desk['env'] = {}, ...args: string[]) {
	const all = ['doctor', '--json', ...args];
	const { code, out, err } = await desk.run(all, env);
	expect(err).toBe('');
	const key = env.CREATOR_BRIEFING_API_KEY ?? desk.sandbox.keys.allScopes;
	expect(out).not.toContain(key.replaceAll('"', ''));
	const { checks, first, exit_code } = JSON.parse(out) as Document;
	expect(exit_code).toBe(code);
	const check = (name: string) => checks.find((one) => one.name === name);
	const shown = [first ?? ''].map(check).map((one) => `${one?.what} ${one?.cure}`)[0];
	return { code, out, first, shown, check };
}

test('a healthy doctor has ten lines, spends nothing and writes nothing', async () => {
	const desk = await steady({ allowance: 50, usedThisMonth: 'zero' });
	desk.sandbox.addBrief({ status: 'ready', product_name: 'Glow Serum' });
	desk.sandbox.addBrief({ status: 'running' });
	const before = readdirSync(desk.folder);
	const { code, out, err } = await desk.run('doctor');
	expect([code, err]).toEqual([0, '']);
	const lines = out.trimEnd().split('\n');
	expect(lines.map((line) => /^ok +(\w+) /.exec(line)?.[1])).toEqual([
		...['address', 'key', 'scopes', 'licence', 'allowance', 'clocks'],
		...['folder', 'journal', 'lock', undefined],
	]);
	expect(out).toContain('50 briefs a month, 2 used, 48 left, 1 running now');
	expect(lines.slice(-2)).toEqual([
		'All that a run needs works. Next:',
		'         brief-batch plan FILE.csv',
	]);
	expect(readdirSync(desk.folder)).toEqual(before);
	expect(desk.sandbox.requests.map(({ method }) => method)).toEqual(['GET', 'GET']);

	const { out: json, check } = await doctor(desk);
	expect(json.trimEnd()).not.toContain('\n');
	expect(json).not.toContain('Glow Serum');
	expect(check('licence')).toMatchObject({ state: 'ok', cure: null, exit_code: 0 });
	expect(await desk.run('doctor --quiet')).toEqual({ code: 0, out: '', err: '' });
	const refused = { CREATOR_BRIEFING_API_KEY: desk.sandbox.keys.revoked };
	const first = /^problem +key .*\n +Create a new key.*\nDo this first \(key\): Create/;
	expect(await desk.run('doctor --quiet', refused)).toMatchObject({
		code: 4,
		out: expect.stringMatching(first) as string,
	});
});

test('doctor names a profile and a key file that others can read', async () => {
	const desk = await steady();
	const { allScopes } = desk.sandbox.keys;
	const file = desk.path('acme client.env');
	writeFileSync(file, `CREATOR_BRIEFING_API_KEY=${allScopes}\n`, { mode: 0o644 });
	const command = ['doctor', '--env-file', 'acme client.env'];
	await desk.expectEnd(command, 0, 'chmod 600 "acme client.env"');
	chmodSync(file, 0o600);
	const next = 'brief-batch plan FILE.csv --out "a b" --env-file "acme client.env"';
	await desk.expectEnd([...command, '--out', 'a b'], 0, `Next:\n         ${next}\n`);
	expect((await doctor(desk, {}, '--env-file', 'acme client.env')).first).toBeNull();
	writeFileSync(file, allScopes);
	chmodSync(file, 0o640);
	const none = { CREATOR_BRIEFING_API_KEY: undefined };
	expect((await doctor(desk, none, '--api-key-file', 'acme client.env')).first).toBe('key file');
});

test('doctor warns if NODE_DEBUG prints the key', async () => {
	const desk = await steady();
	desk.env.NODE_DEBUG = 'http';
	await desk.expectEnd('doctor', 0, /^warning +NODE_DEBUG .*prints the API key/m);
});

describe('doctor says what is wrong and what to do first', () => {
	test.each([
		['revoked', 4, 'key'],
		['noLicence', 4, 'licence'],
		['noProducts', 4, 'scopes'],
		['readOnly', 0, null],
	] as const)('with the key of %s', async (key, code, first) => {
		const desk = await steady();
		const env = { CREATOR_BRIEFING_API_KEY: desk.sandbox.keys[key] };
		expect(await doctor(desk, env)).toMatchObject({ code, first });
		expect(desk.sandbox.requests.every(({ method }) => method === 'GET')).toBe(true);
	});

	test.each(['missing', 'no-api-channel'] as const)('if the licence is %s', async (licence) => {
		expect(await doctor(await steady({ licence }))).toMatchObject({ code: 4, first: 'licence' });
	});

	test('with a wrong clock', async () => {
		const found = await doctor(await steady({ startAt: Date.now() - HOUR }));
		expect(found).toMatchObject({ code: 0, first: 'clocks' });
		expect(found.shown).toContain('1 h 00 ahead of the service’s');
	});

	test.each<[string, (url: string) => string | Promise<string>, number, string]>([
		['lacks its /v1', (url) => url.replace('/v1', ''), 2, 'Try http://'],
		['is that of an operation', (url) => `${url}/briefs/`, 2, ' instead, without “/briefs”.'],
		['has nobody listening', () => 'http://127.0.0.1:9/v1', 5, 'nothing listens at this address'],
		[
			'uses http and not https',
			(url) => url.replace('http:', 'https:'),
			5,
			'perhaps the address uses http',
		],
		[
			'is that of a web page',
			async () => {
				const page = createServer((_, response) => {
					response.setHeader('content-type', 'text/html').end('<html>Sign in</html>');
				});
				return `http://127.0.0.1:${await listening(page)}/v1`;
			},
			5,
			'sign-in page of a network',
		],
		[
			'has a certificate that nobody knows',
			async () => `https://localhost:${await listeningSecurely()}/v1`,
			5,
			'NODE_EXTRA_CA_CERTS',
		],
	])('if the address %s', async (_, address, code, shown) => {
		const desk = await steady();
		const env = { NO_PROXY: '*', no_proxy: '*' };
		const found = await doctor(desk, env, '--base-url', await address(desk.sandbox.url));
		expect([found.code, found.first]).toEqual([code, 'address']);
		expect(found.shown).toContain(shown);
		expect(found.check('key')?.state).not.toBe('ok');
	});

	test('with an allowance that is used up', async () => {
		const desk = await steady({ allowance: 1 });
		desk.sandbox.addBrief({ status: 'ready' });
		expect(await doctor(desk)).toMatchObject({ code: 0, first: 'allowance' });
	});

	test('if the key is in quotation marks, without sending it', async () => {
		const desk = await steady();
		const env = { CREATOR_BRIEFING_API_KEY: `"${desk.sandbox.keys.allScopes}"` };
		const found = await doctor(desk, env);
		expect([found.code, found.first]).toEqual([2, 'key']);
		expect(found.shown).toContain('quotation marks');
		expect(desk.sandbox.requests).toHaveLength(0);
	});

	test('if the service fails or asks to slow down, without waiting', async () => {
		const desk = await steady();
		desk.sandbox.faults.add({ kind: '429', operation: 'list_briefs', retryAfter: 3000 });
		const slow = await doctor(desk);
		expect([slow.code, slow.first]).toEqual([5, 'scopes']);
		expect(slow.shown).toContain('Wait 50 minutes');
		desk.sandbox.faults.addChance({ kind: '5xx', chance: 1 });
		expect(await doctor(desk)).toMatchObject({ code: 5, first: 'address' });
		expect(desk.sandbox.requests).toHaveLength(3);
	});

	test('if a setting of the profile is wrong, and checks the rest', async () => {
		const desk = await steady();
		desk.csv('acme.env', [
			`CREATOR_BRIEFING_API_KEY=${desk.sandbox.keys.revoked}`,
			'CREATOR_BRIEFING_KEEP=some',
		]);
		chmodSync(desk.path('acme.env'), 0o600);
		const found = await doctor(desk, {}, '--env-file', 'acme.env');
		expect([found.code, found.first]).toEqual([2, 'options']);
		expect(found.shown).toContain('--keep');
		expect(found.check('key')?.state).toBe('problem');
		expect(found.out).not.toContain(desk.sandbox.keys.revoked);
	});
});

describe('doctor tries the webhook of --notify', () => {
	const isSecretIn = (text: string) => /SECRET|hidden/.test(text);

	test('with a test message that says for whom it is, and without the key', async () => {
		const [desk, webhook] = [await steady(), await startWebhook()];
		const found = await doctor(desk, {}, '--notify', webhook.url, '--name', 'Acme <!here>');
		expect([found.code, found.check('webhook')?.state]).toEqual([0, 'ok']);
		expect(webhook.posted.map(({ body }) => body)).toMatchObject([
			{
				event: 'doctor',
				name: 'Acme <!here>',
				text: 'Acme ’!here’: a test message of brief-batch doctor.',
			},
		]);
		expect(JSON.stringify(webhook.posted)).not.toContain(desk.sandbox.keys.allScopes);
		expect(isSecretIn(found.out)).toBe(false);
	});

	test.each([
		[404, 'did not take a test message: it answered 404.'],
		[302, 'it leads elsewhere (302)'],
	])('that answers %i, which a profile may name', async (status, shown) => {
		const [desk, webhook] = [await steady(), await startWebhook()];
		webhook.answers.push(status);
		const found = await doctor(desk, { CREATOR_BRIEFING_NOTIFY: webhook.url });
		expect([found.code, found.first]).toEqual([2, 'webhook']);
		expect(found.shown).toContain(shown);
		expect(isSecretIn(found.out)).toBe(false);
	});

	test('whose URL is none, without showing it', async () => {
		const found = await doctor(await steady(), {}, '--notify', 'hooks.slack.com/SECRET');
		expect([found.code, found.first]).toEqual([2, 'webhook']);
		expect(isSecretIn(found.out)).toBe(false);
	});
});

describe('doctor looks at the folder of --out', () => {
	test('that is a file, or cannot be written', async () => {
		const desk = await steady();
		desk.write('file', 'x');
		expect(await doctor(desk, {}, '--out', 'file')).toMatchObject({ code: 2, first: 'folder' });
		mkdirSync(desk.path('closed'), { mode: 0o500 });
		const { code, out } = await desk.start('doctor --json --out closed', {}, AS_ANYBODY).ended;
		expect([code, JSON.parse(out)]).toMatchObject([2, { first: 'folder' }]);
		expect(readdirSync(desk.path('closed'))).toEqual([]);
	});

	test('whose journal is sound, of another workspace, or damaged', async () => {
		const desk = await deskOf(1);
		await desk.order();
		// By then a get shows the brief of an order.
		desk.sandbox.advance(600_000);
		expect((await doctor(desk)).check('journal')?.what).toBe('batch “products.csv”, 1 order');
		const env = { CREATOR_BRIEFING_API_KEY: desk.sandbox.keys.otherWorkspace };
		const other = await doctor(desk, env);
		expect([other.code, other.first]).toEqual([2, 'journal']);
		expect(other.shown).toContain('seems to be of another workspace');
		const path = 'briefs/journal.jsonl';
		desk.write(path, desk.read(path).replace('\n', '\ndamage\n'));
		expect(await doctor(desk)).toMatchObject({ code: 2, first: 'journal' });
	});

	test('whose lock is of a run that works, is over, or is on another computer', async () => {
		const desk = await steady();
		mkdirSync(desk.path('briefs'));
		const since = '2026-11-20T09:00:00.000Z';
		const lock = { ...machineOf(thisSystem).self, since, nonce: 'n', beat: 5000 };
		for (const [by, what] of [
			[lock, 'holds the folder and is at work'],
			[{ ...lock, started: '0' }, 'the next run takes it over'],
			[{ pid: 12, host: 'other-host', since, nonce: 'n', beat: 5000 }, 'process 12 on other-host'],
		] as const) {
			desk.write('briefs/.lock', JSON.stringify(by));
			const { code, check } = await doctor(desk);
			expect([code, check('lock')?.what]).toEqual([0, expect.stringContaining(what)]);
		}
	});
});
