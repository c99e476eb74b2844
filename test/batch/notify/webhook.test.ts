import { post, readWebhook } from '../../../batch/notify/webhook';
import { startWebhook, type WebhookServer } from '../../support/batch/webhook-server';

describe('the URL of --notify', () => {
	test.each([
		'https://user:SECRET@n8n.example.com/webhook/1',
		'http://n8n:5678/webhook/SECRET',
		' https://hooks.example/SECRET ',
	])('%s is taken, and never shown whole', (text) => {
		const { url, name } = readWebhook(text);
		expect(url).toBe(text.trim());
		expect(name).toMatch(/^https?:\/\/[^/@]+\/…$/);
		expect(name).not.toContain('SECRET');
	});

	test.each(['ftp://host/SECRET', 'hooks.slack.com/SECRET', 'SECRET', ''])(
		'%j is refused without showing it',
		(text) => {
			expect(() => readWebhook(text)).toThrow(/^--notify(?!.*SECRET)/);
		},
	);
});

describe('a post', () => {
	let server: WebhookServer;
	const allowed: number[] = [];
	beforeEach(async () => {
		server = await startWebhook();
		// The time is up as soon as the server answers nothing, and never because the machine is busy.
		jest.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
			allowed.push(ms);
			const timeout = new AbortController();
			server.onHang = () => timeout.abort();
			return timeout.signal;
		});
	});
	afterEach(() => jest.restoreAllMocks());
	const send = () => post(readWebhook(server.url), { text: 'Hello' }, { againAfter: 1 });

	test('arrives once, as JSON', async () => {
		expect(await send()).toBeNull();
		expect(server.posted).toEqual([
			expect.objectContaining({
				path: '/services/T0/SECRET?token=hidden',
				body: { text: 'Hello' },
			}),
		]);
		expect(server.posted[0]?.headers['content-type']).toMatch(/^application\/json/);
	});

	test('is taken once the status says so, however long the answer goes on', async () => {
		server.answers.push('endless');
		expect(await send()).toBeNull();
		expect(server.posted).toHaveLength(1);
	});

	test.each([503, 429, 'cut', 'hang'] as const)(
		'that met %s is sent once more, and no third time',
		async (fault) => {
			server.answers.push(fault);
			expect(await send()).toBeNull();
			expect(server.posted).toHaveLength(2);
			server.answers.push(fault, fault);
			expect(await send()).toEqual(expect.any(String));
			expect(server.posted).toHaveLength(4);
		},
	);

	test('says why it did not arrive, without the URL', async () => {
		server.answers.push('hang', 'hang');
		expect(await send()).toBe('no answer within 10 seconds');
		expect(new Set(allowed)).toEqual(new Set([10_000]));
		const nobody = await post(readWebhook('http://127.0.0.1:9/SECRET'), {}, { againAfter: 1 });
		expect(nobody).toBe('the connection failed (ECONNREFUSED)');
	});
});
