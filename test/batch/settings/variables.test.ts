import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startSandbox } from '../../../sandbox/sandbox';
import { command } from '../../support/batch/streams';
import { temporaryFolder } from '../../support/temporary-folder';

const folder = temporaryFolder();

const file = (name: string, content: string | Uint8Array) => {
	const path = join(folder, name);
	writeFileSync(path, content);
	return path;
};
const profile = (...lines: string[]) => file('acme.env', `${lines.join('\n')}\n`);

/** Such a run ends before it reads anything, with a word on its options. */
const KEYED = {
	CREATOR_BRIEFING_BASE_URL: 'http://127.0.0.1:9/v1',
	CREATOR_BRIEFING_API_KEY: 'cb_key',
};
const run = (env: NodeJS.ProcessEnv, ...args: string[]) =>
	command(['run', join(folder, 'none.csv'), ...args], { ...KEYED, ...env });

/** The run ends with 2, and says all this. */
async function expectRefused(env: NodeJS.ProcessEnv, args: string[], ...said: string[]) {
	const { code, err } = await run(env, ...args);
	expect(code).toBe(2);
	for (const text of said) expect(err).toContain(text);
}

describe('a variable in the place of an option', () => {
	test.each([
		['CREATOR_BRIEFING_MAX', '0', '--max takes a whole number'],
		['CREATOR_BRIEFING_LEAVE_SLOTS', '2', '--leave-slots takes a whole number'],
		['CREATOR_BRIEFING_POLL_INTERVAL_MAX', 'x', '--poll-interval-max takes a number'],
		['CREATOR_BRIEFING_MAP', 'Titel=name', '--map names an unknown field “name”'],
		['CREATOR_BRIEFING_SET', 'objective=Sell\n goal=x', '--set names an unknown field “goal”'],
		['CREATOR_BRIEFING_ADOPT', '4=x\nfive', '--adopt takes the numbers of rows, not “five”'],
		['CREATOR_BRIEFING_ADOPT', '4=<brief id>', '--adopt takes ROW=BRIEF_ID, not “4=<brief id>”'],
		['CREATOR_BRIEFING_ADOPT', '4=x\n4=y', '--adopt names row 4 twice'],
		['CREATOR_BRIEFING_ADOPT', '4=x\n5=x', '--adopt gives brief x to two rows, 4 and 5'],
		['CREATOR_BRIEFING_BASE_URL', 'ftp://x/v1', '--base-url: It is not the address'],
	])('%s=%j is refused like its option', async (variable, value, text) => {
		await expectRefused({ [variable]: value }, [], text);
	});

	test.each(['', 'TRUE ', 'false', '1', '0'])('for a switch may be %j', async (value) => {
		const { err } = await run({ CREATOR_BRIEFING_YES: value });
		expect(err).not.toContain('true or false (1 or 0)');
	});

	test.each([' ', 'yes', 'on', '2'])('for a switch is refused if it is %j', async (value) => {
		await expectRefused({ CREATOR_BRIEFING_YES: value }, [], 'true or false (1 or 0)');
	});

	test('counts less than an argument, also one that may be repeated', async () => {
		const env = { CREATOR_BRIEFING_MAX: '0', CREATOR_BRIEFING_MAP: 'Titel=name' };
		const { err } = await run(env, '--max', '3', '--map', 'Titel=product_name');
		expect(err).toContain('none.csv');
		expect(err).not.toContain('--ma');
	});

	test('with a typing error in its name is refused, and an empty one counts as none', async () => {
		const wrong = { CREATOR_BRIEFING_MAXX: '1' };
		await expectRefused(wrong, [], 'The environment sets CREATOR_BRIEFING_MAXX, which');
		await expectRefused({ CREATOR_BRIEFING_MAX: '', CREATOR_BRIEFING_MAP: '' }, [], 'none.csv');
	});

	test('is left alone by commands without that option', async () => {
		const out = join(folder, 'elsewhere');
		const env = { CREATOR_BRIEFING_MAX: '0', CREATOR_BRIEFING_OUT: out };
		const { code, err } = await command(['status'], env);
		expect(code).toBe(2);
		expect(err).toContain(`No run is on record in ${out}.`);
	});
});

describe('--env-file', () => {
	test('sets variables, which count before the environment and after arguments', async () => {
		const path = profile('# Acme', 'export CREATOR_BRIEFING_MAX="-1" # none', '');
		await expectRefused({ CREATOR_BRIEFING_MAX: '-2' }, ['--env-file', path], 'not “-1”');
		await expectRefused({ CREATOR_BRIEFING_ENV_FILE: path }, [], 'not “-1”');
		const byArgument = await run({}, '--env-file', path, '--max', '-3');
		expect(byArgument.err).toContain('not “-3”');
	});

	test('brings its own key, whatever the environment was left with', async () => {
		const keyFile = file('other.key', 'cb_other');
		const path = profile('CREATOR_BRIEFING_API_KEY="cb key"');
		const left = { CREATOR_BRIEFING_API_KEY_FILE: keyFile };
		const said = 'The API key in CREATOR_BRIEFING_API_KEY holds characters';
		await expectRefused(left, ['--env-file', path], said);
		const byFile = profile(`CREATOR_BRIEFING_API_KEY_FILE=${join(folder, 'none.key')}`);
		await expectRefused({}, ['--env-file', byFile], 'none.key cannot be read');
	});

	test('sets other variables too, as if they were exported', async () => {
		const env: NodeJS.ProcessEnv = { ...KEYED };
		const path = profile('HTTPS_PROXY=http://proxy.example:3128');
		await command(['run', 'none.csv', '--env-file', path], env);
		expect(env.HTTPS_PROXY).toBe('http://proxy.example:3128');
	});

	test.each([
		['HTTPS_PROXY', 'proxy.example:3128', 'http://proxy.example:3128'],
		['all_proxy', 'me:secret@proxy.example:3128', 'http://me:secret@proxy.example:3128'],
		['https_proxy', 'https://proxy.example', 'https://proxy.example'],
		['HTTPS_PROXY', '', ''],
		['NO_PROXY', 'api.example:443', 'api.example:443'],
	])('of a proxy, %s=%s, mean what they mean to curl', async (name, proxy, meaning) => {
		const env: NodeJS.ProcessEnv = { ...KEYED, [name]: proxy };
		await command(['run', 'none.csv'], env);
		expect(env[name]).toBe(meaning);
	});

	test.each([
		[
			'a name that is none',
			'CREATOR_BRIEFING_LEAVE_SLOT=1',
			'sets CREATOR_BRIEFING_LEAVE_SLOT, which',
		],
		['small letters', 'creator_briefing_max=1', 'sets creator_briefing_max, which'],
		['“set” before a name', 'set CREATOR_BRIEFING_MAX=1', 'Line 1 of the file'],
		['a line of PowerShell', "A=1\n$env:CREATOR_BRIEFING_MAX='1'", 'Line 2 of the file'],
		['a line of YAML', 'A="1\n\n2"\n\nCREATOR_BRIEFING_MAX: 1', 'Line 5 of the file'],
		['a line that is no name', "A='1'\r\n# b\r\ncb_live", 'Line 3 of the file'],
		['UTF-16 without its mark', Buffer.from('A=1', 'utf16le'), 'is no text'],
		['another encoding', Buffer.from('A=ü', 'latin1'), 'is no text'],
		['a hashtag in a text', 'CREATOR_BRIEFING_SET=campaign_terms=Use #ad', 'only as far as the #'],
		['a # in a key', 'A=1\nCREATOR_BRIEFING_API_KEY=cb#key', 'Line 2 of the file'],
		['a # before a value', 'CREATOR_BRIEFING_API_KEY=#key', 'only as far as the #'],
	])('with %s is refused, because a setting would be forgotten', async (_, content, text) => {
		const path = file('bad.env', content);
		await expectRefused({}, ['--env-file', path], text, path);
	});

	test.each([
		'CREATOR_BRIEFING_MAX=-1 # a day',
		'CREATOR_BRIEFING_MAX="-1" #a day',
		"\ufeffCREATOR_BRIEFING_MAX='-1'\r\nCREATOR_BRIEFING_KEEP= # none\r",
		'CREATOR_BRIEFING_MAX=-1\nCREATOR_BRIEFING_SET="audience=#all\nobjective=say `b`"',
		'# set CREATOR_BRIEFING_MAX=1#2\nCREATOR_BRIEFING_MAX=-1',
		'\tA.b-c = \r\nA="it is\n\nlong" # x\n export  CREATOR_BRIEFING_MAX =-1\nA="open',
		Buffer.from('\ufeffCREATOR_BRIEFING_MAX=-1\r\n', 'utf16le'),
		Buffer.from('\ufeffCREATOR_BRIEFING_MAX=-1\r\n', 'utf16le').swap16(),
	])('takes comments, quotation marks and a file of Windows: %j', async (content) => {
		await expectRefused({}, ['--env-file', file('comments.env', content)], 'not “-1”');
	});

	test('has paths that count from its own folder, as those of an argument or variable do not', async () => {
		const path = profile('CREATOR_BRIEFING_OUT=../acme', 'CREATOR_BRIEFING_API_KEY_FILE=none.key');
		const env = { CREATOR_BRIEFING_ENV_FILE: path };
		const out = join(folder, '..', 'acme');
		expect((await command(['status'], env)).err).toContain(`in ${out}.`);
		expect((await run(env)).err).toContain(`The key file ${join(folder, 'none.key')} cannot`);
		expect((await run({ CREATOR_BRIEFING_API_KEY_FILE: 'a.key' })).err).toContain(' a.key cannot');
		const typed = await command(['status', '--env-file', path, '--out', 'typed']);
		expect(typed.err).toContain('in typed.');
	});

	test('that is not there is refused', async () => {
		const none = join(folder, 'none.env');
		await expectRefused({}, ['--env-file', none], 'none.env of --env-file cannot be');
	});

	test('never shows the key that it holds', async () => {
		const secret = 'cb_live_SECRET';
		for (const line of [
			`CREATOR_BRIEFING_API_KEY='"${secret}"'`,
			`CREATOR_BRIEFING_API_KEY ${secret}\nCREATOR_BRIEFING_MAX=1`,
			`CREATOR_BRIEFING_APIKEY=${secret}`,
			`CREATOR_BRIEFING_API_KEY="Bearer ${secret}"`,
		]) {
			const { code, out, err } = await run({}, '--env-file', profile(line));
			expect(code).toBe(2);
			expect(out + err).not.toContain('SECRET');
		}
	});
});

test('a profile is all that a command needs: address, key, folder, columns and values', async () => {
	const sandbox = await startSandbox();
	const csv = file('titles.csv', 'Titel,Ziel\nGlow Serum,Teens\nRug,\n');
	const out = join(folder, 'acme');
	const path = profile(
		`CREATOR_BRIEFING_BASE_URL=${sandbox.url}`,
		`CREATOR_BRIEFING_API_KEY='${sandbox.keys.allScopes}'`,
		`CREATOR_BRIEFING_OUT=${out}`,
		'CREATOR_BRIEFING_MAP="Titel=product_name',
		'  Ziel=audience"',
		'CREATOR_BRIEFING_SET="objective=Sell',
		'approved_facts=Vegan"',
		'CREATOR_BRIEFING_MAX=1',
		'CREATOR_BRIEFING_JSON=true',
	);
	const { code, out: said, err } = await command(['plan', csv, '--env-file', path]);
	await sandbox.close();
	expect([code, err]).toEqual([3, '']);
	expect(JSON.parse(said)).toMatchObject({ event: 'plan', rows: 2, takes: 1, beyond_max: 1 });
});
