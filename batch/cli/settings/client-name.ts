import { basename, dirname, parse, resolve } from 'node:path';
import { DEFAULT_OUT } from '../../command-text';
import type { RawOptions } from '../options';

/** Who a run is for: --name, otherwise the name of the profile, otherwise the folder's. */
export function clientName({
	name = '',
	envFile = '',
	out,
}: Pick<RawOptions, 'name' | 'envFile' | 'out'>): string {
	const folder = resolve(out);
	// Many clients have a folder of this name, each in its own.
	const own = basename(folder) === DEFAULT_OUT ? dirname(folder) : folder;
	const profile = parse(envFile).name.replace(/^\.env$/, '');
	return [name.trim(), profile, basename(own)].find((one) => one !== '') ?? 'brief-batch';
}
