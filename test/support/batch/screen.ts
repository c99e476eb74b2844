import { PassThrough } from 'node:stream';
import { UnicodeGraphemesAddon } from '@xterm/addon-unicode-graphemes';
import { Terminal } from '@xterm/headless';
import type { Streams } from '../../../batch/screen/question';

/** A terminal that obeys what a program writes to it, as the ones that people use do. */
export class Screen {
	private readonly terminal: Terminal;
	readonly streams: Streams;

	/** @param unicode '15' draws each part of an emoji by itself, as some terminals do */
	constructor(columns: number, rows = 24, env: NodeJS.ProcessEnv = {}, unicode = '15-graphemes') {
		const size = { cols: columns, rows, scrollback: 10_000 };
		// A terminal of a program goes to the first column at a line end by itself.
		this.terminal = new Terminal({ ...size, allowProposedApi: true, convertEol: true });
		this.terminal.loadAddon(new UnicodeGraphemesAddon());
		this.terminal.unicode.activeVersion = unicode;
		const out = Object.assign(new PassThrough(), { isTTY: true, columns, rows });
		const err = Object.assign(new PassThrough(), { isTTY: true, columns, rows });
		for (const stream of [out, err])
			stream.on('data', (chunk: Buffer) => this.terminal.write(chunk));
		this.streams = { in: new PassThrough(), out, err, env } as unknown as Streams;
	}

	/** A person makes the window narrower or wider. */
	resize(columns: number): void {
		this.terminal.resize(columns, this.terminal.rows);
		for (const stream of [this.streams.out, this.streams.err]) stream.columns = columns;
	}

	/** All lines from the first that was ever printed, as a person reads them by scrolling back. */
	async lines(): Promise<string[]> {
		await new Promise(setImmediate);
		await new Promise<void>((done) => this.terminal.write('', done));
		const { active } = this.terminal.buffer;
		const lines: string[] = [];
		for (let at = 0; at < active.length; at += 1) {
			const line = active.getLine(at);
			const text = line?.translateToString(true) ?? '';
			if (line?.isWrapped === true) lines.push((lines.pop() ?? '') + text);
			else lines.push(text);
		}
		return lines;
	}

	/** How many columns the terminal gives a text. */
	async widthOf(text: string): Promise<number> {
		this.terminal.write(`\r\n${text}`);
		await new Promise<void>((done) => this.terminal.write('', done));
		return this.terminal.buffer.active.cursorX;
	}
}
