#!/usr/bin/env node
// First, because loading the rest takes a moment in which a signal would end the process silently.
import { interruption } from './interruption';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { main } from './commands/program';
import { openKeyboard } from './screen/question';

// Two folders above the compiled file, dist/batch/bin.js.
const manifest = readFileSync(join(__dirname, '../../package.json'), 'utf8');
const { version } = JSON.parse(manifest) as { version: string };
const { stdin, stdout, stderr, env } = process;

// A reader that closes the pipe, as in `brief-batch … | head`, must not end the run.
for (const stream of [stdout, stderr]) stream.on('error', () => undefined);

void main(
	process.argv.slice(2),
	{
		in: stdin,
		out: stdout,
		err: stderr,
		openKeyboard: () => openKeyboard(process),
		env,
		interruption,
	},
	version,
).then((exitCode) => {
	process.exitCode = exitCode;
});
