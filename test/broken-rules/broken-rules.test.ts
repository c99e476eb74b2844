import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from '../../harness/paths';
import { BROKEN_RULES } from './broken-rules';

test('each rule of docs/reliability.md has a change that breaks it', () => {
	const rules = new Set(BROKEN_RULES.map(({ rule }) => rule));
	expect([...rules]).toEqual(Array.from({ length: 15 }, (_, index) => index + 1));
});

test.each(BROKEN_RULES)('rule $rule can be broken: $broken', ({ file, from, test }) => {
	const code = readFileSync(join(repositoryRoot, file), 'utf8');
	expect(code.split(from)).toHaveLength(2);
	expect(existsSync(join(repositoryRoot, `${test}.test.ts`))).toBe(true);
});

test('docs/reliability.md lists each broken rule with its test', () => {
	const text = readFileSync(join(repositoryRoot, 'docs/reliability.md'), 'utf8');
	const lines = BROKEN_RULES.map(
		({ rule, broken, test }) => `| ${rule} | ${broken} | \`${test}\` |`,
	);
	expect(lines.filter((line) => !text.includes(line))).toEqual([]);
});
