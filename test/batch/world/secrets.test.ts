import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Sandbox } from '../../../sandbox/sandbox';
import { deskOf, products } from '../../support/batch/brief-batch';
import { listening } from '../../support/listening';
import { isTorture } from '../../support/long-run';

jest.setTimeout(120_000);

/** A canary: with characters that JSON, URLs and HTML write in other ways. */
const KEY = 'cb_live_canary/7+Zq"<9&d==';
const FORMS = [
	KEY,
	JSON.stringify(KEY).slice(1, -1),
	KEY.replaceAll('/', '\\/'),
	encodeURIComponent(KEY),
	KEY.replace(/[^a-zA-Z0-9_]/g, (character) => `&#${character.charCodeAt(0)};`),
];
/** What is left of it however it was written. */
const TRACES = ['cb_live_canary', '7+Zq', '7%2BZq', '7&#43;Zq'];

type Answer = (request: IncomingMessage, response: ServerResponse) => boolean;

const isCreate = ({ method }: IncomingMessage) => method === 'POST';
const repeated = () => FORMS.join(' ');

/** A refusal that quotes the whole request, key and all, wherever it can. */
function quoting(status: number, code: string, headers: Record<string, string> = {}): Answer {
	return (request, response) => {
		if (!isCreate(request)) return false;
		const message = `Bad request with Authorization: ${request.headers.authorization ?? ''} ${repeated()}`;
		const details = [{ field: KEY, message: repeated() }, { [KEY]: [KEY] }, KEY];
		const body = { error: { code, message, details, request_id: KEY } };
		response.writeHead(status, { 'x-request-id': encodeURIComponent(KEY), ...headers });
		response.end(JSON.stringify(body).replaceAll('/', '\\/'));
		return true;
	};
}

const TROUBLES: Record<string, Answer> = {
	'400 that quotes it': quoting(400, `invalid_${KEY}`),
	'401 that quotes it': quoting(401, 'unauthorized'),
	'429 that quotes it': quoting(429, 'allowance_reached', { 'retry-after': '86400' }),
	'a redirect that carries it': (request, response) => {
		if (!isCreate(request)) return false;
		response.writeHead(307, {
			location: `https://${encodeURIComponent(KEY)}.example/${KEY.replace(/"/g, '')}`,
		});
		response.end(KEY);
		return true;
	},
	'a page in place of JSON': (request, response) => {
		if (!isCreate(request)) return false;
		response.writeHead(200, { 'content-type': 'text/html' });
		response.end(`<html>${repeated()}`);
		return true;
	},
	'an answer that is cut off': (request, response) => {
		if (!isCreate(request)) return false;
		response.writeHead(202, { 'content-length': '9999' });
		response.write(`{"id":"${KEY}`);
		setTimeout(() => response.destroy(), 5);
		return true;
	},
	'a licence list that is none': (request, response) => {
		if (request.url?.includes('licences') !== true) return false;
		response.end(JSON.stringify({ data: KEY, [KEY]: KEY }));
		return true;
	},
};

/** Stands before the sandbox, knows the key, and puts it into every text that the service could send. */
async function hostile(sandbox: Sandbox, trouble: Answer): Promise<string> {
	const server = createServer((request, response) => {
		if (trouble(request, response)) return;
		const chunks: Buffer[] = [];
		request.on('data', (chunk: Buffer) => chunks.push(chunk));
		request.on('end', () => void forward(request, Buffer.concat(chunks), response));
	});
	const forward = async (request: IncomingMessage, body: Buffer, response: ServerResponse) => {
		const key = request.headers['idempotency-key'];
		const answer = await fetch(`${new URL(sandbox.url).origin}${request.url ?? ''}`, {
			method: request.method,
			headers: {
				authorization: `Bearer ${sandbox.keys.allScopes}`,
				'content-type': 'application/json',
				...(typeof key === 'string' ? { 'idempotency-key': key } : {}),
			},
			body: isCreate(request) ? body : undefined,
		});
		const text = (await answer.text()).replace(
			/"(title|markdown|message|error_code|next_step|audience)":"/g,
			(start) => `${start}${FORMS.map((form) => JSON.stringify(form).slice(1, -1)).join(' ')} `,
		);
		response.writeHead(answer.status, {
			'content-type': 'application/json',
			'x-echo': encodeURIComponent(KEY),
		});
		response.end(text);
	};
	return `http://127.0.0.1:${await listening(server)}/v1`;
}

/** All files under a folder, as text, with their paths. */
function everythingIn(folder: string): string {
	return readdirSync(folder, { recursive: true, withFileTypes: true })
		.filter((entry) => entry.isFile())
		.map((entry) => join(entry.parentPath, entry.name))
		.map((path) => `${path}\n${readFileSync(path, 'utf8')}`)
		.join('\n');
}

const processes = async () =>
	(await promisify(execFile)('ps', ['axww', '-o', 'args']).catch(() => ({ stdout: '' }))).stdout;

const ORDERING = ['run products.csv --json', 'retry products.csv --yes'];
const LOOKING = ['plan products.csv', 'status', 'report'];

/** All that these commands printed, showed to other processes and wrote, in which the key is not. */
async function leftBehind(trouble: Answer, commands: string[], patience: number): Promise<string> {
	const lines = [...products(4), 'x,12,bad'];
	const desk = await deskOf(lines, { seed: 'canary', failureShare: 0.4 });
	desk.env.CREATOR_BRIEFING_BASE_URL = await hostile(desk.sandbox, trouble);
	desk.env.CREATOR_BRIEFING_API_KEY = KEY;
	let said = '';
	for (const command of commands) {
		const running = desk.start(command);
		said += await processes();
		// A service that answers nothing is waited for in vain.
		const limit = setTimeout(() => running.child.kill('SIGINT'), patience);
		const { out, err } = await running.ended;
		clearTimeout(limit);
		said += out + err;
	}
	const left = `${said}\n${everythingIn(desk.folder)}`;
	for (const trace of TRACES) {
		const at = left.toLowerCase().indexOf(trace.toLowerCase());
		expect(at < 0 ? '' : left.slice(Math.max(0, at - 200), at + 60)).toBe('');
	}
	return left;
}

describe('the key is in nothing that we leave behind', () => {
	test('if titles, texts and inputs repeat it, where it is blanked', async () => {
		const left = await leftBehind(() => false, [...ORDERING, ...LOOKING], 60_000);
		expect(left).toContain('[API key]');
	});

	test.each(Object.entries(TROUBLES))('if a create or the licences meet %s', async (_, trouble) => {
		const commands = isTorture ? [...ORDERING, ...LOOKING] : ORDERING;
		await leftBehind(trouble, commands, isTorture ? 8000 : 1500);
	});
});

test('a key that is given as an argument is refused, for everybody on the machine could read it', async () => {
	const desk = await deskOf();
	const { code, out, err } = await desk.run(['plan', 'x.csv', '--api-key', KEY]);
	expect([code, err]).toEqual([2, expect.stringContaining("unknown option '--api-key'")]);
	expect(out + err).not.toContain('canary');
});
