import { chmodSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { certificate } from '../../../harness/vendors/certificate';
import type { Check } from '../../../batch/cli/doctor/check';
import { machineOf, thisSystem } from '../../../batch/lock/holder';
import { startSandbox, type Sandbox, type SandboxOptions } from '../../../sandbox/sandbox';
import { Desk, FAST, products } from '../../support/batch/brief-batch';

jest.setTimeout(60_000);

const open: Array<{ close(): unknown }> = [];
let sandbox: Sandbox;
let desk: Desk;

async function given(options: SandboxOptions = {}): Promise<void> {
	sandbox = await startSandbox({ seed: 'doctor', failureShare: 0, ...options });
	desk = new Desk(sandbox);
	open.push(sandbox);
}

afterEach(async () => {
	for (const one of open.splice(0)) await one.close();
	desk.remove();
});

async function listening(server: Server): Promise<number> {
	open.push(server);
	await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
	return (server.address() as AddressInfo).port;
}

interface Document {
	checks: Check[];
	first: string | null;
	exit_code: number;
}

/** What doctor tells a machine, once it has ended. */
async function doctor(env: Record<string, string | undefined> = {}, ...args: string[]) {
	const { code, out, err } = await desk.run(['doctor', '--json', ...args], env);
	expect(err).toBe('');
	const document = JSON.parse(out) as Document;
	expect(document.exit_code).toBe(code);
	const check = (name: string) => document.checks.find((one) => one.name === name);
	return { ...document, code, out, check };
}

test('doctor says in ten lines that all works, spends nothing and writes nothing', async () => {
	await given({ allowance: 50, usedThisMonth: 'zero' });
	sandbox.addBrief({ status: 'ready', product_name: 'Glow Serum' });
	sandbox.addBrief({ status: 'running' });
	const before = readdirSync(desk.folder);
	const { code, out, err } = await desk.run(['doctor']);
	expect([code, err]).toEqual([0, '']);
	const lines = out.trimEnd().split('\n');
	expect(lines).toHaveLength(10);
	expect(lines.map((line) => /^ok +(\w+) /.exec(line)?.[1])).toEqual([
		...['address', 'key', 'scopes', 'licence', 'allowance', 'clocks'],
		...['folder', 'journal', 'lock', undefined],
	]);
	expect(out).toContain('50 briefs a month, 2 used, 48 left, 1 running now');
	expect(lines.at(-1)).toBe(
		'All that a run needs works. Next: brief-batch plan FILE.csv --out briefs',
	);
	expect(readdirSync(desk.folder)).toEqual(before);
	expect(sandbox.requests.map(({ method }) => method)).toEqual(['GET', 'GET']);
});

test('doctor --json is one document to attach to a question, without key and texts', async () => {
	await given();
	sandbox.addBrief({ status: 'ready', product_name: 'Glow Serum' });
	const { code, out, check } = await doctor();
	expect(code).toBe(0);
	expect(out.trimEnd()).not.toContain('\n');
	expect(check('licence')).toMatchObject({ state: 'ok', cure: null, exit_code: 0 });
	expect(out).not.toContain(sandbox.keys.allScopes);
	expect(out).not.toContain('Glow Serum');
});

test('doctor says that others can read a profile or a key file, and how to change it', async () => {
	await given();
	const file = join(desk.folder, 'acme client.env');
	writeFileSync(file, `CREATOR_BRIEFING_API_KEY=${sandbox.keys.allScopes}\n`, { mode: 0o644 });
	const found = await doctor({}, '--env-file', 'acme client.env');
	expect([found.code, found.first]).toEqual([0, 'profile']);
	expect(found.check('profile')?.cure).toContain('chmod 600 "acme client.env"');
	chmodSync(file, 0o600);
	expect((await doctor({}, '--env-file', 'acme client.env')).first).toBeNull();
	writeFileSync(file, sandbox.keys.allScopes);
	chmodSync(file, 0o640);
	expect((await doctor({}, '--api-key-file', 'acme client.env')).first).toBe('key file');
});

test('doctor warns that Node.js prints the key, if it is told to', async () => {
	await given();
	const { code, out } = await desk.run(['doctor'], { NODE_DEBUG: 'http' });
	expect(code).toBe(0);
	expect(out).toMatch(/^warning +NODE_DEBUG .*prints the API key/m);
});

describe('doctor says what is wrong, and what to do first, where', () => {
	test.each([
		['revoked', 4, 'key'],
		['noLicence', 4, 'licence'],
		['noProducts', 4, 'scopes'],
		['readOnly', 0, null],
	] as const)('the key is that of %s', async (key, exitCode, name) => {
		await given();
		const found = await doctor({ CREATOR_BRIEFING_API_KEY: sandbox.keys[key] });
		expect([found.code, found.first]).toEqual([exitCode, name]);
		expect(found.out).not.toContain(sandbox.keys[key]);
		expect(sandbox.requests.every(({ method }) => method === 'GET')).toBe(true);
	});

	test.each(['missing', 'no-api-channel'] as const)('the licence is %s', async (licence) => {
		await given({ licence });
		expect(await doctor()).toMatchObject({ code: 4, first: 'licence' });
	});

	test('the key is in quotation marks: nothing is sent', async () => {
		await given();
		const key = `"${sandbox.keys.allScopes}"`;
		const found = await doctor({ CREATOR_BRIEFING_API_KEY: key });
		expect([found.code, found.first]).toEqual([2, 'key']);
		expect(found.check('key')?.what).toContain('quotation marks');
		expect(found.out).not.toContain(sandbox.keys.allScopes);
		expect(sandbox.requests).toHaveLength(0);
	});

	test('the address lacks its /v1', async () => {
		await given();
		const found = await doctor({}, '--base-url', sandbox.url.replace('/v1', ''));
		expect([found.code, found.first]).toEqual([2, 'address']);
		expect(found.check('address')?.cure).toBe(`Try ${sandbox.url}`);
	});

	test('the address is that of an operation: nothing is sent', async () => {
		await given();
		const found = await doctor({}, '--base-url', `${sandbox.url}/briefs/`);
		expect([found.code, found.first]).toEqual([2, 'address']);
		expect(found.check('address')?.cure).toBe(`Give ${sandbox.url} instead, without “/briefs”.`);
		expect(sandbox.requests).toHaveLength(0);
	});

	test('nobody listens at the address', async () => {
		await given();
		const found = await doctor({}, '--base-url', 'http://127.0.0.1:9/v1');
		expect([found.code, found.first]).toEqual([5, 'address']);
		expect(found.check('address')?.what).toContain('ECONNREFUSED');
		expect(found.check('key')).toBeUndefined();
	});

	test('a web page answers', async () => {
		await given();
		const page = createServer((_, response) => {
			response.setHeader('content-type', 'text/html').end('<html>Sign in</html>');
		});
		const found = await doctor({}, '--base-url', `http://127.0.0.1:${await listening(page)}/v1`);
		expect([found.code, found.first]).toEqual([5, 'address']);
		expect(found.check('address')?.what).toContain('a web page (200)');
	});

	test('the certificate is signed by nobody who is known', async () => {
		await given();
		const server = createTlsServer(certificate, (_, response) => response.end());
		const address = `https://localhost:${await listening(server)}/v1`;
		const env = { NO_PROXY: 'localhost', no_proxy: 'localhost' };
		const found = await doctor(env, '--base-url', address);
		expect([found.code, found.first]).toEqual([5, 'address']);
		expect(found.check('address')?.what).toContain('certificate');
		expect(found.check('address')?.cure).toContain('NODE_EXTRA_CA_CERTS');
	});

	test('the address uses http instead of https', async () => {
		await given();
		const env = { NO_PROXY: '*', no_proxy: '*' };
		const found = await doctor(env, '--base-url', sandbox.url.replace('http:', 'https:'));
		expect([found.code, found.first]).toEqual([5, 'address']);
		expect(found.check('address')?.what).toContain('perhaps the address uses http');
	});

	test('the service answers nothing but errors', async () => {
		await given();
		sandbox.faults.addChance({ kind: '5xx', chance: 1 });
		expect(await doctor()).toMatchObject({ code: 5, first: 'address' });
		expect(sandbox.requests).toHaveLength(1);
	});

	test('the service asks to slow down: no more is asked, and nothing waited for', async () => {
		await given();
		sandbox.faults.add({ kind: '429', operation: 'list_briefs', retryAfter: 3000 });
		const found = await doctor();
		expect([found.code, found.first]).toEqual([5, 'scopes']);
		expect(found.check('scopes')?.cure).toContain('Wait 50 minutes');
		expect(sandbox.requests).toHaveLength(2);
	});

	test('this machine’s clock is wrong: a warning, and 0', async () => {
		await given({ startAt: Date.now() - 3_600_000 });
		const found = await doctor();
		expect([found.code, found.first]).toEqual([0, 'clocks']);
		expect(found.check('clocks')?.what).toContain('1 h 00 ahead of the service’s');
	});

	test('the month’s allowance is used up: a warning, and 0', async () => {
		await given({ allowance: 1 });
		sandbox.addBrief({ status: 'ready' });
		expect(await doctor()).toMatchObject({ code: 0, first: 'allowance' });
	});
});

describe('doctor looks at the folder of --out', () => {
	test('which is a file', async () => {
		await given();
		writeFileSync(join(desk.folder, 'briefs'), 'x');
		expect(await doctor()).toMatchObject({ code: 2, first: 'folder' });
	});

	test('which cannot be written', async () => {
		await given();
		const path = join(desk.folder, 'briefs');
		mkdirSync(path);
		chmodSync(path, 0o500);
		const found = await doctor();
		// Root may write everywhere.
		const expected = process.getuid?.() === 0 ? [0, null] : [2, 'folder'];
		expect([found.code, found.first]).toEqual(expected);
		chmodSync(path, 0o700);
		expect(readdirSync(path)).toEqual([]);
	});

	test('whose journal is damaged, of another service, or of another workspace', async () => {
		await given({ speed: 1000 });
		const csv = desk.csv('products.csv', products(1));
		await desk.run(['run', csv, ...FAST]);
		const well = await doctor();
		expect(well.check('journal')?.what).toBe('batch “products.csv”, 1 order');
		const other = await doctor({ CREATOR_BRIEFING_API_KEY: sandbox.keys.otherWorkspace });
		expect([other.code, other.first]).toEqual([2, 'journal']);
		expect(other.check('journal')?.what).toContain('seems to be of another workspace');

		const path = join(desk.folder, 'briefs', 'journal.jsonl');
		const [first = '', ...rest] = desk.read('briefs/journal.jsonl').split('\n');
		writeFileSync(path, [first, 'damage', ...rest].join('\n'));
		expect(await doctor()).toMatchObject({ code: 2, first: 'journal' });
	});

	test('whose lock is of a run that is alive, or has ended', async () => {
		await given();
		mkdirSync(join(desk.folder, 'briefs'));
		const { self } = machineOf(thisSystem);
		const lock = { ...self, since: '2026-11-20T09:00:00.000Z', nonce: 'n', beat: 5000 };
		const write = (by: object) =>
			writeFileSync(join(desk.folder, 'briefs', '.lock'), JSON.stringify(by));
		write(lock);
		expect((await doctor()).check('lock')?.what).toContain('holds the folder and is at work');
		write({ ...lock, started: '0' });
		const { check } = await doctor();
		expect(check('lock')).toMatchObject({ state: 'ok' });
		expect(check('lock')?.what).toContain('the next run takes it over');
	});

	test('which a run holds: a warning that names the run, and 0', async () => {
		await given();
		mkdirSync(join(desk.folder, 'briefs'));
		const by = {
			pid: 12,
			host: 'other-host',
			since: '2026-11-20T09:00:00.000Z',
			nonce: 'n',
			beat: 5000,
		};
		writeFileSync(join(desk.folder, 'briefs', '.lock'), JSON.stringify(by));
		const found = await doctor();
		expect([found.code, found.first]).toEqual([0, 'lock']);
		expect(found.check('lock')?.what).toContain('process 12 on other-host');
		expect(by.host).not.toBe(hostname());
	});
});

test('doctor checks the whole profile of a client', async () => {
	await given();
	const lines = [
		`CREATOR_BRIEFING_BASE_URL=${sandbox.url}`,
		`CREATOR_BRIEFING_API_KEY=${sandbox.keys.revoked}`,
		'CREATOR_BRIEFING_KEEP=some',
	];
	writeFileSync(join(desk.folder, 'acme.env'), lines.join('\n'));
	const found = await doctor({}, '--env-file', 'acme.env');
	expect([found.code, found.first]).toEqual([2, 'options']);
	expect(found.check('options')?.what).toContain('--keep');
	expect(found.check('key')?.state).toBe('problem');
	expect(found.out).not.toContain(sandbox.keys.revoked);
});

test('doctor --quiet is silent where all is well, and else says what is wrong', async () => {
	await given();
	expect(await desk.run(['doctor', '--quiet'])).toEqual({ code: 0, out: '', err: '' });
	const env = { CREATOR_BRIEFING_API_KEY: sandbox.keys.revoked };
	const { code, out } = await desk.run(['doctor', '--quiet'], env);
	expect(code).toBe(4);
	expect(out).toMatch(/^problem +key .*\n +Create a new key.*\nDo this first \(key\): Create/);
});
