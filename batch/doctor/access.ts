import type { Allowance } from '../../service/allowance';
import type { ServiceError } from '../../service/errors';
import { briefLicence } from '../../service/licence';
import { dayInWords } from '../../service/month';
import { SCOPE_OF, type OperationId } from '../../service/operations';
import type { Outcome } from '../../service/outcome';
import type { Licence } from '../../service/resources';
import { instantOf } from '../../service/timestamps';
import { EXIT } from '../failure';
import { serviceFailure } from '../run/service-failure';
import { count } from '../text';
import { ok, problem, unknown, warning, type Check } from './check';

export const NOT_TRIED = 'not tried, because of what stands above';

/**
 * Whether the service takes the key; what it may do is asked for scope by scope.
 * @param source which option or variable it is from
 */
export function checkKey(error: ServiceError | null, source: string, now: number): Check {
	if (error?.kind === 'key_refused') {
		const { what, cure, exitCode } = serviceFailure(error, now);
		return problem('key', { what: `${what} It is that of ${source}.`, cure, exitCode });
	}
	const isAccepted = error === null || error.status === 403;
	return isAccepted ? ok('key', `accepted (${source})`) : unknown('key', NOT_TRIED);
}

/**
 * One scope, by the request that needs it.
 * @param outcome null where that was not sent, or where nobody answered
 */
export function checkScope(
	operation: OperationId,
	outcome: Outcome<unknown> | null,
	now: number,
): Check {
	const name = `scope ${SCOPE_OF[operation]}`;
	if (outcome === null) return unknown(name, NOT_TRIED);
	if (!('error' in outcome)) return ok(name, 'granted');
	const { error } = outcome;
	if (error.kind === 'licence_missing' || error.kind === 'key_refused')
		return unknown(name, 'not shown, because of the licence or the key');
	if (operation === 'list_hooks') {
		const { what } = serviceFailure(error, now);
		return warning(name, what, 'brief-batch does not need it: only the hooks in n8n do.');
	}
	return problem(name, serviceFailure(error, now));
}

/** Only an order shows it, and an order costs a brief. */
export const EXECUTE_SCOPE: Check = unknown(
	`scope ${SCOPE_OF.create_brief}`,
	'only an order shows it, and that costs a brief: look in the Developers area that the key may execute Creator Briefs',
);

export function checkLicence(outcome: Outcome<Licence[]>, now: number): Check {
	if ('error' in outcome) {
		return outcome.error.kind === 'licence_missing'
			? problem('licence', serviceFailure(outcome.error, now))
			: unknown('licence', NOT_TRIED);
	}
	const found = briefLicence(outcome.value, now);
	if ('refusal' in found) {
		return problem('licence', {
			what: found.refusal,
			cure: 'Ask the owner of the workspace for a creator-briefs licence with the channel “api”.',
			exitCode: EXIT.refused,
		});
	}
	const { name, channels, renews_or_ends_at } = found.licence;
	const end = instantOf(renews_or_ends_at);
	const until = end === null ? '' : `, renews or ends on ${dayInWords(end)}`;
	return ok('licence', `“${name}” for ${channels.join(', ')}${until}`);
}

/** @param allowance null where licence or list are not known */
export function checkAllowance(licence: Licence | null, allowance: Allowance | null): Check {
	if (licence === null || allowance === null) return unknown('allowance', NOT_TRIED);
	const { used, remaining, running, resets_at } = allowance;
	const said =
		licence.used_this_month === used
			? ''
			: ` (counted from the list: used_this_month says ${licence.used_this_month})`;
	const what = `${count(allowance.allowance, 'brief')} a month, ${used} used${said}, ${remaining} left, ${running} running now`;
	const day = dayInWords(Date.parse(resets_at));
	if (remaining > 0) return ok('allowance', `${what}; it resets on ${day} (UTC)`);
	return warning(
		'allowance',
		`The month’s allowance is used up: ${what}.`,
		`It resets on ${day} (UTC). A larger licence raises it at once.`,
	);
}
