import { COMMAND_NAMES } from '../../../batch/cli/options';
import { typeCommand, typeWrong } from '../support/type-command';

describe('commands', () => {
	test.each(['run', 'retry'])('%s --dry-run is plan', async (command) => {
		const { action, invocation } = await typeCommand(`${command} a.csv --dry-run`);
		expect([action, invocation?.command]).toEqual(['plan', command]);
	});

	test('status gets several folders', async () => {
		expect((await typeCommand('status a b')).invocation?.files).toEqual(['a', 'b']);
	});

	test('report and doctor have no file', async () => {
		expect(await typeWrong('report a.csv')).toMatch(/^2 Too many arguments for 'report'/i);
		expect(await typeWrong('doctor a.csv')).toMatch(/^2 Too many arguments for 'doctor'/i);
	});

	test('an unknown command is refused', async () => {
		expect(await typeWrong('unlock')).toBe("2 Unknown command 'unlock'.");
	});
});

test.each([
	['run', "Missing required argument 'FILE.csv'."],
	['run a.csv --maxx 3', "Unknown option '--maxx' (Did you mean --max?)"],
	['retry a.csv --reorder 2', '`retry` does not have the option --reorder.'],
	['plan a.csv --quiet', '`plan` does not have the option --quiet.'],
	['status --only 3', '`status` does not have the option --only.'],
	['report --only 3', '`report` does not have the option --only.'],
	['run a.csv --quiet=yes', "Unknown option '--quiet=yes'."],
	['run a.csv --out --quiet', '--out has no value: “--quiet” follows it.'],
	['run a.csv -o --quiet', '-o has no value: “--quiet” follows it.'],
	['run a.csv --max', "Option '--max <N>' argument missing."],
])('brief-batch %s is refused', async (line, message) => {
	expect(await typeWrong(line)).toBe(`2 ${message}`);
});

test.each([
	['plan a.csv --onyl 3', 'options:\n  brief-batch plan --help'],
	['pln a.csv', 'commands:\n  brief-batch --help'],
])('brief-batch %s is answered with the help that fits', async (line, help) => {
	expect((await typeCommand(line)).errors).toContain(`To see all ${help}\n`);
});

/** Options of other programs, which a script can still contain, are never read as something else. */
test.each([
	...['--batch', '--leave-slots', '--keep', '--poll-interval', '--max-tries', '--known-ok'],
	...['--adopt', '--timeout', '--delimiter', '--api-key-file', '--expect-at-most', '--share'],
])('%s is an unknown option', async (flag) => {
	expect(await typeWrong(`run a.csv ${flag} 1`)).toMatch(/^2 Unknown option '--/);
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

	test('lists all commands and exit codes', async () => {
		const { exitCode, output } = await typeCommand('--help');
		expect(exitCode).toBe(0);
		for (const name of COMMAND_NAMES) expect(output).toMatch(new RegExp(`^  ${name} `, 'm'));
		for (const code of [0, 1, 2, 3, 4, 5, 6, 9, 130])
			expect(output).toMatch(new RegExp(`^  ${code} `, 'm'));
	});

	test.each([
		['plan', ['--reorder', '--only', '--reserve'], ['--yes', '--notify', '--max-failures']],
		['run', ['--reorder', '--yes', '--dry-run', '--json'], []],
		['retry', ['--max-failures', '--notify', '--only'], ['--reorder', '--accept-edits']],
		['status', ['--out', '--env-file', '--name'], ['--base-url', '--map', '--json']],
		['doctor', ['--base-url', '--notify'], ['--id', '--quiet']],
	])('of %s lists its options alone', async (command, shown, hidden) => {
		const { exitCode, output } = await typeCommand(`${command} --help`);
		expect(exitCode).toBe(0);
		for (const flag of shown) expect(output).toContain(flag);
		for (const flag of hidden) expect(output).not.toContain(`${flag} `);
	});
});

test('--version prints the version', async () => {
	expect(await typeCommand('--version')).toMatchObject({ exitCode: 0, output: '1.2.3\n' });
});
