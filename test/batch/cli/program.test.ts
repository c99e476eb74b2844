import { HEADER_ALIASES } from '../../../core/input/header-aliases';
import { INPUT_FIELDS } from '../../../core/input/input-fields';
import { COMMAND_NAMES } from '../../../batch/cli/options';
import { typeCommand, getUsageError } from '../support/type-command';

test.each(['run', 'retry'])('%s --dry-run is plan', async (command) => {
	const { action, invocation } = await typeCommand(`${command} a.csv --dry-run`);
	expect([action, invocation?.command]).toEqual(['plan', command]);
});

test('status accepts several folders', async () => {
	expect((await typeCommand('status a b')).invocation?.files).toEqual(['a', 'b']);
});

const SEE_COMMANDS = '\nTo see all commands:\n  brief-batch --help\n';
const formatHint = (command: string) => `\nTo see all options:\n  brief-batch ${command} --help\n`;

test.each([
	['unlock', `Unknown command 'unlock'.${SEE_COMMANDS}`],
	['help unlock', `Unknown command 'unlock'.${SEE_COMMANDS}`],
	['p.csv', '“p.csv” is a file, not a command.\nTo order its briefs:\n  brief-batch run p.csv\n'],
	['p.csv --max 2', '\n  brief-batch run p.csv --max 2\n'],
	[
		'--out x run a.csv',
		'--out is before the command.\nOptions come after it: brief-batch run FILE.csv --out …\n',
	],
	['--max=3 run a.csv', '--max is before the command.\n'],
	['doctor --base-url x', `It is not the address of a service.`],
	['doctor --base-url x', formatHint('doctor')],
	['status --out=', formatHint('status')],
	['retry a.csv --dry-run --max x', formatHint('plan')],
	['run', `Missing required argument 'FILE.csv'.${formatHint('run')}`],
	['run a.csv --maxx 3', `Unknown option '--maxx' (Did you mean --max?)${formatHint('run')}`],
	['run a.csv --quiet=yes', `Unknown option '--quiet=yes'.${formatHint('run')}`],
	['run a.csv --max', `Option '--max <N>' argument missing.${formatHint('run')}`],
	['retry a.csv --reorder 2', '`retry` does not have the option --reorder.\n'],
	['status --only 3', '`status` does not have the option --only.\n'],
	['run a.csv --out --quiet', '--out has no value: “--quiet” follows it.\n'],
	['run a.csv -o --quiet', '-o has no value: “--quiet” follows it.\n'],
])('brief-batch %s is refused', async (line, message) => {
	const { exitCode, errors } = await typeCommand(line);
	expect([exitCode, errors]).toEqual([2, expect.stringContaining(message)]);
});

test('doctor has no file', async () => {
	expect(await getUsageError('doctor a.csv')).toMatch(/^2 Too many arguments for '/i);
});

describe('help', () => {
	test('is printed without a command, with exit code 2', async () => {
		const { exitCode, output, errors } = await typeCommand([]);
		expect([exitCode, output]).toEqual([2, '']);
		expect(errors).toMatch(/^Usage: brief-batch/);
	});

	test.each(['', ...COMMAND_NAMES])('of “%s” fits a terminal of 80 columns', async (command) => {
		const { output } = await typeCommand(`${command} --help`.trim());
		expect(output.split('\n').filter((line) => line.length > 80)).toEqual([]);
	});

	test.each([
		['help', 'brief-batch'],
		['help help', 'brief-batch'],
		['help run', 'brief-batch run'],
	])('is printed by “%s”', async (line, usage) => {
		const { exitCode, output, errors } = await typeCommand(line);
		expect([exitCode, errors]).toEqual([0, '']);
		expect(output).toContain(`Usage: ${usage} [options]`);
	});

	test('lists all commands and exit codes', async () => {
		const { exitCode, output } = await typeCommand('--help');
		expect(exitCode).toBe(0);
		for (const name of [...COMMAND_NAMES, 0, 1, 2, 3, 4, 5, 6, 130])
			expect(output).toMatch(new RegExp(`^  ${name} `, 'm'));
	});

	test.each([
		['plan', ['--reorder', '--only', '--max'], ['--yes', '--notify', '--quiet']],
		['run', ['--reorder', '--yes', '--dry-run', '--json'], []],
		['retry', ['--quiet', '--notify', '--only'], ['--reorder', '--accept-edits']],
		['status', ['--out', '--profile', '--json'], ['--base-url', '--map', '--yes']],
		['doctor', ['--base-url', '--notify'], ['--id', '--quiet']],
	])('of %s lists its options alone', async (command, shown, hidden) => {
		const { output } = await typeCommand(`${command} --help`);
		for (const flag of shown) expect(output).toContain(flag);
		for (const flag of hidden) expect(output).not.toContain(`${flag} `);
	});

	test.each(['plan', 'run', 'retry'])(
		'of %s lists the fields and their headers',
		async (command) => {
			const { output } = await typeCommand(`${command} --help`);
			for (const field of INPUT_FIELDS)
				expect(output).toMatch(new RegExp(`^  ${field} +[A-Z]`, 'm'));
			for (const { names } of Object.values(HEADER_ALIASES))
				for (const name of names) expect(output).toContain(name);
		},
	);

	test('says that --only narrows the exit code', async () => {
		const { output } = await typeCommand('run --help');
		expect(output.replace(/\s+/g, ' ')).toContain('the exit code is about them alone');
	});
});

test('--version prints the version', async () => {
	expect(await typeCommand('--version')).toMatchObject({ exitCode: 0, output: '1.2.3\n' });
});
