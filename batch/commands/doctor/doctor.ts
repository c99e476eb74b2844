import { constants, promises as fs, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { commandLine } from '../../command-text';
import { EXIT, type ExitCode } from '../../exit-codes';
import { realDisk } from '../../folder/disk';
import { whoIsAtWork } from '../../folder/lock/holder';
import { readJournal } from '../../folder/out-folder';
import { testMessage } from '../../notify/message';
import { post, readWebhook } from '../../notify/webhook';
import { checkWorkspace } from '../../run/same-workspace';
import type { Console } from '../../screen/console';
import {
	checkOf,
	doctorText,
	firstToCure,
	lockFinding,
	problem,
	type Check,
	type TryResult,
} from '../../screen/doctor-text';
import { checkBaseUrl, readAddress, readApiKey } from '../../settings/address-and-key';
import type { RawOptions } from '../../settings/options';
import { clientName, readSettings } from '../../settings/settings';
import { Stop } from '../../stop';
import { stopOf } from '../../stop-of';
import { count } from '../../text';
import { tryService, notTried, type Try } from './service-tries';

/**
 * Tries everything that a run needs, and says what works, what does not and what to do. It sends GETs only, and to a
 * webhook a test message.
 * @param typed the words besides --out, for the command to copy
 */
export async function doctor(
	raw: RawOptions,
	console: Console,
	{ env, version }: { env: NodeJS.ProcessEnv; version: string },
	typed: readonly string[],
): Promise<ExitCode> {
	const { checks, base_url } = await tryAll(raw, env, console.interruption);
	const first = firstToCure(checks);
	const exitCode = first?.exit_code ?? EXIT.ok;
	console.json({
		event: 'doctor',
		at: new Date().toISOString(),
		version,
		node: process.version,
		platform: `${process.platform} ${process.arch}`,
		base_url,
		out: raw.out,
		checks,
		first: first?.name ?? null,
		exit_code: exitCode,
	});
	for (const paragraph of doctorText(checks, raw.out, typed, console)) console.say(paragraph);
	return exitCode;
}

async function tryAll(raw: RawOptions, env: NodeJS.ProcessEnv, signal: AbortSignal) {
	const checks: Check[] = [];
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
	const tryEach = async (tries: readonly Try[]) => {
		for (const [name, work] of tries) {
			const finding = await trying(name, work);
			if (finding !== null) checks.push(checkOf(name, finding));
		}
	};
	const baseUrl = await trying('address', () => readAddress(raw.baseUrl));
	const apiKey = await trying('key', () => readApiKey(raw.apiKeyFile, env));
	const isTried = baseUrl !== null && apiKey !== null;
	if (isTried) await trying('options', () => readSettings(raw, env));
	const recordsThere = await readJournal(raw.out).catch(() => null);
	const answers = !isTried ? null : await tryService(baseUrl, apiKey, recordsThere, signal);
	const journal = async () => {
		const records = await readJournal(raw.out);
		if (records.batch === null) return 'none yet: the first run begins it';
		if (baseUrl !== null) checkBaseUrl(baseUrl, records, raw.out);
		if (answers !== null && 'value' in answers.briefs)
			await checkWorkspace(records, answers.briefs.value, raw.out, answers.asking);
		return `batch “${records.batch}”, ${count(records.all().length, 'order')}`;
	};
	await tryEach([
		...(answers === null ? [['service', notTried] as const] : answers.tries),
		['profile', () => privacyOf(raw.envFile)],
		['key file', () => privacyOf(raw.apiKeyFile)],
		['NODE_DEBUG', () => debuggingOf(env)],
		['folder', () => folderOf(raw.out)],
		['journal', journal],
		[
			'lock',
			async () => lockFinding(await whoIsAtWork(realDisk, raw.out).catch(() => null), raw.out),
		],
		['webhook', () => webhookOf(raw)],
	]);
	return { checks, base_url: baseUrl };
}

/** Warns of a file that may hold the API key and that others on this machine can read. Windows has no such permissions. */
function privacyOf(file: string | undefined): TryResult | null {
	if (process.platform === 'win32' || file === undefined) return null;
	const stat = statSync(file, { throwIfNoEntry: false });
	if (stat?.isFile() !== true || (stat.mode & 0o077) === 0) return null;
	return {
		state: 'warning',
		what: `Other users of this machine can read ${file}, which may hold the API key.`,
		cure: 'Let its owner alone read it:',
		command: commandLine('chmod', '600', file),
	};
}

/** Warns of a setting with which Node.js itself prints each request, with its headers. */
function debuggingOf({ NODE_DEBUG = '' }: NodeJS.ProcessEnv): TryResult | null {
	if (!/http|\*/i.test(NODE_DEBUG)) return null;
	const what = 'NODE_DEBUG is set, so Node.js prints the API key with each request';
	return { state: 'warning', what, cure: 'Unset it, and make a new key if logs were kept.' };
}

/** Tries whether a run could write, with a file that is removed at once. Makes no folder. */
async function folderOf(outDir: string): Promise<TryResult> {
	const folder = resolve(outDir);
	const nearest = await nearestThere(folder);
	if (nearest !== folder) {
		await fs.access(nearest, constants.W_OK | constants.X_OK);
		return `${outDir} is not there yet and can be made in ${nearest}`;
	}
	const path = join(folder, `.doctor-${process.pid}`);
	await fs.writeFile(path, 'x', { flag: 'wx' });
	await fs.rm(path);
	return `${outDir} can be written`;
}

/** Gives the path itself, or the last folder above it that is there. */
async function nearestThere(path: string): Promise<string> {
	const stats = await fs.stat(path).catch(() => null);
	return stats !== null || dirname(path) === path ? path : await nearestThere(dirname(path));
}

/** Posts a test message, if there is a webhook. */
async function webhookOf(raw: RawOptions): Promise<TryResult | null> {
	if (raw.notify === undefined) return null;
	const webhook = readWebhook(raw.notify);
	const why = await post(webhook, testMessage(clientName(raw), raw.out, new Date()));
	if (why === null) return `${webhook.name} took a test message: look whether it arrived`;
	throw new Stop(
		`${webhook.name} did not take a test message: ${why}.`,
		'Check the URL of --notify, and whether its app or workflow is active. Runs work without it.',
	);
}
