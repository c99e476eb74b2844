import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';

/**
 * A web socket for texts in one frame, which is what n8n's chat sends. The WebSocket of Node.js receives nothing within jest,
 * whose globals are not those of Node.js.
 */
export class ChatSocket {
	private received: Buffer = Buffer.alloc(0);

	static async open(url: string, onText: (text: string) => void): Promise<ChatSocket> {
		const headers = {
			Connection: 'Upgrade',
			Upgrade: 'websocket',
			'Sec-WebSocket-Version': '13',
			'Sec-WebSocket-Key': randomBytes(16).toString('base64'),
		};
		const opening = request(url, { headers });
		opening.end();
		const [, socket, head] = (await once(opening, 'upgrade')) as [IncomingMessage, Socket, Buffer];
		return new ChatSocket(socket, head, onText);
	}

	private constructor(
		private readonly socket: Socket,
		head: Buffer,
		onText: (text: string) => void,
	) {
		const receive = (bytes: Buffer) => {
			this.received = Buffer.concat([this.received, bytes]);
			for (let text = this.readFrame(); text !== null; text = this.readFrame()) onText(text);
		};
		socket.on('data', receive);
		socket.on('error', () => socket.destroy());
		receive(head);
	}

	/** Sends a text of less than 64 KiB in one masked frame. */
	send(text: string): void {
		const bytes = Buffer.from(text);
		const header = Buffer.from([0x81, 0xfe, bytes.length >> 8, bytes.length & 0xff]);
		const mask = randomBytes(4);
		const masked = bytes.map((byte, index) => byte ^ mask.readUInt8(index % 4));
		this.socket.write(Buffer.concat([header, mask, masked]));
	}

	close(): void {
		this.socket.destroy();
	}

	/** Returns the text of the next frame, or null until it is complete. */
	private readFrame(): string | null {
		if (this.received.length < 4) return null;
		const short = this.received.readUInt8(1) & 0x7f;
		const start = short === 126 ? 4 : 2;
		const end = start + (short === 126 ? this.received.readUInt16BE(2) : short);
		if (this.received.length < end) return null;
		const text = this.received.subarray(start, end).toString();
		this.received = this.received.subarray(end);
		return text;
	}
}
