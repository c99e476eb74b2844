import type { ServiceError } from '../../service/api/errors';
import type { Clock, Send } from '../../service/api/ports';
import { BriefingService } from '../../service/api/service';
import { steadyClock } from '../clock';
import { axiosSend } from '../http';
import { fencedSend, type Fence } from '../folder/lock/fence';
import { Delays } from '../screen/delays';

/** The time that a create under way may still take after the run was interrupted. */
const GRACE_MS = 5_000;

/** The service and the clock of a command. */
interface Environment {
	service: BriefingService;
	send: Send;
	clock: Clock;
}

/**
 * @param say shows a notice about a long delay of the service
 * @param isSaidAtOnce true if one before the first answer is shown at once
 */
export function openEnvironment(
	baseUrl: string,
	apiKey: string,
	say: (text: string) => void,
	isSaidAtOnce = false,
): Environment {
	const clock = steadyClock();
	const send = axiosSend({ baseUrl, apiKey, graceMs: GRACE_MS });
	const delays = new Delays(isSaidAtOnce);
	const onAnswer = (error: ServiceError | null) => {
		const text = delays.observe(error, clock.now());
		if (text !== null) say(text);
	};
	const service = new BriefingService(send, clock, { onAnswer });
	return { service, send, clock };
}

/** Gives the service to which no order is sent unless the fence lets it. */
export function serviceBehind(
	fence: Fence,
	{ service, send, clock }: Environment,
): BriefingService {
	return service.over(fencedSend(send, fence, clock));
}
