import type { IExecuteFunctions, ILoadOptionsFunctions } from 'n8n-workflow';
import { NODE_OUTAGE_MS } from '../../service/assumptions';
import { BriefPoller } from '../../service/watch/brief-poller';
import type { Clock } from '../../service/ports';
import { DEFAULT_POLL_INTERVAL, type PollInterval } from '../../service/poll-interval';
import { BriefingService } from '../../service/service';
import { Workspace } from '../../service/watch/workspace';
import { clock } from './clock';
import { connectionOf } from './credential';
import { retryingReader, type Reader } from './reader';
import { pollInterval } from './poll-interval';
import { sendWith } from './transport';

/** What a node works with while it runs. */
export interface Session {
	service: BriefingService;
	/** The same service, for reading, with retries. */
	reader: Reader;
	clock: Clock;
	interval: PollInterval;
	/** Aborted by Stop and by the workflow's timeout. */
	signal?: AbortSignal;
}

export async function openSession(
	context: IExecuteFunctions | ILoadOptionsFunctions,
	pollSeconds = DEFAULT_POLL_INTERVAL.shortest / 1000,
): Promise<Session> {
	const connection = await connectionOf(context);
	const service = new BriefingService(sendWith(context, connection), clock);
	const interval = pollInterval(pollSeconds, connection.baseUrl);
	const signal =
		'getExecutionCancelSignal' in context ? context.getExecutionCancelSignal() : undefined;
	return { service, reader: retryingReader(service, { clock, interval }), clock, interval, signal };
}

export function pollerFor(
	{ service, interval }: Session,
	workspace = new Workspace(),
): BriefPoller {
	return new BriefPoller(service, clock, workspace, { interval, patience: NODE_OUTAGE_MS });
}
