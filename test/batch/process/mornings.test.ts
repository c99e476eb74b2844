import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { realDisk } from '../../../batch/disk';
import { JOURNAL_FORMAT } from '../../../batch/journal/events';
import { Journal } from '../../../batch/journal/journal';
import { startSandbox, type Sandbox, type SandboxOptions } from '../../../sandbox/sandbox';
import { Desk, FAST, products } from '../../support/batch/brief-batch';
import { readEvents } from '../../support/batch/event-schema';
import { startWebhook, type WebhookServer } from '../../support/batch/webhook-server';

jest.setTimeout(60_000);

/** A product of which the service can write no brief. */
const GONE = 'Product 9 (discontinued),17290009,SKU-9';
const INVALID = 'x,12,SKU-10';

let sandbox: Sandbox;
let desk: Desk;
let webhook: WebhookServer;

async function given(options: SandboxOptions = {}): Promise<void> {
	sandbox = await startSandbox({
		speed: 1000,
		seed: 'mornings',
		failureShare: 0,
		requestsPerMinute: 0,
		...options,
	});
	desk = new Desk(sandbox);
	webhook = await startWebhook();
}

afterEach(async () => {
	await sandbox.close();
	await webhook.close();
	desk.remove();
});

const run = (csv: string, ...options: string[]) => desk.run(['run', csv, ...FAST, ...options]);

describe('--known-ok', () => {
	test('a failed and an invalid row are an alarm once, and are listed ever after', async () => {
		await given();
		const csv = desk.csv('products.csv', [...products(1), GONE, INVALID]);
		expect((await run(csv, '--known-ok')).code).toBe(1);
		const { code, out } = await run(csv, '--known-ok');
		expect(out).toMatch(/1 failed, known: see .*failed\.csv/);
		expect(out).toMatch(/1 invalid, known: correct it in the CSV/);
		expect(code).toBe(0);
		// Without the option it is as it ever was.
		expect((await run(csv)).code).toBe(1);
	});

	test('what an earlier run has reported without the option is known too', async () => {
		await given();
		const csv = desk.csv('products.csv', [...products(1), GONE]);
		expect((await run(csv)).code).toBe(1);
		expect((await run(csv, '--known-ok')).code).toBe(0);
	});

	test('a row that is edited, added or ordered again is an alarm again', async () => {
		await given();
		const csv = desk.csv('products.csv', [...products(1), GONE, INVALID]);
		await run(csv);
		desk.csv('products.csv', [...products(1), GONE, INVALID.replace('12', '13')]);
		expect((await run(csv, '--known-ok')).code).toBe(1);
		expect((await run(csv, '--known-ok')).code).toBe(0);
		// Another row of the same words is another row.
		desk.csv('products.csv', [...products(1), GONE, INVALID.replace('12', '13'), INVALID]);
		expect((await run(csv, '--known-ok')).code).toBe(0);
		desk.csv('products.csv', [...products(1), GONE, INVALID, INVALID]);
		expect((await run(csv, '--known-ok')).code).toBe(1);
		const anew = await desk.run(['retry', csv, ...FAST, '--yes', '--known-ok']);
		expect(anew.code).toBe(1);
		expect((await run(csv, '--known-ok')).code).toBe(0);
	});

	test('an edited row that keeps its brief is an alarm once, and again when it is edited again', async () => {
		await given();
		const [header = '', row = ''] = products(1);
		const csv = desk.csv('products.csv', [`${header},Audience`, `${row},runners`]);
		await run(csv);
		for (const audience of ['cyclists', 'swimmers']) {
			desk.csv('products.csv', [`${header},Audience`, `${row},${audience}`]);
			expect((await run(csv, '--known-ok')).code).toBe(1);
			const { code, out } = await run(csv, '--known-ok');
			expect([code, out]).toEqual([0, expect.stringContaining('1 changed, known: not ordered')]);
		}
	});

	test('a failure that stood in the shadow of another exit code is an alarm later', async () => {
		await given({ allowance: 2 });
		const csv = desk.csv('products.csv', [products(0)[0]!, GONE, ...products(2).slice(1)]);
		expect((await run(csv, '--known-ok')).code).toBe(3);
		expect((await run(csv, '--known-ok')).code).toBe(3);
		sandbox.options.allowance = 10;
		expect((await run(csv, '--known-ok')).code).toBe(1);
		expect((await run(csv, '--known-ok')).code).toBe(0);
	});

	test('without the journal nothing is known', async () => {
		await given();
		const csv = desk.csv('products.csv', [...products(1), INVALID]);
		await run(csv);
		expect((await run(csv, '--known-ok')).code).toBe(0);
		rmSync(join(desk.folder, 'briefs', 'journal.jsonl'));
		expect((await run(csv, '--known-ok')).code).toBe(1);
	});
});

describe('--quiet', () => {
	test('says what is new, and nothing at all where nothing is', async () => {
		await given();
		const csv = desk.csv('products.csv', [...products(2), GONE, INVALID]);
		const first = await run(csv, '--quiet');
		expect(first.out).toMatch(/row 4 +failed/);
		expect(first.out).toMatch(/row 5 +invalid/);
		expect(first.out).toMatch(/2 ready/);
		expect(first.out).not.toContain('ordered');
		expect(first.out).toMatch(/^brief-batch-\w+: products\.csv, 2 new briefs$/m);
		expect(first.out.match(/^• Product \d: .+ https?:\S+$/gm)).toHaveLength(2);
		expect(first.out).toMatch(/^3 briefs used, 97 of 100 left until 1 \w+\. \d+ seconds?\.$/m);
		for (const command of ['run', 'run', 'retry']) {
			const options = command === 'retry' ? ['--yes', '--max-generations', '1'] : [];
			const { code, out, err } = await desk.run([command, csv, ...FAST, '--quiet', ...options]);
			expect([code, out, err]).toEqual([1, '', '']);
		}
		desk.csv('products.csv', [...products(3), GONE, INVALID]);
		const later = await run(csv, '--quiet', '--name', 'Acme GmbH');
		expect(later.out).toMatch(/3 ready/);
		expect(later.out).toMatch(/^Acme GmbH: products\.csv, 1 new brief$/m);
		expect(later.out).not.toMatch(/row \d/);
	});

	test('is silent on a morning on which the allowance is still used up', async () => {
		await given({ allowance: 2 });
		const csv = desk.csv('products.csv', [...products(4), INVALID]);
		expect((await run(csv, '--quiet')).out).toContain('2 deferred');
		expect(await run(csv, '--quiet')).toEqual({ code: 3, out: '', err: '' });
		desk.csv('products.csv', [...products(5), INVALID]);
		expect((await run(csv, '--quiet')).out).toContain('3 deferred');
	});

	test('a changed row is told once', async () => {
		await given();
		const csv = desk.csv('products.csv', products(1));
		await run(csv, '--quiet');
		const changed = ['--set', 'audience=Commuters', '--quiet'];
		expect((await run(csv, ...changed)).out).toMatch(/row 2 +changed/);
		expect(await run(csv, ...changed)).toEqual({ code: 1, out: '', err: '' });
	});

	test('a failure is never silent', async () => {
		await given();
		const csv = desk.csv('products.csv', products(1));
		const nobody = ['--base-url', 'http://127.0.0.1:9/v1', '--quiet'];
		expect((await run(csv, ...nobody)).err).toContain('nothing listens');
	});
});

describe('--json ends with run_ended', () => {
	const last = (out: string, code: number | null) => readEvents(out, code).at(-1);

	const json = (env: object) => ('CREATOR_BRIEFING_JSON' in env ? [] : ['--json']);

	test.each([
		['an option that is not known', 2, ['--fast'], {}],
		['an option that is refused', 2, ['--max', '0'], {}],
		['a variable that is refused', 2, [], { CREATOR_BRIEFING_QUIET: 'perhaps' }],
		['--json in a variable', 2, ['--fast'], { CREATOR_BRIEFING_JSON: 'true' }],
		['no key', 2, [], { CREATOR_BRIEFING_API_KEY: '' }],
		['a --notify that is no URL', 2, ['--notify', 'slack'], {}],
		['a key that is refused', 4, [], { CREATOR_BRIEFING_API_KEY: 'cb_live_wrong' }],
		['nothing that answers', 5, ['--base-url', 'http://127.0.0.1:9/v1'], {}],
	])('with %s, and %i', async (_, expected, options, env) => {
		await given();
		const csv = desk.csv('products.csv', products(1));
		const { code, out, err } = await desk.run(['run', csv, ...json(env), ...options, ...FAST], env);
		expect(code).toBe(expected);
		expect(last(out, code)).toMatchObject({ outcome: 'not_begun', news: true });
		const { failure } = last(out, code) as { failure: { what: string; cure: string } };
		expect(failure.cure).not.toBe('');
		expect(err).toContain(failure.what.split('\n')[0]);
	});

	test('without a CSV, with 2', async () => {
		await given();
		const { code, out } = await desk.run(['run', 'none.csv', '--json', ...FAST]);
		expect([code, last(out, code)]).toMatchObject([2, { outcome: 'not_begun' }]);
	});

	test('in a folder of another run, with 6, and interrupted, with 130', async () => {
		await given({ speed: 20 });
		const csv = desk.csv('products.csv', products(2));
		const running = desk.start(['run', csv, '--json', ...FAST]);
		await running.said('brief_accepted');
		const second = await desk.run(['run', csv, '--json', ...FAST]);
		expect([second.code, last(second.out, 6)]).toMatchObject([6, { outcome: 'not_begun' }]);
		running.child.kill('SIGINT');
		const { code, out } = await running.ended;
		expect([code, last(out, code)]).toMatchObject([130, { outcome: 'interrupted', pending: 2 }]);
	});

	test('where rows are known, with their number', async () => {
		await given();
		const csv = desk.csv('products.csv', [...products(1), GONE, INVALID]);
		await desk.run(['run', csv, '--json', ...FAST]);
		const { code, out } = await desk.run(['run', csv, '--json', '--known-ok', ...FAST]);
		expect(last(out, code)).toMatchObject({
			exit_code: 0,
			news: false,
			failed: 1,
			invalid: 1,
			known: { failed: 1, invalid: 1, parked: 0, changed: 0 },
		});
		expect(readEvents(out, code)).toContainEqual(
			expect.objectContaining({ event: 'row_invalid', known: true }),
		);
	});

	test('also of retry', async () => {
		await given();
		const csv = desk.csv('products.csv', [...products(1), GONE]);
		await desk.run(['run', csv, '--json', ...FAST]);
		const no = await desk.run(['retry', csv, '--json', ...FAST]);
		expect([no.code, last(no.out, no.code)]).toMatchObject([2, { outcome: 'not_begun' }]);
		const bound = ['--max-generations', '1', '--yes'];
		const { code, out } = await desk.run(['retry', csv, '--json', ...bound, ...FAST]);
		expect(readEvents(out, code).map(({ event }) => event)).toContain('row_not_restarted');
	});
});

describe('--notify', () => {
	test('posts the end of a run that has news, without key or secret anywhere', async () => {
		await given();
		const csv = desk.csv('products.csv', [...products(2), GONE]);
		const notify = ['--notify', webhook.url];
		const first = await run(csv, ...notify);
		expect(first.code).toBe(1);
		expect(webhook.posted).toHaveLength(1);
		const [{ body, headers } = { body: null, headers: null }] = webhook.posted;
		expect(body).toMatchObject({
			text: expect.stringMatching(
				/^brief-batch-\w+, “products\.csv”: 2 new briefs; 2 ready, 1 failed; [^]*\n• Product 1: .+ https?:/,
			) as string,
			new: 2,
			event: 'run_ended',
			exit_code: 1,
			ready: 2,
			failed: 1,
			failure: null,
			batch: 'products.csv',
			csv: 'products.csv',
			out: 'briefs',
		});
		const key = sandbox.keys.allScopes;
		expect(JSON.stringify([headers, body])).not.toContain(key);
		expect(headers).not.toHaveProperty('authorization');
		// Nothing is new the second time.
		const second = await run(csv, ...notify);
		expect(webhook.posted).toHaveLength(1);
		expect(first.out + first.err + second.out + second.err).not.toMatch(/SECRET|hidden/);
		expect(desk.read('briefs/journal.jsonl')).not.toMatch(/SECRET|hidden/);
	});

	test('posts a failure, also where nothing could begin', async () => {
		await given();
		const csv = desk.csv('products.csv', products(1));
		const refused = { CREATOR_BRIEFING_API_KEY: sandbox.keys.revoked };
		await desk.run(['run', csv, '--notify', webhook.url, ...FAST], refused);
		await desk.run(['run', 'none.csv', '--notify', webhook.url, ...FAST]);
		expect(webhook.posted.map(({ body }) => [body.exit_code, body.outcome])).toEqual([
			[4, 'not_begun'],
			[2, 'not_begun'],
		]);
		expect(webhook.posted[1]?.body.text).toContain('none.csv');
		expect(JSON.stringify(webhook.posted)).not.toContain(sandbox.keys.revoked);
	});

	test('posts a refused key once a day, and names the profile', async () => {
		await given();
		const csv = desk.csv('products.csv', products(1));
		desk.csv('acme.env', [`CREATOR_BRIEFING_API_KEY=${sandbox.keys.revoked}`]);
		const hourly = [csv, '--env-file', 'acme.env', '--notify', webhook.url];
		for (let hour = 1; hour <= 3; hour += 1)
			expect((await run(hourly[0]!, ...hourly.slice(1))).code).toBe(4);
		expect(webhook.posted.map(({ body }) => body.name)).toEqual(['acme']);
		// The same of yesterday.
		const path = join(desk.folder, 'briefs', 'journal.jsonl');
		rmSync(path);
		const yesterday = await Journal.open(realDisk, path, () => Date.now() - 86_400_000);
		const batch = { format: JOURNAL_FORMAT, batch: 'products.csv', base_url: sandbox.url };
		await yesterday.append({ type: 'batch', ...batch });
		await yesterday.append({ type: 'not_begun', csv, what: 'x', cure: 'y', exit_code: 4 });
		await yesterday.close();
		await run(hourly[0]!, ...hourly.slice(1));
		expect(webhook.posted).toHaveLength(2);
	});

	test('posts a run that was interrupted', async () => {
		await given({ speed: 20 });
		const csv = desk.csv('products.csv', products(2));
		const running = desk.start(['run', csv, '--notify', webhook.url, ...FAST]);
		await running.said('ordered');
		running.child.kill('SIGTERM');
		expect((await running.ended).code).toBe(130);
		expect(webhook.posted[0]?.body).toMatchObject({ exit_code: 130, pending: 2 });
	});

	test('posts nothing of a run that found another one in its folder', async () => {
		await given({ speed: 20 });
		const csv = desk.csv('products.csv', products(1));
		const running = desk.start(['run', csv, ...FAST]);
		await running.said('ordered');
		expect((await run(csv, '--notify', webhook.url)).code).toBe(6);
		running.child.kill('SIGKILL');
		await running.ended;
		expect(webhook.posted).toEqual([]);
	});

	test('that is not taken is said, and changes nothing else', async () => {
		await given();
		const csv = desk.csv('products.csv', products(1));
		webhook.answers.push(404);
		const { code, out, err } = await run(csv, '--json', '--notify', webhook.url);
		expect(code).toBe(0);
		expect(readEvents(out, code).at(-1)).toMatchObject({ event: 'run_ended', exit_code: 0 });
		expect(err).toMatch(
			/^The end of the run could not be posted to http:\/\/127\.0\.0\.1:\d+\/…: it answered 404\. Check --notify/,
		);
		expect(err).not.toMatch(/SECRET|hidden/);
	});
});
