import { makeRefusalNotification } from '../../../batch/report/notification';
import type { Execution } from '../../../harness/client/execution';
import { newMessages, useExample } from '../../support/n8n/examples';
import {
	refreshHooks,
	waitForBriefs,
	waitForSuccess,
	waitForSuccesses,
} from '../../support/n8n/executions';
import { publishNodes } from '../../support/n8n/production';
import {
	client,
	killAndRestart,
	n8n,
	publish,
	publishAgain,
	openService,
	SLOW_AND_FORGETFUL,
	STILL,
	testWorkflow,
	type Service,
} from '../../support/n8n/rig';
import { matchText } from '../../support/values';

const HEADER = 'Product Name,Product ID,Audience,Approved Facts';

/** Publishes the example with the form. It returns a function that uploads lines of a CSV file. */
async function openCsvForm(service: Service, values: Record<string, string> = {}) {
	const saved = await publish(await useExample('csv-form-to-briefs.json', service, values));
	const { webhookId } = saved.nodes.find(({ name }) => name === 'CSV uploaded')!;
	let uploads = 0;
	const upload = async (lines: string[]) => {
		const text = lines.map((line) => `${line}\n`).join('');
		const file = new File([text], 'products.csv', { type: 'text/csv' });
		await client().submitForm(webhookId!, [file]);
	};
	const uploadAndWait = async (lines: string[]) => {
		await upload(lines);
		await waitForSuccess(saved, (uploads += 1));
	};
	return { upload, uploadAndWait };
}

/**
 * Each example is imported from its file, with credentials selected and its placeholders filled in as its note asks.
 * Slack and Google Sheets are stand-ins on this machine, which n8n's nodes for them call; no data is pinned.
 */
export function examples(): void {
	describe('the example csv-form-to-briefs', () => {
		test('posts a brief for each row of a file, paid for once, and the rows without a brief', async () => {
			const service = await openService();
			const { uploadAndWait } = await openCsvForm(service);
			const posted = newMessages();
			const serum = 'Glow Serum,1729384756102938475,"Commuters, hikers",Vegan';
			const csv = [HEADER, serum, 'Lip Oil,,,'];
			await uploadAndWait(csv);
			await uploadAndWait(csv);
			expect(service.sandbox.briefs().map(({ input }) => input)).toMatchObject([
				{ product_name: 'Glow Serum', audience: 'Commuters, hikers' },
				{ product_name: 'Lip Oil' },
			]);
			const both = matchText(/^Briefs: 2\n• Glow Serum \(\w+\) https.*\n• Lip Oil \(\w+\) https/);
			expect(posted('briefs')).toEqual([both, both]);
			// A name that is too short, no name, and a file with semicolons.
			await uploadAndWait([HEADER, 'x,,,', ',,Commuters,']);
			await uploadAndWait([HEADER.replaceAll(',', ';'), 'Day Cream;;;']);
			const [short, semicolons] = posted('alerts');
			expect(short).toMatch(
				/^Rows without a brief: 2\n• row \d: .*'Product Name'.*\n {3}\S.*\n• row \d: .*'Product Name'.*\n {3}\S/,
			);
			expect(semicolons).toMatch(/^Rows without a brief: 1\n• row 2: .*'Product Name'.*\n {3}\S/);
			expect(short).not.toContain('undefined');
			expect(service.sandbox.createdCount()).toBe(2);
		});

		test('posts all links, paid for once, if n8n is killed and the file is uploaded again', async () => {
			const service = await openService(SLOW_AND_FORGETFUL);
			const { upload, uploadAndWait } = await openCsvForm(service);
			const posted = newMessages();
			const csv = [HEADER, 'Glow Serum,,,', 'Lip Oil,,,', 'Lamp,,,'];
			await upload(csv);
			await waitForBriefs(service, 2);
			await killAndRestart();
			expect(posted('briefs')).toEqual([]);
			await uploadAndWait(csv);
			expect(posted('briefs')).toEqual([
				matchText(/^Briefs: 3\n• Glow Serum .*https.*\n• Lip Oil .*https.*\n• Lamp .*https/),
			]);
			expect(service.sandbox.createdCount()).toBe(3);
		}, 240_000);

		test('names the rows beyond a limit of 2', async () => {
			const service = await openService();
			const { uploadAndWait } = await openCsvForm(service, { '"maxBriefs":50': '"maxBriefs":2' });
			const posted = newMessages();
			await uploadAndWait([HEADER, 'Glow Serum,,,', 'Lip Oil,,,', 'Lamp,,,', 'x,,,']);
			expect(posted('briefs')).toEqual([matchText(/^Briefs: 2\n• Glow Serum .*\n• Lip Oil /)]);
			expect(posted('alerts')).toEqual([
				matchText(/^Rows without a brief: 2\n• row 4: Lamp.*\n {3}.*\n• row 5: .*'Product Name'/),
			]);
			expect(service.sandbox.createdCount()).toBe(2);
		});

		test('posts nothing with Check Only', async () => {
			const service = await openService();
			const checkOnly = '"operation":"create","checkOnly":true';
			const { uploadAndWait } = await openCsvForm(service, { '"operation":"create"': checkOnly });
			const posted = newMessages();
			await uploadAndWait([HEADER, 'Glow Serum,,,', 'Lip Oil,,,', 'x,,,']);
			expect([...posted('briefs'), ...posted('alerts')]).toEqual([]);
			expect(service.count('create_brief')).toBe(0);
		});
	});

	describe('the example workflow', () => {
		test('new-hooks-to-sheet-and-slack writes a refresh to the sheet and to Slack', async () => {
			const service = await openService(STILL);
			const { sheets } = n8n();
			sheets.addSheet('trends', 'Hooks', [
				['Category', 'Hook', 'Angle', 'Why It Works', 'Views', 'Units Sold', 'Video', 'Hook ID'],
			]);
			const values = { YOUR_SPREADSHEET_ID: 'trends' };
			const saved = await useExample('new-hooks-to-sheet-and-slack.json', service, values);
			const posted = newMessages();
			await publish(saved);
			refreshHooks(service.sandbox);
			await publishAgain(saved);
			const [done] = await waitForSuccess(saved);
			const hooks = done!.json('Hooks refreshed') as Array<Record<string, string>>;
			const rows = sheets.records('trends', 'Hooks');
			expect(rows.map((row) => row['Hook ID'])).toEqual(hooks.map(({ id }) => id));
			expect(rows[0]).toMatchObject({ Hook: hooks[0]!['hook'], Category: hooks[0]!['category'] });
			const lines = hooks
				.slice(0, 10)
				.map(({ hook, category, video_url }) => `• ${hook} (${category}, <${video_url}|video>)`);
			const header = `*New winning hooks: ${hooks.length}*`;
			expect(posted('briefs')).toEqual([[header, ...lines].join('\n')]);

			// A hook that is handled again updates its row.
			await client().runManually(saved);
			expect(sheets.records('trends', 'Hooks').map((row) => row['Hook ID'])).toEqual(
				hooks.map(({ id }) => id),
			);
		});

		test('brief-finished-to-slack reports finished briefs, and alerts for failed ones', async () => {
			const service = await openService(STILL);
			const { sandbox } = service;
			const [good, bad] = ['Glow Serum', 'Lamp'].map((product_name) =>
				sandbox.addBrief({ durationMs: 999_000_000, product_name }),
			);
			const saved = await useExample('brief-finished-to-slack.json', service);
			const posted = newMessages();
			await publish(saved);
			sandbox.advance(60_000);
			sandbox.finish(good!.id);
			sandbox.finish(bad!.id, 'failed');
			const countItems = (executions: Execution[]) =>
				executions.flatMap((each) => each.items('Brief finished')).length;
			await waitForSuccesses(saved, (executions) => countItems(executions) >= 2);
			expect(posted('briefs')).toEqual([matchText(/^\*Glow Serum.*\* is ready: https/)]);
			expect(posted('alerts')).toEqual([
				matchText(/^The brief for Lamp failed: generation_failed\. https/),
			]);
		});

		test('allowance-low-to-slack warns when fewer than ten briefs are left', async () => {
			const service = await openService({ allowance: 12 });
			const saved = await useExample('allowance-low-to-slack.json', service);
			const posted = newMessages();
			await client().runManually(saved);
			expect(posted('alerts')).toEqual([]);
			for (let count = 0; count < 5; count += 1) service.sandbox.addBrief({ status: 'ready' });
			await client().runManually(saved);
			expect(posted('alerts')).toEqual([
				'Only 7 of 12 briefs are left this month. The count resets on 2026-12-01.',
			]);
		});

		test('batch-run-to-slack posts the report of a run, and a failure as an alert', async () => {
			const service = await openService();
			const saved = await publish(await useExample('batch-run-to-slack.json', service));
			const posted = newMessages();
			const subject = { name: 'Acme', csv: 'spring.csv', folder: 'briefs' };
			// Every notification has the same name, text and exit code.
			for (const exitCode of [0, 3, 4] as const) {
				const refusal = { code: 'key_refused', message: 'No.', nextSteps: [], exitCode } as const;
				const message = makeRefusalNotification(subject, refusal, Date.now());
				await client().callWebhook('brief-batch-run', message);
			}
			await waitForSuccess(saved, 3);
			expect(posted('briefs').sort()).toEqual([matchText(/exit code 0/), matchText(/exit code 3/)]);
			expect(posted('alerts')).toEqual([matchText(/exit code 4/)]);
		});

		test('workflow-failed-to-slack posts once a day that a node or a trigger of a workflow fails', async () => {
			const service = await openService();
			const alert = await publish(await useExample('workflow-failed-to-slack.json', service));
			const settings = { errorWorkflow: alert.id };
			const failing = {
				name: 'Check',
				type: 'n8n-nodes-base.stopAndError',
				typeVersion: 1,
				parameters: { errorMessage: 'The sheet is missing' },
			};
			const { start, workflow } = await publishNodes([failing], settings);
			const posted = newMessages();
			for (const count of [1, 2]) {
				await client().waitForEnd(await start([{}]));
				await waitForSuccess(alert, count);
			}
			expect(posted('alerts')).toEqual([matchText(/ failed in Check: The sheet is missing\nhttp/)]);
			expect(posted('alerts')[0]).toContain(`*${workflow.name}*`);

			const polling = testWorkflow([service.nodes.trigger('briefFinished')]);
			await publish(await client().createWorkflow({ ...polling, settings }));
			service.sandbox.revoke('allScopes');
			await waitForSuccess(alert, 3);
			expect(posted('alerts').slice(1)).toEqual([matchText(/ failed.*: .*API key/)]);
		});

		test('any-other-endpoint calls an endpoint with the same credential', async () => {
			const service = await openService();
			const values = { 'https://api.example.com/v1': service.sandbox.url };
			const saved = await useExample('any-other-endpoint.json', service, values);
			const done = await client().runManually(saved);
			expect(done.json('Call the endpoint')[0]!['data']).toHaveLength(4);
		});
	});
}
