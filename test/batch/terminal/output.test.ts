import { makeRefusal } from '../../support/faults';
import { listCommands, runOnce, TestProgram } from '../support/test-program';
import { startWebhook } from '../support/webhook';

const ESCAPE = '\u001b';
const PLAIN_TERMINAL = { isTerminal: true, env: { NO_COLOR: '1' } };

describe('the question before a run', () => {
	test('shows the rows, the cost and the remaining allowance, and nothing is ordered, written or posted after n', async () => {
		const webhook = await startWebhook();
		const program = new TestProgram(['Mug', 'Pan', 'n/a'], { allowance: 10 });
		const command = `run products.csv --name Acme --notify ${webhook.url}`;
		const { code, output } = await program.type(command, { answer: 'n\n' });
		expect(output).toContain('2 to order');
		expect(output).toContain('Order 2 briefs for Acme? That leaves 8 of 10 this month. [y/N]');
		expect(output).toContain('Cancelled. Nothing was ordered.');
		expect([code, program.created.length, program.disk.files.size]).toEqual([2, 0, 0]);
		expect(webhook.bodies).toEqual([]);
	});

	test('says after Ctrl-C that nothing was ordered', async () => {
		const program = new TestProgram(['Mug']);
		const end = program.type('run products.csv', { answer: '' });
		// The question stays open until then.
		setTimeout(() => program.pressCtrlC(), 500);
		const { code, output } = await end;
		expect([code, program.created.length]).toEqual([130, 0]);
		expect(output).toContain('Interrupted. Nothing was ordered.');
	});

	test('is asked once with all confirmations, and the run orders after y', async () => {
		const program = new TestProgram(['Mug']);
		await program.type('run products.csv', { answer: 'y\n' });
		program.writeProducts('Pan', 'Candle');
		const words = 'run products.csv --set objective=Sell';
		const { code, output } = await program.type(words, { answer: 'y\n' });
		expect(output.match(/\[y\/N\]/g)).toHaveLength(1);
		expect(output).toContain('with different options from the last run: --set:');
		expect(output).toContain('none of them is for a row of products.csv');
		expect([code, program.created.length]).toEqual([0, 3]);
	});

	test('does not ask about a damaged row, and the run leaves it and orders the others', async () => {
		const program = new TestProgram(['Mug', 'M?sli']);
		const { code, output } = await program.type('run products.csv', { answer: 'y\n' });
		expect(output.match(/\[y\/N\]/g)).toHaveLength(1);
		expect(output).toContain('--only 3 --allow damaged-rows');
		expect([code, program.created.length]).toEqual([1, 1]);
	});
});

describe('control characters', () => {
	test.each(['plan products.csv', 'run products.csv --allow damaged-rows', 'status'])(
		'of cells are shown as text by %s',
		async (command) => {
			const program = new TestProgram();
			program.shouldFail = () => true;
			program.writeProducts(`Mug ${ESCAPE}[2J${ESCAPE}]0;title\u0007\u202e`);
			if (command === 'status') await program.type('run products.csv');
			const { output } = await program.type(command);
			expect(output).toContain('Mug');
			expect(output).not.toMatch(/(?!\n)\p{Cc}|\u202e/u);
		},
	);

	test('of the service’s answers are shown as text, also between colors', async () => {
		const program = new TestProgram(['Mug']);
		const message = `audience ${ESCAPE}[2Jis wrong`;
		program.fail('create_brief', makeRefusal(400, 'invalid', message));
		const { output } = await program.type('run products.csv --quiet', { isTerminal: true });
		expect(output).toContain('␛[2Jis wrong');
		const [, ...afterEscapes] = output.split(ESCAPE);
		expect(afterEscapes.filter((text) => !/^\[\d+m/.test(text))).toEqual([]);
	});
});

test('NO_COLOR switches colors off on a terminal', async () => {
	const program = new TestProgram(['Mug', 'n/a']);
	const colored = await program.type('plan products.csv', { isTerminal: true });
	expect(colored.output).toContain(`${ESCAPE}[33minvalid`);
	const plain = await program.type('plan products.csv', PLAIN_TERMINAL);
	expect(plain.output).not.toContain(ESCAPE);
});

test('progress is a live view on a terminal, and lines with the time elsewhere', async () => {
	const program = new TestProgram(['Mug', '商'.repeat(80)]);
	const live = await program.type('run products.csv --only 2', { isTerminal: true });
	expect(live.output).toContain('0 of 1 done');
	expect(live.output).not.toMatch(/\d{4}-\d\d-\d\dT/);
	const plain = await program.type('run products.csv');
	expect(plain.output).toMatch(/^\d{4}-\d\d-\d\dT[\d:]+Z {2}row 3 {5}ordered/m);
	expect(plain.output).not.toContain('done');
});

test('--quiet begins with the news, and prints nothing without news', async () => {
	const program = new TestProgram(['Mug', 'n/a']);
	const first = await program.type('run products.csv --quiet --name Acme');
	expect(first.output.split('\n')[0]).toBe('Acme: products.csv: 1 brief ordered, 1 invalid');
	const second = await program.type('run products.csv --quiet');
	expect(second).toMatchObject({ code: 1, output: '' });
});

describe('a line that is wider than the terminal', () => {
	test('is broken between words, and a command is not', async () => {
		const program = new TestProgram();
		program.write('products.csv', 'Product Name,Product ID', 'FlexiBand Set,1.73E+18');
		const words = `plan products.csv --set audience=${'Cooks-'.repeat(9)}`;
		const { output } = await program.type(words, PLAIN_TERMINAL);
		const lines = output.split('\n');
		const commands = listCommands(output);
		expect(commands).toHaveLength(1);
		const wide = lines.filter((line) => line.length > 80);
		expect(wide.map((line) => line.trim())).toEqual(commands);
		expect(lines).toContain(
			'        the ID, and its digits are lost. Format the column as Text in the',
		);
	});

	test('is not broken in a file', async () => {
		const program = await runOnce('n/a');
		const { output } = await program.type('plan products.csv');
		expect(output).toMatch(/row 2 .*“n\/a”.{60,}/);
	});
});
