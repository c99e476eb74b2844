import { failure, read } from '../../support/batch/read-csv';

const CSV = 'Name,Goal\r\nRosehip Öl – 30 €,Größer\r\n';
const INPUT = { product_name: 'Rosehip Öl – 30 €', objective: 'Größer' };

function utf16(text: string, bigEndian: boolean): Buffer {
	const bytes = Buffer.from(text, 'utf16le');
	return bigEndian ? bytes.swap16() : bytes;
}

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

/** A text in an encoding of one or two bytes a character. */
function textIn(encoding: string, text: string): Buffer {
	const decoder = new TextDecoder(encoding);
	const bytesOf = new Map<string, number[]>();
	for (let first = 0x80; first < 0x100; first++) {
		const pairs = Array.from({ length: 0xc0 }, (_, at) => [first, 0x40 + at]);
		for (const bytes of [[first], ...pairs]) {
			const character = decoder.decode(Uint8Array.from(bytes));
			if (!bytesOf.has(character)) bytesOf.set(character, bytes);
		}
	}
	const bytes = Array.from(text, (one) => bytesOf.get(one) ?? [one.charCodeAt(0)]);
	return Buffer.from(bytes.flat());
}

describe('encoding', () => {
	test('an unknown --encoding is answered with some that are known', async () => {
		const { what, cure } = await failure(CSV, { encoding: 'ansi-latin' });
		expect(what).toBe('--encoding “ansi-latin” is not the name of an encoding.');
		expect(cure).toContain('windows-1252');
	});

	test.each([
		['windows-1252', 'Bürste für Böden', [0xfc, 0xfc, 0xf6]],
		['macintosh', 'Bürste für Böden', [0x9f, 0x9f, 0x9a]],
		['windows-1252', 'L’huile d’été', [0x92, 0x92, 0xe9, 0xe9]],
		['windows-1252', 'Women’s soap – 30 €', [0x92, 0x96, 0x80]],
		['macintosh', 'Women’s “best” soap – 30 €', [0xd5, 0xd2, 0xd3, 0xd0, 0xdb]],
		['windows-1250', 'Gąbka do łazienki', [0xb9, 0xb3]],
		['windows-1251', 'Щётка для пола', null],
	])('what is %s is refused with that suggestion: %s', async (encoding, text, high) => {
		const bytes = lineIn(text, high ?? cyrillic(text));
		const csv = Buffer.concat([Buffer.from('Name;Goal\nMug;a\n'), bytes, Buffer.from(';b\n')]);
		const { what, cure } = await failure(csv);
		expect(what).toContain(`is not UTF-8. As ${encoding} it reads: “${text}”.`);
		expect(cure).toBe(
			`If that is right, add --encoding ${encoding}. If not, save the file as “CSV UTF-8”.`,
		);
		expect((await read(csv, { encoding }))[1]?.input.product_name).toBe(text);
	});

	test.each([
		['shift_jis', 'さくら石鹸 ①', 'オリーブオイル ﾊﾟｯｸ 50g'],
		['shift_jis', '日本茶', '保湿美容液'],
		['shift_jis', 'オリーブオイル', 'ハンドクリーム'],
		['euc-kr', '수분 크림 50ml', '비누 세트'],
		['big5', '玫瑰手工皂', '保濕精華液（30毫升）'],
		['gb18030', '玫瑰香皂', '保湿精华液（30毫升）'],
		['windows-874', 'สบู่ลาเวนเดอร์', 'ครีมทามือ 50 มล.'],
		['windows-1254', 'Işıltılı şampuan', 'Gül suyu ve yağ'],
		['windows-1251', 'Мыло ручной работы', 'Крем «Нежность» 50 мл'],
		['windows-1250', 'Šampon na vlasy', 'Krém s vůní růží'],
		['windows-1250', 'Tusfürdő és testápoló', 'Kézkrém őszibarackkal'],
		['windows-1250', 'Mydło w płynie', 'Świeca zapachowa'],
		['windows-1250', 'Deterdžent za suđe', 'Čaša za vodu'],
		['windows-1252', 'Pão de queijo', 'Coração'],
	])('the text of %s is refused with that suggestion: %s', async (encoding, first, second) => {
		const csv = textIn(encoding, `Name,Goal\n${first},sell\n${second},sell\n`);
		const { what, cure } = await failure(csv);
		expect(what).toContain(`As ${encoding} it reads: “${first}” and “${second}”.`);
		expect(cure).toContain(`add --encoding ${encoding}.`);
		const names = (await read(csv, { encoding })).map(({ input }) => input.product_name);
		expect(names).toEqual([first, second]);
	});

	test.each([
		['windows-1255', 'סבון לבנדר'],
		['windows-1253', 'Σαπούνι λεβάντας'],
		['windows-1256', 'صابون اللافندر'],
		['koi8-r', 'Мыло ручной работы'],
	])('what is not recognised is not guessed: %s', async (encoding, text) => {
		const csv = textIn(encoding, `Name,Goal\nMug,sell\n${text},sell\n`);
		const { what, cure } = await failure(csv);
		expect(what).toMatch(/ is not UTF-8 from line 3 on, and its encoding is not recognised\.$/);
		expect(cure).toContain('Save the file as “CSV UTF-8”');
		expect((await read(csv, { encoding }))[1]?.input.product_name).toBe(text);
	});

	test.each([
		['Windows-1252', 'windows-1252', 'Café'],
		['latin1', 'windows-1252', 'Café'],
		['cp1252', 'windows-1252', 'Café'],
		['cp932', 'shift_jis', 'さくら石鹸'],
		['MS949', 'euc-kr', '수분 크림'],
		['windows-936', 'gbk', '玫瑰香皂'],
		['950', 'big5', '玫瑰手工皂'],
		['cp874', 'windows-874', 'สบู่'],
		['cp1254', 'windows-1254', 'Işıltılı'],
		['cp65001', 'utf-8', 'Café'],
	])('--encoding %s is %s by another name', async (label, encoding, text) => {
		const [row] = await read(textIn(encoding, `Name\n${text}\n`), { encoding: label });
		expect(row?.input.product_name).toBe(text);
	});

	test('three of its texts are shown, also beside quotation marks and line breaks', async () => {
		const csv = Buffer.from(
			'Name,Goal\n\nB\xfcrste,a\n"Handcreme, ""mild"" f\xfcr\nSie",b\nMug,c\n\n"\xd6l",gro\xdf\n',
			'latin1',
		);
		expect((await failure(csv)).what).toMatch(
			/As windows-1252 it reads: “Bürste”, “für” and “Öl”\.$/,
		);
	});

	test('damage far into a file is found too', async () => {
		const start = `Name,Goal\r\n${'Soap and water,sell\r\n'.repeat(10_000)}`;
		const csv = Buffer.concat([Buffer.from(start), Buffer.from('B\xfcrste,b', 'latin1')]);
		expect((await failure(csv)).cure).toContain('--encoding windows-1252');
	});

	test('a file in which only some lines are UTF-8 is not to be read in another encoding', async () => {
		const mixed = Buffer.concat([
			Buffer.from(`Name\nÖl\nMug\n`),
			Buffer.from('B\xfcrste\n', 'latin1'),
		]);
		const { what, cure } = await failure(mixed);
		expect(what).toContain('only partly UTF-8. From line 4 on it reads as windows-1252: “Bürste”.');
		expect(cure).not.toContain('--encoding');
	});

	test('a � in the file itself is to be typed again', async () => {
		const [row] = await read('Name\nCaf\ufffd\n');
		expect(row?.problems[0]?.cure).toBe('Another program has lost them: type the text again.');
	});

	test('UTF-8 is refused if --encoding says otherwise', async () => {
		const { what, cure } = await failure('Name\nMug\nBürste\n', { encoding: 'windows-1252' });
		expect(what).toMatch(/ is UTF-8, and --encoding says windows-1252\.$/);
		expect(cure).toBe('Leave --encoding out.');
	});

	test.each([
		['utf-16le', false],
		['utf-16be', true],
	])('%s without a mark is refused with that suggestion', async (encoding, isBig) => {
		const { what, cure } = await failure(utf16(CSV, isBig));
		expect(what).toContain(`As ${encoding} it reads: “Name”, “Goal” and “Rosehip Öl – 30 €”.`);
		expect(cure).toContain(`--encoding ${encoding}`);
		expect((await read(utf16(CSV, isBig), { encoding }))[0]?.input).toEqual(INPUT);
	});
});
