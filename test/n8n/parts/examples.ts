import { readdirSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { CliError } from '../../../batch/cli-error';
import { makeRefusalNotification } from '../../../batch/output/notification';
import type { Execution } from '../../../harness/client/execution';
import type { SavedWorkflow } from '../../../harness/workflows/workflow';
import { exampleFolder as FOLDER } from '../../../harness/workflows/examples';
import { imported, newMessages, useExample as use } from '../../support/n8n/examples';
import { client, n8n, serviceWith, SPEED } from '../../support/n8n/rig';

const NEVER = 999_000_000;
/** These have tests in other parts. */
const ELSEWHERE = ['agent-hook-to-brief.json', 'assistant-protocol-agent.json'];

/**
 * Each is imported as it is in its file, with credentials selected and its placeholders filled in as its note says.
 * Slack and Google Sheets are stand-ins on this machine behind n8n's own nodes for them; no data is pinned. The
 * triggers poll every two seconds, and the package's nodes look as often as fits the sandbox's time.
 */
export function examples(): void {
	describe('the example workflow', () => {
		const published: string[] = [];
		afterEach(async () => {
			for (const id of published.splice(0)) await client().unpublish(id);
		});
		async function publish(saved: SavedWorkflow): Promise<void> {
			published.push(saved.id);
			await client().publishAndWait(saved);
		}

		const COLUMNS = [
			...['SKU', 'Product Name', 'Product ID', 'Audience', 'Approved Facts'],
			...['Brief Status', 'Brief Link'],
		];
		const outcomes = (sheet: string) =>
			n8n()
				.sheets.records(sheet, 'Products')
				.map((row) => [row['Brief Status'], row['Brief Link']]);
		const says = (text: string | RegExp) => expect.stringMatching(text) as string;

		it('product-sheet-to-slack gets each new row its brief, and writes link or reason to the sheet and to Slack', async () => {
			const service = await serviceWith();
			const { sheets } = n8n();
			sheets.addSheet('launch', 'Products', [COLUMNS]);
			const saved = await use('product-sheet-to-slack.json', service, {
				YOUR_SPREADSHEET_ID: 'launch',
			});
			const posted = newMessages();
			await publish(saved);
			const long = '1729384756102938475';
			const serum = ['Glow Serum', long, 'Commuters', 'Vegan'];
			sheets.appendRow('launch', 'Products', ['A-1', ...serum]);
			sheets.appendRow('launch', 'Products', ['A-2', 'Old Mask (discontinued)', '', '', '']);
			sheets.appendRow('launch', 'Products', ['A-3', 'Lamp', '12', '', '']);
			sheets.appendRow('launch', 'Products', ['A-4', ...serum]);
			const seen = await finished(saved, (rows) => items(rows, 'New product') >= 4);
			expect(seen.map(({ status }) => status)).toEqual(seen.map(() => 'success'));
			const [one] = service.sandbox.briefs();
			expect(one!.input).toMatchObject({
				product_name: 'Glow Serum',
				product_id: long,
				audience: 'Commuters',
				approved_facts: 'Vegan',
			});
			expect(outcomes('launch')).toEqual([
				['ready', says(one!.id)],
				[says(/Old Mask.*product_unavailable/), ''],
				[says(/'Product ID'/), ''],
				['ready', says(one!.id)],
			]);
			expect(posted('briefs')).toEqual([says(/^\*Glow Serum.*\* is ready: https/)]);
			expect(posted('alerts').sort()).toEqual([
				says(/^No brief for A-2: .*Old Mask.*product_unavailable.*\nIt used one brief/),
				says(/^No brief for A-3: .*'Product ID'.*\n/),
			]);
			expect(service.sandbox.createdCount()).toBe(2);
		});

		it('products-overnight goes on in the next run, is killed and run again, and pays for each row once', async () => {
			// It forgets keys at once, so that only the list keeps a row from being paid for again.
			const service = await serviceWith({ keyMemoryMs: 1, speed: SPEED / 8 });
			const { sandbox, count } = service;
			const sheet = crypto.randomUUID();
			n8n().sheets.addSheet(sheet, 'Products', [
				COLUMNS,
				['A-1', 'Glow Serum', '1729384756102938475', 'Commuters', 'Vegan'],
				['A-2', 'x'],
				['A-3', 'Old Mask (discontinued)'],
				[1004, 'Lip Oil'],
				['A-5', 'Done before', '', '', '', 'ready', 'https://app.example.com/briefs/1'],
			]);
			const values = { YOUR_SPREADSHEET_ID: sheet, '"maxBriefs":30': '"maxBriefs":2' };
			const saved = await use('products-overnight.json', service, values);
			const posted = newMessages();
			await client().startManually(saved);
			while (count('create_brief') < 2) await sleep(100);
			await n8n().server.kill();
			await n8n().server.restart();
			expect(sandbox.createdCount()).toBe(2);
			const evenings = [await client().runManually(saved), await client().runManually(saved)];
			expect(evenings.map(({ status }) => status)).toEqual(['success', 'success']);
			expect(sandbox.createdCount()).toBe(3);
			const [serum, , oil] = sandbox.briefs();
			expect(outcomes(sheet)).toEqual([
				['ready', says(serum!.id)],
				[says(/'Product Name'/), ''],
				[says(/Old Mask.*product_unavailable/), ''],
				['ready', says(oil!.id)],
				['ready', 'https://app.example.com/briefs/1'],
			]);
			// Serum and mask were there before the run that has them in its sheet.
			expect(posted('briefs')).toEqual([says(/^\*Lip Oil.*\* is ready: https/)]);
			// The second evening says nothing that the first one has said.
			const failures = [
				says(/^No brief for A-2: .*'Product Name'/),
				says(/^No brief for A-3: .*\n/),
			];
			expect(posted('alerts').sort()).toEqual(failures);
			const { length } = sandbox.requests;
			expect((await client().runManually(saved)).status).toBe('success');
			expect(sandbox.createdCount()).toBe(3);
			expect(sandbox.requests.length).toBeGreaterThan(length);
			expect(posted('alerts').sort()).toEqual(failures);
			// Somebody has mended a row, so that another reason stands in its way.
			n8n().sheets.rows(sheet, 'Products')[2]![1] = 'Old Cream (discontinued)';
			expect((await client().runManually(saved)).status).toBe('success');
			expect(posted('alerts').slice(2)).toEqual([says(/^No brief for A-2: .*product_unavailable/)]);
		}, 240_000);

		it('new-hooks-to-sheet-and-slack writes a refresh to the sheet and to Slack', async () => {
			const service = await serviceWith({ speed: 1 });
			const { sheets } = n8n();
			const header = [
				...['Category', 'Hook', 'Angle', 'Why It Works', 'Views', 'Units Sold', 'Video', 'Hook ID'],
			];
			sheets.addSheet('trends', 'Hooks', [header]);
			const saved = await use('new-hooks-to-sheet-and-slack.json', service, {
				YOUR_SPREADSHEET_ID: 'trends',
			});
			const posted = newMessages();
			await publish(saved);
			service.sandbox.advance(60_000);
			service.sandbox.refreshHooks();
			const [done] = await finished(saved, (seen) => seen.length > 0);
			expect(done!.status).toBe('success');
			const hooks = done!.json('Hooks refreshed');
			const rows = sheets.records('trends', 'Hooks');
			expect(rows.map((row) => row['Hook ID'])).toEqual(hooks.map(({ id }) => id));
			expect(rows[0]).toMatchObject({ Hook: hooks[0]!['hook'], Category: hooks[0]!['category'] });
			const lines = hooks
				.slice(0, 10)
				.map((hook) => hook as Record<string, string>)
				.map((one) => `• ${one['hook']} (${one['category']}, <${one['video_url']}|video>)`);
			expect(posted('briefs')).toEqual([
				[`*New winning hooks: ${hooks.length}*`, ...lines].join('\n'),
			]);
		});

		it('brief-finished-to-slack reports finished briefs, and alerts for failed ones', async () => {
			const service = await serviceWith({ speed: 1 });
			const { sandbox } = service;
			const good = sandbox.addBrief({ durationMs: NEVER, product_name: 'Glow Serum' });
			const bad = sandbox.addBrief({ durationMs: NEVER, product_name: 'Lamp' });
			const saved = await use('brief-finished-to-slack.json', service);
			const posted = newMessages();
			await publish(saved);
			sandbox.advance(60_000);
			sandbox.finish(good.id);
			sandbox.finish(bad.id, 'failed');
			await finished(saved, (seen) => items(seen, 'Brief finished') >= 2);
			expect(posted('briefs')).toEqual([
				expect.stringMatching(/^\*Glow Serum.*\* is ready: https/),
			]);
			expect(posted('alerts')).toEqual([
				expect.stringMatching(/^The brief for Lamp failed: generation_failed\. https/),
			]);
		});

		it('csv-form-to-briefs orders a brief for each row of an uploaded file, once, and says what the others lack', async () => {
			const service = await serviceWith();
			const saved = await use('csv-form-to-briefs.json', service);
			const posted = newMessages();
			await publish(saved);
			const { webhookId } = saved.nodes.find(({ name }) => name === 'CSV uploaded')!;
			let uploads = 0;
			const upload = async (lines: string[]) => {
				const text = lines.map((line) => `${line}\n`).join('');
				await client().submitForm(webhookId!, [
					new File([text], 'products.csv', { type: 'text/csv' }),
				]);
				uploads += 1;
				const done = (await finished(saved, ({ length }) => length >= uploads)).at(-1)!;
				expect(done.status).toBe('success');
				return done.json('Create briefs');
			};
			const header = 'Product Name,Product ID,Audience,Approved Facts';
			const csv = [
				header,
				'Glow Serum,1729384756102938475,"Commuters, hikers",Vegan',
				'Lip Oil,,,',
			];
			for (const already_existed of [false, true]) {
				expect(await upload(csv)).toMatchObject([
					{ product_name: 'Glow Serum', already_existed },
					{ product_name: 'Lip Oil', already_existed },
				]);
			}
			expect(service.sandbox.briefs().map(({ input }) => input)).toMatchObject([
				{ product_name: 'Glow Serum', audience: 'Commuters, hikers' },
				{ product_name: 'Lip Oil' },
			]);
			expect(posted('briefs')).toEqual([
				says(/^Briefs being written: 2\n• Glow Serum https.*\n• Lip Oil/),
			]);
			// A name that is too short, none, and a list with semicolons: no name is doubled, and each has its cure.
			await upload([header, 'x,,,', ',,Commuters,']);
			await upload([header.replaceAll(',', ';'), 'Day Cream;;;']);
			const [short, semicolons] = posted('alerts');
			expect(short).toMatch(
				/^Rows without a brief: 2\n• .*'Product Name'.*\n {3}\S.*\n• .*'Product Name'.*\n {3}\S/,
			);
			expect(semicolons).toMatch(/^Rows without a brief: 1\n• .*'Product Name'.*\n {3}\S/);
			expect(`${short} ${semicolons}`).not.toContain('undefined');
			expect(short!.split('\n')[1]!.match(/\bx\b/g) ?? []).not.toHaveLength(2);
		});

		it('allowance-low-to-slack warns when fewer than ten briefs are left', async () => {
			const service = await serviceWith({ allowance: 12 });
			const saved = await use('allowance-low-to-slack.json', service);
			const posted = newMessages();
			await client().runManually(saved);
			expect(posted('alerts')).toEqual([]);
			for (let count = 0; count < 5; count += 1) service.sandbox.addBrief({ status: 'ready' });
			const done = await client().runManually(saved);
			expect(done.status).toBe('success');
			expect(posted('alerts')).toEqual([
				'Only 7 of 12 briefs are left this month. The count resets on 2026-12-01.',
			]);
		});

		it('batch-run-to-slack passes on what brief-batch posts, and alerts for trouble', async () => {
			const service = await serviceWith();
			const saved = await use('batch-run-to-slack.json', service);
			const posted = newMessages();
			await publish(saved);
			const subject = { name: 'Acme', csv: 'spring.csv', folder: 'briefs', resetsAt: 0 };
			// Every notification has the same name, text and exit code.
			for (const exitCode of [0, 3, 4] as const) {
				const end = new CliError('The end.', [], exitCode);
				const message = makeRefusalNotification(subject, end, Date.now());
				await client().callWebhook('brief-batch-run', message);
			}
			await finished(saved, (seen) => seen.length >= 3);
			expect(posted('briefs').sort()).toEqual([
				expect.stringContaining('exit code 0'),
				expect.stringContaining('exit code 3'),
			]);
			expect(posted('alerts')).toEqual([expect.stringContaining('exit code 4')]);
		});

		it('any-other-endpoint calls an endpoint with the same credential', async () => {
			const service = await serviceWith();
			const saved = await use('any-other-endpoint.json', service, {
				'https://api.example.com/v1': service.sandbox.url,
			});
			const done = await client().runManually(saved);
			expect(done.status).toBe('success');
			expect(done.json('Call the endpoint')[0]!['data']).toHaveLength(4);
		});

		it('none is left out here', () => {
			expect([...new Set([...imported, ...ELSEWHERE])].sort()).toEqual(
				readdirSync(FOLDER).filter((file) => file.endsWith('.json')),
			);
		});
	});
}

async function finished(
	saved: SavedWorkflow,
	isEnough: (executions: Execution[]) => boolean,
): Promise<Execution[]> {
	for (let number = 1; ; number += 1) {
		const executions = await client().waitForExecutions(saved.id, number);
		if (isEnough(executions)) return executions;
	}
}

function items(executions: Execution[], node: string): number {
	return executions.reduce((sum, each) => sum + each.items(node).length, 0);
}
