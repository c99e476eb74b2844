import { openClientFolder } from '../../support/client-folder';
import { preload } from '../../support/preload';

jest.setTimeout(60_000);

/** A host that nothing can reach: the command is refused before it asks for it. */
const SERVICE = { CREATOR_BRIEFING_BASE_URL: 'https://api.vendor.invalid/v1' };

const OLD_NODE =
	'Object.defineProperty(process, "versions", { value: { ...process.versions, node: "18.20.4" } })';
const NO_HOME = 'import os from "node:os"; os.homedir = () => { throw new Error("uv_os_homedir") }';

test.each<[what: string, env: Record<string, string>, message: RegExp]>([
	[
		'Node.js is too old',
		{ NODE_OPTIONS: preload(OLD_NODE) },
		/^brief-batch needs Node\.js 20\.12 or newer, and this is Node\.js 18\.20\.4\. .*\n$/,
	],
	[
		'~ is used by a user without a home folder',
		{ NODE_OPTIONS: preload(NO_HOME), CREATOR_BRIEFING_OUT: '~/briefs' },
		/^CREATOR_BRIEFING_OUT in the environment begins with ~, but this user has no home folder\./,
	],
	[
		'$HOME is used and empty',
		{ HOME: '', CREATOR_BRIEFING_OUT: '$HOME/briefs' },
		/begins with \$HOME, but this user has no home folder\./,
	],
	[
		'docker has kept quotation marks',
		{ CREATOR_BRIEFING_SET: '"audience=Home lovers"' },
		/^CREATOR_BRIEFING_SET in the environment begins with a quotation mark/,
	],
	[
		'the password of the proxy contains a #',
		{ HTTPS_PROXY: 'http://user:pass#word@proxy.example:8080' },
		/HTTPS_PROXY is not the address of a proxy\.\sIts form is .* write # as %23/,
	],
])('every command ends with 2 and a sentence if %s', async (_what, env, message) => {
	const folder = await openClientFolder(1);
	for (const command of ['run products.csv --yes', 'plan products.csv', 'doctor']) {
		const { code, out, err } = await folder.run(command, { env: { ...SERVICE, ...env } });
		expect([command, code, out + err]).toEqual([command, 2, expect.stringMatching(message)]);
	}
	expect(folder.exists('briefs')).toBe(false);
});
