import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { text as readText } from 'node:stream/consumers';
import type { Sandbox } from '../../../sandbox/sandbox';
import { makeProducts, openClientFolder } from '../../support/client-folder';
import { listenOnFreePort } from '../../support/listen-on-free-port';
import { isTorture } from '../../support/long-run';

jest.setTimeout(120_000);

/** A key with characters that JSON, URLs and HTML escape. */
const KEY = 'cb_live_canary/7+Zq"<9&d==';
const FORMS = [
	KEY,
	JSON.stringify(KEY).slice(1, -1),
	KEY.replaceAll('/', '\\/'),
	encodeURIComponent(KEY),
	KEY.replace(/[^a-zA-Z0-9_]/g, (character) => `&#${character.charCodeAt(0)};`),
].join(' ');
/** Parts of the key in any of these forms. */
const TRACES = /cb_live_canary|7\+Zq|7%2BZq|7&#43;Zq/i;

/** Answers a request in place of the service. */
type Answer = (response: ServerResponse) => void;

function makeAnswer(status: number, body: string, headers: Record<string, string> = {}): Answer {
	return (response) => response.writeHead(status, headers).end(body);
}

/** Returns an error that repeats the request and the key in every field. */
function refuse(status: number, code: string): Answer {
	const message = `Bad request with Authorization: Bearer ${FORMS}`;
	const details = [{ field: KEY, message: FORMS }, { [KEY]: [KEY] }, KEY];
	const body = JSON.stringify({ error: { code, message, details, request_id: KEY } });
	const headers = { 'x-request-id': encodeURIComponent(KEY), 'retry-after': '86400' };
	return makeAnswer(status, body.replaceAll('/', '\\/'), headers);
}

const cutOff: Answer = (response) => {
	response.writeHead(202, { 'content-length': '9999' });
	response.write(`{"id":"${KEY}`);
	setTimeout(() => response.destroy(), 5);
};

const PAGE = `<html><title>Blocked: ${KEY}</title>${FORMS}`;
const LOCATION = `https://${encodeURIComponent(KEY)}.example/${KEY.replace('"', '')}`;

const ANSWERS: ReadonlyArray<readonly [what: string, method: string, answer: Answer]> = [
	['a 400 that repeats it', 'POST', refuse(400, `invalid_${KEY}`)],
	['a 401 that repeats it', 'POST', refuse(401, 'unauthorized')],
	['a 429 that repeats it', 'POST', refuse(429, 'allowance_reached')],
	['a redirect that contains it', 'POST', makeAnswer(307, KEY, { location: LOCATION })],
	['the page of a proxy', 'POST', makeAnswer(200, PAGE, { 'content-type': 'text/html' })],
	['an answer that is cut off', 'POST', cutOff],
	['lists in another form', 'GET', makeAnswer(200, JSON.stringify({ data: KEY, [KEY]: KEY }))],
];

/** Lets the service answer, and puts the key into every text that it sends. */
async function forward(
	sandbox: Sandbox,
	request: IncomingMessage,
	response: ServerResponse,
): Promise<void> {
	const { method = '', url = '' } = request;
	const authorization = `Bearer ${sandbox.keys.allScopes}`;
	const forwarded = await fetch(`${new URL(sandbox.url).origin}${url}`, {
		method,
		headers: { authorization, 'content-type': 'application/json' },
		...(method === 'POST' && { body: await readText(request) }),
	});
	const body = (await forwarded.text()).replace(
		/"(title|markdown|message|error_code|next_step|audience)":"/g,
		(start) => `${start}${JSON.stringify(FORMS).slice(1, -1)} `,
	);
	response.writeHead(forwarded.status, {
		'content-type': 'application/json',
		'x-echo': encodeURIComponent(KEY),
	});
	response.end(body);
}

/** Returns all files under a folder, as text, with their paths. */
function readEverything(folder: string): string {
	const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
	const paths = entries
		.filter((entry) => entry.isFile())
		.map((entry) => join(entry.parentPath, entry.name));
	return paths.map((path) => `${path}\n${readFileSync(path, 'utf8')}`).join('\n');
}

const ORDER_COMMANDS = ['run products.csv --json --yes', 'retry products.csv --yes'];
const READ_COMMANDS = ['plan products.csv', 'status', 'doctor'];

/**
 * Runs commands on a service that repeats the key. Returns all of their output, files and process lists.
 * @param patienceMs the time after which a command that still waits is interrupted
 */
async function collectTraces(
	commands: readonly string[],
	patienceMs: number,
	[, method, answer]: (typeof ANSWERS)[number] = ['', '', () => undefined],
): Promise<string> {
	const lines = [...makeProducts(3), 'x,12,bad'];
	const folder = await openClientFolder(lines, { seed: 'canary', failureShare: 0.4 });
	const server = createServer((request, response) => {
		if (request.method === method) answer(response);
		else void forward(folder.sandbox, request, response);
	});
	const env = {
		CREATOR_BRIEFING_BASE_URL: `http://127.0.0.1:${await listenOnFreePort(server)}/v1`,
		CREATOR_BRIEFING_API_KEY: KEY,
	};
	let traces = '';
	for (const command of commands) {
		const running = folder.start(command, { env });
		traces += execFileSync('ps', ['axww', '-o', 'args'], { encoding: 'utf8' });
		const limit = setTimeout(() => running.child.kill('SIGINT'), patienceMs);
		const { out, err } = await running.ended;
		clearTimeout(limit);
		traces += out + err;
	}
	// `retry` orders the products whose briefs failed again.
	const orderedAgain = { 'Product 1': 2, 'Product 2': 2, 'Product 3': 2 };
	expect(folder.findFaults({ orderedAgain, isUnfinished: true })).toEqual([]);
	return `${traces}\n${readEverything(folder.path)}`;
}

function expectNoKeyIn(text: string): void {
	const index = text.search(TRACES);
	expect(index < 0 ? '' : text.slice(Math.max(0, index - 200), index + 60)).toBe('');
}

describe('the API key is in no output, file or process list', () => {
	test('when titles, texts and errors of briefs repeat it', async () => {
		const traces = await collectTraces([...ORDER_COMMANDS, ...READ_COMMANDS], 60_000);
		expectNoKeyIn(traces);
		expect(traces).toContain('[API key]');
	});

	test.each(ANSWERS)('when the service answers with %s', async (...answer) => {
		const commands = isTorture ? [...ORDER_COMMANDS, ...READ_COMMANDS] : ORDER_COMMANDS.slice(0, 1);
		expectNoKeyIn(await collectTraces(commands, isTorture ? 8_000 : 2_500, answer));
	});

	test('when it is given as an argument, which is refused', async () => {
		const folder = await openClientFolder(1);
		const { code, out, err } = await folder.run(['plan', 'products.csv', '--api-key', KEY]);
		expect([code, err]).toEqual([2, expect.stringContaining('--api-key')]);
		expectNoKeyIn(out + err);
	});
});
