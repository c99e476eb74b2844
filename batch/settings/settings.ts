import { basename, dirname, parse, resolve } from 'node:path';
import {
	DEFAULT_POLL_INTERVAL,
	shortestAllowed,
	type PollInterval,
} from '../../service/api/poll-interval';
import { DEFAULT_OUT } from '../command-text';
import type { NamedRows } from '../plan/row-selection';
import { MAX_TRIES } from '../plan/retryable';
import { Stop } from '../stop';
import type { FolderOptions, RawOptions, TypedOptions } from './options';
import { noKey, readApiKey } from './api-key';
import { noAddress, readAddress } from './base-url';
import { TAKEN_BACK, type TypedReading } from './reading';
import {
	positiveNumber,
	readAdopt,
	readMap,
	readRows,
	readSet,
	readWhere,
	wholeNumber,
	type NamedAdoption,
} from './values';

/** The settings of a command that talks to the service, checked. */
export interface Settings extends TypedOptions {
	outDir: string;
	/** The client that it is for. */
	name: string;
	/** The name that was asked for; `batchName` decides. */
	batch: string | undefined;
	/** What was typed of how the CSV is read. The folder remembers the rest. */
	typedReading: TypedReading;
	/** The rows that are ordered again if their content changed. */
	orderChanged: NamedRows;
	/** The rows that are ordered even if a listed brief is their own. */
	orderAgain: NamedRows;
	/** The rows that --only names; false for all. */
	only: NamedRows;
	/** The briefs that a person gives to rows. */
	adopt: readonly NamedAdoption[];
	/** Ignore failures that an earlier run already reported. */
	knownOk: boolean;
	/** At most so many briefs are ordered in this run. */
	max: number;
	/** So many of the month's allowance stay unused. */
	keep: number;
	/** So many of the two slots are left to others. */
	leaveSlots: number;
	/** Order nothing if more rows than this are new. */
	expectAtMost: number | null;
	/** The most tries of a row, the first one included. */
	maxTries: number;
	/** The times between two looks. */
	interval: PollInterval;
	/** The time after which a running brief is parked, in milliseconds. */
	timeout: number;
	/** Empty if it is missing and nothing is asked of the service. */
	baseUrl: string;
	/** The same. */
	apiKey: string;
	/** No questions. */
	yes: boolean;
}

interface HowToRead extends Partial<TypedOptions> {
	/** True if address and key may be missing: then they are empty. What is given is checked all the same. */
	mayBeOffline?: boolean;
}

/**
 * Checks everything that can be checked before a file is opened or a request is sent.
 * @throws {Stop} that names the option, and what it takes
 */
export function readSettings(
	raw: RawOptions,
	env: NodeJS.ProcessEnv,
	{ mayBeOffline = false, typed = [], typedToBegin = [], typedForOnce = [] }: HowToRead = {},
): Settings {
	const baseUrl = mayBeOffline && isBlank(raw.baseUrl) ? '' : readAddress(raw.baseUrl);
	const isKeyMissing = raw.apiKeyFile === undefined && isBlank(env.CREATOR_BRIEFING_API_KEY);
	return {
		outDir: readOut(raw.out),
		name: clientName(raw),
		batch: raw.batch,
		typedReading: {
			map: readMap(raw.map),
			set: readSet(raw.set),
			where: readWhere(raw.where ?? []),
			id: orTakenBack('id', raw.id === undefined ? undefined : readIdColumn(raw.id)),
			delimiter: orTakenBack('delimiter', raw.delimiter),
			encoding: orTakenBack('encoding', raw.encoding),
		},
		orderChanged: readRows('--order-changed', raw.orderChanged),
		orderAgain: readRows('--order-again', raw.orderAgain),
		only: readRows('--only', raw.only),
		adopt: readAdopt(raw.adopt ?? []),
		knownOk: raw.knownOk ?? false,
		max: raw.max === undefined ? Infinity : wholeNumber('--max', raw.max, 1),
		keep: wholeNumber('--keep', raw.keep, 0),
		leaveSlots: wholeNumber('--leave-slots', raw.leaveSlots, 0, 1),
		expectAtMost:
			raw.expectAtMost === undefined ? null : wholeNumber('--expect-at-most', raw.expectAtMost, 0),
		maxTries: raw.maxTries === undefined ? MAX_TRIES : wholeNumber('--max-tries', raw.maxTries, 1),
		interval: readPollInterval(raw, baseUrl),
		timeout: positiveNumber('--timeout', raw.timeout, 'minutes') * 60_000,
		baseUrl,
		apiKey: mayBeOffline && isKeyMissing ? '' : readApiKey(raw.apiKeyFile, env),
		yes: raw.yes ?? false,
		typed,
		typedToBegin,
		typedForOnce,
	};
}

/** Names what must be set before the service can be asked; null if nothing is missing. */
export function missingForService({ baseUrl, apiKey }: Settings): Stop | null {
	if (baseUrl === '') return noAddress();
	return apiKey === '' ? noKey() : null;
}

function isBlank(text: string | undefined): boolean {
	return text === undefined || text.trim() === '';
}

function orTakenBack(
	name: keyof typeof TAKEN_BACK,
	text: string | undefined,
): string | null | undefined {
	return text === TAKEN_BACK[name] ? null : text;
}

function readOut(folder: string): string {
	if (folder.trim() !== '') return folder;
	throw new Stop('--out is empty.', 'Name a folder, or leave the option out.');
}

function readIdColumn(column: string): string {
	if (column.trim() !== '') return column.trim();
	throw new Stop('--id is empty.', 'Name the column with the rows’ own numbers, as in --id SKU.');
}

/** Names whom a run is for: by --name, otherwise by the profile, otherwise by the folder. */
export function clientName({ name = '', envFile = '', out }: FolderOptions): string {
	const folder = resolve(out);
	// Many clients have a folder of this name, each in its own.
	const ownFolder = basename(folder) === DEFAULT_OUT ? dirname(folder) : folder;
	const profile = parse(envFile).name.replace(/^\.env$/, '');
	return [name.trim(), profile, basename(ownFolder)].find((one) => one !== '') ?? 'brief-batch';
}

/** Gives the times of --poll-interval and --poll-interval-max, in milliseconds. */
function readPollInterval(
	{ pollInterval, pollIntervalMax }: RawOptions,
	baseUrl: string,
): PollInterval {
	const milliseconds = (option: string, text: string) =>
		positiveNumber(option, text, 'seconds') * 1000;
	const usual = DEFAULT_POLL_INTERVAL;
	const shortest =
		pollInterval === undefined ? usual.shortest : milliseconds('--poll-interval', pollInterval);
	const longest =
		pollIntervalMax === undefined
			? Math.max(usual.longest, shortest)
			: milliseconds('--poll-interval-max', pollIntervalMax);
	if (shortest < shortestAllowed(baseUrl)) {
		throw new Stop(
			`--poll-interval ${pollInterval ?? ''} is too short.`,
			'The service asks for 15 seconds or more; less is for addresses on this machine only.',
		);
	}
	if (longest < shortest) {
		throw new Stop(
			'--poll-interval-max is shorter than --poll-interval.',
			'Swap them, or leave one out.',
		);
	}
	return { shortest, longest };
}
