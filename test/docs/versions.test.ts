import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { defaultVersion, oldestVersion } from '../../harness/install/versions';

test('README.md names the versions of n8n that the tests install', () => {
	const readme = readFileSync(resolve(__dirname, '../../README.md'), 'utf8');
	const paragraph = /^Tested with, .*?\n\n/ms.exec(readme)?.[0] ?? '';
	expect(paragraph.match(/(?<=n8n )\d+\.\d+\.\d+/g)).toEqual([defaultVersion, oldestVersion]);
});
