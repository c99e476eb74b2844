import { parseArgs } from 'node:util';
import { owner } from '../client/client';
import { freePort } from '../server/free-port';
import { SPREADSHEET, startDemo, type Demo } from '../demo';
import { startSheetPage } from '../vendors/sheet-page';

const help = `npm run n8n -- [options]

A real n8n on this machine with the nodes of this repository, on the sandbox. Ends with Ctrl-C, and leaves nothing behind
but the installation in .cache/n8n. If the environment variable N8N_DIR names a folder with node_modules/n8n, that n8n is
started, and nothing is installed.

  --speed N        how fast time runs in the sandbox (default 20: a brief is written in 9 to 18 seconds, and a workflow of
                   your own has it after about a minute)
  --port N         the port of n8n (default 5678, or any free port if that is taken)
  --version X.Y.Z  which n8n`;

async function main(): Promise<void> {
	const { values } = parseArgs({
		options: {
			speed: { type: 'string', default: '20' },
			port: { type: 'string' },
			version: { type: 'string' },
			help: { type: 'boolean', default: false },
		},
	});
	if (values.help) {
		console.log(help);
		return;
	}
	const speed = Number(values.speed);
	if (!(speed > 0)) throw new Error('--speed takes a number above 0.');
	const port = values.port === undefined ? await freePort(5678) : Number(values.port);
	const demo = await startDemo(speed, { port, version: values.version });
	const page = await startSheetPage(demo.sheets, SPREADSHEET, ['Products', 'Hooks']);
	const stopTelling = printSlackMessages(demo);
	console.log(welcome(demo, speed, page.url));
	await untilInterrupted();
	console.log('\nn8n is being stopped …');
	stopTelling();
	await page.close();
	await demo.dispose();
}

function welcome({ server, sandbox, examples }: Demo, speed: number, sheet: string): string {
	const names = examples.map(({ id, name }) => `  ${server.url}/workflow/${id}  ${name}`);
	const lines = [
		`n8n         ${server.url}`,
		`e-mail      ${owner.email}`,
		`password    ${owner.password}`,
		`sandbox     ${sandbox.url}, ${speed} times as fast as real time`,
		`API key     ${sandbox.keys.allScopes}, for a credential of your own`,
		`the sheet   ${sheet}, as the workflows see it and change it`,
		'',
		'Example workflows, with credentials selected. Slack and Google Sheets are stand-ins on this machine: what is',
		'posted to Slack is shown here. Triggers poll once a minute.',
		...names,
		'',
		'The two agents need a model of your own. No other host can be reached from here, so it has to run on this',
		'machine: Ollama, for example, as an OpenAI credential with the Base URL http://127.0.0.1:11434/v1.',
		'',
		'A workflow of your own gets its first brief after about a minute, although the sandbox writes it in',
		`${seconds(180 / speed)} to ${seconds(360 / speed)} seconds: its nodes wait between two polls as long as with the real service.`,
		'',
		'Ctrl-C ends it and removes its data.',
	];
	return `\n${lines.join('\n')}\n`;
}

function seconds(number: number): string {
	return String(Math.round(number * 10) / 10);
}

function printSlackMessages({ slack }: Demo): () => void {
	let count = 0;
	const timer = setInterval(() => {
		for (const { channel, text } of slack.messages.slice(count)) {
			console.log(`Slack #${channel}: ${text}`);
		}
		count = slack.messages.length;
	}, 500);
	return () => clearInterval(timer);
}

/** A second signal changes nothing: npm passes on the one that the terminal has already sent. */
function untilInterrupted(): Promise<void> {
	return new Promise((resolve) => {
		for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => resolve());
	});
}

main().catch((error: unknown) => {
	console.error(error instanceof Error ? error.message : error);
	process.exitCode = 1;
});
