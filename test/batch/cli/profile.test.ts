import { mkdirSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { makeTemporaryFolder } from '../../support/temporary-folder';
import { typeCommand, typeSettings, getUsageError } from '../support/type-command';

const folder = makeTemporaryFolder();
const before = process.cwd();
beforeAll(() => {
	mkdirSync(join(folder, 'acme'));
	process.chdir(folder);
	writeFileSync('night.env', 'CREATOR_BRIEFING_MAX=7\nCREATOR_BRIEFING_QUIET=true\n');
	writeFileSync('five.env', 'CREATOR_BRIEFING_MAX=5\n');
});
afterAll(() => process.chdir(before));

/** Writes a profile, and returns a command line with it. */
function useProfile(text: string | Buffer): string {
	writeFileSync('acme/a.env', text);
	return 'run a.csv --profile acme/a.env';
}

describe('a variable', () => {
	test('that is empty in the environment sets nothing', async () => {
		const { max } = await typeSettings('run a.csv', { CREATOR_BRIEFING_MAX: '' });
		expect(max).toBeUndefined();
	});

	test('of an option that the command does not have is ignored', async () => {
		const env = { CREATOR_BRIEFING_QUIET: 'ten' };
		for (const line of ['status', 'doctor', 'run a.csv --dry-run'])
			expect(await typeSettings(line, env)).toMatchObject({ quiet: false });
	});

	test.each([
		['MAX', '-1', 'must be a whole number of at least 0, not “-1”.'],
		['YES', 'on', 'must be true or false, not “on”.'],
		['BASE_URL', 'ftp://x/v1', 'is invalid. It is not the address of a service.'],
		['KEEP', '1', 'is not a variable of brief-batch.'],
		['ALLOW', 'new-folder', 'is not a variable of brief-batch.'],
	])('CREATOR_BRIEFING_%s=%s is refused by its name', async (name, text, message) => {
		const variable = `CREATOR_BRIEFING_${name}`;
		const refusal = await getUsageError('run a.csv', { [variable]: text });
		expect(refusal).toContain(`2 ${variable} in the environment ${message}`);
	});
});

describe('--profile', () => {
	const environment = { CREATOR_BRIEFING_MAX: '4' };

	test.each([
		['wins over the environment', '--profile night.env', 7],
		['loses against an argument', '--profile night.env --max 3', 3],
		['wins over an earlier file', '--profile night.env --profile five.env', 5],
		['loses against a later file', '--profile five.env --profile night.env', 7],
	])('%s', async (_reason, options, max) => {
		const settings = await typeSettings(`run a.csv ${options}`, environment);
		expect(settings).toMatchObject({ max, quiet: true });
	});

	test('can be named by a variable', async () => {
		const env = { ...environment, CREATOR_BRIEFING_PROFILE: 'five.env\nnight.env' };
		expect(await typeSettings('run a.csv', env)).toMatchObject({ max: 7, quiet: true });
	});

	test.each<[what: string, text: string, settings: object]>([
		['a byte-order mark', '\ufeffCREATOR_BRIEFING_MAX=9\r\n', { max: 9 }],
		['a comment', 'export CREATOR_BRIEFING_MAX=9 # per night\n', { max: 9 }],
		[
			'“#” in quotation marks',
			'CREATOR_BRIEFING_NAME="Acme#1" # client\n#CREATOR_BRIEFING_MAX=5#6\n',
			{ name: 'Acme#1', max: undefined },
		],
		[
			'a line for each value of a repeatable option',
			'CREATOR_BRIEFING_WHERE="Status=active\n  Market!=US"\n',
			{ where: ['Status=active', 'Market!=US'] },
		],
		[
			'switches',
			'CREATOR_BRIEFING_QUIET=TRUE \nCREATOR_BRIEFING_JSON=1\n',
			{ quiet: true, json: true },
		],
		['a path from its folder', 'CREATOR_BRIEFING_OUT=../b\n', { out: join(folder, 'b') }],
		['a path with ~', 'CREATOR_BRIEFING_OUT=~/acme\n', { out: join(homedir(), 'acme') }],
		['a path with $HOME', 'CREATOR_BRIEFING_OUT=$HOME/acme\n', { out: join(homedir(), 'acme') }],
	])('can have %s', async (_what, text, settings) => {
		expect(await typeSettings(useProfile(text))).toMatchObject(settings);
	});

	test('can have a switch that --no-… undoes', async () => {
		const line = useProfile('CREATOR_BRIEFING_QUIET=true\nCREATOR_BRIEFING_JSON=1\n');
		const settings = await typeSettings(`${line} --no-quiet --no-json`);
		expect(settings).toMatchObject({ quiet: false });
	});

	test.each(['cbk_acme', ''])('has the key “%s”, which wins over the environment', async (key) => {
		const line = useProfile(`CREATOR_BRIEFING_API_KEY=${key}\n`);
		const { apiKey } = await typeSettings(line, { CREATOR_BRIEFING_API_KEY: 'cbk_other' });
		expect(apiKey).toBe(key);
	});

	test.each([
		[
			'wins over the environment',
			'HTTPS_PROXY=http://acme:1\nNO_PROXY=host\n',
			'HTTPS_PROXY',
			'host',
		],
		[
			'has the exceptions of the environment',
			'all_proxy=http://acme:1\n',
			'all_proxy',
			'127.0.0.1',
		],
	])('has a proxy, which %s', async (_what, text, name, exceptions) => {
		const environment = { https_proxy: 'http://other:2', NO_PROXY: '127.0.0.1' };
		const { proxy } = await typeSettings(useProfile(text), environment);
		const variable = `${name} in acme/a.env`;
		expect(proxy).toEqual({ name: variable, address: 'http://acme:1', exceptions });
	});

	test('can switch the proxy of the environment off', async () => {
		const environment = { https_proxy: 'http://other:2' };
		expect((await typeSettings('run a.csv', environment)).proxy?.name).toBe('https_proxy');
		const { proxy } = await typeSettings(useProfile('HTTPS_PROXY=\n'), environment);
		expect(proxy).toBeNull();
	});

	test('leaves the environment of the process as it was', async () => {
		const line = useProfile('CREATOR_BRIEFING_API_KEY=cbk_acme\nHTTPS_PROXY=http://acme:1\n');
		expect((await typeCommand(line)).env).toEqual({});
	});

	test('is refused if it does not exist', async () => {
		expect(await getUsageError('run a.csv --profile b.env')).toBe('2 File not found: b.env.');
	});

	test('is refused in UTF-16, as PowerShell writes it', async () => {
		const line = useProfile(Buffer.from('\ufeffCREATOR_BRIEFING_MAX=9\r\n', 'utf16le'));
		expect(await getUsageError(line)).toBe('2 acme/a.env is not UTF-8 text.');
	});

	const unknown = 'in acme/a.env is not a variable of brief-batch.';

	test.each([
		['CREATOR_BRIEFING_MAX=', 'must be a whole number of at least 0, not “”.'],
		['CREATOR_BRIEFING_MAXX=5', unknown],
		['creator_briefing_max=5', unknown],
		['set CREATOR_BRIEFING_MAX=5', unknown],
		["$env:CREATOR_BRIEFING_MAX='5'", unknown],
		['CREATOR_BRIEFING_REORDER=changed', unknown],
		['CREATOR_BRIEFING_PROFILE=five.env', unknown],
		['CREATOR_BRIEFING_API_KEY=cbk_a#b', 'the value contains “#”, which starts a comment.'],
		['CREATOR_BRIEFING_API_KEY=<YOUR_API_KEY>', 'is a placeholder, not an API key.'],
	])('is refused with the line %s', async (text, message) => {
		const refusal = await getUsageError(useProfile(`${text}\n`));
		expect(refusal).toContain(`2 ${text.split('=')[0]} in acme/a.env`);
		expect(refusal).toContain(message);
	});
});
