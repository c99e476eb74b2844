import { fileNameOf } from '../../../batch/journal/file-name';

test.each([
	['products.csv', 'products.csv'],
	['lists/spring/products.csv', 'products.csv'],
	['C:\\lists\\products.csv', 'products.csv'],
	['..\\lists/products.csv', 'products.csv'],
	['odd\nfolder/odd\nname.csv', 'odd\nname.csv'],
])('%j names the file %j, whichever system wrote the path', (path, name) => {
	expect(fileNameOf(path)).toBe(name);
});
