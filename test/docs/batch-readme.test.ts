import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { CLI_OPTIONS, COMMAND_NAMES, OPTION_NAMES, toFlag } from '../../batch/cli/options';
import { CONFIRMATION_CODES } from '../../batch/plan/confirmation-codes';
import { EXIT } from '../../batch/exit-codes';
import { ROW_STATUSES } from '../../batch/report/row-state';
import { openClientFolder } from '../support/client-folder';

function readSection(heading: string, document = 'batch/README.md'): string {
	const text = readFileSync(resolve(__dirname, '../..', document), 'utf8');
	return text.split(/^#+ /m).find((section) => section.startsWith(`${heading}\n`)) ?? '';
}

/** Returns the cells of each table row below a heading, without the header row. */
function readTable(heading: string): string[][] {
	const lines = readSection(heading)
		.split('\n')
		.filter((line) => line.startsWith('| '));
	return lines
		.slice(1)
		.map((line) => line.split(' | ').map((cell) => cell.replace(/^\| | \|$/g, '')));
}

describe('batch/README.md', () => {
	test('lists every option with its commands', () => {
		const listed = readTable('Options').map(([flags = '', commands = '']) => {
			const flag = /--[\w-]+/.exec(flags)?.[0] ?? '';
			return `${flag}: ${commands === 'all' ? COMMAND_NAMES.join(', ') : commands}`;
		});
		const expected = OPTION_NAMES.map(
			(name) => `${toFlag(name)}: ${CLI_OPTIONS[name].commands.join(', ')}`,
		);
		expect(listed.toSorted()).toEqual([...expected, '--dry-run: run, retry'].toSorted());
	});

	test('marks the options that have no variable and those that can be repeated', () => {
		const marked = readTable('Options').map(([flags = '']) => flags.replace(/ <.*|[`\\]/g, ''));
		const find = (mark: string) =>
			marked.flatMap((flags) => (flags.includes(mark) ? (/--[\w-]+/.exec(flags) ?? []) : []));
		const select = (isSelected: (option: (typeof CLI_OPTIONS)['max']) => boolean) =>
			OPTION_NAMES.filter((name) => isSelected(CLI_OPTIONS[name])).map(toFlag);
		expect(find('*').toSorted()).toEqual(select(({ scope }) => scope === 'one_command').toSorted());
		expect(find('†').toSorted()).toEqual(
			select(({ isRepeatable }) => isRepeatable === true).toSorted(),
		);
	});

	test('lists every exit code', () => {
		const expected = Object.values(EXIT).toSorted((a, b) => a - b);
		expect(readTable('Exit codes').map(([code]) => Number(code))).toEqual(expected);
	});

	test('lists every row status and every confirmation code', () => {
		const first = (heading: string) =>
			readTable(heading).map(([cell = '']) => cell.replaceAll('`', ''));
		expect(first('Row statuses').toSorted()).toEqual([...ROW_STATUSES, 'replaced'].toSorted());
		expect(first('Confirmations').toSorted()).toEqual([...CONFIRMATION_CODES].toSorted());
	});

	test('names every column that results.csv adds', async () => {
		const folder = await openClientFolder(1);
		await folder.run('run products.csv');
		const [result = {}] = folder.results();
		const section = readSection('Files in --out');
		const added = Object.keys(result).filter((column) => column.startsWith('brief_'));
		expect(added.filter((column) => !section.includes(`\`${column}\``))).toEqual([]);
	});
});
