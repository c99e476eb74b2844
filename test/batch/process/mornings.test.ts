import { rmSync } from 'node:fs';
import { basename } from 'node:path';
import { realDisk } from '../../../batch/folder/disk';
import { JOURNAL_FORMAT } from '../../../batch/folder/events';
import { Journal } from '../../../batch/folder/journal/journal';
import { Stop } from '../../../batch/stop';
import { JOURNAL, deskOf, products, readEvents, type Desk } from '../../support/batch/brief-batch';
import { startWebhook, type WebhookServer } from '../../support/batch/webhook-server';

jest.setTimeout(60_000);

/** A product of which the service can write no brief. */
const GONE = 'Product 9 (discontinued),17290009,SKU-9';
const INVALID = 'x,12,SKU-10';

describe('--known-ok', () => {
	const known = async (desk: Desk) => (await desk.order('--known-ok')).code;

	test('a failed and an invalid row are an alarm once, and again after they change', async () => {
		const desk = await deskOf([...products(1), GONE, INVALID]);
		expect((await desk.order()).code).toBe(1);
		const both = ['1 failed, known: this says why', '1 invalid, known: not sent. Correct it'];
		await desk.expectEnd('run products.csv --known-ok', 0, ...both);
		const edited = INVALID.replace('12', '13');
		desk.csv('products.csv', [...products(1), GONE, edited]);
		expect([await known(desk), await known(desk)]).toEqual([1, 0]);
		// Another row with the words of one that was reported, and one more of them.
		desk.csv('products.csv', [...products(1), GONE, edited, INVALID]);
		expect(await known(desk)).toBe(0);
		desk.csv('products.csv', [...products(1), GONE, INVALID, INVALID]);
		expect(await known(desk)).toBe(1);
		expect((await desk.run('retry products.csv --yes --known-ok')).code).toBe(1);
		expect(await known(desk)).toBe(0);
		expect((await desk.order()).code).toBe(1);
		// Without the journal nothing is known.
		rmSync(desk.path(JOURNAL));
		expect(await known(desk)).toBe(1);
	});

	test('an edited row that keeps its brief is an alarm once for each edit', async () => {
		const [header = '', row = ''] = products(1);
		const list = (audience: string) => [`${header},Audience`, `${row},${audience}`];
		const desk = await deskOf(list('runners'));
		await desk.order();
		for (const audience of ['cyclists', 'swimmers']) {
			desk.csv('products.csv', list(audience));
			expect(await known(desk)).toBe(1);
			const said = '1 changed, known: put back what differs';
			await desk.expectEnd('run products.csv --known-ok', 0, said);
		}
	});

	test('a failure that another exit code hid is an alarm later', async () => {
		const [header = '', ...rows] = products(2);
		const desk = await deskOf([header, GONE, ...rows], { allowance: 2 });
		expect(await known(desk)).toBe(3);
		desk.sandbox.options.allowance = 10;
		expect([await known(desk), await known(desk)]).toEqual([1, 0]);
	});
});

describe('--quiet', () => {
	const quiet = (desk: Desk, ...options: string[]) => desk.order('--quiet', ...options);
	const silent = (code: number) => ({ code, out: '', err: '' });

	test('shows what is new, and nothing on a morning without news', async () => {
		const desk = await deskOf([...products(2), GONE, INVALID]);
		const first = await quiet(desk);
		expect(first.out).toMatch(/row 4 +failed/);
		expect(first.out).toMatch(/row 5 +invalid/);
		expect(first.out).toMatch(/2 ready/);
		expect(first.out).not.toContain('ordered');
		expect(first.out).toMatch(/^brief-batch-\w+: products\.csv, 2 new briefs$/m);
		expect(first.out.match(/^• Product \d: .+ https?:\S+$/gm)).toHaveLength(2);
		expect(first.out).toMatch(
			/^3 briefs paid, 2 fetched\. 97 of 100 left until 1 \w+\. \d+ minutes\.$/m,
		);
		expect(await quiet(desk)).toEqual(silent(1));
		const retry = 'retry products.csv --yes --max-tries 1 --quiet';
		expect(await desk.run(retry)).toEqual(silent(1));
		desk.csv('products.csv', [...products(3), GONE, INVALID]);
		const later = await quiet(desk, '--name', 'Acme GmbH');
		expect(later.out).toMatch(/3 ready/);
		expect(later.out).toMatch(/^Acme GmbH: products\.csv, 1 new brief$/m);
		expect(later.out).not.toMatch(/row \d/);
		const nobody = await quiet(desk, '--base-url', 'http://127.0.0.1:9/v1');
		expect(nobody.err).toContain('nothing listens');
	});

	test('is silent while the allowance stays used up, and shows a changed row once', async () => {
		const desk = await deskOf(3, { allowance: 1 });
		expect((await quiet(desk)).out).toContain('2 deferred');
		expect(await quiet(desk)).toEqual(silent(3));
		desk.csv('products.csv', products(4));
		expect((await quiet(desk)).out).toContain('3 deferred');
		desk.csv('products.csv', products(1));
		expect((await quiet(desk, '--set', 'audience=All')).out).toMatch(/row 2 +changed/);
		expect(await quiet(desk, '--set', 'audience=All')).toEqual(silent(1));
	});
});

describe('--json ends with run_ended', () => {
	const last = (out: string, code: number | null) => readEvents(out, code).at(-1);

	test.each<[string, number, string, Desk['env']]>([
		['an option that is unknown', 2, ' --json --fast', {}],
		['an option that is refused', 2, ' --json --max 0', {}],
		['a variable that is refused', 2, ' --json', { CREATOR_BRIEFING_QUIET: 'perhaps' }],
		['--json in a variable', 2, ' --fast', { CREATOR_BRIEFING_JSON: 'true' }],
		['no key', 2, ' --json', { CREATOR_BRIEFING_API_KEY: '' }],
		['a --notify that is no URL', 2, ' --json --notify slack', {}],
		['an --env-file that is not there', 2, ' --json --env-file none.env', {}],
		['a key that is refused', 4, ' --json', { CREATOR_BRIEFING_API_KEY: 'cb_live_wrong' }],
		['nothing that answers', 5, ' --json --base-url http://127.0.0.1:9/v1', {}],
	])('with %s, and %i', async (_, expected, options, env) => {
		const desk = await deskOf(1);
		const { code, out, err } = await desk.run(`run products.csv${options}`, env);
		expect(code).toBe(expected);
		expect(last(out, code)).toMatchObject({ outcome: 'not_begun', news: true });
		const { stop } = last(out, code) as { stop: { what: string; cure: string } };
		expect(stop.cure).not.toBe('');
		expect(err).toContain(stop.what.split('\n')[0]);
	});

	test('in a folder of another run, with 6, and interrupted, with 130', async () => {
		const desk = await deskOf(2, { speed: 20 });
		const running = desk.start('run products.csv --json');
		await running.prints('accepted');
		const second = await desk.run('run products.csv --json');
		expect([second.code, last(second.out, 6)]).toMatchObject([6, { outcome: 'not_begun' }]);
		const { code, out } = await running.kill('SIGINT');
		const end = { outcome: 'interrupted', counts: { pending: 2 } };
		expect([code, last(out, code)]).toMatchObject([130, end]);
	});

	test('after one event a line and nothing else, with the number of known rows', async () => {
		const desk = await deskOf([...products(1), GONE, INVALID]);
		const first = await desk.order('--json');
		const [ready] = readEvents(first.out, 1).filter(({ event }) => event === 'filed');
		expect([ready?.row, first.err]).toEqual([2, '']);
		const { code, out } = await desk.order('--json', '--known-ok');
		expect(last(out, code)).toMatchObject({
			exit_code: 0,
			news: false,
			counts: { failed: 1, invalid: 1 },
			known: { failed: 1, invalid: 1, parked: 0, changed: 0 },
		});
		const invalid = readEvents(out, code).find(({ event }) => event === 'row_invalid');
		expect(invalid).toMatchObject({ known: true, product_name: 'x' });
		const no = await desk.run('retry products.csv --json');
		expect([no.code, last(no.out, no.code)]).toMatchObject([2, { outcome: 'not_begun' }]);
		const bound = await desk.run('retry products.csv --json --max-tries 1 --yes');
		const events = readEvents(bound.out, bound.code).map(({ event }) => event);
		expect(events).toContain('row_not_retried');
	});
});

describe('--notify', () => {
	let webhook: WebhookServer;
	beforeEach(async () => (webhook = await startWebhook()));

	const outcomes = () => webhook.posted.map(({ body }) => [body.exit_code, body.outcome]);

	test('posts the end of a run with news, without the key and without its secret', async () => {
		const desk = await deskOf([...products(2), GONE]);
		const first = await desk.order('--notify', webhook.url);
		expect(first.code).toBe(1);
		expect(webhook.posted).toHaveLength(1);
		const { body, headers } = webhook.posted[0]!;
		expect(body.text).toMatch(
			/^brief-batch-\w+: 2 new briefs \(3 paid\)\. 1 failed\.\n• Product [12]: .+ https?:/,
		);
		expect(body).toMatchObject({
			event: 'run_ended',
			exit_code: 1,
			new: 2,
			counts: { ready: 2, failed: 1 },
			csv: 'products.csv',
			out: 'briefs',
		});
		expect(JSON.stringify([headers, body])).not.toContain(desk.sandbox.keys.allScopes);
		expect(headers).not.toHaveProperty('authorization');
		const second = await desk.order('--notify', webhook.url);
		expect(webhook.posted).toHaveLength(1);
		const said = first.out + first.err + second.out + second.err;
		expect(said + desk.read(JOURNAL)).not.toMatch(/SECRET|hidden/);
	});

	test('posts a run that could not begin, and a refused key once a day with the name of the profile’s folder', async () => {
		const desk = await deskOf(1);
		const { revoked } = desk.sandbox.keys;
		desk.csv('acme.env', [`CREATOR_BRIEFING_API_KEY=${revoked}`]);
		await desk.run(`run none.csv --notify ${webhook.url}`);
		expect(webhook.posted[0]?.body.text).toContain('none.csv');
		const hourly = ['--env-file', 'acme.env', '--notify', webhook.url];
		for (let hour = 0; hour < 2; hour += 1) expect((await desk.order(...hourly)).code).toBe(4);
		// The same of yesterday.
		const path = desk.path(JOURNAL);
		rmSync(path);
		const yesterday = await Journal.open(
			realDisk,
			path,
			() => Date.now() - 86_400_000,
			() => undefined,
		);
		const batch = { format: JOURNAL_FORMAT, batch: 'products.csv', base_url: desk.sandbox.url };
		await yesterday.append({ event: 'batch', ...batch });
		const csv = 'products.csv';
		const stop = new Stop('The key was refused.', '', 'service', 4).onRecord;
		const end = { event: 'run_ended', outcome: 'not_begun', exit_code: 4, news: true } as const;
		await yesterday.append({ ...end, command: 'run', csv, options: [], stop });
		await yesterday.close();
		await desk.order(...hourly);
		const refused = [4, 'not_begun'];
		expect(outcomes()).toEqual([[2, 'not_begun'], refused, refused]);
		expect(webhook.posted[1]?.body.name).toBe(basename(desk.folder));
		expect(JSON.stringify(webhook.posted)).not.toContain(revoked);
	});

	test('says of a held row that nothing was paid for it, and why', async () => {
		const desk = await deskOf(1, { keyMemoryMs: 1, inputShape: 'empty' });
		await desk.order();
		rmSync(desk.path('briefs'), { recursive: true });
		await desk.order('--notify', webhook.url);
		const { text } = webhook.posted[0]!.body;
		expect(text).toMatch(
			/: 1 parked\.\n• Row 2: Not ordered, nothing paid: the workspace has brief \S+ of \d+ \w+ \d{4} of “Product 1”, which does not show what it was made from\.$/,
		);
		desk.expectPaid(1);
	});

	test('posts an interrupted run, and nothing of one that found another in its folder', async () => {
		const desk = await deskOf(2, { speed: 20 });
		const running = desk.start(`run products.csv --notify ${webhook.url}`);
		await running.prints('ordered');
		expect((await desk.order('--notify', webhook.url)).code).toBe(6);
		expect((await running.kill('SIGTERM')).code).toBe(130);
		expect(outcomes()).toEqual([[130, 'interrupted']]);
	});

	test('that is not accepted is reported, and changes nothing else', async () => {
		const desk = await deskOf(1);
		webhook.answers.push(404);
		const { code, out, err } = await desk.order('--json', '--notify', webhook.url);
		expect(code).toBe(0);
		expect(readEvents(out, code).at(-1)).toMatchObject({ event: 'run_ended', exit_code: 0 });
		expect(err).toMatch(
			/^The end of the run could not be posted to http:\/\/127\.0\.0\.1:\d+\/…: it answered 404\. Check --notify/,
		);
		expect(err).not.toMatch(/SECRET|hidden/);
	});
});
