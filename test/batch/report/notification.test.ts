import { makeRefusal } from '../../support/faults';
import { HOUR } from '../../support/time';
import { TestProgram } from '../support/test-program';
import { startWebhook } from '../support/webhook';

/** @param status the webhook answers with */
async function start(status = 200) {
	const { url, bodies } = await startWebhook(status);
	const program = new TestProgram();
	const command = `run products.csv --quiet --name Acme --notify ${url}`;
	return { program, bodies, url, command, run: () => program.type(command) };
}

test('a notification names the new briefs and the rows that need the user, with their reasons', async () => {
	const { program, bodies, run } = await start();
	program.writeProducts('Mug', 'Pan', 'n/a');
	await run();
	expect(bodies).toMatchObject([
		{
			name: 'Acme',
			csv: 'products.csv',
			out: 'briefs',
			exit_code: 1,
			ordered: 2,
			counts: { ready: 2, invalid: 1, pending: 0 },
			briefs: [
				{ row: 2, product_name: 'Mug' },
				{ row: 3, product_name: 'Pan' },
			],
			attention: [{ row: 4, row_id: null, product_name: 'n/a', status: 'invalid' }],
		},
	]);
	expect(bodies[0]?.text.split('\n')).toEqual([
		'Acme: products.csv: 2 briefs ordered, 1 invalid',
		expect.stringMatching(/^• Mug: A title http/),
		expect.stringMatching(/^• Pan: A title http/),
		expect.stringMatching(/^• n\/a: invalid\. Product Name is “n\/a”/),
	]);
});

test('a notification is posted if a brief, a count or the exit code is new', async () => {
	const { program, bodies, run } = await start();
	program.writeProducts('Mug', 'n/a');
	await run();
	expect(await run()).toMatchObject({ code: 1, output: '' });
	program.writeProducts('Mug', 'n/a', 'TBD');
	await run();
	for (let count = 0; count < 2; count += 1) {
		program.refuseKey();
		await run();
	}
	await run();
	await run();
	expect(bodies.map(({ exit_code: code }) => code)).toEqual([1, 1, 4, 1]);
	expect(bodies[2]?.text).toContain('Acme: the run did not start (exit code 4).');
});

test.each(['list_licences', 'create_brief'] as const)(
	'a notification is posted once a day while the service refuses the API key in %s',
	async (operation) => {
		const { program, bodies, run } = await start();
		program.writeProducts('Mug');
		const posted: number[] = [];
		for (let hour = 0; hour < 50; hour += 1) {
			const refusal = makeRefusal(401, 'unauthorized', 'The key is not valid');
			program.fail(operation, refusal);
			expect((await run()).code).toBe(4);
			posted.push(bodies.length);
			await program.clock.pass(HOUR);
		}
		expect([posted[0], posted[22], posted[26], posted[49]]).toEqual([1, 1, 2, 3]);
	},
);

test('a notification is posted once a day while the CSV is missing', async () => {
	const { program, bodies, run } = await start();
	program.writeProducts('Mug');
	await run();
	program.removeCsv('products.csv');
	for (let hour = 0; hour < 30; hour += 1) {
		expect((await run()).code).toBe(2);
		await program.clock.pass(HOUR);
	}
	expect(bodies.map(({ exit_code: code }) => code)).toEqual([0, 2, 2]);
});

test('a notification names rows that were edited in the same field on one line', async () => {
	const { program, bodies, run } = await start();
	program.writeProducts('Mug', 'Pan', 'Cup', 'Rug');
	await run();
	program.write('products.csv', 'Product Name,Audience', 'Mug,a', 'Pan,b', 'Cup,c', 'Rug,d');
	await run();
	expect(bodies[1]?.text.split('\n').slice(1)).toEqual([
		expect.stringMatching(
			/^• Mug, Pan, Cup and Rug: changed\. Edited: audience \(rows 2, 3, 4 and 5\)/,
		),
	]);
	expect(bodies[1]?.attention).toHaveLength(4);
});

test('a notification adds neither mentions nor links to a chat', async () => {
	const { program, bodies, run } = await start();
	program.writeProducts('Mug <https://evil.test|free>', 'Pan @here');
	await run();
	expect(bodies[0]?.text).not.toMatch(/<|@here/);
	expect(bodies[0]?.text).toContain('Mug &lt;https');
});

test('a refused notification is not sent again, changes no exit code and does not show its address', async () => {
	const { program, bodies, run, url } = await start(500);
	program.writeProducts('Mug');
	const { code, output } = await run();
	expect([code, bodies.length]).toEqual([0, 1]);
	expect(output).toContain(`The notification was not accepted: ${new URL(url).host} answered 500.`);
	expect(output).not.toContain('secret');
});

test('a notification is not posted after Ctrl-C', async () => {
	const { program, bodies, command } = await start();
	program.writeProducts('Mug', 'Pan');
	expect((await program.interrupt(command, 1)).code).toBe(130);
	expect(bodies).toEqual([]);
});
