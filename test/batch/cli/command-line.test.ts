import { quoteWords, splitCommand } from '../../../batch/text';
import { execFileSync } from 'node:child_process';
import { devNull } from 'node:os';
import {
	buildCommandLine,
	formatCsvOptions,
	type RepeatedOptions,
} from '../../../batch/cli/command-line';
import type { CommandName } from '../../../batch/cli/options';
import { DEFAULT_CSV_OPTIONS } from '../../../batch/csv/types';
import { typeCommand } from '../support/type-command';

const USE_BRIEF = '--use-brief 3=9b2f6c1e-5d0a-4c57-8e0f-3a1d7c9b2e46';
const FILES = `--profile ${devNull} --profile ${devNull}`;
const HOOK = '--notify https://hooks.example/secret';

test.each<[repeat: RepeatedOptions, line: string, command: CommandName, expected: string]>([
	['lasting', 'plan a.csv --max 5 --name A', 'run', '--max 5 --name A'],
	['lasting', 'run a.csv --id A --where A=b --where C=d', 'run', '--where A=b --where C=d --id A'],
	['lasting', `run a.csv ${FILES}`, 'run', FILES],
	['lasting', 'run a.csv --yes --json --quiet', 'run', '--quiet'],
	['lasting', 'run a.csv --no-quiet', 'run', '--no-quiet'],
	['lasting', 'run a.csv --only 3 --reorder 3 --allow damaged-rows', 'run', ''],
	['lasting', `run a.csv ${USE_BRIEF} --accept-edits changed`, 'run', ''],
	['lasting', `run a.csv ${HOOK}`, 'run', ''],
	['lasting', `run a.csv --out x --max 5`, 'status', '--out x'],
	['lasting', 'run a.csv --name=-x', 'run', '--name=-x'],
	['lasting_but_paths', `status --out x --name A`, 'run', '--name A'],
	['all', `run a.csv --only 3 --yes --json ${HOOK}`, 'run', '--only 3 --yes --json'],
	['all', `run a.csv ${USE_BRIEF} --allow new-folder`, 'run', `${USE_BRIEF} --allow new-folder`],
	['all_but_csv', 'retry a.csv --only 3 --set objective=Sell --id SKU', 'retry', '--only 3'],
])('suggests %s options of “%s” for %s: “%s”', async (repeat, line, command, expected) => {
	const { invocation } = await typeCommand(line);
	expect(invocation?.repeatOptions(command, repeat).join(' ')).toBe(expected);
});

test('a suggested command is quoted only where a shell would change it', () => {
	const words = ['run', "Fay's list.csv", '--max', '3', '--where', 'A!=b'];
	expect(buildCommandLine(...words)).toBe(
		"brief-batch run 'Fay'\\''s list.csv' --max 3 --where 'A!=b'",
	);
});

test('a shell reads the words of a suggested command as they were typed', () => {
	const words = [
		...['run', 'my list.csv', "Fay's “list”.csv", '$HOME/`a`.csv', '~/a.csv', '*.csv', 'a\\b'],
		...['A!=b', 'C=d;e|f&g', '<x>', '#1', '{a,b}', '20%', '“', '', '@4711,@x', 'a\nb'],
	];
	const line = buildCommandLine(...words).replace(/^brief-batch/, "printf '%s\\0'");
	const printed = execFileSync('sh', ['-c', line], { encoding: 'utf8' });
	expect(printed.split('\0').slice(0, -1)).toEqual(words);
});

test('the options of a former run are repeated', () => {
	const options = formatCsvOptions({
		...DEFAULT_CSV_OPTIONS,
		map: { 'Artikel = Nr': 'product_name', Note: '-' },
		set: { audience: 'All' },
		where: ['A=b', 'C!=d'],
		id: 'SKU',
		encoding: 'utf-16le',
	});
	expect(options).toEqual([
		...['--map', 'Artikel = Nr=product_name', '--map', 'Note=-', '--set', 'audience=All'],
		...['--where', 'A=b', '--where', 'C!=d', '--id', 'SKU', '--encoding', 'utf-16le'],
	]);
});

test.each([
	['run', 'my list.csv'],
	["it's", '$5', 'a=b'],
	['a"b', "' '", 'x\\y'],
])('the words %s, %s … are found again in their command', (...words) => {
	expect(splitCommand(quoteWords('brief-batch', ...words))).toEqual(['brief-batch', ...words]);
});
