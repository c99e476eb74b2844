import { refused } from '../../support/faults';
import { TestProgram } from '../support/test-program';
import { startWebhook } from '../support/webhook';

const ESCAPE = '\u001b';

describe('the question before a run', () => {
	test('shows the rows, the cost and what is left, and n orders, writes and posts nothing', async () => {
		const webhook = await startWebhook();
		const program = new TestProgram({ allowance: 10 });
		program.writeProducts('Mug', 'Pan', 'n/a');
		const command = `run products.csv --name Acme --notify ${webhook.url}`;
		const { code, output } = await program.run(command, { answer: 'n\n' });
		expect(output).toContain('2 to order');
		expect(output).toContain('Order 2 briefs for Acme? That leaves 8 of 10 this month. [y/N]');
		expect(output).toContain('Cancelled. Nothing was ordered.');
		expect([code, program.created, program.disk.files.size]).toEqual([2, 0, 0]);
		expect(webhook.bodies).toEqual([]);
	});

	test('is asked once and orders with y', async () => {
		const program = new TestProgram();
		program.writeProducts('Mug', 'M?sli');
		const { code, output } = await program.run('run products.csv', { answer: 'y\n' });
		expect(output.match(/\[y\/N\]/g)).toHaveLength(1);
		expect(output).toContain('1 row looks damaged:');
		expect([code, program.created]).toEqual([0, 2]);
	});

	test('is a no without an answer', async () => {
		const program = new TestProgram();
		program.writeProducts('Mug');
		const { code } = await program.run('run products.csv', { answer: '\n' });
		expect([code, program.created]).toEqual([2, 0]);
	});
});

describe('control characters', () => {
	const HOSTILE = `Mug ${ESCAPE}[2J${ESCAPE}]0;title\u0007\u202e`;

	test('of cells are shown as text in every command', async () => {
		const program = new TestProgram({ failed: () => true });
		program.write('products.csv', 'Product Name,Audience', `"${HOSTILE}",Bakers`, 'Pan,Cooks');
		const commands = ['plan products.csv', 'run products.csv --allow damaged-rows', 'status'];
		for (const command of commands) {
			const { output } = await program.run(command);
			for (const control of [ESCAPE, '\u0007', '\u202e']) expect(output).not.toContain(control);
			expect(output).toContain('Mug');
		}
	});

	test('of the service’s answers are shown as text, also between colors', async () => {
		const program = new TestProgram();
		program.writeProducts('Mug');
		const message = `audience ${ESCAPE}[2Jis wrong`;
		program.sandbox.fail('create_brief', refused(400, 'invalid', message));
		const { output } = await program.run('run products.csv --quiet', { isTerminal: true });
		expect(output).toContain('␛[2Jis wrong');
		expect(
			output
				.split(ESCAPE)
				.slice(1)
				.every((part) => /^\[\d+m/.test(part)),
		).toBe(true);
	});
});

test('NO_COLOR switches colors off on a terminal', async () => {
	const program = new TestProgram();
	program.writeProducts('Mug', 'n/a');
	const colored = await program.run('plan products.csv', { isTerminal: true });
	expect(colored.output).toContain(`${ESCAPE}[33minvalid`);
	const plain = await program.run('plan products.csv', {
		isTerminal: true,
		env: { NO_COLOR: '1' },
	});
	expect(plain.output).not.toContain(ESCAPE);
});

test('progress is a live view on a terminal, and lines with the time elsewhere', async () => {
	const program = new TestProgram();
	program.writeProducts('Mug', '商'.repeat(80));
	const live = await program.run('run products.csv --only 2', { isTerminal: true });
	expect(live.output).toContain('0 of 1 done');
	expect(live.output).not.toMatch(/\d{4}-\d\d-\d\dT/);
	const plain = await program.run('run products.csv');
	expect(plain.output).toMatch(/^\d{4}-\d\d-\d\dT[\d:]+Z {2}row 3 {5}ordered/m);
	expect(plain.output).not.toContain('done');
});

test('--quiet prints nothing without news, and begins with the news otherwise', async () => {
	const program = new TestProgram();
	program.writeProducts('Mug', 'n/a');
	const first = await program.run('run products.csv --quiet --name Acme');
	expect(first.output.split('\n')[0]).toBe('Acme: products.csv: 1 brief ordered, 1 invalid');
	expect(await program.run('run products.csv --quiet')).toEqual({ code: 1, output: '' });
});

test('--json prints the lines of the journal, with row numbers and product names', async () => {
	const program = new TestProgram();
	program.writeProducts('Mug', 'n/a');
	const { code, output } = await program.run('run products.csv --json');
	const lines = output
		.trimEnd()
		.split('\n')
		.map((line) => JSON.parse(line) as Record<string, unknown>);
	const orders = lines.filter((line) => 'order' in line);
	expect(orders.map(({ row, product_name, state }) => [row, product_name, state])).toEqual([
		[2, 'Mug', expect.objectContaining({ kind: 'unconfirmed' })],
		[2, 'Mug', expect.objectContaining({ kind: 'accepted' })],
		[2, 'Mug', expect.objectContaining({ kind: 'ready' })],
	]);
	expect(lines.at(-1)).toMatchObject({
		run: 0,
		end: { exitCode: 1, counts: { ready: 1, invalid: 1 }, allowanceLeft: 999 },
	});
	expect(code).toBe(1);
	// The same figure has one name in the journal, on standard output and in the notification.
	expect(Object.keys(lines.at(-1)?.['end'] as object)).toEqual([
		...['at', 'exitCode', 'message', 'counts', 'allowanceLeft'],
	]);
});

describe('a line that is wider than the terminal', () => {
	test('is broken between words, and a command is not', async () => {
		const program = new TestProgram();
		program.write('products.csv', 'Product Name,Product ID', 'FlexiBand Set,1.73E+18');
		const { output } = await program.run(`plan products.csv --set audience=${'Cooks-'.repeat(9)}`, {
			isTerminal: true,
			env: { NO_COLOR: '1' },
		});
		const lines = output.split('\n');
		const commands = lines.filter((line) => line.trim().startsWith('brief-batch '));
		expect(commands).toHaveLength(1);
		expect(lines.filter((line) => line.length > 80)).toEqual(commands);
		expect(lines).toContain(
			'        the ID, and its digits are lost. Format the column as Text in the',
		);
	});

	test('stays whole in a file', async () => {
		const program = new TestProgram();
		program.write('products.csv', 'Product Name,Product ID', 'FlexiBand Set,1.73E+18');
		const { output } = await program.run('plan products.csv');
		expect(output).toMatch(/row 2 .*FlexiBand Set.* then enter the ID again\./);
	});
});
