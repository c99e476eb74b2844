import { basename, dirname, resolve } from 'node:path';
import {
	DEFAULT_POLL_INTERVAL,
	shortestAllowed,
	type PollInterval,
} from '../../service/api/poll-interval';
import { DEFAULT_OUT } from '../command-text';
import { Stop } from '../stop';
import { valuesOf, type OptionValues, type RawOptions } from './options';
import { readAddress, readApiKey } from './address-and-key';

/** The settings of a command that talks to the service, checked: what its options say (options.ts), and what is made of it. */
export interface Settings extends Omit<OptionValues, 'out' | 'name' | 'max'> {
	outDir: string;
	/** The client that it is for. */
	name: string;
	max: number;
	/** The times between two looks. */
	interval: PollInterval;
	/** Empty if it is missing and nothing is asked of the service. */
	baseUrl: string;
	/** The same. */
	apiKey: string;
	/** What was typed besides --out, as the words of the commands to copy that messages show: what each further run needs. */
	typed: readonly string[];
	/** The same, and those of the reading: they count until the folder remembers them. */
	typedToBegin: readonly string[];
	/** Those that are meant for this run alone: they count until it has begun. */
	typedForOnce: readonly string[];
}

const NOTHING_TYPED = { typed: [], typedToBegin: [], typedForOnce: [] };

/**
 * Checks everything that can be checked before the CSV is opened or a request is sent.
 * @param mayBeOffline true if address and key may be missing: then they are empty. What is given is checked all the same.
 * @throws {Stop} that names the option, and what it takes
 */
export function readSettings(
	raw: RawOptions,
	env: NodeJS.ProcessEnv,
	words: Pick<Settings, keyof typeof NOTHING_TYPED> = NOTHING_TYPED,
	mayBeOffline = false,
): Settings {
	const baseUrl = mayBeOffline && isBlank(raw.baseUrl) ? '' : readAddress(raw.baseUrl);
	const isKeyMissing = raw.apiKeyFile === undefined && isBlank(env.CREATOR_BRIEFING_API_KEY);
	const { out: outDir, max = Infinity, ...values } = valuesOf(raw);
	return {
		...values,
		outDir,
		name: clientName(raw),
		max,
		interval: intervalOf(values, baseUrl),
		baseUrl,
		apiKey: mayBeOffline && isKeyMissing ? '' : readApiKey(raw.apiKeyFile, env),
		...words,
	};
}

function isBlank(text: string | undefined): boolean {
	return text === undefined || text.trim() === '';
}

/** Names whom a run is for: by --name, otherwise by the folder of the profile, otherwise by that of the results. */
export function clientName({
	name = '',
	envFile,
	out,
}: Pick<RawOptions, 'name' | 'envFile' | 'out'>): string {
	const folder = resolve(out);
	// Many clients have a folder of this name, each in its own.
	const ownFolder = basename(folder) === DEFAULT_OUT ? dirname(folder) : folder;
	const folders = [...(envFile === undefined ? [] : [dirname(resolve(envFile))]), ownFolder];
	return (
		[name.trim(), ...folders.map((one) => basename(one))].find((one) => one !== '') ?? 'brief-batch'
	);
}

function intervalOf(
	{ pollInterval, pollIntervalMax }: Pick<OptionValues, 'pollInterval' | 'pollIntervalMax'>,
	baseUrl: string,
): PollInterval {
	const { shortest: usual, longest: usualLongest } = DEFAULT_POLL_INTERVAL;
	const shortest = pollInterval ?? usual;
	const longest = pollIntervalMax ?? Math.max(usualLongest, shortest);
	if (shortest < shortestAllowed(baseUrl)) {
		throw new Stop(
			`--poll-interval ${shortest / 1000} is too short.`,
			'The service asks for 15 seconds or more; less is for addresses on this machine only.',
		);
	}
	if (longest >= shortest) return { shortest, longest };
	throw new Stop(
		'--poll-interval-max is shorter than --poll-interval.',
		'Swap them, or leave one out.',
	);
}
