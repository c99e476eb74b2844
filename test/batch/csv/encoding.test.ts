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

/** A line in an encoding of one byte a character: the bytes of its characters beyond ASCII in their order. */
function lineIn(text: string, high: readonly number[]): Buffer {
	const rest = [...high];
	return Buffer.from(
		Array.from(text, (character) =>
			character > '\x7f' ? (rest.shift() ?? 0) : character.charCodeAt(0),
		),
	);
}

/** The bytes of Russian letters in windows-1251. */
function cyrillic(text: string): number[] {
	const letters = Array.from(text).filter((character) => character > '\x7f');
	return letters.map((letter) => (letter === 'ё' ? 0xb8 : letter.charCodeAt(0) - 0x350));
}

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
		// The é of Soap is UTF-8, so that no one encoding fits the whole file.
		expect(rows[2]?.problems[0]?.cure).toContain('Save the file as “CSV UTF-8”');
		expect(rows[2]?.id).toBe('');
		expect(rows.slice(0, 2).every(({ id }) => id.length === 32)).toBe(true);
	});

	test.each([
		['windows-1252', 'Bürste für Böden', [0xfc, 0xfc, 0xf6]],
		['macintosh', 'Bürste für Böden', [0x9f, 0x9f, 0x9a]],
		['windows-1252', 'L’huile d’été', [0x92, 0x92, 0xe9, 0xe9]],
		['windows-1252', 'Women’s soap – 30 €', [0x92, 0x96, 0x80]],
		['macintosh', 'Women’s “best” soap – 30 €', [0xd5, 0xd2, 0xd3, 0xd0, 0xdb]],
		['windows-1250', 'Gąbka do łazienki', [0xb9, 0xb3]],
		['windows-1251', 'Щётка для пола', null],
	])('what is %s is shown as that, and not read so by itself: %s', async (encoding, text, high) => {
		const bytes = lineIn(text, high ?? cyrillic(text));
		const csv = Buffer.concat([Buffer.from('Name;Goal\nMug;a\n'), bytes, Buffer.from(';b\n')]);
		const table = await open(csv);
		expect(table.encoding).toBe('utf-8');
		const notice = table.notices.at(-1);
		expect(notice).toContain(`The file is not all UTF-8: line 3 reads as ${encoding}: “${text};b”`);
		expect(notice).toMatch(/[Aa]dd --encoding .* If not, save the file as “CSV UTF-8”\.$/);
		const [mug, damaged] = await read(csv);
		expect(mug?.problems).toEqual([]);
		expect(damaged?.problems[0]?.what).toMatch(
			new RegExp(`^has damaged characters: “.*�.*”, which reads as ${encoding}: “${text}”$`),
		);
		expect(damaged?.problems[0]?.cure).toBe(
			`If that is right, add --encoding ${encoding}. If not, save the file as “CSV UTF-8”.`,
		);
		expect((await read(csv, { encoding }))[1]?.input.product_name).toBe(text);
	});

	test('damage far into a file is found too, with its line', async () => {
		const start = `Name,Goal\r\n${'Soap and water,sell\r\n'.repeat(10_000)}`;
		const table = await open(
			Buffer.concat([Buffer.from(start), Buffer.from('B\xfcrste,b', 'latin1')]),
		);
		expect(table.notices.join()).toContain('line 10002 reads as windows-1252: “Bürste,b”');
	});

	test('each damaged cell shows how it reads, also among blank lines, quotation marks and line breaks', async () => {
		const csv = Buffer.from(
			'Name,Goal\n\nB\xfcrste,a\n"Handcreme, ""mild"" f\xfcr\nSie",b\nMug,c\n\n"\xd6l",gro\xdf\n',
			'latin1',
		);
		for (const chunkBytes of [1, 7, 64 * 1024]) {
			expect(
				problemsOf(await read(csv, {}, chunkBytes)).map((text) => text.split(' reads as ')[1]),
			).toEqual([
				'windows-1252: “Bürste”',
				'windows-1252: “Handcreme, "mild" für\nSie”',
				'windows-1252: “Öl”',
				'windows-1252: “groß”',
			]);
		}
	});

	test('a file in which only some lines are UTF-8 is not to be read in another encoding', async () => {
		for (const others of [0, 30_000]) {
			const mixed = Buffer.concat([
				Buffer.from(`Name\nÖl\n${'Soap and water\n'.repeat(others)}`),
				Buffer.from('B\xfcrste\n', 'latin1'),
			]);
			const { notices } = await open(mixed);
			expect(notices.at(-1)).toContain(
				`parts of it are: line ${3 + others} reads as windows-1252: “Bürste”`,
			);
			expect(notices.join()).not.toContain('--encoding');
		}
	});

	test('a � that stands in the file itself is to be typed again', async () => {
		const [row] = await read('Name\nCaf\ufffd\n');
		expect(row?.problems[0]?.cure).toContain('another program has lost: type the cell again');
	});

	test('a header is refused whose field is only seen in another encoding', async () => {
		const csv = Buffer.from('Name;P\xfablico objetivo\nJab\xf3n;Padres\n', 'latin1');
		const { what, cure } = await failure(csv);
		expect(what).toBe(
			'The header, row 1, is not UTF-8: it reads as windows-1252: “Público objetivo”.',
		);
		expect(cure).toContain('add --encoding windows-1252');
	});

	test('UTF-8 is refused where --encoding says otherwise, with what would become of it', async () => {
		const { what, cure } = await failure('Name\nMug\nBürste\n', { encoding: 'windows-1252' });
		expect(what).toMatch(/ is UTF-8\. As windows-1252, .* “Bürste” would become “BÃ¼rste”\.$/);
		expect(cure).toBe('Leave --encoding out.');
	});

	test('UTF-16 without a mark is read, and shown', async () => {
		const { notices } = await open(utf16(CSV, false, false));
		expect(notices.at(-1)).toMatch(/looks like utf-16le, .* its first line reads “Name,Goal”/);
	});

	test('a character cut by the end of what is looked at first is not taken for damage', async () => {
		for (let shift = 0; shift < 4; shift++) {
			const csv = `Name\n${'x'.repeat(shift)}${'é😀\n'.repeat(20_000)}`;
			expect((await open(csv)).notices).toHaveLength(1);
		}
	});
});
