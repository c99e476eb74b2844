import { mkdirSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { temporaryFolder } from '../../support/temporary-folder';
import { typeCommand, typeSettings, typeWrong } from '../support/type-command';

const folder = temporaryFolder();
const before = process.cwd();
afterAll(() => process.chdir(before));

const PROFILES: Readonly<Record<string, string | Buffer>> = {
	'acme/acme.env': 'CREATOR_BRIEFING_MAX=5\nCREATOR_BRIEFING_OUT=../briefs-acme\n',
	'common.env': 'export CREATOR_BRIEFING_MAX=7 # per night\nCREATOR_BRIEFING_RESERVE=2\n',
	'home.env': 'CREATOR_BRIEFING_OUT=~/acme/briefs\n',
	'variable.env': 'CREATOR_BRIEFING_OUT=$HOME/acme/briefs\n',
	'lines.env': 'CREATOR_BRIEFING_WHERE="Status=active\n  Market!=US"\n',
	'quiet.env': 'CREATOR_BRIEFING_QUIET=true\nCREATOR_BRIEFING_JSON=1\n',
	'utf-8.env': '\ufeffCREATOR_BRIEFING_MAX=9\r\n',
	'utf-16.env': Buffer.from('\ufeffCREATOR_BRIEFING_MAX=9\r\n', 'utf16le'),
	'ten.env': 'CREATOR_BRIEFING_MAX=ten\n',
	'empty.env': 'CREATOR_BRIEFING_MAX=\n',
	'yes.env': 'CREATOR_BRIEFING_YES=yes\n',
	'unknown.env': 'CREATOR_BRIEFING_MAXX=5\n',
	'small.env': 'creator_briefing_max=5\n',
	'windows.env': 'set CREATOR_BRIEFING_MAX=5\n',
	'powershell.env': "$env:CREATOR_BRIEFING_MAX='5'\n",
	'reorder.env': 'CREATOR_BRIEFING_REORDER=changed\n',
	'nested.env': 'CREATOR_BRIEFING_ENV_FILE=common.env\n',
	'key.env': 'CREATOR_BRIEFING_API_KEY=cbk_acme\n',
	'no-key.env': 'CREATOR_BRIEFING_API_KEY=\n',
	'placeholder.env': 'CREATOR_BRIEFING_API_KEY=<YOUR_API_KEY>\n',
	'number-sign.env': 'CREATOR_BRIEFING_MAX=3 # a#b\nCREATOR_BRIEFING_API_KEY=cbk_a#b\n',
	'quoted.env': 'CREATOR_BRIEFING_NAME="Acme#1" # client\n#CREATOR_BRIEFING_MAX=5#6\n',
	'proxy.env': 'HTTPS_PROXY=http://proxy.example:3128\n',
};

beforeAll(() => {
	mkdirSync(join(folder, 'acme'));
	for (const [file, text] of Object.entries(PROFILES)) writeFileSync(join(folder, file), text);
	process.chdir(folder);
});

describe('a variable', () => {
	test('sets the option of its name', async () => {
		expect(await typeSettings('run a.csv', { CREATOR_BRIEFING_MAX: '4' })).toMatchObject({
			max: 4,
		});
	});

	test('that is empty in the environment sets nothing', async () => {
		const { max } = await typeSettings('run a.csv', { CREATOR_BRIEFING_MAX: '' });
		expect(max).toBeUndefined();
	});

	test.each(['TRUE ', '1'])('switches a switch on with %j', async (text) => {
		const { yes } = await typeSettings('run a.csv', { CREATOR_BRIEFING_YES: text });
		expect(yes).toBe(true);
	});

	test('of an option that the command does not have is ignored', async () => {
		const env = { CREATOR_BRIEFING_MAX: 'ten', CREATOR_BRIEFING_QUIET: 'true' };
		expect(await typeSettings('status', env)).toMatchObject({ max: undefined, quiet: false });
	});

	test.each<[name: string, text: string, message: string]>([
		['MAX', '0', ' must be a whole number of at least 1, not “0”.'],
		['YES', 'on', ' must be true or false, not “on”.'],
		[
			'BASE_URL',
			'ftp://x/v1',
			' is invalid. It is not the address of a service. Enter an address such as https://host/v1, with nothing after it.',
		],
		['KEEP', '1', ' is not a variable of brief-batch.'],
		['ALLOW', 'new-folder', ' is not a variable of brief-batch.'],
	])('CREATOR_BRIEFING_%s=%s is refused by its name', async (name, text, message) => {
		const variable = `CREATOR_BRIEFING_${name}`;
		expect(await typeWrong('run a.csv', { [variable]: text })).toBe(
			`2 ${variable} in the environment${message}`,
		);
	});
});

describe('--env-file', () => {
	const environment = { CREATOR_BRIEFING_MAX: '4' };

	test.each<[reason: string, line: string, settings: object]>([
		['wins over the environment', '--env-file common.env', { max: 7, reserve: 2 }],
		['loses against an argument', '--env-file common.env --max 3', { max: 3, reserve: 2 }],
		[
			'wins over an earlier file',
			'--env-file common.env --env-file acme/acme.env',
			{ max: 5, reserve: 2 },
		],
		[
			'loses against a later file',
			'--env-file acme/acme.env --env-file common.env',
			{ max: 7, reserve: 2 },
		],
		['can have a byte-order mark', '--env-file utf-8.env', { max: 9 }],
		[
			'has a line for each value of a repeatable option',
			'--env-file lines.env',
			{ where: ['Status=active', 'Market!=US'] },
		],
		['switches a switch on', '--env-file quiet.env', { quiet: true, json: true }],
		[
			'is undone by --no-…',
			'--env-file quiet.env --no-quiet --no-json',
			{ quiet: false, json: false },
		],
	])('%s', async (_reason, options, settings) => {
		expect(await typeSettings(`run a.csv ${options}`, environment)).toMatchObject(settings);
	});

	test('can be named by a variable', async () => {
		const env = { ...environment, CREATOR_BRIEFING_ENV_FILE: 'acme/acme.env\ncommon.env' };
		expect(await typeSettings('run a.csv', env)).toMatchObject({ max: 7, reserve: 2 });
	});

	test('does not silence a command that has no --quiet', async () => {
		for (const command of ['doctor', 'status', 'plan a.csv', 'run a.csv --dry-run']) {
			const settings = await typeSettings(`${command} --env-file quiet.env`);
			expect(settings).toMatchObject({ quiet: false, json: false });
		}
	});

	test.each([
		['a path from the folder of the file', 'acme/acme.env', () => join(folder, 'briefs-acme')],
		['~', 'home.env', () => join(homedir(), 'acme/briefs')],
		['$HOME', 'variable.env', () => join(homedir(), 'acme/briefs')],
	])('resolves %s', async (_name, file, getPath) => {
		const { out } = await typeSettings(`run a.csv --env-file ${file}`);
		expect(out).toBe(getPath());
	});

	test('has a key that wins over the environment, also if it is empty', async () => {
		const env = { CREATOR_BRIEFING_API_KEY: 'cbk_other' };
		expect((await typeSettings('run a.csv --env-file key.env', env)).apiKey).toBe('cbk_acme');
		expect((await typeSettings('run a.csv --env-file no-key.env', env)).apiKey).toBe('');
	});

	test('can have “#” in quotation marks', async () => {
		const { name, max } = await typeSettings('run a.csv --env-file quoted.env');
		expect([name, max]).toEqual(['Acme#1', undefined]);
	});

	test('sets other variables as if they were exported', async () => {
		const { env } = await typeCommand('run a.csv --env-file proxy.env');
		expect(env).toEqual({ HTTPS_PROXY: 'http://proxy.example:3128' });
	});

	test.each([
		['none.env', 'File not found: none.env.'],
		['utf-16.env', 'utf-16.env is not UTF-8 text.'],
		['ten.env', 'CREATOR_BRIEFING_MAX in ten.env must be a whole number of at least 1, not “ten”.'],
		[
			'empty.env',
			'CREATOR_BRIEFING_MAX in empty.env must be a whole number of at least 1, not “”.',
		],
		['yes.env', 'CREATOR_BRIEFING_YES in yes.env must be true or false, not “yes”.'],
		['unknown.env', 'CREATOR_BRIEFING_MAXX in unknown.env is not a variable of brief-batch.'],
		['small.env', 'creator_briefing_max in small.env is not a variable of brief-batch.'],
		['windows.env', 'set CREATOR_BRIEFING_MAX in windows.env is not a variable of brief-batch.'],
		[
			'powershell.env',
			'$env:CREATOR_BRIEFING_MAX in powershell.env is not a variable of brief-batch.',
		],
		['reorder.env', 'CREATOR_BRIEFING_REORDER in reorder.env is not a variable of brief-batch.'],
		['nested.env', 'CREATOR_BRIEFING_ENV_FILE in nested.env is not a variable of brief-batch.'],
		[
			'number-sign.env',
			'CREATOR_BRIEFING_API_KEY in number-sign.env: the value contains “#”, which starts a comment.',
		],
		[
			'placeholder.env',
			'CREATOR_BRIEFING_API_KEY in placeholder.env is a placeholder, not an API key.',
		],
	])('%s is refused', async (file, message) => {
		expect(await typeWrong(`run a.csv --env-file ${file}`)).toBe(`2 ${message}`);
	});
});
