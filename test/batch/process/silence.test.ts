import { LocalVendors } from '../../../harness/vendors/local-vendors';
import { openClientFolder, type ClientFolder } from '../../support/client-folder';
import { preload } from '../../support/preload';
import { listen } from '../../support/raw-server';
import { waitUntil } from '../../support/wait-until';

jest.setTimeout(60_000);

const ADDRESS = 'https://api.vendor.example/v1';
const COMMANDS = [
	'plan products.csv',
	'run products.csv --yes',
	'retry products.csv --yes',
	'doctor',
];

/** Only for a server that never answers: on a busy machine, another answer could come too late. */
const FAST_TIMEOUTS = { FAST_CLOCK_TIMEOUTS: '1' };

async function expectEnd(
	folder: ClientFolder,
	command: string,
	env: Record<string, string>,
): Promise<string> {
	const { code, out, err } = await folder.run(command, { env });
	expect([command, code, folder.exists('briefs/.lock')]).toEqual([command, 5, false]);
	return out + err;
}

describe('every command ends with 5 and a message', () => {
	test('if the proxy refuses the connection, and names the proxy without its password', async () => {
		const folder = await openClientFolder(1);
		const proxy = await listen((socket) => socket.end('HTTP/1.1 403 No\r\n\r\n'));
		const settings = { HTTPS_PROXY: `http://user:secret@${proxy}` };
		const env = { ...settings, CREATOR_BRIEFING_BASE_URL: ADDRESS };
		for (const command of COMMANDS) {
			const output = await expectEnd(folder, command, env);
			expect(output).toContain(
				`the proxy http://${proxy} of HTTPS_PROXY failed (it answered 403: “No”).`,
			);
			expect(output).toContain('Check the proxy in HTTPS_PROXY, or remove the variable.');
			expect(output).not.toContain('secret');
		}
	});

	test('if the address of an http proxy begins with https', async () => {
		const folder = await openClientFolder(1);
		const proxy = await listen((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
		const env = { HTTPS_PROXY: `https://${proxy}`, CREATOR_BRIEFING_BASE_URL: ADDRESS };
		expect(await expectEnd(folder, 'plan products.csv', env)).toMatch(
			/the proxy https:.* failed \(no secure connection .* uses http instead of https\)\.\nCheck the proxy/,
		);
	});

	/** Collects garbage all the time. Node.js 20 has collected timeouts that were still needed. */
	const collectGarbage = `import v8 from "node:v8"; import vm from "node:vm";
		v8.setFlagsFromString("--expose-gc"); setInterval(vm.runInNewContext("gc"), 5).unref();`;

	test('if the service accepts connections and never answers, after two requests', async () => {
		const folder = await openClientFolder(1);
		let requests = 0;
		const host = await listen(() => (requests += 1));
		for (const command of COMMANDS) {
			requests = 0;
			const output = await expectEnd(folder, command, {
				CREATOR_BRIEFING_BASE_URL: `http://${host}/v1`,
				NODE_OPTIONS: preload(collectGarbage),
				...FAST_TIMEOUTS,
			});
			expect(output).toContain('no complete answer within 60 seconds');
			expect(requests).toBeLessThanOrEqual(2);
		}
	});
});

test('SIGTERM ends a run at once although the proxy stays silent', async () => {
	const folder = await openClientFolder(1);
	let tunnels = 0;
	const proxy = await listen(() => (tunnels += 1));
	const env = { HTTPS_PROXY: `http://${proxy}`, CREATOR_BRIEFING_BASE_URL: ADDRESS };
	const running = folder.start('run products.csv --yes', { env });
	await waitUntil(() => tunnels === 1);
	expect((await running.kill('SIGTERM')).code).toBe(130);
	expect(folder.exists('briefs/.lock')).toBe(false);
});

test('a run through a proxy is the same as without it', async () => {
	const folder = await openClientFolder(1);
	const vendors = await LocalVendors.start([
		{
			hosts: ['api.vendor.example'],
			answer: ({ path }) => ({ body: { data: [], path, next_cursor: null } }),
		},
	]);
	const env = { ...vendors.env, CREATOR_BRIEFING_BASE_URL: ADDRESS };
	const { out } = await folder.run('doctor', { env });
	await vendors.stop();
	expect(out).toContain(`ok      service    ${ADDRESS} accepts the API key`);
	expect(out).toContain('ok      scopes');
});

test('a command that nothing can settle any more ends with 5 and a message', async () => {
	const folder = await openClientFolder(1);
	const hang = 'import fs from "node:fs"; fs.promises.access = () => new Promise(() => undefined);';
	const { code, err } = await folder.run('doctor', { env: { NODE_OPTIONS: preload(hang) } });
	expect([code, err]).toEqual([
		5,
		expect.stringMatching(/^The command ended without a result\.\n/),
	]);
});
