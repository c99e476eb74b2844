import { steadyClock } from '../../clock';
import { EXIT, type ExitCode } from '../../exit-codes';
import { axiosSend } from '../../http';
import { knowsOrdersAt } from '../../run/preflight';
import { checkWorkspace } from '../../run/same-workspace';
import { count } from '../../text';
import type { Console } from '../../screen/console';
import { realDisk } from '../../folder/disk';
import { whoIsAtWork } from '../../folder/lock/holder';
import { readJournal } from '../../folder/out-folder';
import type { RawOptions } from '../../settings/options';
import { readApiKey } from '../../settings/api-key';
import { checkBaseUrl, readAddress } from '../../settings/base-url';
import { readSettings } from '../../settings/settings';
import { firstToCure, notTried, ok, problem, warning, type Check } from '../../screen/doctor/check';
import { checkLock } from '../../screen/doctor/check-lock';
import { doctorText } from '../../screen/doctor/doctor-text';
import { stopOf } from '../../stop-of';
import { checkFolder, checkPrivacy } from './folder';
import { tryService, type ServiceTried } from './check-service';

/** A run waits longer for an answer; here somebody waits for the first word. */
const TIMEOUT_MS = 20_000;

interface DoctorTools {
	env: NodeJS.ProcessEnv;
	version: string;
	/** The words that were typed besides --out, for the command to copy. */
	typed: readonly string[];
}

/** Tries everything that a run needs, and says what works, what does not and what to do. Sends GETs only. */
export async function doctor(
	raw: RawOptions,
	console: Console,
	tools: DoctorTools,
): Promise<ExitCode> {
	const checks: Check[] = [];
	const baseUrl = await tryAll(raw, { env: tools.env, signal: console.interruption }, checks);
	const first = firstToCure(checks);
	const exitCode = first?.exit_code ?? EXIT.ok;
	const line = {
		event: 'doctor',
		at: new Date().toISOString(),
		version: tools.version,
		node: process.version,
		platform: `${process.platform} ${process.arch}`,
		base_url: baseUrl,
		out: raw.out,
		checks,
		first: first?.name ?? null,
		exit_code: exitCode,
	};
	console.json(line);
	const how = { isQuiet: raw.quiet === true, outDir: raw.out, typed: tools.typed };
	for (const paragraph of doctorText(checks, how, console.paint)) console.say(paragraph);
	return exitCode;
}

/** @returns the address; null if it cannot be used */
async function tryAll(
	raw: RawOptions,
	{ env, signal }: { env: NodeJS.ProcessEnv; signal: AbortSignal },
	checks: Check[],
): Promise<string | null> {
	/** Gives what `work` gives; if it fails, that is a problem of this name. */
	const trying = async <T>(name: string, work: () => T | Promise<T>): Promise<T | null> => {
		try {
			return await work();
		} catch (error) {
			if (signal.aborted) throw error;
			checks.push(problem(name, stopOf(error)));
			return null;
		}
	};
	const baseUrl = await trying('address', () => readAddress(raw.baseUrl));
	const apiKey = await trying('key', () => readApiKey(raw.apiKeyFile, env));
	let serviceTried: ServiceTried | null = null;
	if (baseUrl !== null && apiKey !== null) {
		await trying('options', () => readSettings(raw, env));
		const send = axiosSend({ baseUrl, apiKey, graceMs: 0, timeoutMs: TIMEOUT_MS });
		const isAddressKnown = await readJournal(raw.out).then(
			(records) => knowsOrdersAt(baseUrl, records),
			() => false,
		);
		const target = { baseUrl, send, clock: steadyClock(), signal, isAddressKnown };
		serviceTried = await tryService(target);
		checks.push(...serviceTried.checks);
	} else {
		checks.push(notTried('service'));
	}
	checks.push(...checkPrivacy(raw), ...checkDebugging(env), await checkFolder(raw.out));
	const journal = await trying('journal', () =>
		checkJournal(raw.out, baseUrl, serviceTried, signal),
	);
	if (journal !== null) checks.push(journal);
	const atWork = await whoIsAtWork(realDisk, raw.out).catch(() => null);
	checks.push(checkLock(atWork, raw.out));
	return baseUrl;
}

/** Warns of a setting with which Node.js itself prints each request, with its headers. */
function checkDebugging({ NODE_DEBUG = '' }: NodeJS.ProcessEnv): Check[] {
	if (!/http|\*/i.test(NODE_DEBUG)) return [];
	const what = 'NODE_DEBUG is set, so Node.js prints the API key with each request';
	return [warning('NODE_DEBUG', what, 'Unset it, and make a new key if logs were kept.')];
}

/** @throws {Stop} if it is damaged, or of another service or workspace */
async function checkJournal(
	outDir: string,
	baseUrl: string | null,
	serviceTried: ServiceTried | null,
	interruption: AbortSignal,
): Promise<Check> {
	const records = await readJournal(outDir);
	if (records.batch === null) return ok('journal', 'none yet: the first run begins it');
	if (baseUrl !== null) checkBaseUrl(baseUrl, records, outDir);
	if (serviceTried !== null && serviceTried.briefs !== null) {
		const { service, briefs } = serviceTried;
		const env = { service, clock: steadyClock(), interruption };
		await checkWorkspace(records, briefs, outDir, env);
	}
	return ok('journal', `batch “${records.batch}”, ${count(records.all().length, 'order')}`);
}
