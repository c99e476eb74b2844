import type { IExecuteFunctions } from 'n8n-workflow';
import { openSession } from '../../nodes/shared/session';

/** Returns the poll interval of a node with this setting, in milliseconds. */
async function getPollInterval(pollSeconds: number, baseUrl: string) {
	const node = {
		getCredentials: () => Promise.resolve({ baseUrl, apiKey: 'secret-key' }),
		getExecutionCancelSignal: () => undefined,
	} as unknown as IExecuteFunctions;
	const { context } = await openSession(node, { pollSeconds });
	return context.pollInterval;
}

describe('the poll interval', () => {
	test.each([
		[15, { shortest: 15_000, usual: 30_000 }],
		[20, { shortest: 20_000, usual: 30_000 }],
		[60, { shortest: 60_000, usual: 60_000 }],
		[1, { shortest: 15_000, usual: 30_000 }],
	])(
		'of %d seconds is at least the interval that the service asks for',
		async (seconds, interval) => {
			expect(await getPollInterval(seconds, 'https://api.example.com/v1')).toEqual(interval);
		},
	);

	test.each(['http://127.0.0.1:8080/v1', 'http://localhost/v1', 'http://[::1]:1/v1'])(
		'can be shorter for a server on this machine: %s',
		async (baseUrl) => {
			const interval = { shortest: 100, usual: 200 };
			expect(await getPollInterval(0.1, baseUrl)).toEqual(interval);
		},
	);
});
