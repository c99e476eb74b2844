import { failure, open, read, problemsOf } from '../../support/batch/read-csv';

const CSV = 'Name,Goal\r\nRosehip Öl – 30 €,Größer\r\n';
const INPUT = { product_name: 'Rosehip Öl – 30 €', objective: 'Größer' };

function utf16(text: string, bigEndian: boolean, mark: boolean): Buffer {
	const bytes = Buffer.from((mark ? '\ufeff' : '') + text, 'utf16le');
	return bigEndian ? bytes.swap16() : bytes;
}

const windows1252 = Buffer.from(
	CSV.replace('–', '\x96').replace('€', '\x80').replaceAll('ö', '\xf6'),
	'latin1',
);

describe('encoding', () => {
	test.each([
		['UTF-8', Buffer.from(CSV), 'utf-8', false],
		['UTF-8 with its mark', Buffer.from('\ufeff' + CSV), 'utf-8', true],
		['UTF-16 LE with its mark', utf16(CSV, false, true), 'utf-16le', true],
		['UTF-16 BE with its mark', utf16(CSV, true, true), 'utf-16be', true],
		['UTF-16 LE without a mark', utf16(CSV, false, false), 'utf-16le', false],
		['UTF-16 BE without a mark', utf16(CSV, true, false), 'utf-16be', false],
	])('%s is recognised, in chunks of any size', async (_name, bytes, encoding, bom) => {
		for (const chunkBytes of [1, 2, 3, 5, 64 * 1024]) {
			const table = await open(bytes, {}, chunkBytes);
			expect(table).toMatchObject({ encoding, bom, columns: ['Name', 'Goal'] });
			expect((await read(bytes, {}, chunkBytes)).map(({ input }) => input)).toEqual([INPUT]);
		}
	});

	test.each(['windows-1252', 'Windows-1252', 'latin1', 'cp1252'])(
		'--encoding %s reads what an old spreadsheet saved',
		async (encoding) => {
			for (const chunkBytes of [1, 64 * 1024]) {
				const rows = await read(windows1252, { encoding }, chunkBytes);
				expect(rows.map(({ input }) => input)).toEqual([INPUT]);
			}
		},
	);

	test.each([
		['shift_jis', [0x93, 0xfa, 0x96, 0x7b], '日本'],
		['gb18030', [0xcf, 0xe3, 0xd4, 0xed], '香皂'],
	])(
		'--encoding %s reads characters of several bytes cut anywhere',
		async (encoding, name, text) => {
			const bytes = Buffer.concat([Buffer.from('Name\n'), Buffer.from(name), Buffer.from('\n')]);
			for (const chunkBytes of [1, 2, 3]) {
				const [row] = await read(bytes, { encoding }, chunkBytes);
				expect(row?.input.product_name).toBe(text);
			}
		},
	);

	test('a mark wins over a wrong --encoding', async () => {
		const table = await open('\ufeff' + CSV, { encoding: 'windows-1252' });
		expect(table).toMatchObject({ encoding: 'utf-8', columns: ['Name', 'Goal'] });
	});

	test('an unknown --encoding is answered with some that are known', async () => {
		const { what, cure } = await failure(CSV, { encoding: 'ansi-latin' });
		expect(what).toBe('--encoding “ansi-latin” is not the name of an encoding.');
		expect(cure).toContain('windows-1252');
	});

	test('only rows with damaged characters are held up, and the file gets a notice', async () => {
		const bytes = Buffer.concat([
			Buffer.from('Name,Note\nSoap,\xe9\nMug,'),
			Buffer.from([0xe9, 10]),
		]);
		const damaged = Buffer.concat([
			bytes,
			Buffer.from('Caf'),
			Buffer.from([0xe9]),
			Buffer.from(','),
		]);
		const table = await open(damaged);
		expect(table.notices.join()).toContain('not all UTF-8');
		const rows = await read(damaged);
		expect(problemsOf(rows)).toEqual(['row 4, Name: has damaged characters: “Caf�”']);
		expect(rows[2]?.problems[0]?.cure).toContain('--encoding windows-1252');
		expect(rows[2]?.id).toBe('');
		expect(rows.slice(0, 2).every(({ id }) => id.length === 32)).toBe(true);
	});

	test('a character cut by the end of what is looked at first is not taken for damage', async () => {
		for (let shift = 0; shift < 4; shift++) {
			const csv = `Name\n${'x'.repeat(shift)}${'é😀\n'.repeat(20_000)}`;
			expect((await open(csv)).notices).toHaveLength(1);
		}
	});
});
