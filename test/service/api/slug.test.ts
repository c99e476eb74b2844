import { slug } from '../../../service/api/slug';

test.each([
	['Glow Serum 30 ml', 'glow-serum-30-ml'],
	['Crème Brûlée’s “Best”', 'creme-brulees-best'],
	['Straße & Œuvre', 'strasse-oeuvre'],
	['../../etc/passwd', 'etc-passwd'],
	['Đặng ¼ ﬁ №', 'dang-1-4-fi-no'],
	['美容液 30ml【新】', '美容液-30ml-新'],
	['ガーデン・ライト', 'ガーデン-ライト'],
	['비누 세트', '비누-세트'],
	['סבון לבנדר', 'סבון-לבנדר'],
	['صابون اللافندر ٣', 'صابون-اللافندر-٣'],
	['Щётка для ЧАЙНИКА й', 'щётка-для-чайника-й'],
	['फ़ेस वॉश', 'फ़ेस-वॉश'.normalize('NFC')],
	['❤️ Glow 1️⃣ 🧴', 'glow-1'],
	['a<b>c:d"e/f\\\\g|h?i*j. ', 'a-b-c-d-e-f-g-h-i-j'],
	['🧴', ''],
	['', ''],
])('%s in a file name is “%s”', (text, name) => {
	expect(slug(text)).toBe(name);
});

test('is cut to 60 characters, at a word’s end if that leaves enough', () => {
	expect(slug(`${'a'.repeat(40)} ${'b'.repeat(40)}`)).toBe('a'.repeat(40));
	expect(slug(`ab ${'c'.repeat(80)}`)).toBe(`ab-${'c'.repeat(57)}`);
	expect(slug(`${'a'.repeat(30)} ${'b'.repeat(40)}`)).toBe(`${'a'.repeat(30)}-${'b'.repeat(29)}`);
	expect(slug(`${'a'.repeat(31)} ${'b'.repeat(40)}`)).toBe('a'.repeat(31));
	expect(slug(`${'a'.repeat(40)} ${'b'.repeat(40)} c`)).toBe('a'.repeat(40));
});

test('is cut to 96 bytes, and no letter in half', () => {
	expect(slug('美'.repeat(80))).toBe('美'.repeat(32));
	expect(slug(`${'美'.repeat(20)} ${'容'.repeat(40)}`)).toBe('美'.repeat(20));
	expect(slug('𠮷'.repeat(40))).toBe('𠮷'.repeat(24));
});

test('is whole up to 60 characters, also if more words follow those', () => {
	const sixty = `${'a'.repeat(40)}-${'b'.repeat(19)}`;
	expect(slug(sixty)).toBe(sixty);
	expect(slug(`${sixty} c`)).toBe(sixty);
	expect(slug(`${sixty}c`)).toBe('a'.repeat(40));
});
