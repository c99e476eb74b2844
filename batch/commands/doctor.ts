import { constants, promises as fs } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { BriefSummary, Licence } from '../../core/api/types';
import type { Clock } from '../../core/api/ports';
import { DEFAULT_POLL_INTERVAL } from '../../core/api/limits';
import { parseTimestamp } from '../../core/api/timestamps';
import { FIRST_READ_LIMITS } from '../../core/api/retry';
import { formatDay, monthStart, nextMonthStart } from '../../core/dates';
import {
	countUsedBriefs,
	findBriefLicence,
	toAllowance,
	type BriefLicence,
} from '../../core/workspace/allowance';
import { BriefList } from '../../core/workspace/brief-list';
import { describeLicenceEnd, formatNumber } from '../../core/text';
import { makeFinding, type Finding } from '../../core/finding';
import { toJsonSteps } from '../report/json';
import { CliError, UsageProblem } from '../cli-error';
import { toCliError } from './to-cli-error';
import type { Settings } from '../cli/settings';
import { makeTestNotification } from '../report/notification';
import type { ExitCode } from '../exit-codes';
import { chooseMostUrgent } from '../report/exit-code';
import { formatDuration, formatInOneLine } from '../text';
import { refuseForeignFiles } from './foreign-files';
import { createClient, readEndpoint, type CommandContext, type Ports } from './session';
import { postNotification } from './notify';
import { getClientName } from '../cli/subject';

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
	const checks = new Checks(ports.clock, signal, (line) => console.print([line]));
	await checkService(checks, settings, ports);
	await checkFolder(checks, settings.out, ports);
	if (settings.notify !== undefined) await checkWebhook(checks, settings.notify, settings);
	invocation.publish(() => ({ checks: checks.results }));
	return checks.exitCode;
}

/** The results of checks, one line each, printed when the check ends. A check that fails does not end the command. */
class Checks {
	private readonly codes: ExitCode[] = [];
	/** As --json prints them. */
	readonly results: object[] = [];

	constructor(
		private readonly clock: Clock,
		readonly signal: AbortSignal,
		private readonly print: (line: string) => void,
	) {}

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
			this.add('ok', name, makeFinding(describe(result)));
			return result;
		} catch (error) {
			this.signal.throwIfAborted();
			const failure = toCliError(error, this.clock.now());
			this.add('failed', name, failure);
			this.codes.push(failure.exitCode);
			return null;
		}
	}

	/** Names checks that need the result of a check that failed. */
	skip(...names: readonly string[]): void {
		for (const name of names) this.addResult('skipped', name, makeFinding(''));
	}

	private add(state: string, name: string, finding: Finding): void {
		this.addResult(state, name, finding);
		this.print(`${state.padEnd(7)} ${name.padEnd(10)} ${formatInOneLine(finding)}`);
	}

	private addResult(state: string, check: string, { message, nextSteps }: Finding): void {
		this.results.push({ check, state, message, next_steps: nextSteps.flatMap(toJsonSteps) });
	}

	/** The most urgent code of the checks that failed. */
	get exitCode(): ExitCode {
		return chooseMostUrgent(this.codes);
	}
}

async function checkService(checks: Checks, settings: Settings, ports: Ports): Promise<void> {
	const { signal } = checks;
	const { clock } = ports;
	const service = await checks.run(
		'service',
		({ baseUrl }) => `${baseUrl} accepts the API key`,
		async () => {
			const endpoint = readEndpoint(settings);
			const client = createClient(endpoint, ports);
			const licences = await client.listLicences(signal);
			return { baseUrl: endpoint.baseUrl, client, licences };
		},
	);
	if (service === null) {
		checks.skip('scopes', 'licence', 'clock');
		return;
	}
	const { client, licences } = service;
	const now = client.now();
	// The user waits for the result, so an outage is reported soon instead of waited out.
	const limits = { readLimits: FIRST_READ_LIMITS, createLimits: FIRST_READ_LIMITS };
	const context = { client, clock, signal, pollInterval: DEFAULT_POLL_INTERVAL, ...limits };
	const briefs = await checks.run(
		'scopes',
		() =>
			'products:read and creator-briefs:read. Only an order shows whether the key has creator-briefs:execute.',
		async () => (await new BriefList().readSince(monthStart(now), context)).briefs,
	);
	await checks.run(
		'licence',
		(licence) => describeLicence(licence, briefs, now),
		() => findApiLicence(licences),
	);
	await checks.run('clock', describeClock, () => client.now() - clock.now());
}

/** @param briefs of this month; null if the list cannot be read */
function describeLicence(
	licence: BriefLicence,
	briefs: readonly BriefSummary[] | null,
	now: number,
): string {
	const end = parseTimestamp(licence.renews_or_ends_at);
	const sentence = end === null ? '' : `. ${describeLicenceEnd(end)}`;
	const text = `“${licence.name}” for ${licence.channels.join(', ')}`;
	if (briefs === null) return `${text}${sentence}`;
	const ids = briefs.map(({ id }) => id);
	const used = countUsedBriefs({ ...licence, seenBefore: new Set(ids) }, ids, 0);
	const { remaining, limit } = toAllowance(licence, used);
	return `${text}; ${formatNumber(remaining)} of ${formatNumber(limit)} briefs left this month (resets on ${formatDay(nextMonthStart(now))}, UTC)${sentence}`;
}

/** A clock that differs by less causes no mistake. */
const CLOCK_DIFFERENCE_MS = 60_000;

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
	const finding = makeFinding(
		'The workspace shows no licence for creator briefs that covers the API.',
		{ text: 'Ask the owner of the workspace for a creator-briefs licence with the channel “api”.' },
	);
	throw new CliError('licence_missing', finding);
}

async function checkWebhook(checks: Checks, url: string, settings: Settings): Promise<void> {
	await checks.run(
		'webhook',
		() => 'accepted a test message: check that it has arrived',
		async () => {
			const { out, name, proxy } = settings;
			const message = makeTestNotification(getClientName(out, name));
			const reason = await postNotification({ url, proxy }, message, checks.signal);
			if (reason === null) return;
			throw new UsageProblem(
				`The test message was not accepted: ${reason}.`,
				'Check the address of --notify, and that its app or workflow is active.',
			);
		},
	);
}

async function checkFolder(checks: Checks, folder: string, { disk }: Ports): Promise<void> {
	await checks.run(
		'folder',
		() => `${folder}/ is writable`,
		async () => {
			const existing = await findExistingFolder(resolve(folder));
			const mode = constants.W_OK | constants.X_OK;
			await fs.access(existing, mode).catch((error: unknown) => {
				const { code = '' } = error as NodeJS.ErrnoException;
				throw new UsageProblem(
					`Cannot write to ${existing} (${code}).`,
					'Check the permissions of the folder.',
				);
			});
			await refuseForeignFiles(folder, disk);
		},
	);
}

/** Returns the folder, or the nearest folder above it that exists, because a run makes the rest. */
async function findExistingFolder(path: string): Promise<string> {
	const isThere = (await fs.stat(path).catch(() => null)) !== null;
	return isThere || dirname(path) === path ? path : await findExistingFolder(dirname(path));
}
