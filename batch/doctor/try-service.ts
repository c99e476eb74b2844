import { allowanceOf, MonthUse } from '../../service/allowance';
import { briefLicence } from '../../service/licence';
import { outcomeOf, type Outcome } from '../../service/outcome';
import type { Clock, Send } from '../../service/ports';
import type { BriefSummary, Licence } from '../../service/resources';
import { BriefingService } from '../../service/service';
import { instantOf } from '../../service/timestamps';
import {
	checkAllowance,
	checkKey,
	checkLicence,
	checkScope,
	EXECUTE_SCOPE,
	NOT_TRIED,
} from './access';
import { askForWays, askService, type Answers } from './ask-service';
import { unknown, type Check } from './check';
import { checkConnection, checkProxy, HAS_VERSION, proxyOf, versionMissing } from './connection';
import { recordingGets, type Exchange } from './exchanges';
import { checkClocks } from './machine';
import { waysOf, type Way } from './ways';

export interface Target {
	baseUrl: string;
	sendTo: (baseUrl: string) => Send;
	/** Which option or variable the key is from. */
	keySource: string;
	clock: Clock;
	env: NodeJS.ProcessEnv;
	signal: AbortSignal;
}

export interface ServiceTried {
	checks: Check[];
	ways: Way[];
	service: BriefingService;
	/** Of this month, perhaps with some older ones; null where the list could not be read. */
	briefs: readonly BriefSummary[] | null;
}

/** Tries everything that GETs can show of address, connection, key, scopes, licence, use and clocks. */
export async function tryService(target: Target): Promise<ServiceTried> {
	const { baseUrl, sendTo, clock, env, signal } = target;
	const exchanges: Exchange[] = [];
	const service = new BriefingService(recordingGets(sendTo(baseUrl), clock, exchanges), clock);
	const answers = await askService(service, signal);
	const briefs = valueOf(answers.briefs);
	if (briefs !== null) await askForWays(service, briefs, signal);

	const proxy = proxyOf(baseUrl, env);
	const connection = connectionOf(baseUrl, exchanges, answers, proxy, service.now());
	const isConnected = connection.state === 'ok';
	const lacksVersion =
		!isConnected &&
		!HAS_VERSION.test(baseUrl) &&
		(await answersAt(`${baseUrl}/v1`, sendTo, clock, signal));
	const checks = [
		...(lacksVersion ? [versionMissing(baseUrl)] : []),
		checkProxy(proxy, env),
		connection,
		...(isConnected ? accessChecks(answers, target.keySource, service.now()) : [UNTRIED_ACCESS]),
		checkClocks(exchanges.some(hasDate) ? service.now() - clock.now() : null, clock.now()),
	];
	const counted = briefs === null ? null : countOfMonth(briefs, service.now());
	return { checks, ways: waysOf(exchanges, counted), service, briefs };
}

const UNTRIED_ACCESS = unknown('key, scopes, licence', NOT_TRIED);

function connectionOf(
	baseUrl: string,
	[first]: readonly Exchange[],
	{ licences }: Answers,
	proxy: string | null,
	now: number,
): Check {
	if (first === undefined) return unknown('connection', NOT_TRIED);
	return checkConnection(baseUrl, first, errorIn(licences), proxy, now);
}

function accessChecks(answers: Answers, keySource: string, now: number): Check[] {
	const { licences, briefs, hooks } = answers;
	const licence = licenceIn(licences, now);
	const listed = valueOf(briefs);
	const allowance = licence === null || listed === null ? null : allowanceOf(licence, listed, now);
	return [
		checkKey(errorIn(licences), keySource, now),
		checkScope('list_licences', licences, now),
		checkScope('list_briefs', briefs, now),
		checkScope('list_hooks', hooks, now),
		EXECUTE_SCOPE,
		checkLicence(licences, now),
		checkAllowance(licence, allowance),
	];
}

function countOfMonth(briefs: readonly BriefSummary[], now: number): number {
	const use = new MonthUse();
	for (const { id, created_at } of briefs) use.add(id, created_at, now);
	return use.used(now);
}

function licenceIn(licences: Outcome<Licence[]>, now: number): Licence | null {
	const found = 'value' in licences ? briefLicence(licences.value, now) : null;
	return found !== null && 'licence' in found ? found.licence : null;
}

function valueOf<T>(outcome: Outcome<T> | null): T | null {
	return outcome !== null && 'value' in outcome ? outcome.value : null;
}

function errorIn(outcome: Outcome<unknown>) {
	return 'error' in outcome ? outcome.error : null;
}

/** Whether the service is at an address of the same host. */
async function answersAt(
	baseUrl: string,
	sendTo: (baseUrl: string) => Send,
	clock: Clock,
	signal: AbortSignal,
): Promise<boolean> {
	const service = new BriefingService(recordingGets(sendTo(baseUrl), clock, []), clock);
	return 'value' in (await outcomeOf(service.licences(signal)));
}

function hasDate({ headers }: Exchange): boolean {
	return instantOf(headers.date) !== null;
}
