import { parseArgs } from 'node:util';
import { owner } from '../client/client';
import { freePort } from '../server/free-port';
import { startDemo, type Demo } from '../demo';

const help = `npm run n8n -- [options]

A real n8n on this machine with the nodes of this repository, on the sandbox. Ends with Ctrl-C, and leaves nothing behind
but the installation in .cache/n8n.

  --speed N        how fast time runs in the sandbox (default 20: a brief takes 9 to 18 seconds)
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
	const stopTelling = printSlackMessages(demo);
	console.log(welcome(demo, speed));
	await untilInterrupted();
	console.log('\nn8n is being stopped …');
	stopTelling();
	await demo.dispose();
}

function welcome({ server, sandbox, examples }: Demo, speed: number): string {
	const names = examples.map(({ id, name }) => `  ${server.url}/workflow/${id}  ${name}`);
	const lines = [
		`n8n         ${server.url}`,
		`e-mail      ${owner.email}`,
		`password    ${owner.password}`,
		`sandbox     ${sandbox.url}, ${speed} times as fast as real time`,
		'',
		'Example workflows, with credentials selected. Slack and Google Sheets are stand-ins on this machine: what is',
		'posted to Slack is shown here. Other hosts cannot be reached.',
		...names,
		'',
		'Ctrl-C ends it and removes its data.',
	];
	return `\n${lines.join('\n')}\n`;
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
