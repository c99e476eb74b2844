import { deskOf, FAST } from '../../support/batch/brief-batch';

jest.setTimeout(60_000);

/** Types a command at a terminal of its own, with what is redirected in it, and then this answer. */
async function typed(command: string, answer: string) {
	const desk = await deskOf(2);
	const terminal = process.platform === 'darwin' ? SCRIPT_OF_MACOS : SCRIPT;
	const line = command
		.replace('brief-batch', '"$NODE" "$BIN"')
		.replace(' run ', ` run ${FAST.join(' ')} `);
	// script needs the program by name: behind `via` come Node.js and the compiled program.
	const via = ['sh', '-c', `export NODE="$1" BIN="$2"; printf '${answer}\\n' | ${terminal}`, 'sh'];
	const { code, out } = await desk.start([], { TYPED: line }, via).ended;
	return { desk, code, screen: out };
}

const SCRIPT = 'script -qec "sh -c \'$TYPED\'" /dev/null';
const SCRIPT_OF_MACOS = 'script -q /dev/null sh -c "$TYPED"';

const QUESTION = 'Order 2 briefs?';

describe('who sits at a terminal is asked', () => {
	test.each([
		['into a file', 'brief-batch run products.csv > log'],
		['with --json', 'brief-batch run products.csv --json > log'],
		['with --json on the terminal', 'brief-batch run products.csv --json'],
		['with all that is said into a pipe', 'brief-batch run products.csv 2>&1 | cat'],
		['behind a pipe', 'cat products.csv | brief-batch run - --batch shop > log'],
		['without input', 'brief-batch run products.csv < /dev/null'],
	])('%s, and a no orders nothing', async (_, command) => {
		const { desk, screen } = await typed(command, 'n');
		expect(screen).toContain(QUESTION);
		expect(desk.creates()).toBe(0);
	});

	test('and a yes orders, with the question on the terminal and not in the file', async () => {
		const command = 'cat products.csv | brief-batch run - --batch shop > log';
		const { desk, code, screen } = await typed(command, 'y');
		expect([code, desk.creates()]).toEqual([0, 2]);
		expect(screen).toContain(QUESTION);
		expect(desk.read('log')).not.toContain(QUESTION);
	});

	test('and who could not see the question is told to add --yes', async () => {
		const { desk, code } = await typed('brief-batch run products.csv 2> errors', 'y');
		expect([code, desk.creates()]).toEqual([2, 0]);
		expect(desk.read('errors')).toContain('add --yes');
	});
});
