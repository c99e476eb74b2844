import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RawOptions } from '../../../batch/settings/options';
import { checkBaseUrl } from '../../../batch/settings/address-and-key';
import { Stop } from '../../../batch/stop';
import { recordsOf, entry } from '../../support/batch/journal-events';
import { BASE, settings } from '../../support/batch/settings';
import { failureIn } from '../../support/failure-of';
import { temporaryFolder } from '../../support/temporary-folder';

const refusal = (work: () => unknown) => failureIn(work, Stop);

const folder = temporaryFolder();
const keyFile = (content: string | Uint8Array) => {
	const file = join(folder, 'key');
	writeFileSync(file, content);
	return file;
};

describe('the settings', () => {
	test.each([
		[{ name: ' Acme GmbH ', envFile: 'x.env' }, 'Acme GmbH'],
		[{ envFile: 'acme/client.env', out: 'out/spring' }, 'acme'],
		[{ envFile: '/client.env', out: 'out/spring' }, 'spring'],
		[{ out: '/srv/acme/briefs' }, 'acme'],
		[{ out: '/' }, 'brief-batch'],
	])('name who it is for: %j is %s', (raw, name) => {
		expect(settings(raw).name).toBe(name);
	});

	test('have the defaults of the manual', () => {
		const interval = { shortest: 15_000, longest: 30_000 };
		const none = { max: Infinity, keep: 0, leaveSlots: 0, map: [], set: {} };
		const defaults = { outDir: 'briefs', maxTries: 3, timeout: 1_800_000, interval };
		expect(settings()).toMatchObject({ ...none, ...defaults });
	});

	test('are what is given', () => {
		const given = settings({
			max: '5',
			keep: '3',
			leaveSlots: '1',
			timeout: '0.5',
			yes: true,
			out: 'x',
			pollInterval: '20',
			pollIntervalMax: '45.5',
			id: ' SKU ',
			expectAtMost: '0',
			map: ['Title = en=product_name', 'Title = en=product_name'],
			set: ['objective=Sell=more', 'objective=Sell=more'],
		});
		expect(given).toMatchObject({
			max: 5,
			keep: 3,
			leaveSlots: 1,
			timeout: 30_000,
			yes: true,
			outDir: 'x',
			interval: { shortest: 20_000, longest: 45_500 },
			expectAtMost: 0,
			id: 'SKU',
			set: { objective: 'Sell=more' },
		});
		const map = { header: 'Title = en', field: 'product_name' };
		expect(given.map).toEqual(expect.arrayContaining([map]));
	});

	test.each<[keyof RawOptions, string[]]>([
		['max', ['0', '-1', '1e3', '']],
		['keep', ['1.5', 'some']],
		['leaveSlots', ['2']],
		['expectAtMost', ['-1', '1.5', '']],
		['id', ['', ' ']],
		['timeout', ['0', 'Infinity', ' ']],
		['pollInterval', ['14', 'NaN', '-20']],
		['pollIntervalMax', ['14']],
		['out', [' ']],
	])('refuse a bad --%s: %j', (name, values) => {
		const option = `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
		for (const value of values) {
			const { what, exitCode } = refusal(() => settings({ [name]: value }));
			expect([value, what, exitCode]).toEqual([value, expect.stringContaining(option), 2]);
		}
	});

	test.each<[string, Partial<RawOptions>]>([
		['--poll-interval-max', { pollInterval: '40', pollIntervalMax: '30' }],
		['--map', { map: ['product_name'] }],
		['--map', { map: ['=product_name'] }],
		['--map', { map: ['Title=name'] }],
		['--map gives the column “a” to two fields', { map: ['a=objective', 'a=audience'] }],
		['--set', { set: ['objective'] }],
		['--set', { set: ['goal=Sell'] }],
		['--set gives audience two different values', { set: ['audience=A', ' audience =B'] }],
	])('refuse a bad %s: %j', (option, raw) => {
		const { what, exitCode } = refusal(() => settings(raw));
		expect([what, exitCode]).toEqual([expect.stringContaining(option), 2]);
	});

	test.each(['${AUD}', '$AUD', '${{ vars.AUD }}', '%AUD%', '<audience>', ' ${AUD} ', '…', '...'])(
		'refuse the placeholder %s as the value of a --set',
		(value) => {
			const { what, cure, exitCode } = refusal(() => settings({ set: [`audience=${value}`] }));
			expect(what).toBe(`--set audience is “${value.trim()}”, a placeholder and not a text.`);
			expect(cure).toContain('Put the text itself in its place.');
			expect(exitCode).toBe(2);
		},
	);

	test.each(['$5', '$20.50', '100 %', 'Use ${CODE}', '<b>New</b> <i>in</i>', 'Wait…', 'a=<b>'])(
		'take %s as the value of a --set',
		(value) => {
			expect(settings({ set: [`campaign_terms=${value}`] }).set.campaign_terms).toBe(value);
		},
	);

	test.each([{ map: ['Title=name'] }, { set: ['goal=Sell'] }])(
		'name the fields there are where %j names none',
		(raw) => {
			expect(refusal(() => settings(raw)).cure).toContain('product_name, product_id, audience');
		},
	);

	test('look more often than every 15 seconds only at an address on this machine', () => {
		const baseUrl = 'http://127.0.0.1:4010/v1';
		expect(settings({ baseUrl, pollInterval: '0.05' }).interval).toEqual({
			shortest: 50,
			longest: 30_000,
		});
		expect(settings({ pollInterval: '60' }).interval.longest).toBe(60_000);
	});
});

describe('the address', () => {
	test('is taken without its last slash', () => {
		expect(settings({ baseUrl: ` ${BASE}/ ` }).baseUrl).toBe(BASE);
	});

	test.each([
		['https://user:pass@api.vendor.example/v1', 'a user name or a password'],
		[undefined, 'is not set'],
		[' ', 'is not set'],
	])('%s is refused: %s', (baseUrl, why) => {
		const { what, exitCode } = refusal(() => settings({ baseUrl }));
		expect([what, exitCode]).toEqual([expect.stringContaining(why), 2]);
		expect(what).not.toContain('pass@');
	});
});

const SAVE = 'Save it as UTF-8, or as UTF-16 with a byte order mark.';

describe('the key', () => {
	test.each([
		['with a line end', 'cb_key\n'],
		['with blanks and a byte order mark', '\ufeff  cb_key \r\n'],
		['of PowerShell', Buffer.from('\ufeffcb_key\r\n', 'utf16le')],
		['in the other UTF-16', Buffer.from('\ufeffcb_key', 'utf16le').swap16()],
	])('is read from a file %s', (_, content) => {
		const raw = { apiKeyFile: keyFile(content) };
		expect(settings(raw, {}).apiKey).toBe('cb_key');
	});

	test('of an empty file is refused', () => {
		expect(refusal(() => settings({ apiKeyFile: keyFile('') }, {})).what).toContain('API key');
	});

	test.each([
		...['cb_key\ncb_other', 'cb_ké', '"cb_key"', "cb_key'"],
		...['“cb_key”', 'Bearer cb_key', '${{ secrets.cb_key }}', '…', 'cb key'],
	])('%j is refused, from a file and a variable, and not shown', (key) => {
		const file = refusal(() => settings({ apiKeyFile: keyFile(key) }, {}));
		const variable = refusal(() => settings({}, { CREATOR_BRIEFING_API_KEY: key }));
		for (const { what, cure, exitCode } of [file, variable]) {
			expect([what, exitCode]).toEqual([expect.stringContaining('API key'), 2]);
			expect(what + cure).not.toMatch(/cb.k/);
		}
	});

	test.each([
		['of UTF-16 without its mark', Buffer.from('cb_key', 'utf16le')],
		['of another encoding', Buffer.from('cb_ké', 'latin1')],
	])('in a file %s is refused, and not shown', (_, content) => {
		const { what, cure } = refusal(() => settings({ apiKeyFile: keyFile(content) }, {}));
		expect([what, cure]).toEqual([expect.stringMatching(/^The key file .* is no text/), SAVE]);
	});

	test('may have dollars and dots in it', () => {
		for (const key of ['cb_$a.b', '$a$b', 'a.b.c', '$2b$10$x'])
			expect(settings({}, { CREATOR_BRIEFING_API_KEY: key }).apiKey).toBe(key);
	});

	test('is asked for if it or its file is missing', () => {
		const env = {};
		expect(refusal(() => settings({}, env)).cure).toContain('CREATOR_BRIEFING_API_KEY');
		const { what, cure } = refusal(() => settings({ apiKeyFile: join(folder, 'none') }, env));
		expect(what).toContain('ENOENT');
		expect(cure).toContain('--api-key-file');
		expect(refusal(() => settings({ apiKeyFile: folder }, env)).what).toContain('EISDIR');
	});
});

test('a journal refuses another service, but not another path, nor another port of this machine', () => {
	const records = (base_url = BASE) => recordsOf({ ...entry.batch(), batch: 'spring', base_url });

	checkBaseUrl(BASE, records(), 'out');
	checkBaseUrl(BASE.replace('v1', 'v2'), records(), 'out');
	checkBaseUrl('http://127.0.0.1:2/v1', records('http://localhost:1/v1'), 'out');
	const { what } = refusal(() => checkBaseUrl('http://127.0.0.1:2/v1', records(), 'out'));
	expect(what).toContain(`holds briefs of ${BASE}`);
});
