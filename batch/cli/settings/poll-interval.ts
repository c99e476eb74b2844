import {
	DEFAULT_POLL_INTERVAL,
	shortestAllowed,
	type PollInterval,
} from '../../../service/poll-interval';
import { Failure } from '../../failure';
import type { RawOptions } from '../options';
import { positiveNumber } from './numbers';

/** The times of --poll-interval and --poll-interval-max, in milliseconds. */
export function readPollInterval(
	raw: Pick<RawOptions, 'pollInterval' | 'pollIntervalMax'>,
	baseUrl: string,
): PollInterval {
	const { shortest, longest } = DEFAULT_POLL_INTERVAL;
	const least =
		raw.pollInterval === undefined ? shortest : milliseconds('--poll-interval', raw.pollInterval);
	const most =
		raw.pollIntervalMax === undefined
			? Math.max(longest, least)
			: milliseconds('--poll-interval-max', raw.pollIntervalMax);
	if (least < shortestAllowed(baseUrl)) {
		throw new Failure(
			`--poll-interval ${raw.pollInterval ?? ''} is too short.`,
			'The service asks for 15 seconds or more; less is for addresses on this machine only.',
		);
	}
	if (most < least) {
		throw new Failure(
			'--poll-interval-max is shorter than --poll-interval.',
			'Swap them, or leave one out.',
		);
	}
	return { shortest: least, longest: most };
}

function milliseconds(option: string, text: string): number {
	return positiveNumber(option, text, 'seconds') * 1000;
}
