import { isUuid, lastUuid } from '../../../service/api/uuid';

const ONE = '7d0b4a52-8c1e-4f7a-9b1e-2f6c0d9a3e11';
const OTHER = '00000000-0000-0000-0000-00000000000A';

test.each([
	[ONE, true],
	[OTHER, true],
	[`{${ONE}}`, false],
	[ONE.slice(1), false],
	[`${ONE}1`, false],
])('%s is a UUID: %s', (text, is) => {
	expect(isUuid(text)).toBe(is);
});

test.each([
	[`https://app.example.com/w/${ONE}/briefs/${OTHER}?from=x`, OTHER],
	[`a${ONE}\n`, ONE],
	['none', undefined],
])('the last UUID in %j is %s', (text, id) => {
	expect(lastUuid(text)).toBe(id);
});
