import type { Clock } from './sandbox-clock';
import { addFaults, FAULT_SYNTAX, Faults } from './faults';
import {
	choice,
	timeLength,
	flag,
	moment,
	number,
	text,
	type Option,
	type ValueOf,
} from './option';
import type { Seed } from './random';

/**
 * Every option of the sandbox, once: types, defaults, command line and help come from these two tables. A switch is
 * something that the specification leaves open, or a size. Switches may change while the sandbox runs.
 */
export const switchOptions = {
	allowance: number('briefs per calendar month', { from: 0, whole: true }, 100),
	/** What uses ContentIQ's allowance is not shown. */
	contentIqAllowance: number(
		'hooks requests per calendar month, 0 if they use no allowance',
		{ from: 0, whole: true },
		0,
	),
	slots: number('briefs that run at a time', { from: 1, whole: true }, 2),
	/** The last four say nothing about slots. */
	thirdBrief: choice('a brief beyond the slots: 429, left queued, 409 or, without a reason, 4xx', [
		'refuse',
		'queue',
		'conflict',
		'bare-400',
		'bare-403',
		'bare-409',
		'bare-422',
	]),
	replayStatus: choice('status of a replayed create', [200, 202]),
	/** The brief as it is now, or as it was when it was created. */
	replayState: choice('what a replay shows of the brief', ['present', 'original']),
	replayOtherBody: choice('a key with another body: the brief, 409 or 422', [
		'original',
		'conflict',
		'unprocessable',
	]),
	keyMemoryMs: timeLength('how long an idempotency key is remembered', 24 * 3_600_000),
	shownAllowance: choice('monthly_allowance of creator-briefs', ['true-allowance', 'minus-one']),
	usedThisMonth: choice('used_this_month of creator-briefs', ['true-count', 'zero']),
	/** As bought, for the web alone, without the channel `mcp`, or not there. */
	licence: choice('the licence for creator-briefs', [
		'full',
		'no-api-channel',
		'no-mcp-channel',
		'missing',
	]),
	errorCodes: choice('codes of a 429: by reason, or always rate_limited', ['specific', 'generic']),
	rateLimitHeaders: choice('the RateLimit headers', ['shown', 'none']),
	retryAfter: choice('form of Retry-After', ['seconds', 'date', 'none']),
	requestsPerMinute: number(
		'requests per key and sandbox minute, 0 for no limit',
		{ from: 0, whole: true },
		600,
	),
	/** `epoch-seconds` is a JSON number, although the specification says string. */
	timestamps: choice('form of timestamps', [
		'iso',
		'iso-offset',
		'epoch-seconds',
		'epoch-ms-string',
		'rfc1123',
	]),
	/** '' for none. */
	unknownStatus: text('a status of this name in the life of every brief', { standard: '' }),
	unknownFields: flag('unknown fields in every answer'),
	/** From `facts-as-list` on they differ from what was sent. */
	inputShape: choice('structure of a brief’s input', [
		'as-submitted',
		'wrapped',
		'camel-case',
		'empty',
		'facts-as-list',
		'defaults-first',
		'resolved-name',
		'lower-case',
		'cut-short',
		'filled-in',
		'rewritten',
		'translated',
		'numbers',
	]),
	/** Tidied: without emoji, in small letters, with &amp; for &, and cut. */
	productNames: choice('form of product_name', ['as-submitted', 'tidied', 'others']),
	/** In capitals they are compared as texts. */
	briefIds: choice('form of a brief’s ID', ['small-letters', 'capitals']),
	staleCursor: choice('what an invalid or stale cursor gives', [400, 'first-page']),
	cursorMemoryMs: timeLength('how long a cursor is good', 24 * 3_600_000),
	listLagMs: timeLength('how much later a new brief is in the list', 0),
	failureShare: number('share of briefs that fail', { from: 0, to: 1 }, 0.02),
	refreshedAt: choice('refreshed_at of the hooks', ['shown', 'null']),
};

const seed: Option<Seed> = text(
	'everything random follows from it (default: another at every start)',
);

/** Fixed when the sandbox starts. */
export const startOptions = {
	/** The default is that of the command; `startSandbox` takes any free port. */
	port: number('0 takes any', { from: 0, to: 65535, whole: true }, 8787),
	speed: number('sandbox seconds per second', { from: 0.001, to: 1e6 }, 1),
	startAt: moment('sandbox time at the start (default now)'),
	seed,
	faults: text(`"default", or a list of ${FAULT_SYNTAX}`, {
		check: (list) => addFaults(new Faults(''), list),
	}),
};

type Values<Table> = { -readonly [Name in keyof Table]: ValueOf<Table[Name]> };

export type Switches = Values<typeof switchOptions>;

export interface SandboxOptions extends Partial<Switches & Values<typeof startOptions>> {
	/** Instead of speed. */
	clock?: Clock;
}

/** The switches as given, and the defaults for the others. */
export function switchesOf(options: SandboxOptions): Switches {
	const names = Object.keys(switchOptions) as (keyof Switches)[];
	const values = names.map((name) => [name, options[name] ?? switchOptions[name].default]);
	// Every value is either an option's default or given for that option, so it has the option's type.
	return Object.fromEntries(values) as Switches;
}
