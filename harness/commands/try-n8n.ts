import { parseArgs } from 'node:util';
import { owner } from '../client/client';
import { SPREADSHEET, startDemo, type Demo } from '../demo';
import { findFreePort } from '../process/free-port';

const HELP = `npm run n8n -- [options]

Starts a real n8n on this machine, with the nodes of this repository and the sandbox. Ctrl-C ends it, and removes
everything except the installation in .cache/n8n. To start an n8n that is installed already, set N8N_DIR to the folder
whose node_modules contains it.

  --speed N        how many times as fast as real time the sandbox runs (20: a brief takes 9 to 18 seconds)
  --port N         the port of n8n (5678, or a free port if 5678 is taken)
  --version X.Y.Z  the version of n8n`;

/** `npm run n8n`: starts the demo and prints how to use it. */
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
		console.log(HELP);
		return;
	}
	const speed = Number(values.speed);
	if (!(speed > 0)) throw new Error('--speed must be a number above 0');
	const port = values.port === undefined ? await findFreePort(5678) : Number(values.port);
	const demo = await startDemo(speed, { port, version: values.version });
	console.log(describeDemo(demo, speed));
	const timer = setInterval(makeReporter(demo), 500);
	await waitForSignal();
	console.log('\nStopping n8n …');
	clearInterval(timer);
	await demo.dispose();
}

function describeDemo({ server, sandbox, examples }: Demo, speed: number): string {
	return `
n8n         ${server.url}
e-mail      ${owner.email}
password    ${owner.password}
sandbox     ${sandbox.url}, ${speed} times as fast as real time
API key     ${sandbox.keys.allScopes}, for a credential of your own

The example workflows have their credentials. Slack, Google Sheets and Airtable are stand-ins on this machine: this
terminal shows the posts to Slack and the rows that change in the sheets. Triggers poll once a minute.

${examples.map(({ id, name }) => `  ${server.url}/workflow/${id}  ${name}`).join('\n')}

The agents need a chat model on this machine, because n8n can reach no other host. With Ollama, for example, create
an OpenAI credential with the Base URL http://127.0.0.1:11434/v1.

In a workflow of your own, the first brief takes about a minute, because the nodes poll as rarely as with the real service.

Ctrl-C ends n8n and removes its data.
`;
}

/** Returns a function that prints the posts to Slack and the rows of sheets that are new since its last call. */
function makeReporter({ slack, sheets }: Demo): () => void {
	const read = () => [
		...slack.messages.map(({ channel, text }) => `Slack #${channel}: ${text}`),
		...['Products', 'Hooks'].flatMap((title) =>
			sheets.rows(SPREADSHEET, title).map((cells) => `Sheet ${title}: ${cells.join(' | ')}`),
		),
	];
	let known = read();
	return () => {
		const lines = read();
		const rest = [...known];
		for (const line of lines) {
			const index = rest.indexOf(line);
			if (index < 0) console.log(line);
			else rest.splice(index, 1);
		}
		known = lines;
	};
}

/** npm passes on the signal that the terminal has already sent, so every signal needs a listener. */
function waitForSignal(): Promise<void> {
	return new Promise((resolve) => {
		for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => resolve());
	});
}

main().catch((error: unknown) => {
	console.error(error instanceof Error ? error.message : error);
	process.exitCode = 1;
});
