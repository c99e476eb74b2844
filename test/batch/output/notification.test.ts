import { refused } from '../../support/faults';
import { TestProgram } from '../support/test-program';
import { startWebhook } from '../support/webhook';

async function start(status = 200) {
	const { url, bodies } = await startWebhook(status);
	const program = new TestProgram();
	const command = `run products.csv --quiet --name Acme --notify ${url}`;
	return { program, bodies, url, run: () => program.run(command) };
}

test('a notification names the new briefs and the rows that need the user, with their reasons', async () => {
	const { program, bodies, run } = await start();
	program.write('products.csv', 'Product Name,SKU', 'Mug,A-1', 'Pan,A-2', 'n/a,A-3');
	await run();
	expect(bodies).toHaveLength(1);
	const [body] = bodies;
	const lines = body?.text.split('\n') ?? [];
	expect(lines[0]).toBe('Acme: products.csv: 2 briefs ordered, 1 invalid');
	expect(lines[1]).toMatch(/^• Mug: A title http/);
	expect(lines[3]).toMatch(/^• n\/a: invalid\. Product Name is “n\/a”/);
	expect(body).toMatchObject({
		name: 'Acme',
		csv: 'products.csv',
		folder: 'briefs',
		exitCode: 1,
		ordered: 2,
		counts: { ready: 2, invalid: 1, pending: 0 },
		attention: [{ row: 4, rowId: null, product_name: 'n/a', status: 'invalid' }],
	});
	expect(body?.briefs?.map(({ row, product_name }) => [row, product_name])).toEqual([
		[2, 'Mug'],
		[3, 'Pan'],
	]);
});

test('a notification is posted once for the same state, and each time that a run is refused', async () => {
	const { program, bodies, run } = await start();
	program.writeProducts('Mug', 'n/a');
	await run();
	expect(await run()).toEqual({ code: 1, output: '' });
	for (let count = 0; count < 2; count += 1) {
		program.sandbox.fail('list_licences', refused(401, 'unauthorized', 'The key is not valid'));
		await run();
	}
	expect(bodies.map(({ exitCode }) => exitCode)).toEqual([1, 4, 4]);
	expect(bodies[1]?.text).toContain('Acme: the run did not start (exit code 4).');
});

test('a notification names the rows that were edited for one reason on one line', async () => {
	const { program, bodies, run } = await start();
	program.writeProducts('Mug', 'Pan', 'Cup', 'Rug');
	await run();
	const edited = ['Mug,a', 'Pan,b', 'Cup,c', 'Rug,d'];
	program.write('products.csv', 'Product Name,Audience', ...edited);
	await run();
	const lines = bodies[1]?.text.split('\n') ?? [];
	expect(lines).toHaveLength(2);
	expect(lines[1]).toContain(
		'• Mug, Pan, Cup and Rug: changed. Edited: audience (rows 2, 3, 4 and 5)',
	);
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
	const { url, bodies } = await startWebhook();
	const program = new TestProgram();
	program.writeProducts('Mug', 'Pan');
	const stop = new AbortController();
	program.sandbox.intercept = ({ operation }) => {
		if (operation === 'list_briefs' && program.created === 1) stop.abort();
		return undefined;
	};
	const options = { signal: stop.signal };
	const { code } = await program.run(`run products.csv --notify ${url}`, options);
	expect([code, bodies.length]).toEqual([130, 0]);
});
