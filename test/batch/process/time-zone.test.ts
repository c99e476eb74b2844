import { startSandbox } from '../../../sandbox/sandbox';
import { Desk, FAST, products } from '../../support/batch/brief-batch';

jest.setTimeout(60_000);

test.each(['', 'Bad/Zone'])(
	'a run ends with its report, in UTC, where TZ is %j and so no time zone',
	async (zone) => {
		const calm = { failureShare: 0, requestsPerMinute: 0 };
		const sandbox = await startSandbox({ speed: 1000, seed: 'zone', ...calm });
		const desk = new Desk(sandbox);
		try {
			const csv = desk.csv('products.csv', products(1));
			const { code, err } = await desk.run(['run', csv, ...FAST], { TZ: zone });
			expect(err).toBe('');
			expect(code).toBe(0);
			expect(desk.read('briefs/report.html')).toMatch(/Made by brief-batch on [^<]+:\d\d UTC[.,]/);
		} finally {
			await sandbox.close();
			desk.remove();
		}
	},
);
