import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
	buildCommandLine,
	formatCsvOptions,
	type RepeatedOptions,
} from '../../../batch/cli/command-line';
import type { CommandName } from '../../../batch/cli/options';
import { DEFAULT_CSV_OPTIONS } from '../../../batch/csv/types';
import { temporaryFolder } from '../../support/temporary-folder';
import { typeCommand, typeSettings } from '../support/type-command';

const BRIEF_ID = '9b2f6c1e-5d0a-4c57-8e0f-3a1d7c9b2e46';
const HOOK = '--notify https://hooks.example/secret';

const folder = temporaryFolder();
const before = process.cwd();
beforeAll(() => {
	for (const file of ['a.env', 'b.env']) writeFileSync(join(folder, file), '');
	process.chdir(folder);
});
afterAll(() => process.chdir(before));

async function repeatOptions(
	line: string,
	target: CommandName,
	repeat: RepeatedOptions,
): Promise<string> {
	const { invocation } = await typeCommand(line);
	return invocation?.repeatOptions(target, repeat).join(' ') ?? 'refused';
}

describe('a suggested command', () => {
	test.each<[line: string, target: CommandName, expected: string]>([
		['plan a.csv --max 5 --reserve 3', 'run', '--max 5 --reserve 3'],
		['run a.csv --max 5 --out x', 'retry', '--max 5 --out x'],
		['run a.csv --id SKU --where A=b --where C=d', 'run', '--where A=b --where C=d --id SKU'],
		['run a.csv --env-file a.env --env-file b.env', 'run', '--env-file a.env --env-file b.env'],
		['run a.csv --yes --json --quiet', 'run', '--quiet'],
		['run a.csv --no-quiet', 'run', '--no-quiet'],
		['run a.csv --only 3 --reorder 3 --allow damaged-rows', 'run', ''],
		[`run a.csv --use-brief 3=${BRIEF_ID} --accept-edits changed`, 'run', ''],
		[`run a.csv ${HOOK}`, 'run', ''],
		['run a.csv --out x --env-file a.env --max 5', 'status', '--out x --env-file a.env'],
		['run a.csv --name=-x', 'run', '--name=-x'],
	])('after “%s” for %s has “%s”', async (line, target, expected) => {
		expect(await repeatOptions(line, target, 'lasting')).toBe(expected);
	});

	test('that names the folder itself has no --out', async () => {
		const line = 'status --out x --env-file a.env';
		expect(await repeatOptions(line, 'run', 'lasting_but_out')).toBe('--env-file a.env');
	});
});

describe('a refused command', () => {
	test.each([
		[`run a.csv --only 3 --yes --json ${HOOK}`, '--only 3 --yes --json'],
		[
			`run a.csv --use-brief 3=${BRIEF_ID} --allow new-folder`,
			`--use-brief 3=${BRIEF_ID} --allow new-folder`,
		],
	])('“%s” is repeated with all options but --notify', async (line, expected) => {
		expect(await repeatOptions(line, 'run', 'all')).toBe(expected);
	});

	test('is repeated with other CSV options', async () => {
		const line = 'retry a.csv --only 3 --set objective=Sell --id SKU';
		expect(await repeatOptions(line, 'retry', 'all_but_csv')).toBe('--only 3');
	});

	test('is repeated with another --allow', async () => {
		const { allow } = await typeSettings('run a.csv --allow new-folder --allow unknown-csv');
		expect([...allow]).toEqual(['new-folder', 'unknown-csv']);
	});
});

describe('a command line', () => {
	test.each([
		[['run', 'products.csv', '--max', '3'], 'brief-batch run products.csv --max 3'],
		[['run', 'my list.csv'], "brief-batch run 'my list.csv'"],
		[['run', "Fay's list.csv"], "brief-batch run 'Fay'\\''s list.csv'"],
		[['run', 'a.csv', '--where', 'A!=b $c'], "brief-batch run a.csv --where 'A!=b $c'"],
		[['run', 'a.csv', '--name', ''], "brief-batch run a.csv --name ''"],
	])('of %j is “%s”', (words, expected) => {
		expect(buildCommandLine(...words)).toBe(expected);
	});

	test('gives a shell the words that were typed', () => {
		const words = [
			...['run', 'my list.csv', "Fay's “list”.csv", '$HOME/`a`.csv', '~/a.csv', '*.csv', 'a\\b'],
			...['A!=b', 'C=d;e|f&g', '<x>', '#1', '{a,b}', '20%', '“', '', '@4711,@x', 'a\nb'],
		];
		const line = buildCommandLine(...words).replace(/^brief-batch/, "printf '%s\\0'");
		const printed = execFileSync('sh', ['-c', line], { encoding: 'utf8' });
		expect(printed.split('\0').slice(0, -1)).toEqual(words);
	});

	test('has the options that read a CSV', () => {
		const options = {
			...DEFAULT_CSV_OPTIONS,
			map: { 'Artikel = Nr': 'product_name', Note: '-' },
			set: { audience: 'All' },
			where: ['A=b', 'C!=d'],
			id: 'SKU',
			encoding: 'utf-16le',
		} as const;
		expect(formatCsvOptions(options)).toEqual([
			...['--map', 'Artikel = Nr=product_name', '--map', 'Note=-', '--set', 'audience=All'],
			...['--where', 'A=b', '--where', 'C!=d', '--id', 'SKU', '--encoding', 'utf-16le'],
		]);
	});
});
