import { allowanceOf, briefsOfThisMonth } from '../../../service/list/allowance';
import { CLOCK_DIFFERENCE_MS } from '../../../service/assumptions';
import { addressToTry, authorityCure } from '../../../service/api/connection';
import type { ServiceError } from '../../../service/api/errors';
import { briefLicence } from '../../../service/list/licence';
import { dayInWords } from '../../../service/list/month';
import { outcomeOf, type Outcome } from '../../../service/api/outcome';
import { SendFailure, type Clock, type Send, type WireResponse } from '../../../service/api/ports';
import type { BriefSummary, Licence } from '../../../service/api/resources';
import { BriefingService } from '../../../service/api/service';
import { instantOf } from '../../../service/api/timestamps';
import { EXIT } from '../../exit-codes';
import { firstError } from '../../run/preflight';
import { count } from '../../text';
import { duration } from '../../screen/format';
import { notTried, ok, problem, notKnown, warning, type Check } from '../../screen/doctor/check';
import { Stop } from '../../stop';
import { stopOf } from '../../stop-of';

export interface Target {
	baseUrl: string;
	send: Send;
	clock: Clock;
	signal: AbortSignal;
	/** The journal knows orders at the address. */
	isAddressKnown: boolean;
}

export interface ServiceTried {
	checks: Check[];
	service: BriefingService;
	/** Of this month, perhaps with some older ones; null if the list could not be read. */
	briefs: readonly BriefSummary[] | null;
}

/** Tries what two GETs can show of address, key, scopes, licence, allowance and clocks. */
export async function tryService(target: Target): Promise<ServiceTried> {
	const { baseUrl, clock, signal } = target;
	const exchanges: Exchange[] = [];
	const service = new BriefingService(recording(target, exchanges), clock);
	if (target.isAddressKnown) service.trustAddress();
	const licences = await outcomeOf(service.licences(signal));
	const error = errorIn(licences);
	const now = service.now();
	const [first] = exchanges;
	if (first === undefined) throw new Error('The licences were read without a request.');
	const address = checkAddress(baseUrl, first, error, now);
	if (address.state !== 'ok')
		return { checks: [address, notTried('key, scopes, licence')], service, briefs: null };

	// A refusal for want of a scope or a licence says nothing about the list.
	const briefs =
		error?.kind === 'key_refused' ? { error } : await outcomeOf(briefsOfThisMonth(service, signal));
	const errors = [error, errorIn(briefs)].filter((each) => each !== null);
	const listedBriefs = 'value' in briefs ? briefs.value : null;
	const checks = [
		address,
		checkKey(error, now),
		checkScopes(errors, now),
		checkLicence(licences, errors, now),
		checkAllowance(licences, listedBriefs, now),
		checkClocks(first, service.now() - clock.now(), clock.now()),
	];
	return { checks, service, briefs: listedBriefs };
}

/** The outcome of a request. */
type Exchange = { response: WireResponse; tookMs: number } | { failure: SendFailure };

function recording({ send, clock }: Target, log: Exchange[]): Send {
	return async (request, signal) => {
		const began = clock.now();
		try {
			const response = await send(request, signal);
			log.push({ response, tookMs: clock.now() - began });
			return response;
		} catch (failure) {
			if (failure instanceof SendFailure) log.push({ failure });
			throw failure;
		}
	};
}

function errorIn(outcome: Outcome<unknown>): ServiceError | null {
	return 'error' in outcome ? outcome.error : null;
}

/**
 * Checks whether the service answers at the address.
 * @param error the meaning of the answer, null if it brought what was asked for
 */
function checkAddress(
	baseUrl: string,
	exchange: Exchange,
	error: ServiceError | null,
	now: number,
): Check {
	const { host } = new URL(baseUrl);
	if ('failure' in exchange) return unreached(host, exchange.failure);
	const { tookMs } = exchange;
	if (error === null || isOfTheKey(error))
		return ok('address', `${baseUrl} answers, after ${tookMs} ms`);
	if (!/\/v\d+$/.test(baseUrl)) {
		const what = `${baseUrl} does not end in a version, and the service does not answer there.`;
		return problem('address', new Stop(what, addressToTry(baseUrl)));
	}
	return problem('address', stopOf(firstError(error, baseUrl), now));
}

function unreached(host: string, { code, message }: SendFailure): Check {
	const codeText = code === '' ? '' : ` (${code})`;
	const what = `${host} was not reached: ${message}${codeText}.`;
	const cure = authorityCure(code) ?? CHECK_NETWORK;
	return problem('address', new Stop(what, cure, 'unusable', EXIT.stoppedEarly));
}

const CHECK_NETWORK =
	'Check host and port of the address, the network and its firewall. In a company’s network: is a proxy needed (HTTPS_PROXY)?';

/** Says whether a refusal is about the key: it shows that it is the service that answers. */
function isOfTheKey({ kind }: ServiceError): boolean {
	return ['key_refused', 'scope_missing', 'licence_missing'].includes(kind);
}

function checkKey(error: ServiceError | null, now: number): Check {
	return error?.kind === 'key_refused' ? problem('key', stopOf(error, now)) : ok('key', 'accepted');
}

/** Checks the scopes by the requests that need them. */
function checkScopes(errors: readonly ServiceError[], now: number): Check {
	const refusal = errors.find(({ kind }) => kind !== 'licence_missing');
	if (refusal !== undefined && refusal.kind !== 'key_refused')
		return problem('scopes', stopOf(refusal, now));
	if (errors.length > 0) return notTried('scopes');
	return ok(
		'scopes',
		'products:read and creator-briefs:read granted; only an order shows creator-briefs:execute',
	);
}

/** Makes a warning of what the licences show, and a problem of what the service refuses for want of one. */
function checkLicence(
	licences: Outcome<Licence[]>,
	errors: readonly ServiceError[],
	now: number,
): Check {
	const refusal = errors.find(({ kind }) => kind === 'licence_missing');
	if (refusal !== undefined) return problem('licence', stopOf(refusal, now));
	if ('error' in licences) return notTried('licence');
	const { licence, doubt } = briefLicence(licences.value);
	if (licence === null || doubt !== null) {
		return warning(
			'licence',
			doubt ?? '',
			'If the service refuses orders (403), ask the owner of the workspace for a creator-briefs licence with the channel “api”.',
		);
	}
	const { name, channels, renews_or_ends_at } = licence;
	const end = instantOf(renews_or_ends_at);
	const until = end === null ? '' : `, renews or ends on ${dayInWords(end)}`;
	return ok('licence', `“${name}” for ${channels.join(', ')}${until}`);
}

function checkAllowance(
	licences: Outcome<Licence[]>,
	briefs: readonly BriefSummary[] | null,
	now: number,
): Check {
	if ('error' in licences || briefs === null) return notTried('allowance');
	const { licence } = briefLicence(licences.value);
	const { allowance, used, remaining, running, resets_at, notices } = allowanceOf(
		licence,
		briefs,
		now,
	);
	const more = notices.map((text) => `. ${text}`).join('');
	if (allowance === null || remaining === null)
		return notKnown('allowance', `${used} used, ${running} running now${more}`);
	const what = `${count(allowance, 'brief')} a month, ${used} used, ${remaining} left, ${running} running now`;
	const day = dayInWords(Date.parse(resets_at));
	if (remaining > 0) return ok('allowance', `${what}; it resets on ${day} (UTC)${more}`);
	return warning(
		'allowance',
		`The month’s allowance is used up: ${what}.`,
		`It resets on ${day} (UTC). A larger licence raises it at once.`,
	);
}

/** @param offset the milliseconds that the service's clock is ahead */
function checkClocks(exchange: Exchange, offset: number, now: number): Check {
	if (!('response' in exchange) || instantOf(exchange.response.headers.date) === null)
		return notKnown('clocks', 'the service does not show its time, so this machine’s counts');
	const distance = duration(Math.abs(offset));
	if (Math.abs(offset) <= CLOCK_DIFFERENCE_MS)
		return ok('clocks', `this machine’s and the service’s agree to ${distance}`);
	return warning(
		'clocks',
		`This machine’s clock is ${distance} ${offset > 0 ? 'behind' : 'ahead of'} the service’s (${dayInWords(now)} here).`,
		'Let a time server set this machine’s clock. Until then brief-batch goes by the service’s clock, so no brief counts in a wrong month.',
	);
}
