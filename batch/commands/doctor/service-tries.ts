import { CLOCK_DIFFERENCE_MS } from '../../../service/assumptions';
import { addressToTry } from '../../../service/api/connection';
import type { ServiceError } from '../../../service/api/errors';
import { outcomeOf, type Outcome } from '../../../service/api/outcome';
import type { Send } from '../../../service/api/ports';
import type { BriefSummary, Licence } from '../../../service/api/resources';
import { BriefingService } from '../../../service/api/service';
import { instantOf } from '../../../service/api/timestamps';
import { allowanceOf, briefsOfThisMonth } from '../../../service/list/allowance';
import { briefLicence } from '../../../service/list/licence';
import { dayInWords } from '../../../service/list/month';
import { steadyClock } from '../../clock';
import type { Records } from '../../folder/records';
import { axiosSend } from '../../http';
import { firstError, knowsOrdersAt } from '../../run/preflight';
import type { Asking } from '../../run/request';
import type { TryResult } from '../../screen/doctor-text';
import { duration } from '../../screen/format';
import { Stop } from '../../stop';
import { count } from '../../text';

/** Something to try: says what it found, or throws why it does not work. Null: nothing to say. */
export type Try = readonly [name: string, work: () => TryResult | null | Promise<TryResult | null>];

export const notTried = (): TryResult => ({
	state: 'unknown',
	what: 'not tried, because something else does not work',
});

/** A run waits longer for an answer; here somebody waits for the first word. */
const TIMEOUT_MS = 20_000;

/**
 * Asks with two GETs what shows address, key, scopes, licence, allowance and clocks.
 * @param records null if there is no journal that can be read
 */
export async function tryService(
	baseUrl: string,
	apiKey: string,
	records: Records | null,
	signal: AbortSignal,
) {
	const clock = steadyClock();
	const send = axiosSend(baseUrl, apiKey, 0, TIMEOUT_MS);
	let date: string | undefined;
	const sendAndNote: Send = async (request, signal) => {
		const response = await send(request, signal);
		date ??= response.headers.date;
		return response;
	};
	const service = new BriefingService(sendAndNote, clock);
	if (records !== null && knowsOrdersAt(baseUrl, records)) service.trustAddress();
	const began = clock.now();
	const licences = await outcomeOf(service.licences(signal));
	const tookMs = clock.now() - began;
	const error = errorIn(licences);
	// A refusal for want of a scope or a licence says nothing about the list.
	const isListAsked = error === null || (isOfTheKey(error) && error.kind !== 'key_refused');
	const briefs = isListAsked ? await outcomeOf(briefsOfThisMonth(service, signal)) : { error };
	const errors = [error, errorIn(briefs)].filter((each) => each !== null);
	const isThere = error === null || isOfTheKey(error);
	const tries: Try[] = isThere
		? [
				['address', () => `${baseUrl} answers, after ${tookMs} ms`],
				['key', () => unless(error?.kind === 'key_refused' ? error : undefined, 'accepted')],
				['scopes', () => scopesOf(errors)],
				['licence', () => licenceOf(licences, errors)],
				['allowance', () => allowanceIn(licences, briefs, service.now())],
				['clocks', () => clocksOf(date, service.now() - clock.now(), clock.now())],
			]
		: [
				['address', () => unless(addressError(error, baseUrl), '')],
				['key, scopes, licence', notTried],
			];
	const asking: Asking = { service, clock, interruption: signal };
	return { asking, briefs, tries };
}

function errorIn(outcome: Outcome<unknown>): ServiceError | null {
	return 'error' in outcome ? outcome.error : null;
}

/** Says whether a refusal is about the key: it shows that it is the service that answers. */
function isOfTheKey({ kind }: ServiceError): boolean {
	return ['key_refused', 'scope_missing', 'licence_missing'].includes(kind);
}

function unless(error: Error | undefined, finding: TryResult): TryResult {
	if (error !== undefined) throw error;
	return finding;
}

function addressError(error: ServiceError, baseUrl: string): Error {
	if (error.status === null || /\/v\d+$/.test(baseUrl)) return firstError(error, baseUrl);
	const what = `${baseUrl} does not end in a version, and the service does not answer there.`;
	return new Stop(what, addressToTry(baseUrl));
}

/** Reads the scopes from the requests that need them. */
function scopesOf(errors: readonly ServiceError[]): TryResult {
	const refusal = errors.find(({ kind }) => kind !== 'licence_missing');
	if (errors.length > 0)
		return unless(refusal?.kind === 'key_refused' ? undefined : refusal, notTried());
	return 'products:read and creator-briefs:read granted; only an order shows creator-briefs:execute';
}

/** Makes a warning of what the licences show, and a problem of what the service refuses for want of one. */
function licenceOf(licences: Outcome<Licence[]>, errors: readonly ServiceError[]): TryResult {
	const refusal = errors.find(({ kind }) => kind === 'licence_missing');
	if (refusal !== undefined) throw refusal;
	if ('error' in licences) return notTried();
	const { licence, doubt } = briefLicence(licences.value);
	if (licence === null || doubt !== null)
		return {
			state: 'warning',
			what: doubt ?? '',
			cure: 'If the service refuses orders (403), ask the owner of the workspace for a creator-briefs licence with the channel “api”.',
		};
	const { name, channels, renews_or_ends_at } = licence;
	const end = instantOf(renews_or_ends_at);
	const until = end === null ? '' : `, renews or ends on ${dayInWords(end)}`;
	return `“${name}” for ${channels.join(', ')}${until}`;
}

function allowanceIn(
	licences: Outcome<Licence[]>,
	briefs: Outcome<readonly BriefSummary[]>,
	now: number,
): TryResult {
	if ('error' in licences || 'error' in briefs) return notTried();
	const { licence } = briefLicence(licences.value);
	const month = allowanceOf(licence, briefs.value, now);
	const { allowance, used, remaining, running, resets_at, notices } = month;
	const more = notices.map((text) => `. ${text}`).join('');
	if (allowance === null || remaining === null)
		return { state: 'unknown', what: `${used} used, ${running} running now${more}` };
	const what = `${count(allowance, 'brief')} a month, ${used} used, ${remaining} left, ${running} running now`;
	const day = dayInWords(Date.parse(resets_at));
	if (remaining > 0) return `${what}; it resets on ${day} (UTC)${more}`;
	return {
		state: 'warning',
		what: `The month’s allowance is used up: ${what}.`,
		cure: `It resets on ${day} (UTC). A larger licence raises it at once.`,
	};
}

/** @param offset the milliseconds that the service's clock is ahead */
function clocksOf(date: string | undefined, offset: number, now: number): TryResult {
	if (instantOf(date) === null)
		return {
			state: 'unknown',
			what: 'the service does not show its time, so this machine’s counts',
		};
	const distance = duration(Math.abs(offset));
	if (Math.abs(offset) <= CLOCK_DIFFERENCE_MS)
		return `this machine’s and the service’s agree to ${distance}`;
	return {
		state: 'warning',
		what: `This machine’s clock is ${distance} ${offset > 0 ? 'behind' : 'ahead of'} the service’s (${dayInWords(now)} here).`,
		cure: 'Let a time server set this machine’s clock. Until then brief-batch goes by the service’s clock, so no brief counts in a wrong month.',
	};
}
