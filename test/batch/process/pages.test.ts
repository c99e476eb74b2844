import { createServer } from 'node:http';
import { deskOf } from '../../support/batch/brief-batch';
import { startFront } from '../../support/front';
import { listening, listeningSecurely } from '../../support/listening';

jest.setTimeout(60_000);

const page = (status: number, title: string) => ({
	status,
	body: `<html><head><title>${title}</title></head><body>Hello</body></html>`,
});

/** A folder, and an address at which something else answers in the service's place as long as `isUp`. */
async function deskBehind(
	answer: { status: number; body: string },
	isUp: (method: string) => boolean,
	speed = 500,
) {
	const desk = await deskOf(2, { speed });
	desk.env.CREATOR_BRIEFING_BASE_URL = await startFront(desk.sandbox, ({ method, path }, pass) =>
		isUp(method) ? Promise.resolve(answer) : pass(path),
	);
	return desk;
}

describe('a page in the service’s place', () => {
	test.each([
		[200, 'Sign in', 5, 'Something else answered in the service’s place (200): “Sign in”.'],
		[401, 'Sign in', 5, 'The API key may be the reason: check it.'],
		[404, 'Not found', 2, 'The service is not at http'],
		[405, 'Not allowed', 2, 'that address answers “not allowed” (405)'],
	])(
		'of %i (%s) at the first request ends run, plan and doctor with %i',
		async (status, title, code, text) => {
			const desk = await deskBehind(page(status, title), () => true);
			for (const command of ['run products.csv', 'plan products.csv', 'doctor'])
				await desk.expectEnd(command, code, text);
			expect(desk.sandbox.requests).toEqual([]);
		},
	);

	test.each([404, 410])(
		'of %i is an outage, if orders were made at this address before',
		async (status) => {
			let isUp = false;
			const desk = await deskBehind(page(status, 'Not found'), () => isUp);
			await desk.expectEnd('run products.csv', 0);
			isUp = true;
			const lines = desk.read('products.csv');
			desk.write('products.csv', `${lines}Product 3,1729000002,SKU-3\n`);
			for (const command of ['run products.csv', 'plan products.csv', 'doctor'])
				await desk.expectEnd(command, 5, 'in the service’s place');
		},
	);

	// All statuses: test/batch/run/pages.
	test('of 413 on each create ends the run with 5, and leaves all rows pending', async () => {
		// The fence sends no order once the disk has taken half a minute: at the usual speed that is 60 ms, here 600.
		const desk = await deskBehind(page(413, 'Blocked'), (method) => method === 'POST', 50);
		const cure = /\nRun the same command again: it finds out, and pays for nothing twice\./;
		await desk.expectEnd('run products.csv', 5, '(413): “Blocked”', cure);
		expect(desk.statuses()).toEqual(['pending', 'pending']);
		desk.expectPaid(0);
	});
});

test.each(['https_proxy', 'HTTPS_PROXY', 'all_proxy', 'ALL_PROXY'])(
	'a proxy that wants a password is named by its variable %s, which needs no http://',
	async (variable) => {
		const proxy = createServer();
		proxy.on('connect', (_, socket) => {
			const { body } = page(407, 'Proxy login');
			const length = `Content-Length: ${body.length}`;
			socket.end(`HTTP/1.1 407 Proxy Authentication Required\r\n${length}\r\n\r\n${body}`);
		});
		const env = { [variable]: `127.0.0.1:${await listening(proxy)}` };
		const desk = await deskOf(1);
		for (const command of ['run products.csv', 'plan products.csv', 'doctor']) {
			const args = `${command} --base-url https://localhost:9/v1`;
			const { code, out, err } = await desk.start(args, env).ended;
			expect(code).toBe(5);
			expect(out + err).toContain('A proxy wants a user name and a password (407): “Proxy login”.');
			expect(out + err).toContain(`into ${variable}: http://user:password@host:port`);
		}
	},
);

test('a certificate of a company’s own authority: run, plan and doctor name the variable for it', async () => {
	const desk = await deskOf(1);
	desk.env.CREATOR_BRIEFING_BASE_URL = `https://localhost:${await listeningSecurely()}/v1`;
	for (const command of ['run products.csv', 'plan products.csv', 'doctor']) {
		const { code, out, err } = await desk.start(command).ended;
		expect(code).toBe(5);
		expect(out + err).toContain('NODE_EXTRA_CA_CERTS=/path/to/authority.pem');
	}
});

test('an item of the list that is no brief is named, and nothing is said of the address', async () => {
	const desk = await deskOf(1);
	const briefs = ['1', '2'].map((n) => desk.sandbox.addBrief({ product_name: `Lamp ${n}` }));
	desk.env.CREATOR_BRIEFING_BASE_URL = await startFront(desk.sandbox, async ({ path }, pass) => {
		const answer = await pass(path);
		const id = briefs[0]?.id;
		return { ...answer, body: answer.body.replace(`"id":"${id}"`, '"no":1') };
	});
	for (const command of ['run products.csv', 'plan products.csv']) {
		const ended = await desk.expectEnd(command, 5, 'item 2 of the list of briefs has no ID');
		expect(ended.out + ended.err).not.toContain('Base URL');
	}
});
