import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { command } from '../../support/batch/streams';

describe('the command line', () => {
	test.each([
		['nothing', [], 'Usage: brief-batch'],
		['an unknown command', ['fly'], "unknown command 'fly'"],
		['a command with a typing error', ['stauts'], 'Did you mean status?'],
		['an unknown option', ['run', 'x.csv', '--fast'], "unknown option '--fast'"],
		['no file', ['run'], "missing required argument 'FILE.csv'"],
		['two files', ['plan', 'a.csv', 'b.csv'], 'too many arguments'],
		['an option without its value', ['run', 'x.csv', '--out'], 'argument missing'],
		['no command', ['README.md', '--max', '5'], '\n         brief-batch plan README.md --max 5\n'],
	])('with %s ends with 2 and shows the way', async (_, args, text) => {
		const { code, out, err } = await command(args);
		expect(code).toBe(2);
		expect(out).toBe('');
		expect(err).toContain(text);
	});

	test('an option for the value of another, which a script left empty, is refused', async () => {
		for (const option of ['--out', '--api-key-file', '--set', '--env-file']) {
			const { code, out, err } = await command(['plan', 'x.csv', option, '--quiet']);
			expect([code, out]).toEqual([2, '']);
			expect(err).toContain(`${option} has no value: “--quiet” follows it.\n`);
			expect(err).toContain(`${option}=--quiet`);
		}
		const { out } = await command(['run', 'x.csv', '--out', '--json']);
		expect(JSON.parse(out)).toMatchObject({ event: 'run_ended', exit_code: 2 });
	});

	test.each([
		[['status', '--out=--nowhere'], 'No run is on record in --nowhere.'],
		[['plan', '--max', '1', '--', '--out'], 'There is no file “--out”.'],
		[['plan', '--', '--out', '--quiet'], 'too many arguments'],
		[['plan', 'none.csv', '--notify', 'https://x', '--known-ok'], 'There is no file “none.csv”.'],
	])('%j ends with 2: %s', async (args, text) => {
		const { code, err } = await command(args);
		expect([code, err]).toEqual([2, expect.stringContaining(text)]);
	});
});

describe('help', () => {
	const NAMES = ['plan', 'run', 'retry', 'status', 'report', 'unlock', 'doctor'];
	const help = async (name: string) => (await command(['help', name])).out;

	test('names the commands and exit codes, as batch/README does, and the version ends with 0', async () => {
		const { code, out } = await command(['--help']);
		expect(code).toBe(0);
		const readme = readFileSync(resolve(__dirname, '../../../batch/README.md'), 'utf8');
		for (const name of NAMES) {
			expect(out).toMatch(new RegExp(`^ {2}${name} `, 'm'));
			expect(readme).toContain(`\`brief-batch ${name}`);
		}
		for (const exit of [0, 1, 2, 3, 4, 5, 6, 130])
			expect(out).toMatch(new RegExp(`^ {2}${exit} +\\S`, 'm'));
		expect((await command(['help'])).out).toBe(out);
		for (const word of ['--version', '-V', '-v', 'version'])
			expect(await command([word])).toMatchObject({ code: 0, out: '1.2.3\n' });
		expect((await command(['run', '-h'])).out).toBe(await help('run'));
	});

	test.each(NAMES)(
		'of %s fits 80 columns, names the variables and has two examples',
		async (name) => {
			const out = await help(name);
			expect(out.split('\n').filter((line) => line.length > 80)).toEqual([]);
			// Defaults as they are typed.
			expect(out.replace(/\s+/g, ' ')).not.toMatch(/default: ["[]/);
			expect(out).toContain('CREATOR_BRIEFING_LEAVE_SLOTS=1');
			const examples = out.match(/^ {2}brief-batch .*$/gm) ?? [];
			expect(examples).toHaveLength(2);
			for (const example of examples) {
				const { err } = await command(example.trim().split(' ').slice(1));
				expect(err).not.toMatch(/unknown|missing|argument/);
			}
		},
	);

	test('of run has groups, and each command shows its own options only', async () => {
		expect((await help('run')).match(/^[A-Z][\w ]+:$/gm)).toEqual([
			...['Arguments:', 'What to order:', 'How the CSV is read:', 'Where:', 'When to look:'],
			...['Exit code and messages:', 'Examples:'],
		]);
		expect(await help('run')).toContain('--leave-slots <N>');
		expect(await help('doctor')).toContain('--base-url');
		for (const [name, hidden] of [
			...[['plan', '--notify'] as const, ['plan', '--timeout'] as const],
			...[['report', '--quiet'] as const, ['status', '--base-url'] as const],
			...[['retry', '--adopt'] as const, ['doctor', '--order-again'] as const],
		])
			expect(await help(name)).not.toContain(hidden);
	});
});
