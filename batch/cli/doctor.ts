import { DEFAULT_POLL_INTERVAL } from '../../service/poll-interval';
import { steadyClock } from '../clock';
import { realDisk } from '../disk';
import { NOT_TRIED } from '../doctor/access';
import { firstToCure, ok, problem, unknown, type Check } from '../doctor/check';
import { checkAddress } from '../doctor/connection';
import { checkFolder, probeFolder } from '../doctor/folder';
import { checkLock, checkNode } from '../doctor/machine';
import { tryService, type ServiceTried } from '../doctor/try-service';
import { EXIT, Failure, type ExitCode } from '../failure';
import { axiosSend } from '../http';
import { lockPath, readLock } from '../lock/content';
import { machineOf, thisSystem } from '../lock/machine';
import { checkWorkspace } from '../run/same-workspace';
import { count } from '../text';
import type { Console } from './console';
import { showFindings } from './doctor-lines';
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
			baseUrl,
			sendTo,
			clock,
			env,
			signal: interruption,
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
		event: 'doctor',
		at: new Date().toISOString(),
		version,
		node: process.version,
		platform: `${process.platform} ${process.arch}`,
		base_url: baseUrl,
		out,
		checks,
		ways,
		first: first?.name ?? null,
		exit_code: exitCode,
	});
	showFindings(checks, ways, raw, console);
	return exitCode;
}

async function lockOf(outDir: string): Promise<Check> {
	const found = await readLock(realDisk, lockPath(outDir)).catch(() => null);
	if (found === null) return unknown('lock', 'it cannot be read');
	const fate = found.is === 'held' ? machineOf(thisSystem).fateOf(found.by) : 'unknown';
	return checkLock(found, fate, outDir);
}
