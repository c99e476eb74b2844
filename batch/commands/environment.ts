import type { ServiceError } from '../../service/api/errors';
import { BriefingService } from '../../service/api/service';
import { steadyClock } from '../clock';
import { axiosSend } from '../http';
import { Delays } from '../screen/delays';

/** The time that a create under way may still take after the run was interrupted. */
const GRACE_MS = 5_000;

/**
 * Opens the way to the service, and the clock of a command.
 * @param say shows a notice about a long delay of the service
 * @param isSaidAtOnce true if one before the first answer is shown at once
 */
export function openEnvironment(
	baseUrl: string,
	apiKey: string,
	say: (text: string) => void,
	isSaidAtOnce = false,
) {
	const clock = steadyClock();
	const send = axiosSend(baseUrl, apiKey, GRACE_MS);
	const delays = new Delays(isSaidAtOnce);
	const onAnswer = (error: ServiceError | null) => {
		const text = delays.observe(error, clock.now());
		if (text !== null) say(text);
	};
	const service = new BriefingService(send, clock, { onAnswer });
	return { service, send, clock };
}
