import { homedir } from 'node:os';
import { join } from 'node:path';
import { INPUT_FIELDS } from '../../../core/input/input-fields';
import { typeSettings, getUsageError } from '../support/type-command';

const BRIEF_ID = '9b2f6c1e-5d0a-4c57-8e0f-3a1d7c9b2e46';

test.each<[line: string, settings: object]>([
	['run a.csv', { max: undefined, out: 'briefs', yes: false }],
	['run a.csv --max 3', { max: 3 }],
	['run a.csv --max=3 -y -q -o x', { max: 3, yes: true, quiet: true, out: 'x' }],
	['run a.csv --out=~/briefs', { out: join(homedir(), 'briefs') }],
	['plan a.csv --only 3', { only: [{ from: 3, to: 3 }] }],
	['plan a.csv --only 5-9,@A', { only: [{ from: 5, to: 9 }, { rowId: 'A' }] }],
	['run a.csv --reorder changed', { reorder: 'changed' }],
	['run a.csv --accept-edits 7', { acceptEdits: [{ from: 7, to: 7 }] }],
	[`run a.csv --use-brief 4=${BRIEF_ID.toUpperCase()}`, { useBrief: new Map([['4', BRIEF_ID]]) }],
	['run a.csv --map Ziel=audience --map a=b=-', { map: { Ziel: 'audience', 'a=b': '-' } }],
	['run a.csv --map Key_Facts=Approved_Facts', { map: { Key_Facts: 'approved_facts' } }],
	['run a.csv --set campaign_terms=20%=net', { set: { campaign_terms: '20%=net' } }],
	['run a.csv --where A=b --where C!=d', { where: ['A=b', 'C!=d'] }],
	[
		'run a.csv --allow new-folder,damaged-rows --allow unknown-csv',
		{ allow: new Set(['new-folder', 'damaged-rows', 'unknown-csv']) },
	],
	['doctor --base-url https://host/v1/', { baseUrl: 'https://host/v1' }],
])('%s is read', async (line, settings) => {
	expect(await typeSettings(line)).toMatchObject(settings);
});

const ROWS = 'must be row numbers such as 3,5-9, or row IDs such as @4711';

test.each([
	['--max 3 --max 5', '--max is given twice, as “3” and “5”. Keep one value.'],
	['--yes -y', '--yes is given twice.'],
	['--max ten', '--max must be a whole number of at least 0, not “ten”.'],
	['--only changed', `--only ${ROWS}, not “changed”.`],
	['--only 9-5', `--only ${ROWS}, not “9-5”.`],
	['--use-brief 3=abc', `--use-brief must be ROW=BRIEF_ID, such as 4=${BRIEF_ID}, not “3=abc”.`],
	[
		`--use-brief 3=${BRIEF_ID} --use-brief 4=${BRIEF_ID}`,
		`--use-brief names brief ${BRIEF_ID} twice. A brief belongs to one row.`,
	],
	[
		'--map Ziel=goal',
		`--map has the unknown field “goal”. The fields are: ${INPUT_FIELDS.join(', ')}.`,
	],
	['--map product_name', '--map must be "COLUMN=FIELD", not “product_name”.'],
	['--set audience=', '--set has no value for audience. Is the variable of a script empty?'],
	[
		'--set audience=a --set audience=b',
		'--set is given twice for “audience”, as “a” and “b”. Keep one value.',
	],
	['--where Status', '--where must be "Column=value" or "Column!=value", not “Status”.'],
	[
		'--allow everything',
		'--allow has the unknown code “everything”. The codes are: unknown-csv, new-folder, options-changed, other-workspace, other-product, damaged-rows.',
	],
	['--notify ftp://host', '--notify must be a link that starts with https:// or http://.'],
])('run a.csv %s is refused', async (options, message) => {
	expect(await getUsageError(`run a.csv ${options}`)).toBe(`2 ${message}`);
});

test('an address without encryption is refused', async () => {
	const message = await getUsageError('run a.csv --base-url http://host/v1');
	expect(message).toMatch(/^2 --base-url is invalid\. http:\/\/host /);
});

describe('the API key', () => {
	const readKey = async (key: string, command = 'run a.csv') =>
		(await typeSettings(command, { CREATOR_BRIEFING_API_KEY: key })).apiKey;

	test('is read without white space around it', async () => {
		expect(await readKey(' cbk_$a.b\n')).toBe('cbk_$a.b');
	});

	test('is not read by a command that does not call the service', async () => {
		expect(await readKey('<YOUR_API_KEY>', 'status')).toBe('');
	});

	test('is refused and not shown with characters that no key has', async () => {
		const message = await getUsageError('run a.csv', { CREATOR_BRIEFING_API_KEY: 'cbk_a\ncbk_b' });
		expect(message).toBe(
			'2 CREATOR_BRIEFING_API_KEY in the environment contains characters that no API key has, such as spaces or quotation marks.',
		);
	});
});
