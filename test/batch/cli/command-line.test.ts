import { execFileSync } from 'node:child_process';
import { devNull } from 'node:os';
import {
	buildCommand,
	createCommandBuilder,
	createCommandRepeater,
	formatCsvOptions,
} from '../../../batch/cli/command-line';
import { DEFAULT_CSV_OPTIONS } from '../../../batch/csv/types';
import { formatCommand } from '../../../batch/text';
import { typeInvocation } from '../support/type-command';

const USE_BRIEF = '--use-brief 3=9b2f6c1e-5d0a-4c57-8e0f-3a1d7c9b2e46';
const FILES = `--profile ${devNull} --profile ${devNull}`;
const HOOK = '--notify https://hooks.example/secret';

test.each([
	['plan a.csv --max 5 --name A', '--max 5 --name A'],
	['run a.csv --id A --where A=b --where C=d', '--where A=b --where C=d --id A'],
	[`run a.csv ${FILES}`, FILES],
	['run a.csv --yes --json --quiet', '--quiet'],
	['run a.csv --no-quiet', '--no-quiet'],
	['run a.csv --only 3 --reorder 3 --allow damaged-rows', ''],
	[`run a.csv ${USE_BRIEF} --accept-edits changed`, ''],
	[`run a.csv ${HOOK}`, ''],
	['run a.csv --name=-x', '--name=-x'],
])('suggests a run with the lasting options of “%s”: “%s”', async (line, expected) => {
	const { typed } = await typeInvocation(line);
	expect(formatCommand(createCommandBuilder('a.csv', typed)('run'))).toBe(toRun(expected));
});

test('suggests a run with the options of the last run, instead of the folder that was typed', async () => {
	const { typed } = await typeInvocation('status --out x --name A');
	const build = createCommandBuilder('a.csv', typed, ['--out', 'y']);
	expect(formatCommand(build('run', '--only', '3'))).toBe(
		'brief-batch run a.csv --out y --name A --only 3',
	);
});

test.each([
	[`run a.csv --only 3 --yes --json ${HOOK}`, '--only 3 --yes --json'],
	[`run a.csv ${USE_BRIEF} --allow new-folder`, `${USE_BRIEF} --allow new-folder`],
])('repeats all options of “%s”: “%s”', async (line, expected) => {
	const { typed, command } = await typeInvocation(line);
	const repeater = createCommandRepeater('a.csv', typed, command);
	expect(formatCommand(repeater.repeat())).toBe(toRun(expected));
});

test('repeats a command with other CSV options', async () => {
	const line = 'retry a.csv --only 3 --set objective=Sell --id SKU';
	const { typed, command } = await typeInvocation(line);
	const repeater = createCommandRepeater('a.csv', typed, command);
	const repeated = repeater.repeatWithCsvOptions({ ...DEFAULT_CSV_OPTIONS, id: 'EAN' });
	expect(formatCommand(repeated)).toBe('brief-batch retry a.csv --only 3 --id EAN');
});

function toRun(options: string): string {
	return `brief-batch run a.csv ${options}`.trimEnd();
}

test('a suggested command is quoted only where a shell would change it', () => {
	const words = ['run', "Fay's list.csv", '--max', '3', '--where', 'A!=b'];
	expect(formatCommand(buildCommand(...words))).toBe(
		"brief-batch run 'Fay'\\''s list.csv' --max 3 --where 'A!=b'",
	);
});

test('a shell reads the words of a suggested command as they were typed', () => {
	const words = [
		...['run', 'my list.csv', "Fay's “list”.csv", '$HOME/`a`.csv', '~/a.csv', '*.csv', 'a\\b'],
		...['A!=b', 'C=d;e|f&g', '<x>', '#1', '{a,b}', '20%', '“', '', '@4711,@x', 'a\nb'],
	];
	const line = formatCommand(buildCommand(...words)).replace(/^brief-batch/, "printf '%s\\0'");
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
