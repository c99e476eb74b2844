import { DEFAULT_POLL_INTERVAL } from '../../service/poll-interval';
import { steadyClock } from '../clock';
import { realDisk } from '../disk';
import { NOT_TRIED } from '../doctor/access';
import { firstToCure, ok, problem, unknown, type Check } from '../doctor/check';
import { checkAddress } from '../doctor/connection';
import { checkFolder, probeFolder } from '../doctor/folder';
import { checkLock, checkNode } from '../doctor/machine';
import { tryService, type ServiceTried } from '../doctor/try-service';
import type { Way } from '../doctor/ways';
import { EXIT, Failure, type ExitCode } from '../failure';
import { axiosSend } from '../http';
import { readLock } from '../lock/content';
import { lockPath } from '../lock/lock';
import { machineOf, thisSystem } from '../lock/machine';
import { checkWorkspace } from '../run/same-workspace';
import { count } from '../text';
import type { Console } from './console';
import { oneLine, terminalText } from './format';
import { readJournal } from './journal-file';
import type { RawOptions } from './options';
import { readApiKey } from './settings/api-key';
import { checkBaseUrl, readAddress } from './settings/base-url';
import { readSettings } from './settings/settings';
import type { Sources } from './settings/variables';

/** A run waits longer for an answer; here somebody waits for the first word. */
const TIMEOUT_MS = 20_000;

export interface DoctorTools {
	env: NodeJS.ProcessEnv;
	interruption: AbortSignal;
	version: string;
	sources: Sources | undefined;
}

/** Tries everything that a run needs, and says what works, what does not and what to do. Sends GETs only. */
export async function doctor(
	raw: RawOptions,
	console: Console,
	{ env, interruption, version, sources }: DoctorTools,
): Promise<ExitCode> {
	const clock = steadyClock();
	const checks: Check[] = [checkNode(process.version)];
	/** What `work` gives; where it fails, that is a problem of this name. */
	const trying = async <T>(name: string, work: () => T | Promise<T>): Promise<T | null> => {
		try {
			return await work();
		} catch (error) {
			if (!(error instanceof Failure)) throw error;
			checks.push(problem(name, sources?.addedTo(error) ?? error));
			return null;
		}
	};

	const baseUrl = await trying('address', () => readAddress(raw.baseUrl));
	if (baseUrl !== null) checks.push(checkAddress(baseUrl, sources?.ofOption('--base-url') ?? ''));
	const apiKey = await trying('key', () => readApiKey(raw.apiKeyFile, env));
	let tried: ServiceTried | null = null;
	if (baseUrl !== null && apiKey !== null) {
		await trying('options', () => readSettings(raw, env));
		const sendTo = (url: string) =>
			axiosSend({ baseUrl: url, apiKey, graceMs: 0, timeoutMs: TIMEOUT_MS });
		tried = await tryService({
			...{ baseUrl, sendTo, clock, env, signal: interruption },
			keySource: sources?.ofApiKey() ?? '',
		});
		checks.push(...tried.checks);
	} else {
		checks.push(unknown('service', NOT_TRIED));
	}

	const { out } = raw;
	checks.push(checkFolder(out, await probeFolder(out)));
	const records = await trying('journal', async () => {
		const found = await readJournal(realDisk, out);
		if (baseUrl !== null) checkBaseUrl(baseUrl, found, out);
		const { batch } = found;
		const orders = count(found.all().length, 'order');
		const said =
			batch === null ? 'none yet: the first run begins it' : `batch “${batch}”, ${orders}`;
		checks.push(ok('journal', said));
		return found;
	});
	const { service, briefs } = tried ?? { briefs: null };
	if (service !== undefined && briefs !== null && records !== null && records.batch !== null) {
		await trying('workspace', async () => {
			const request = { outDir: out, interval: DEFAULT_POLL_INTERVAL };
			await checkWorkspace(records, briefs, request, { service, clock, interruption });
			checks.push(ok('workspace', 'the key is of the one that the journal’s briefs are in'));
		});
	}
	checks.push(await lockOf(out));

	const first = firstToCure(checks);
	const exitCode = first?.exit_code ?? EXIT.ok;
	const ways = tried?.ways ?? [];
	console.json({
		...{ event: 'doctor', at: new Date().toISOString(), version, node: process.version },
		...{ platform: `${process.platform} ${process.arch}`, base_url: baseUrl, out },
		...{ checks, ways, first: first?.name ?? null, exit_code: exitCode },
	});
	show(checks, ways, raw, console);
	return exitCode;
}

async function lockOf(outDir: string): Promise<Check> {
	const found = await readLock(realDisk, lockPath(outDir)).catch(() => null);
	if (found === null) return unknown('lock', 'it cannot be read');
	const fate = found.is === 'held' ? machineOf(thisSystem).fateOf(found.by) : 'unknown';
	return checkLock(found, fate, outDir);
}

const STATES = {
	ok: { word: 'ok', style: 'green' },
	warning: { word: 'warning', style: 'yellow' },
	problem: { word: 'problem', style: 'red' },
	unknown: { word: 'not known', style: 'dim' },
} as const;

const WIDTHS = { state: 11, name: 30, open: 46, seen: 300 };

function show(
	checks: readonly Check[],
	ways: readonly Way[],
	{ quiet = false, out }: RawOptions,
	console: Console,
): void {
	const indent = ' '.repeat(WIDTHS.state + WIDTHS.name);
	for (const { name, state, what, cure } of checks) {
		if (quiet && cure === null) continue;
		const { word, style } = STATES[state];
		const head = `${console.paint(style, word.padEnd(WIDTHS.state))}${name.padEnd(WIDTHS.name)}`;
		const more = cure === null ? '' : `\n${indent}${cure}`;
		console.say(`${head}${terminalText(`${what}${more}`)}`);
	}
	const shown = ways.flatMap(({ open, seen }) => (seen === null ? [] : [{ open, seen }]));
	if (!quiet && shown.length > 0) {
		const title =
			'How this service does what its specification leaves open, as free requests show it';
		console.say(`\n${console.paint('bold', title)}`);
		for (const { open, seen } of shown)
			console.say(`  ${nameOf(open).padEnd(WIDTHS.open)}${oneLine(seen, WIDTHS.seen)}`);
		const others = ways.filter(({ seen }) => seen === null).map(({ open }) => nameOf(open));
		if (others.length > 0) console.say(`Nothing seen yet of: ${others.join('; ')}.`);
		console.say(
			'To attach to a question to support, without key and texts: brief-batch doctor --json\n',
		);
	}
	const first = firstToCure(checks);
	if (first !== null)
		console.say(terminalText(`Do this first (${first.name}): ${first.cure ?? ''}`));
	else if (!quiet)
		console.say(`All that a run needs works. Next: brief-batch plan FILE.csv --out ${out}`);
}

/** docs/service.md section 10 marks names of fields, as a terminal does not. */
function nameOf(open: string): string {
	return open.replaceAll('`', '');
}
