import { isUuid } from '../../../core/api/uuid';

const ID = '7d0b4a52-8c1e-4f7a-9b1e-2f6c0d9a3e11';

test.each([
	[ID, true],
	[ID.toUpperCase(), true],
	[`{${ID}}`, false],
	[ID.slice(1), false],
	[`${ID}1`, false],
])('isUuid(%j) is %s', (text, isValid) => {
	expect(isUuid(text)).toBe(isValid);
});
