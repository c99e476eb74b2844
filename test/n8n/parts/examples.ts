import { readdirSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { CliError } from '../../../batch/cli-error';
import { makeRefusalNotification } from '../../../batch/output/notification';
import type { Execution } from '../../../harness/client/execution';
import type { SavedWorkflow } from '../../../harness/workflows/workflow';
import { exampleFolder as FOLDER } from '../../../harness/workflows/examples';
import { imported, newMessages, useExample as use } from '../../support/n8n/examples';
import { Production } from '../../support/n8n/production';
import {
	client,
	isNewest,
	n8n,
	serviceWith,
	SPEED,
	testWorkflow,
	type Service,
} from '../../support/n8n/rig';

const NEVER = 999_000_000;
/** These have tests in other parts. */
const ELSEWHERE = [
	'agent-hook-to-brief.json',
	'assistant-protocol-agent.json',
	'tools-for-ai-assistants.json',
	...(isNewest ? [] : ['products-in-data-table.json']),
];

/**
 * Each is imported as it is in its file, with credentials selected and its placeholders filled in as its note says.
 * Slack and Google Sheets are stand-ins on this machine behind n8n's own nodes for them; no data is pinned. The
 * triggers poll every two seconds, and the package's nodes at the pace of the sandbox's clock.
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

		const says = (text: string | RegExp) => expect.stringMatching(text) as string;

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

		/** Uploads CSV files to the form, and returns the execution that each starts. */
		async function csvForm(service: Service, values: Record<string, string> = {}) {
			const saved = await use('csv-form-to-briefs.json', service, values);
			await publish(saved);
			const { webhookId } = saved.nodes.find(({ name }) => name === 'CSV uploaded')!;
			let uploads = 0;
			const send = async (lines: string[]) => {
				const text = lines.map((line) => `${line}\n`).join('');
				const file = new File([text], 'products.csv', { type: 'text/csv' });
				await client().submitForm(webhookId!, [file]);
				uploads += 1;
			};
			const upload = async (lines: string[]) => {
				await send(lines);
				const done = (await finished(saved, ({ length }) => length >= uploads)).at(-1)!;
				expect(done.describe()).toMatch(/^execution \d+ success/);
			};
			return { send, upload };
		}
		const header = 'Product Name,Product ID,Audience,Approved Facts';

		it('csv-form-to-briefs posts a brief for each row of an uploaded file, paid for once, and the rows without a brief', async () => {
			const service = await serviceWith();
			const { upload } = await csvForm(service);
			const posted = newMessages();
			const csv = [
				header,
				'Glow Serum,1729384756102938475,"Commuters, hikers",Vegan',
				'Lip Oil,,,',
			];
			await upload(csv);
			await upload(csv);
			expect(service.sandbox.briefs().map(({ input }) => input)).toMatchObject([
				{ product_name: 'Glow Serum', audience: 'Commuters, hikers' },
				{ product_name: 'Lip Oil' },
			]);
			const both = says(/^Briefs: 2\n• Glow Serum \(\w+\) https.*\n• Lip Oil \(\w+\) https/);
			expect(posted('briefs')).toEqual([both, both]);
			// A name that is too short, no name, and a file with semicolons.
			await upload([header, 'x,,,', ',,Commuters,']);
			await upload([header.replaceAll(',', ';'), 'Day Cream;;;']);
			const [short, semicolons] = posted('alerts');
			expect(short).toMatch(
				/^Rows without a brief: 2\n• .*'Product Name'.*\n {3}\S.*\n• .*'Product Name'.*\n {3}\S/,
			);
			expect(semicolons).toMatch(/^Rows without a brief: 1\n• .*'Product Name'.*\n {3}\S/);
			expect(short).not.toContain('undefined');
			expect(service.sandbox.createdCount()).toBe(2);
		});

		it('csv-form-to-briefs posts all links, paid for once, if n8n is killed and the file is uploaded again', async () => {
			const service = await serviceWith({ keyMemoryMs: 1, speed: SPEED / 8 });
			const { sandbox } = service;
			const { send, upload } = await csvForm(service);
			const posted = newMessages();
			const csv = [header, 'Glow Serum,,,', 'Lip Oil,,,', 'Lamp,,,'];
			await send(csv);
			while (sandbox.createdCount() < 2) await sleep(100);
			await n8n().server.kill();
			await n8n().server.restart();
			expect(posted('briefs')).toEqual([]);
			await upload(csv);
			expect(posted('briefs')).toEqual([
				says(/^Briefs: 3\n• Glow Serum .*https.*\n• Lip Oil .*https.*\n• Lamp .*https/),
			]);
			expect(sandbox.createdCount()).toBe(3);
		}, 240_000);

		it('csv-form-to-briefs names the rows beyond a limit of 2', async () => {
			const service = await serviceWith();
			const { upload } = await csvForm(service, { '"maxBriefs":50': '"maxBriefs":2' });
			const posted = newMessages();
			await upload([header, 'Glow Serum,,,', 'Lip Oil,,,', 'Lamp,,,', 'x,,,']);
			expect(posted('briefs')).toEqual([says(/^Briefs: 2\n• Glow Serum .*\n• Lip Oil /)]);
			expect(posted('alerts')).toEqual([
				says(/^Rows without a brief: 2\n• Lamp.*\n {3}.*\n• .*'Product Name'/),
			]);
			expect(service.sandbox.createdCount()).toBe(2);
		});

		it('csv-form-to-briefs posts nothing with Check Only on', async () => {
			const service = await serviceWith();
			const checkOnly = '"operation":"create","checkOnly":true';
			const { upload } = await csvForm(service, { '"operation":"create"': checkOnly });
			const posted = newMessages();
			await upload([header, 'Glow Serum,,,', 'Lip Oil,,,', 'x,,,']);
			expect([...posted('briefs'), ...posted('alerts')]).toEqual([]);
			expect(service.count('create_brief')).toBe(0);
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

		it('batch-run-to-slack posts the report of a run, and a failure as an alert', async () => {
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

		it('workflow-failed-to-slack posts once a day that a node or a trigger of a workflow fails', async () => {
			const service = await serviceWith();
			const alert = await use('workflow-failed-to-slack.json', service);
			await publish(alert);
			const settings = { errorWorkflow: alert.id };
			const parameters = { errorMessage: 'The sheet is missing' };
			const stop = {
				name: 'Check',
				type: 'n8n-nodes-base.stopAndError',
				typeVersion: 1,
				parameters,
			};
			const production = await Production.publish([stop], settings);
			published.push(production.workflow.id);
			const posted = newMessages();
			for (let runs = 1; runs <= 2; runs += 1) {
				await client().waitForEnd(await production.start([{}]));
				await finished(alert, ({ length }) => length >= runs);
			}
			const name = `*${production.workflow.name}*`;
			expect(posted('alerts')).toEqual([says(/ failed in Check: The sheet is missing\nhttp/)]);
			expect(posted('alerts')[0]).toContain(name);

			const polling = testWorkflow([service.nodes.trigger('briefFinished')]);
			await publish(await client().createWorkflow({ ...polling, settings }));
			service.sandbox.revoke('allScopes');
			await finished(alert, ({ length }) => length >= 3);
			expect(posted('alerts').slice(1)).toEqual([says(/ failed.*: .*API key/)]);
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
