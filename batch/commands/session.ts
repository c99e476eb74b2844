import { hash } from 'node:crypto';
import { resolve } from 'node:path';
import type { Clock, Send } from '../../core/api/ports';
import { ApiClient } from '../../core/api/client';
import { DEFAULT_POLL_INTERVAL } from '../../core/api/limits';
import { MAX_OUTAGE_MS } from '../../core/api/retry';
import type { RequestContext } from '../../core/workspace/request-context';
import { Workspace } from '../../core/workspace/workspace';
import { UsageProblem } from '../cli-error';
import { createCommandBuilder, createCommandRepeater, formatPaths } from '../cli/command-line';
import type { Invocation } from '../cli/program';
import type { Settings } from '../cli/settings';
import { CsvProblem } from '../csv/csv-problem';
import type { CsvOptions, Table } from '../csv/types';
import type { Disk } from '../folder/disk';
import { FolderStore, type Access } from '../folder/folder-store';
import type { LockFolder } from '../folder/lock';
import type { CommandRepeater } from '../plan/command-builder';
import type { Wording } from '../report/row-messages';
import { refuseForeignFiles } from './foreign-files';
import { chooseProxy, type Proxy } from './proxy';
import { WaitWatch } from '../run/wait-watch';
import type { Console } from '../terminal/console';
import { toCliError } from './to-cli-error';

/** The arguments of a command: the parsed command line, and everything outside the process. */
export interface CommandContext {
	readonly invocation: Invocation;
	readonly console: Console;
	readonly ports: Ports;
	/** Aborted by Ctrl-C, SIGTERM and SIGHUP. */
	readonly signal: AbortSignal;
}

/**
 * The CSV, the folder and, if the command asks the service, the workspace. The ports are everything
 * outside the process, so that a test opens the same sessions as the product.
 *
 *     const session = await openSession(command, 'write');
 *     try { … } finally { await session.folder.close(); }
 */
export interface OfflineSession {
	readonly table: Table;
	readonly folder: FolderStore;
	readonly clock: Clock;
	/** How messages name commands and briefs. */
	readonly wording: Wording;
	/** The same for report.html, with commands that can be pasted in any folder. */
	readonly fileWording: Wording;
	readonly commandLine: CommandRepeater;
	/** Reads the CSV with other options. */
	readonly readCsv: (options: CsvOptions) => Promise<Table>;
}

type SessionContext = Omit<CommandContext, 'console'>;

export interface OnlineSession extends OfflineSession {
	readonly workspace: Workspace;
	readonly requests: RequestContext;
	readonly waits: WaitWatch;
	/** Identifies address and API key in the journal. */
	readonly keyFingerprint: string;
}

export interface Ports {
	readonly clock: Clock;
	readonly disk: Disk;
	readonly lockFolder: LockFolder;
	readonly connect: (endpoint: Endpoint) => Send;
	readonly readTable: (file: string, options: CsvOptions) => Promise<Table>;
}

export interface Endpoint {
	readonly baseUrl: string;
	readonly apiKey: string;
	readonly proxy: Proxy | null;
}

/**
 * @throws {UsageProblem} if the endpoint or the folder cannot be used
 * @throws {CsvProblem} if the CSV cannot be used
 */
export async function openSession(command: SessionContext, access: Access): Promise<OnlineSession> {
	const { invocation, ports, signal } = command;
	const endpoint = readEndpoint(invocation.settings);
	const session = await openOffline(command, access);
	const { clock } = session;
	const waits = new WaitWatch(clock);
	const client = createClient(endpoint, ports, waits);
	const limits = { failures: Infinity, rateLimits: Infinity, outage: MAX_OUTAGE_MS };
	const retryLimits = { readLimits: limits, createLimits: limits };
	const requests = { client, clock, signal, pollInterval: DEFAULT_POLL_INTERVAL, ...retryLimits };
	const keyFingerprint = makeKeyFingerprint(endpoint);
	return { ...session, workspace: new Workspace(), requests, waits, keyFingerprint };
}

/** Returns the first 8 hexadecimal digits of a hash, from which no key can be computed. */
function makeKeyFingerprint({ baseUrl, apiKey }: Endpoint): string {
	return hash('sha256', JSON.stringify([baseUrl, apiKey]), 'hex').slice(0, 8);
}

/** Opens a session that does not ask the service. */
export async function openOffline(
	{ invocation, ports, signal }: SessionContext,
	access: Access,
): Promise<OfflineSession> {
	const { files, settings, command, typed } = invocation;
	const [file = ''] = files;
	const { clock } = ports;
	await refuseForeignFiles(settings.out, ports.disk);
	const openFolder = () => FolderStore.open(settings.out, access, { ...ports, signal });
	const readCsv = (options: CsvOptions) => ports.readTable(file, options);
	const readTyped = () => readCsv(getCsvOptions(settings));
	const { table, folder } = (await FolderStore.exists(settings.out, ports))
		? await openFolderFirst(openFolder, readTyped, clock)
		: await readCsvFirst(openFolder, readTyped);
	const buildCommand = createCommandBuilder(file, typed);
	const paths = formatPaths(settings.out, settings.profile);
	const buildForFile = createCommandBuilder(resolve(file), typed, paths);
	const commandLine = createCommandRepeater(file, typed, command);
	const { shortenId } = folder.store.orders;
	const wording = { buildCommand, shortenId };
	const fileWording = { buildCommand: buildForFile, shortenId };
	return { table, folder, clock, wording, fileWording, commandLine, readCsv };
}

interface Opened {
	readonly folder: FolderStore;
	readonly table: Table;
}

/** A scheduled run whose CSV is missing leaves an entry in the folder, so that `status` can show it. */
async function openFolderFirst(
	openFolder: () => Promise<FolderStore>,
	readCsv: () => Promise<Table>,
	clock: Clock,
): Promise<Opened> {
	const folder = await openFolder();
	try {
		return { folder, table: await readCsv() };
	} catch (error) {
		try {
			if (error instanceof CsvProblem && folder.isLocked)
				await folder.store.saveRefusal(toCliError(error, clock.now()));
		} finally {
			await folder.close();
		}
		throw error;
	}
}

/** A wrong file leaves no folder behind. */
async function readCsvFirst(
	openFolder: () => Promise<FolderStore>,
	readCsv: () => Promise<Table>,
): Promise<Opened> {
	const table = await readCsv();
	return { folder: await openFolder(), table };
}

function getCsvOptions({ map, set, where, id, encoding }: Settings): CsvOptions {
	return { map, set, where, id: id ?? null, encoding: encoding ?? null };
}

export function createClient(
	endpoint: Endpoint,
	{ connect, clock }: Pick<Ports, 'connect' | 'clock'>,
	waits = new WaitWatch(clock),
): ApiClient {
	const send = connect(endpoint);
	const namedSend: Send = (request, signal) => waits.nameRequest(() => send(request, signal));
	const client: ApiClient = new ApiClient(namedSend, clock, {
		onAnswer: (error) => waits.recordAnswer(error, client.hasAnswered),
	});
	return client;
}

/** @throws {UsageProblem} if the address or the API key is missing, or the proxy cannot be used */
export function readEndpoint({ baseUrl, apiKey, proxy }: Settings): Endpoint {
	if (baseUrl !== undefined && apiKey !== '')
		return { baseUrl, apiKey, proxy: chooseProxy(proxy, baseUrl) };
	const address = {
		text: 'Set CREATOR_BRIEFING_BASE_URL, or pass --base-url https://HOST/v1.',
	};
	const key = {
		text: 'Set CREATOR_BRIEFING_API_KEY, in the environment or in a --profile.',
	};
	if (baseUrl !== undefined) throw new UsageProblem('The API key is missing.', [key]);
	if (apiKey !== '') throw new UsageProblem('The address of the service is missing.', [address]);
	throw new UsageProblem('The address of the service and the API key are missing.', [address, key]);
}
