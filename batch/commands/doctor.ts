import { constants, promises as fs } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { BriefSummary, Licence } from '../../core/api/types';
import { READ_LIMITS } from '../../core/api/retry';
import { formatDay, monthStart, nextMonthStart } from '../../core/dates';
import {
	computeAllowance,
	findBriefLicence,
	type BriefLicence,
} from '../../core/workspace/allowance';
import { BriefList } from '../../core/workspace/brief-list';
import type { RequestContext } from '../../core/workspace/request-context';
import { CliError, toCliError } from '../cli-error';
import type { Settings } from '../cli/settings';
import { makeTestNotification, postNotification } from '../output/notification';
import { EXIT, type ExitCode } from '../exit-codes';
import { chooseMostUrgent } from '../overview/exit-code';
import { formatInOneLine, formatNumber } from '../text';
import { createClient, readConnection, type CommandContext } from '../session';
import { formatDuration } from '../terminal/format';
import { getClientName } from './subject';

/**
 * `doctor`: checks everything that a run needs, with GETs and a test message to the webhook. One line per check, and what
 * to do about a check that failed:
 *
 *     ok      licence    “Creator Briefs” for api, web
 *     failed  folder     Cannot write to briefs (EACCES). Check the permissions of the folder.
 */
export async function doctorCommand({
	invocation,
	console,
	ports,
	signal,
}: CommandContext): Promise<ExitCode> {
	const { settings } = invocation;
	const checks = new Checks(signal);
	const connection = await checks.run(
		'settings',
		() => 'address and API key are set',
		() => readConnection(settings),
	);
	if (connection !== null) {
		const client = createClient(connection, ports);
		const limits = { readLimits: READ_LIMITS, createLimits: READ_LIMITS };
		const context = { client, clock: ports.clock, signal, ...limits };
		await checkService(checks, connection.baseUrl, context);
	}
	await checkFolder(checks, settings);
	const { notify, out } = settings;
	const name = getClientName(out, settings.name);
	if (notify !== undefined)
		await checks.run(
			'webhook',
			() => 'accepted a test message: check that it has arrived',
			async () => {
				const reason = await postNotification(notify, makeTestNotification(name), signal);
				if (reason !== null)
					throw new CliError(
						`The test message was not accepted: ${reason}.`,
						'Check the address of --notify, and that its app or workflow is active.',
					);
			},
		);
	console.print(checks.lines);
	return checks.exitCode;
}

/** The results of checks, one line each. A check that fails does not end the command. */
class Checks {
	readonly lines: string[] = [];
	private readonly codes = new Set<ExitCode>();

	constructor(private readonly signal: AbortSignal) {}

	/**
	 * Returns the result of `work`, or null if it failed.
	 * @param describe what the line says about the result
	 * @throws the signal's reason after Ctrl-C
	 */
	async run<T>(
		name: string,
		describe: (result: T) => string,
		work: () => T | Promise<T>,
	): Promise<T | null> {
		try {
			const result = await work();
			this.pass(name, describe(result));
			return result;
		} catch (error) {
			this.signal.throwIfAborted();
			this.fail(name, toCliError(error, Date.now()));
			return null;
		}
	}

	pass(name: string, text: string): void {
		this.add('ok', name, text);
	}

	fail(name: string, failure: CliError): void {
		this.add('failed', name, formatInOneLine(failure));
		this.codes.add(failure.exitCode);
	}

	private add(state: string, name: string, text: string): void {
		this.lines.push(`${state.padEnd(7)} ${name.padEnd(10)} ${text.trim()}`);
	}

	/** The most urgent code of the checks that failed. */
	get exitCode(): ExitCode {
		return chooseMostUrgent([...this.codes]);
	}
}

/** A clock that differs by less causes no mistake. */
const CLOCK_DIFFERENCE_MS = 60_000;

async function checkService(
	checks: Checks,
	baseUrl: string,
	context: RequestContext,
): Promise<void> {
	const { client, clock, signal } = context;
	const answer = await client
		.listLicences(signal)
		.catch((error: unknown) => toError(error, signal));
	if (answer instanceof Error) {
		const failure = toCliError(answer, clock.now());
		// A refused key shows that the address is right.
		const isRefused = failure.exitCode === EXIT.refused;
		if (isRefused) checks.pass('address', baseUrl);
		checks.fail(isRefused ? 'key' : 'address', failure);
		return;
	}
	checks.pass('address', baseUrl);
	checks.pass('key', 'accepted');
	const now = client.now();
	const briefs = await checks.run(
		'scopes',
		() =>
			'products:read and creator-briefs:read. Only an order shows whether the key has creator-briefs:execute.',
		() => new BriefList().readSince(monthStart(now), context),
	);
	await checks.run(
		'licence',
		(licence) => describeLicence(licence, briefs, now),
		() => findApiLicence(answer),
	);
	await checks.run('clock', describeClock, () => client.now() - clock.now());
}

/** @throws the signal's reason after Ctrl-C */
function toError(error: unknown, signal: AbortSignal | undefined): Error {
	signal?.throwIfAborted();
	return error instanceof Error ? error : new Error(String(error));
}

/** @param briefs of this month; null if the list cannot be read */
function describeLicence(
	licence: BriefLicence,
	briefs: readonly BriefSummary[] | null,
	now: number,
): string {
	const text = `“${licence.name}” for ${licence.channels.join(', ')}`;
	if (briefs === null) return text;
	const { remaining, limit } = computeAllowance(licence, briefs, now);
	return `${text}; ${formatNumber(remaining)} of ${formatNumber(limit)} briefs left this month (resets on ${formatDay(nextMonthStart(now))}, UTC)`;
}

/** @param offset of the service's clock */
function describeClock(offset: number): string {
	if (Math.abs(offset) < CLOCK_DIFFERENCE_MS) return 'agrees with the clock of the service';
	const difference = formatDuration(Math.abs(offset));
	return `is ${difference} ${offset > 0 ? 'behind' : 'ahead of'} the clock of the service, which brief-batch uses`;
}

/** @throws {CliError} if no licence covers orders through the API */
function findApiLicence(licences: readonly Licence[]): BriefLicence {
	const licence = findBriefLicence(licences);
	if (licence?.channels.includes('api') === true) return licence;
	throw new CliError(
		'The workspace shows no licence for creator briefs that covers the API.',
		'Ask the owner of the workspace for a creator-briefs licence with the channel “api”.',
		EXIT.refused,
	);
}

async function checkFolder(checks: Checks, { out: folder }: Settings): Promise<void> {
	await checks.run(
		'folder',
		() => `${folder}/ is writable`,
		async () => {
			const existing = await findExistingFolder(resolve(folder));
			const mode = constants.W_OK | constants.X_OK;
			await fs.access(existing, mode).catch((error: unknown) => {
				const { code = '' } = error as NodeJS.ErrnoException;
				throw new CliError(
					`Cannot write to ${existing} (${code}).`,
					'Check the permissions of the folder.',
				);
			});
		},
	);
}

/** Returns the folder, or the nearest folder above it that exists, because a run makes the rest. */
async function findExistingFolder(path: string): Promise<string> {
	const isThere = (await fs.stat(path).catch(() => null)) !== null;
	return isThere || dirname(path) === path ? path : await findExistingFolder(dirname(path));
}
