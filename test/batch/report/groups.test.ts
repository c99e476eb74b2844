import { makeRefusal } from '../../support/faults';
import { listCommands, TestProgram } from '../support/test-program';
import { DAY, MINUTE } from '../../support/time';
import { COLLEAGUE } from '../../support/virtual-service';

const NAMES = ['Mug', 'Pan', 'Cup', 'Lamp', 'Rug'];

/** Returns the lines of an output that begin a group of rows, such as “3 not ordered yet”. */
function listGroups(output: string): string[] {
	return output.split('\n').flatMap((line) => /^ {2,5}(\d[\d,]* [a-z].*)$/.exec(line)?.[1] ?? []);
}

test('after Ctrl-C, briefs that are being written and rows that are not ordered yet are separate groups in every view', async () => {
	const program = new TestProgram(NAMES);
	const { code, output } = await program.interrupt('run products.csv', 2);
	const status = await program.type('status');
	const plan = await program.type('plan products.csv');
	expect(code).toBe(130);
	expect(listGroups(output)).toEqual(['2 being written', '3 not ordered yet']);
	expect(output).toContain('To wait for them and save them (orders nothing new):');
	expect(output).toContain('To order them, one brief each:');
	expect(listGroups(status.output)).toEqual(['2 being written', '3 not ordered yet']);
	expect(listGroups(plan.output)).toEqual(['3 to order', '2 being written']);
	expect(plan.output).toMatch(/this run +3\n/);
});

describe('rows beyond --max', () => {
	test('can be ordered with the same limit or without', async () => {
		const program = new TestProgram(NAMES);
		const { output } = await program.type('run products.csv --max 1');
		expect(output).toMatch(
			/To order the next of them \(without --max: all of them\), .+:\n +brief-batch run products\.csv --max 1\n/,
		);
	});

	test('keep their edited field', async () => {
		const program = new TestProgram();
		program.write('products.csv', 'Name,Goal', 'Mug,Sell', 'Pan,Sell');
		await program.type('run products.csv');
		program.write('products.csv', 'Name,Goal', 'Mug,Win', 'Pan,Win');
		const { output } = await program.type('run products.csv --reorder changed --max 1');
		expect(output).toMatch(/row 3 .*was “Sell”, now “Win”\. Beyond --max of this run\./);
	});

	test('keep the reason of their failure', async () => {
		const program = new TestProgram(['Mug', 'Pan']);
		program.shouldFail = () => true;
		await program.type('run products.csv');
		const { output } = await program.type('retry products.csv --max 1');
		expect(output).toMatch(/row 3 .*could not write this brief.*\. Beyond --max of this run\./);
	});
});

describe('rows beyond the allowance', () => {
	test('are deferred, and the message names what is left and when to order them', async () => {
		const program = new TestProgram([...NAMES, 'Bowl'], { allowance: 2 });
		const { code, output } = await program.type('run products.csv');
		expect([code, program.created.length]).toEqual([3, 2]);
		expect(output).toContain('0 of 2 briefs left this month (resets on 1 December, UTC).');
		expect(listGroups(output)).toEqual(['4 deferred', '2 ready']);
		expect(output).toContain('They need 2 more months. In each, run:');
	});

	test('need another licence if it allows no briefs', async () => {
		const { output } = await new TestProgram(NAMES, { allowance: 0 }).type('run products.csv');
		expect(output).toContain('The licence allows no briefs. With a larger licence, run:');
	});
});

describe('an order without an answer', () => {
	test('is a separate group in every view, with the answer, and is printed once', async () => {
		const program = new TestProgram(['Mug', 'Pan']);
		const answer = { status: 502, body: '<html><title>Blocked</title></html>' };
		program.intercept = ({ body }) => (body?.includes('Mug') === true ? answer : null);
		const run = await program.type('run products.csv');
		const status = await program.type('status');
		for (const { output } of [run, status]) {
			expect(listGroups(output)).toEqual(['1 sent without an answer', '1 ready']);
			expect(output).toMatch(/row 2 .*502.*Blocked.*might have been created/);
		}
		expect(run.output.match(/row 2 .*no answer/g)).toHaveLength(1);
		expect(program.readFile('report.html')).toContain('Blocked');
		for (const words of ['plan products.csv', 'plan products.csv --reorder 2']) {
			const { output } = await program.type(words);
			expect(listGroups(output)).toEqual(['1 to send again', '1 ready']);
			expect(output).toContain('The run sends this order again, and pays only for a brief');
			expect(output).toContain('To send these orders again:');
		}
		program.writeProducts('Pan');
		const { output } = await program.type('status');
		expect(listGroups(output)).toEqual(['1 ready', '1 no longer in the CSV']);
	});

	test('is explained without repeating a sentence', async () => {
		const program = new TestProgram(['Mug']);
		const answer = { status: 202, body: '{"error":{"code":"busy","message":"Try later"}}' };
		program.interceptCreates(() => answer);
		const { output } = await program.type('run products.csv --quiet');
		expect(output).toContain(
			'The order got no usable answer (202). The service says: Try later. Its brief might have been created.',
		);
		expect(output.match(/no usable answer/g)).toHaveLength(1);
	});
});

describe('failed rows', () => {
	test('say that a retry pays again, with the code, and what it sends after an edit', async () => {
		const program = new TestProgram(['Mug']);
		program.shouldFail = ({ audience }) => audience === undefined;
		const { output } = await program.type('run products.csv');
		expect(output).toContain(
			'A retry pays for another brief, which can fail in the same way (research_failed).',
		);
		program.write('products.csv', 'Product Name,Audience', 'Mug,Cooks');
		const edited = await program.type('run products.csv');
		expect(edited.output).toContain('Edited since: `retry` sends the new text.');
		await program.type('retry products.csv');
		expect(program.created[1]?.input).toMatchObject({ audience: 'Cooks' });
	});

	test('are retried with their number, and after three attempts are reordered', async () => {
		const program = new TestProgram(['Mug', 'Pan']);
		program.shouldFail = () => true;
		await program.type('run products.csv --only 2');
		await program.type('retry products.csv --only 2');
		const third = await program.type('retry products.csv --only 2');
		expect(listCommands(third.output)).toContain(
			'brief-batch run products.csv --only 2 --reorder 2',
		);
		expect(third.output).not.toContain('brief-batch retry');
		const { output } = await program.type('run products.csv');
		expect(output).toContain('To order 1 of them again, one brief each:');
	});

	test('have to be corrected only if the service refused their content', async () => {
		const program = new TestProgram(['Mug']);
		program.fail('create_brief', makeRefusal(400, 'invalid', 'audience is too vague'));
		const invalid = await program.type('run products.csv');
		expect(invalid.output).toContain('In the CSV, correct the row that the service refused. Then:');
		// `run` would not order the row again.
		expect(invalid.output).not.toContain('run it again');
		program.fail('create_brief', makeRefusal(404, 'not_found', 'no such route'));
		const notFound = await program.type('retry products.csv');
		expect(notFound.output).not.toContain('correct the row');
		expect(notFound.output).toContain('To order it again (one brief):');
	});

	test('whose brief is in the workspace are a separate group in a plan, with the date of the brief', async () => {
		const program = new TestProgram(['Mug', 'Pan']);
		program.create(COLLEAGUE, { product_name: 'Mug' }, MINUTE).plan.errorCode = 'research_failed';
		program.create(COLLEAGUE, { product_name: 'Pan' }, MINUTE);
		await program.clock.pass(DAY);
		const plan = await program.type('plan products.csv');
		const { code, output } = await program.type('run products.csv');
		expect(listGroups(plan.output)).toEqual(['1 to reuse', '1 failed in the workspace']);
		const sentence = /The workspace’s brief [0-9a-f]{8} of 10 November failed/;
		expect(plan.output).toMatch(sentence);
		expect(output).toMatch(new RegExp(`${sentence.source} \\(research_failed\\)\\.`));
		expect(code).toBe(1);
	});
});
