import { pollInterval } from '../../nodes/shared/session';

it.each([
	[15, { shortest: 15_000, longest: 30_000 }],
	[20, { shortest: 20_000, longest: 30_000 }],
	[60, { shortest: 60_000, longest: 60_000 }],
	[1, { shortest: 15_000, longest: 30_000 }],
])('%d seconds are kept to what the service asks for', (seconds, interval) => {
	expect(pollInterval(seconds, 'https://api.example.com/v1')).toEqual(interval);
});

it.each(['http://127.0.0.1:8080/v1', 'http://localhost/v1', 'http://[::1]:1/v1'])(
	'less is taken for a server on this machine: %s',
	(address) => {
		expect(pollInterval(0.1, address)).toEqual({ shortest: 100, longest: 200 });
	},
);
