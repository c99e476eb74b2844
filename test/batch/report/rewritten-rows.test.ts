import { DAY } from '../../support/time';
import { listCommands, TestProgram } from '../support/test-program';
import { COLLEAGUE } from '../../support/virtual-service';

function makeProgram(...rows: readonly string[]): TestProgram {
	const program = new TestProgram();
	program.write('products.csv', 'Product Name,Audience', ...rows);
	return program;
}

/** Returns the only suggested command with an option. */
function findCommand(output: string, option: string): string {
	const [command = '', ...others] = listCommands(output).filter((line) => line.includes(option));
	expect(others).toEqual([]);
	return command.replace(/^brief-batch /, '');
}

test('a rewritten row is offered the brief of the order that lost its row', async () => {
	const program = makeProgram('Pear Peeler,Cooks', 'Mug,Bakers');
	await program.type('run products.csv');
	program.write('products.csv', 'Product Name,Audience', 'Fruit knife,Chefs', 'Mug,Bakers');
	const { output } = await program.type('plan products.csv');
	expect(output).toContain('1 no longer in the CSV');
	expect((await program.type(findCommand(output, '--use-brief'))).code).toBe(0);
	expect(program.created.length).toBe(2);
});

test('an edited row is offered a brief of the workspace that has its new text', async () => {
	const program = makeProgram('Mug,Bakers');
	await program.type('run products.csv');
	program.create(COLLEAGUE, { product_name: 'Mug', audience: 'Cooks' }, 0);
	await program.clock.pass(DAY);
	program.write('products.csv', 'Product Name,Audience', 'Mug,Cooks');
	const { output } = await program.type('plan products.csv');
	expect(output).toContain('The workspace has brief');
	expect((await program.type(findCommand(output, '--use-brief'))).code).toBe(0);
	expect([program.created.length, (await program.type('run products.csv')).code]).toEqual([2, 0]);
});

test('a row that was edited, reordered and undone is not called removed', async () => {
	const program = makeProgram('Pear Peeler,Cooks');
	await program.type('run products.csv');
	await program.clock.pass(2 * DAY);
	program.write('products.csv', 'Product Name,Audience', 'Pear Peeler,Chefs');
	await program.type('run products.csv --reorder 2');
	program.write('products.csv', 'Product Name,Audience', 'Pear Peeler,Cooks');
	for (const words of ['status', 'run products.csv', 'status']) {
		const { output } = await program.type(words);
		expect(output).not.toContain('no longer in the CSV');
		expect(output).toContain('1 replaced by other orders');
	}
});
