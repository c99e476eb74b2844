import { PassThrough } from 'node:stream';
import { main } from '../../../batch/commands/program';
import type { Streams } from '../../../batch/screen/question';

/** Streams that keep what was written; a terminal if columns are given. */
export function streamsOf(env: NodeJS.ProcessEnv = {}, columns?: number) {
	const text = { out: '', err: '' };
	const stream = (name: 'out' | 'err') => {
		const isTTY = columns !== undefined;
		const pipe = Object.assign(new PassThrough(), { isTTY, columns, rows: 40 });
		pipe.on('data', (chunk: Buffer) => (text[name] += chunk.toString()));
		return pipe;
	};
	const streams: Streams = {
		in: new PassThrough(),
		out: stream('out'),
		err: stream('err'),
		openKeyboard: () => streams.in,
		env,
		interruption: new AbortController().signal,
	} as unknown as Streams;
	return { streams, text };
}

/** The command as a user calls it, without a process of its own. */
export async function command(args: string[], env: NodeJS.ProcessEnv = {}) {
	const { streams, text } = streamsOf(env);
	const code = await main(args, streams, '1.2.3');
	await new Promise(setImmediate);
	return { code, ...text };
}
