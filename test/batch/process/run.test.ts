import { deskOf, products } from '../../support/batch/brief-batch';
import { startFront, withLicence } from '../../support/front';
import { until } from '../../support/until';

jest.setTimeout(60_000);

const counts = (statuses: string[]) =>
	Object.fromEntries(
		[...new Set(statuses)].map((one) => [one, statuses.filter((status) => status === one).length]),
	);

test('a run makes a brief of every row, two at a time, and a second run orders nothing', async () => {
	const desk = await deskOf(6);
	// No time zone is called so.
	const { code, out, err } = await desk.start('run products.csv', { TZ: 'Bad/Zone' }).ended;
	expect([code, err]).toEqual([0, '']);
	expect(out).toContain('6 ready');
	expect(desk.sandbox.maxRunning()).toBe(2);
	const [first] = desk.results();
	expect(first).toMatchObject({ 'Product Name': 'Product 1', SKU: 'SKU-1', brief_status: 'ready' });
	expect(desk.read(`briefs/${first?.brief_file}`)).toContain('Product 1');
	expect(desk.exists('briefs/.lock')).toBe(false);
	const inUtc = /Made by brief-batch on [^<]+:\d\d UTC[.,]/;
	expect(desk.read('briefs/report.html')).toMatch(inUtc);
	const again = await desk.start('run products.csv', { TZ: '' }).ended;
	expect([again.code, again.out]).toEqual([0, expect.stringContaining('6 ready or failed')]);
	expect(desk.read('briefs/report.html')).toMatch(inUtc);
	desk.expectPaid(6);
});

test('a run names invalid, failed and duplicate rows, and makes the others', async () => {
	const more = ['Lamp,1.73E+18,S-3', 'Lamp (discontinued),17290009,S-4', 'Product 1,1729000000,S'];
	const desk = await deskOf([...products(2), ...more]);
	await desk.expectEnd(
		'run products.csv',
		1,
		/row 4 +invalid +Product ID is “1\.73E\+18”/,
		/row 5 +failed +Lamp \(discontinued\)/,
		/row 6 +duplicate +same content as row 2/,
	);
	expect(desk.statuses()).toEqual(['ready', 'ready', 'invalid', 'failed', 'ready']);
	expect(desk.read('briefs/failed.csv')).toContain('\nLamp (discontinued),17290009,S-4,failed,');
	const ids = () => desk.results().map(({ brief_id }) => brief_id);
	expect(ids()[4]).toBe(ids()[0]);
	expect(desk.sandbox.createdCount()).toBe(3);
});

test('a run keeps to --max, --keep and the allowance, and says when to go on', async () => {
	const desk = await deskOf(6, { allowance: 6, usedThisMonth: 'zero' });
	desk.sandbox.addBrief({ status: 'ready' });
	const left =
		'4 pending: left by --max 1; to order them:\n         brief-batch run products.csv\n';
	await desk.expectEnd('run products.csv --max 1', 3, left);
	expect(counts(desk.statuses())).toEqual({ ready: 1, pending: 4, deferred: 1 });
	const kept = '3 deferred: the rest of the allowance is kept (--keep 2), run';
	await desk.expectEnd('run products.csv --keep 2', 3, kept);
	expect(desk.results().at(-1)?.brief_error).toMatch(
		/^Not ordered: the rest of the allowance is kept \(--keep 2\)\. Run/,
	);
	await desk.expectEnd(
		'run products.csv',
		3,
		/1 deferred: the allowance is used up, run the same command again from 1 \w+ \d{4} \(UTC\)/,
	);
	expect(counts(desk.statuses())).toEqual({ ready: 5, deferred: 1 });
	expect(desk.sandbox.requests.filter(({ status }) => status === 429)).toEqual([]);
});

test('with --leave-slots 1 a run has one brief at a time', async () => {
	const desk = await deskOf(3);
	expect((await desk.order('--leave-slots', '1')).code).toBe(0);
	expect(desk.sandbox.maxRunning()).toBe(1);
});

describe('what the service shows', () => {
	test.each([
		['no channel api', { channels: ['web'] }, 'does not list the channel “api”'],
		['no licence', { product: 'briefs' }, 'lists no licence for creator briefs'],
		['an allowance of -1', { monthly_allowance: -1 }, 'allowance is not known'],
	])('may be %s: plan, doctor and run say so and go on', async (_, shown, notice) => {
		const desk = await deskOf(1);
		desk.env.CREATOR_BRIEFING_BASE_URL = await startFront(desk.sandbox, withLicence(shown));
		for (const command of ['plan products.csv', 'doctor', 'run products.csv'])
			await desk.expectEnd(command, 0, notice);
		expect(desk.statuses()).toEqual(['ready']);
	});

	test('may be nothing at this address, which every command ends with 2 for', async () => {
		const desk = await deskOf(1);
		const url = desk.sandbox.url.replace('/v1', '/v2');
		const said = [`The service is not at ${url}: `, `Try ${desk.sandbox.url}`];
		for (const command of ['plan products.csv', 'run products.csv', 'doctor'])
			await desk.expectEnd(`${command} --base-url ${url}`, 2, ...said);
		expect((await desk.order()).code).toBe(0);
	});
});

test('a run whose key is refused or may not order ends with 4, and does not show the key', async () => {
	const desk = await deskOf(1);
	for (const [name, text] of [
		['revoked', '401'],
		['noProducts', '403'],
		['noLicence', '403'],
		['readOnly', 'creator-briefs:execute'],
	] as const) {
		const key = desk.sandbox.keys[name];
		const { code, out, err } = await desk.run('run products.csv', {
			CREATOR_BRIEFING_API_KEY: key,
		});
		expect([code, out + err]).toEqual([4, expect.stringContaining(text)]);
		expect(out + err).not.toContain(key);
	}
	desk.sandbox.options.licence = 'no-api-channel';
	await desk.expectEnd('run products.csv', 4, 'no Business licence');
	desk.expectPaid(0);
});

describe('an interrupted run ends with 130', () => {
	test('and says what is still being written; the next run resumes it', async () => {
		// Slow enough that the briefs are still being written when the second run begins.
		const desk = await deskOf(3, { speed: 10 });
		const running = desk.start('run products.csv');
		await running.prints(/row 3 +ordered/);
		const { code, out } = await running.kill('SIGINT');
		expect(code).toBe(130);
		expect(out).toContain('Interrupted: nothing more is ordered.');
		expect(out).toMatch(/row 2 +pending +Product 1/);
		expect(out).toContain('Run the same command again');
		expect(desk.exists('briefs/.lock')).toBe(false);
		const next = desk.start('run products.csv --poll-interval 1 --poll-interval-max 2');
		await next.prints(/row 3 +pending/);
		desk.sandbox.advance(600_000);
		await next.prints(/row 4 +ordered/);
		desk.sandbox.advance(600_000);
		expect((await next.ended).code).toBe(0);
		desk.expectPaid(3);
	});

	test.each(['SIGTERM', 'SIGHUP'] as const)(
		'by %s, with reports and a record, however often that comes',
		async (signal) => {
			const desk = await deskOf(3, { speed: 10 });
			const running = desk.start('run products.csv');
			await running.prints(/row 3 +ordered/);
			running.child.kill(signal);
			await running.prints(/Interrupted: nothing more is ordered\./);
			expect((await running.kill(signal)).code).toBe(130);
			expect(desk.statuses()).toEqual(['pending', 'pending', 'pending']);
			expect(desk.exists('briefs/report.html')).toBe(true);
			expect(desk.exists('briefs/.lock')).toBe(false);
			await desk.expectEnd('status', 5, 'interrupted');
		},
	);

	test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
		'by %s before anything was ordered',
		async (signal) => {
			const desk = await deskOf(2);
			desk.sandbox.faults.add({ kind: 'slow', delayMs: 600_000, times: 2 });
			const running = desk.start('run products.csv');
			await running.prints(/Columns read/);
			await until(() => desk.sandbox.requests.length > 0);
			running.child.kill(signal);
			const { code, err } = await running.ended;
			expect(err).toBe(
				'Interrupted before anything was ordered. Run the same command again to go on.\n',
			);
			expect(code).toBe(130);
			desk.expectPaid(0);
			expect(desk.exists('briefs/.lock')).toBe(false);
		},
	);
});

test('rows through every fault of the sandbox all end, and none is paid twice', async () => {
	const faults = { faults: 'default', usedThisMonth: 'zero', listLagMs: 2000 } as const;
	const desk = await deskOf(12, faults);
	let ended = await desk.order();
	for (let tries = 0; ended.code === 5 && tries < 5; tries += 1) ended = await desk.order();
	expect(ended.out + ended.err).toContain('12 ready');
	expect(ended.code).toBe(0);
	desk.expectPaid(12);
	expect(desk.sandbox.maxRunning()).toBe(2);
});
