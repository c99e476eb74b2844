import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { isLoopback, readBaseUrl } from '../../service/base-url';
import { INPUT_FIELDS, type InputField } from '../../service/input';
import {
	DEFAULT_POLL_INTERVAL,
	shortestAllowed,
	type PollInterval,
} from '../../service/poll-interval';
import type { TableOptions } from '../csv/table';
import { Failure } from '../failure';
import type { Records } from '../journal/records';

/** The options as the command line gives them, unchecked. */
export interface RawOptions {
	out: string;
	batch?: string;
	max?: string;
	keep: string;
	leaveSlots: string;
	map: string[];
	set: string[];
	delimiter?: string;
	encoding?: string;
	allowDuplicates?: boolean;
	pollInterval?: string;
	pollIntervalMax?: string;
	timeout: string;
	baseUrl?: string;
	apiKeyFile?: string;
	json?: boolean;
	quiet?: boolean;
	color?: boolean;
	yes?: boolean;
}

/** What the commands that talk to the service need, checked. */
export interface Settings {
	outDir: string;
	table: TableOptions;
	allowDuplicates: boolean;
	max: number;
	keep: number;
	leaveSlots: number;
	interval: PollInterval;
	/** Milliseconds. */
	timeout: number;
	baseUrl: string;
	apiKey: string;
	/** Answer yes to every question. */
	yes: boolean;
}

/**
 * Checks everything that can be checked before a file is opened or a request is sent.
 * @throws {Failure} that names the option, and what it takes
 */
export function readSettings(raw: RawOptions, env: NodeJS.ProcessEnv): Settings {
	const baseUrl = readAddress(raw.baseUrl ?? env.CREATOR_BRIEFING_BASE_URL);
	return {
		outDir: readOut(raw.out),
		table: {
			delimiter: raw.delimiter,
			encoding: raw.encoding,
			map: raw.map.map((text) => {
				const [header, field] = split('--map', text, '"Header=field"');
				return { header, field };
			}),
			set: Object.fromEntries(
				raw.set.map((text) => {
					const at = text.indexOf('=');
					return [
						fieldNamed('--set', text.slice(0, Math.max(0, at)), 'field=value'),
						text.slice(at + 1),
					];
				}),
			),
		},
		allowDuplicates: raw.allowDuplicates ?? false,
		max: raw.max === undefined ? Infinity : wholeNumber('--max', raw.max, 1),
		keep: wholeNumber('--keep', raw.keep, 0),
		leaveSlots: wholeNumber('--leave-slots', raw.leaveSlots, 0, 1),
		interval: readInterval(raw, baseUrl),
		timeout: number('--timeout', raw.timeout, 'minutes') * 60_000,
		baseUrl,
		apiKey: readApiKey(raw.apiKeyFile, env),
		yes: raw.yes ?? false,
	};
}

/** The batch's name is a part of every key, so it may not change under an existing journal. */
export function batchName(
	asked: string | undefined,
	csv: string,
	records: Records,
	outDir: string,
): string {
	if (asked !== undefined && asked.trim() === '') {
		throw new Failure('--batch is empty.', 'Give the batch a name, or leave the option out.');
	}
	if (asked !== undefined && records.batch !== null && asked !== records.batch) {
		throw new Failure(
			`The folder ${outDir} belongs to the batch “${records.batch}”, not to “${asked}”.`,
			'Leave --batch out to go on with it, or give the new batch a folder of its own with --out.',
		);
	}
	return asked ?? records.batch ?? basename(csv);
}

/** A journal speaks of the briefs of one service: those of a sandbox would pass for real ones, and be left out. */
export function checkBaseUrl(baseUrl: string, records: Records, outDir: string): void {
	const known = records.baseUrl;
	if (known === null || known === baseUrl || (isLoopback(known) && isLoopback(baseUrl))) return;
	throw new Failure(
		`The folder ${outDir} holds briefs of ${known}, not of ${baseUrl}.`,
		'Use another --out for this address.',
	);
}

function readOut(folder: string): string {
	if (folder.trim() !== '') return folder;
	throw new Failure('--out is empty.', 'Name a folder, or leave the option out.');
}

function readAddress(text: string | undefined): string {
	if (text === undefined || text.trim() === '') {
		throw new Failure(
			'The address of the service is not set.',
			'Set CREATOR_BRIEFING_BASE_URL (or --base-url) to it, with its /v1 at the end.',
		);
	}
	const read = readBaseUrl(text);
	if ('what' in read) throw new Failure(read.what, read.cure);
	return read.baseUrl;
}

function readApiKey(file: string | undefined, env: NodeJS.ProcessEnv): string {
	const key = (file === undefined ? env.CREATOR_BRIEFING_API_KEY : readKeyFile(file))?.trim() ?? '';
	if (key === '') {
		throw new Failure(
			file === undefined ? 'The API key is not set.' : `The file ${file} holds no API key.`,
			'Set CREATOR_BRIEFING_API_KEY, or name a file that holds it with --api-key-file.',
		);
	}
	if (!/^[\x21-\x7e]+$/.test(key)) {
		throw new Failure(
			'The API key holds characters that no key has, such as spaces or line breaks.',
			'Copy it again from the vendor’s web app, without anything around it.',
		);
	}
	return key;
}

function readKeyFile(file: string): string {
	try {
		return readFileSync(file, 'utf8');
	} catch (error) {
		const code = (error as NodeJS.ErrnoException).code ?? '';
		throw new Failure(
			`The key file ${file} cannot be read (${code}).`,
			'Check the path of --api-key-file.',
		);
	}
}

function readInterval(raw: RawOptions, baseUrl: string): PollInterval {
	const { shortest, longest } = DEFAULT_POLL_INTERVAL;
	const least =
		raw.pollInterval === undefined ? shortest : seconds('--poll-interval', raw.pollInterval);
	const most =
		raw.pollIntervalMax === undefined
			? Math.max(longest, least)
			: seconds('--poll-interval-max', raw.pollIntervalMax);
	if (least < shortestAllowed(baseUrl)) {
		throw new Failure(
			`--poll-interval ${raw.pollInterval ?? ''} is too short.`,
			'The service asks for 15 seconds or more; less is for addresses on this machine only.',
		);
	}
	if (most < least) {
		throw new Failure(
			'--poll-interval-max is shorter than --poll-interval.',
			'Swap them, or leave one out.',
		);
	}
	return { shortest: least, longest: most };
}

function seconds(option: string, text: string): number {
	return number(option, text, 'seconds') * 1000;
}

function number(option: string, text: string, unit: string): number {
	const value = Number(text);
	if (text.trim() !== '' && Number.isFinite(value) && value > 0) return value;
	throw new Failure(`${option} takes a number of ${unit} above 0, not “${text}”.`, 'Correct it.');
}

function wholeNumber(option: string, text: string, min: number, max = Infinity): number {
	const value = Number(text);
	if (/^\d+$/.test(text) && value >= min && value <= max) return value;
	const range = max === Infinity ? `of ${min} or more` : `from ${min} to ${max}`;
	throw new Failure(`${option} takes a whole number ${range}, not “${text}”.`, 'Correct it.');
}

function split(option: string, text: string, form: string): [string, InputField] {
	const at = text.lastIndexOf('=');
	return [
		text.slice(0, Math.max(0, at)).trim(),
		fieldNamed(option, text.slice(at + 1), form, at < 1),
	];
}

function fieldNamed(
	option: string,
	text: string,
	form: string,
	isMalformed = text === '',
): InputField {
	const field = INPUT_FIELDS.find((name) => name === text.trim());
	if (field !== undefined && !isMalformed) return field;
	const what = isMalformed
		? `${option} takes ${form}.`
		: `${option} names an unknown field “${text.trim()}”.`;
	throw new Failure(what, `The fields are: ${INPUT_FIELDS.join(', ')}.`);
}
