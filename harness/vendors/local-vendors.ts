import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generate } from 'selfsigned';
import type { Vendor, VendorAnswer, VendorRequest } from './vendor';

/**
 * An HTTPS proxy that answers for the hosts of the stand-ins, with a certificate that only this n8n trusts. It refuses and
 * records every other host, so that a test can check that n8n calls no host on the internet.
 */
export class LocalVendors {
	/** The hosts that n8n called and that have no stand-in. */
	readonly refusedHosts: string[] = [];
	private readonly sockets = new Set<Socket>();
	private readonly folder = mkdtempSync(join(tmpdir(), 'stand-ins-'));
	private readonly certificateFile = join(this.folder, 'certificate.pem');
	private readonly proxy = createServer();

	private constructor(private readonly byHost: ReadonlyMap<string, Vendor>) {}

	static async start(vendors: readonly Vendor[]): Promise<LocalVendors> {
		const byHost = new Map(vendors.flatMap((vendor) => vendor.hosts.map((host) => [host, vendor])));
		const standIns = new LocalVendors(byHost);
		await standIns.listen();
		return standIns;
	}

	/** The address of the stand-in for the host 127.0.0.1. */
	get origin(): string {
		const { port } = this.proxy.address() as AddressInfo;
		return `http://127.0.0.1:${port}`;
	}

	/** The settings of an n8n that uses the stand-ins. n8n calls this machine without the proxy. */
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

	private async listen(): Promise<void> {
		const certificate = createCertificate([...this.byHost.keys()]);
		writeFileSync(this.certificateFile, certificate.cert);
		const answer = (request: IncomingMessage, response: ServerResponse) => {
			void this.answer(request, response);
		};
		const secure = createSecureServer(certificate, answer);
		// n8n 1.85 sends the proxy a plain request for an https address, without a tunnel.
		this.proxy.on('request', answer);
		this.proxy.on('connect', (request: IncomingMessage, socket: Socket) => {
			this.sockets.add(socket);
			socket.on('close', () => this.sockets.delete(socket));
			socket.on('error', () => socket.destroy());
			const [host = ''] = (request.url ?? '').split(':');
			if (this.byHost.has(host)) {
				socket.write('HTTP/1.1 200 Connection Established\r\n\r\n');
				secure.emit('connection', socket);
			} else {
				this.refusedHosts.push(host);
				socket.end('HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\n\r\n');
			}
		});
		await new Promise<void>((resolve) => this.proxy.listen(0, '127.0.0.1', resolve));
	}

	private async answer(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
		const request = await readRequest(incoming);
		const vendor = this.byHost.get(request.host);
		if (vendor === undefined) {
			this.refusedHosts.push(request.host);
			outgoing.writeHead(403).end();
			return;
		}
		const answer = vendor.answer(request);
		const type = answer.events === undefined ? 'application/json' : 'text/event-stream';
		outgoing.writeHead(answer.status ?? 200, { 'content-type': `${type}; charset=utf-8` });
		outgoing.end(formatBody(answer));
	}
}

/** Creates a certificate for these hosts, so that the repository contains no private key. */
function createCertificate(hosts: readonly string[]): { cert: string; key: string } {
	const altNames = hosts.map((host) => ({ type: 2, value: host }));
	const { cert, private: key } = generate([{ name: 'commonName', value: 'Local stand-ins' }], {
		algorithm: 'sha256',
		extensions: [{ name: 'subjectAltName', altNames }],
	});
	return { cert, key };
}

async function readRequest(incoming: IncomingMessage): Promise<VendorRequest> {
	const chunks: Buffer[] = [];
	for await (const chunk of incoming) chunks.push(chunk as Buffer);
	const { method = 'GET', headers, url = '/' } = incoming;
	const host = (headers.host ?? '').replace(/:\d+$/, '');
	const { pathname, searchParams } = new URL(url, `https://${host}`);
	const text = Buffer.concat(chunks).toString();
	const isJson = (headers['content-type'] ?? '').includes('json');
	const body: unknown = isJson && text !== '' ? JSON.parse(text) : text;
	return { method, host, path: pathname, query: searchParams, headers, body };
}

function formatBody({ body, events }: VendorAnswer): string {
	if (events === undefined) return JSON.stringify(body);
	const lines = [...events.map((event) => JSON.stringify(event)), '[DONE]'];
	return lines.map((line) => `data: ${line}\n\n`).join('');
}
