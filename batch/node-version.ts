import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/*
 * Imported before everything else: other modules use functions that an older Node.js lacks, and the user would see a stack
 * trace.
 */

/** Two folders above the compiled file, dist/batch/node-version.js. */
const manifest = JSON.parse(readFileSync(join(__dirname, '../../package.json'), 'utf8')) as {
	readonly version: string;
	readonly engines: { readonly node: string };
};

export const { version } = manifest;

const [major = 0, minor = 0] = readNumbers(manifest.engines.node);
const [ownMajor = 0, ownMinor = 0] = readNumbers(process.versions.node);
if (ownMajor < major || (ownMajor === major && ownMinor < minor)) {
	process.stderr.write(
		`brief-batch needs Node.js ${major}.${minor} or newer, and this is Node.js ${process.versions.node}. Install a newer one from https://nodejs.org\n`,
	);
	process.exit(2);
}

function readNumbers(text: string): number[] {
	return (text.match(/\d+/g) ?? []).map(Number);
}
