import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Sandbox } from '../../../sandbox/sandbox';
import { makeProducts, openClientFolder } from '../../support/client-folder';
import { listening } from '../../support/listening';
import { isTorture } from '../../support/long-run';

jest.setTimeout(120_000);

/** A canary with characters that JSON, URLs and HTML write in other ways. */
const KEY = 'cb_live_canary/7+Zq"<9&d==';
const FORMS = [
	KEY,
	JSON.stringify(KEY).slice(1, -1),
	KEY.replaceAll('/', '\\/'),
	encodeURIComponent(KEY),
	KEY.replace(/[^a-zA-Z0-9_]/g, (character) => `&#${character.charCodeAt(0)};`),
];
/** What remains of the key in any of these forms. */
const TRACES = ['cb_live_canary', '7+Zq', '7%2BZq', '7&#43;Zq'];

/** Answers a request in the place of the service, and returns true; false to let the service answer. */
type Answer = (request: IncomingMessage, response: ServerResponse) => boolean;

const isCreate = ({ method }: IncomingMessage) => method === 'POST';

/** Refuses a create request with an error that repeats the whole request, and the key, wherever it can. */
function refuseAndRepeat(
	status: number,
	code: string,
	headers: Record<string, string> = {},
): Answer {
	return (request, response) => {
		if (!isCreate(request)) return false;
		const message = `Bad request with Authorization: ${request.headers.authorization ?? ''} ${FORMS.join(' ')}`;
		const details = [{ field: KEY, message: FORMS.join(' ') }, { [KEY]: [KEY] }, KEY];
		const body = { error: { code, message, details, request_id: KEY } };
		response.writeHead(status, { 'x-request-id': encodeURIComponent(KEY), ...headers });
		response.end(JSON.stringify(body).replaceAll('/', '\\/'));
		return true;
	};
}

const ANSWERS: Record<string, Answer> = {
	'a 400 that repeats it': refuseAndRepeat(400, `invalid_${KEY}`),
	'a 401 that repeats it': refuseAndRepeat(401, 'unauthorized'),
	'a 429 that repeats it': refuseAndRepeat(429, 'allowance_reached', { 'retry-after': '86400' }),
	'a redirect that contains it': (request, response) => {
		if (!isCreate(request)) return false;
		const path = KEY.replace(/"/g, '');
		response.writeHead(307, { location: `https://${encodeURIComponent(KEY)}.example/${path}` });
		response.end(KEY);
		return true;
	},
	'the page of a proxy that repeats it': (request, response) => {
		if (!isCreate(request)) return false;
		response.writeHead(200, { 'content-type': 'text/html' });
		response.end(`<html><title>Blocked: ${KEY}</title>${FORMS.join(' ')}`);
		return true;
	},
	'an answer that is cut off': (request, response) => {
		if (!isCreate(request)) return false;
		response.writeHead(202, { 'content-length': '9999' });
		response.write(`{"id":"${KEY}`);
		setTimeout(() => response.destroy(), 5);
		return true;
	},
	'a list of licences in another form': (request, response) => {
		if (request.url?.includes('licences') !== true) return false;
		response.end(JSON.stringify({ data: KEY, [KEY]: KEY }));
		return true;
	},
};

/** Starts a server before the sandbox that puts the key into every text that the service could send. */
async function startHostileService(sandbox: Sandbox, answer: Answer): Promise<string> {
	const forward = async (request: IncomingMessage, body: Buffer, response: ServerResponse) => {
		const forwarded = await fetch(`${new URL(sandbox.url).origin}${request.url ?? ''}`, {
			method: request.method,
			headers: {
				authorization: `Bearer ${sandbox.keys.allScopes}`,
				'content-type': 'application/json',
			},
			body: isCreate(request) ? body : undefined,
		});
		const text = (await forwarded.text()).replace(
			/"(title|markdown|message|error_code|next_step|audience)":"/g,
			(start) => `${start}${FORMS.map((form) => JSON.stringify(form).slice(1, -1)).join(' ')} `,
		);
		response.writeHead(forwarded.status, {
			'content-type': 'application/json',
			'x-echo': encodeURIComponent(KEY),
		});
		response.end(text);
	};
	const server = createServer((request, response) => {
		if (answer(request, response)) return;
		const chunks: Buffer[] = [];
		request.on('data', (chunk: Buffer) => chunks.push(chunk));
		request.on('end', () => void forward(request, Buffer.concat(chunks), response));
	});
	return `http://127.0.0.1:${await listening(server)}/v1`;
}

/** Returns all files under a folder, as text, with their paths. */
function readEverything(folder: string): string {
	return readdirSync(folder, { recursive: true, withFileTypes: true })
		.filter((entry) => entry.isFile())
		.map((entry) => join(entry.parentPath, entry.name))
		.map((path) => `${path}\n${readFileSync(path, 'utf8')}`)
		.join('\n');
}

async function listProcesses(): Promise<string> {
	const { stdout } = await promisify(execFile)('ps', ['axww', '-o', 'args']);
	return stdout;
}

const ORDERING = ['run products.csv --json --yes', 'retry products.csv --yes'];
const READING = ['plan products.csv', 'status', 'report', 'doctor'];

/**
 * Runs commands on a service that repeats the key. Returns everything that they printed, wrote and showed to other processes.
 * @param patienceMs after which a command that waits for the service is interrupted
 */
async function collectTraces(
	answer: Answer,
	commands: readonly string[],
	patienceMs: number,
): Promise<string> {
	const folder = await openClientFolder([...makeProducts(3), 'x,12,bad'], {
		seed: 'canary',
		failureShare: 0.4,
	});
	const env = {
		CREATOR_BRIEFING_BASE_URL: await startHostileService(folder.sandbox, answer),
		CREATOR_BRIEFING_API_KEY: KEY,
	};
	let traces = '';
	for (const command of commands) {
		const running = folder.start(command, { env });
		traces += await listProcesses();
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
	for (const trace of TRACES) {
		const index = text.toLowerCase().indexOf(trace.toLowerCase());
		expect(index < 0 ? '' : text.slice(Math.max(0, index - 200), index + 60)).toBe('');
	}
}

describe('the API key is in no output, file or process list', () => {
	test('when titles, texts and errors of briefs repeat it', async () => {
		const traces = await collectTraces(() => false, [...ORDERING, ...READING], 60_000);
		expectNoKeyIn(traces);
		expect(traces).toContain('[API key]');
	});

	test.each(Object.entries(ANSWERS))('when the service answers with %s', async (_, answer) => {
		const commands = isTorture ? [...ORDERING, ...READING] : ORDERING.slice(0, 1);
		expectNoKeyIn(await collectTraces(answer, commands, isTorture ? 8_000 : 2_500));
	});

	test('when it is given as an argument, which is refused', async () => {
		const folder = await openClientFolder(1);
		const { code, out, err } = await folder.run(['plan', 'products.csv', '--api-key', KEY]);
		expect([code, err]).toEqual([2, expect.stringContaining('--api-key')]);
		expectNoKeyIn(out + err);
	});
});
