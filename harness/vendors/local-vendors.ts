import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createSecureServer, type Server as SecureServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generate } from 'selfsigned';
import type { Vendor, VendorAnswer, VendorRequest } from './vendor';

/**
 * Lets the nodes of other vendors run against stand-ins on this machine. It is an HTTPS proxy that answers for their
 * hosts itself, with a certificate that only this n8n trusts. It refuses every other host and keeps a
 * list of them, which shows that n8n calls nobody else.
 */
export class LocalVendors {
	/** Everything the stand-ins were sent, oldest first. */
	readonly requests: VendorRequest[] = [];
	/** The hosts that were asked for and that have no stand-in. */
	readonly refusedHosts: string[] = [];
	private readonly sockets = new Set<Socket>();
	private readonly folder = mkdtempSync(join(tmpdir(), 'stand-ins-'));
	private readonly certificateFile = join(this.folder, 'certificate.pem');

	private constructor(
		private readonly proxy: Server,
		private readonly secure: SecureServer,
		certificate: string,
	) {
		writeFileSync(this.certificateFile, certificate);
	}

	static async start(vendors: readonly Vendor[]): Promise<LocalVendors> {
		const byHost = new Map(vendors.flatMap((vendor) => vendor.hosts.map((host) => [host, vendor])));
		const certificate = certificateFor([...byHost.keys()]);
		const secure = createSecureServer(certificate);
		const standIns = new LocalVendors(createServer(), secure, certificate.cert);
		const answer = (incoming: IncomingMessage, outgoing: ServerResponse) => {
			void standIns.read(incoming).then((request) => {
				const vendor = byHost.get(request.host);
				const answer = vendor?.answer(request) ?? { status: 421, body: {} };
				const type = answer.events === undefined ? 'application/json' : 'text/event-stream';
				outgoing.writeHead(answer.status ?? 200, { 'content-type': `${type}; charset=utf-8` });
				outgoing.end(bodyOf(answer));
			});
		};
		secure.on('request', answer);
		standIns.proxy.on('connect', (request: IncomingMessage, socket: Socket) => {
			standIns.sockets.add(socket);
			socket.on('close', () => standIns.sockets.delete(socket));
			socket.on('error', () => socket.destroy());
			const [host = ''] = (request.url ?? '').split(':');
			if (!byHost.has(host)) {
				standIns.refusedHosts.push(host);
				socket.end('HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\n\r\n');
				return;
			}
			socket.write('HTTP/1.1 200 Connection Established\r\n\r\n');
			secure.emit('connection', socket);
		});
		// Old versions of n8n (1.85) ask the proxy for an https address in plain, without a tunnel.
		standIns.proxy.on('request', (request: IncomingMessage, response: ServerResponse) => {
			const host = request.headers.host ?? '';
			if (byHost.has(host.replace(/:\d+$/, ''))) {
				answer(request, response);
				return;
			}
			standIns.refusedHosts.push(host);
			response.writeHead(403).end();
		});
		await new Promise<void>((resolve) => standIns.proxy.listen(0, '127.0.0.1', resolve));
		return standIns;
	}

	/** The address of the stand-in for the host 127.0.0.1, without a proxy. */
	get origin(): string {
		const { port } = this.proxy.address() as AddressInfo;
		return `http://127.0.0.1:${port}`;
	}

	/** What n8n is to be started with. Calls to this machine go past the proxy. */
	get env(): Record<string, string> {
		return {
			HTTPS_PROXY: this.origin,
			HTTP_PROXY: this.origin,
			NO_PROXY: '127.0.0.1,localhost,::1',
			NODE_EXTRA_CA_CERTS: this.certificateFile,
		};
	}

	async stop(): Promise<void> {
		for (const socket of this.sockets) socket.destroy();
		await new Promise((resolve) => this.proxy.close(resolve));
		rmSync(this.folder, { recursive: true });
	}

	private async read(incoming: IncomingMessage): Promise<VendorRequest> {
		const chunks: Buffer[] = [];
		for await (const chunk of incoming) chunks.push(chunk as Buffer);
		const host = (incoming.headers.host ?? '').replace(/:\d+$/, '');
		const { pathname, searchParams } = new URL(incoming.url ?? '/', `https://${host}`);
		const request: VendorRequest = {
			method: incoming.method ?? 'GET',
			host,
			path: pathname,
			query: searchParams,
			headers: incoming.headers,
			body: parseBody(incoming.headers['content-type'] ?? '', Buffer.concat(chunks).toString()),
		};
		this.requests.push(request);
		return request;
	}
}

/** Makes a certificate for these hosts, each time anew, so that no private key lies in the repository. */
function certificateFor(hosts: readonly string[]): { cert: string; key: string } {
	const altNames = hosts.map((host) => ({ type: 2, value: host }));
	const { cert, private: key } = generate(
		[{ name: 'commonName', value: 'Local stand-ins of other vendors' }],
		{ algorithm: 'sha256', extensions: [{ name: 'subjectAltName', altNames }] },
	);
	return { cert, key };
}

function bodyOf({ body, events }: VendorAnswer): string {
	if (events === undefined) return JSON.stringify(body);
	const lines = [...events.map((event) => JSON.stringify(event)), '[DONE]'];
	return lines.map((line) => `data: ${line}\n\n`).join('');
}

function parseBody(type: string, text: string): unknown {
	if (text === '') return undefined;
	if (type.includes('x-www-form-urlencoded')) return Object.fromEntries(new URLSearchParams(text));
	try {
		return JSON.parse(text) as unknown;
	} catch {
		return text;
	}
}
