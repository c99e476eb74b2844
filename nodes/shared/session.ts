import type { IExecuteFunctions, ILoadOptionsFunctions } from 'n8n-workflow';
import type { Clock } from '../../service/ports';
import { DEFAULT_POLL_INTERVAL, type PollInterval } from '../../service/poll-interval';
import { BriefingService } from '../../service/service';
import type { BriefPoller } from '../../service/watch/poller';
import type { Workspace } from '../../service/watch/workspace';
import { clock } from './clock';
import { connectionOf } from './credential';
import { retryingReader, type Reader } from './reader';
import { pollInterval } from './poll-interval';
import { withSharedWatch } from './shared-watch';
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

/** What it works with to order briefs or wait for them. The watch is shared with other executions. */
export interface WatchSession extends Session {
	poller: BriefPoller;
	workspace: Workspace;
}

export async function openSession(
	context: IExecuteFunctions | ILoadOptionsFunctions,
): Promise<Session> {
	const connection = await connectionOf(context);
	const service = new BriefingService(sendWith(context, connection), clock);
	const interval = pollInterval(DEFAULT_POLL_INTERVAL.shortest / 1000, connection.baseUrl);
	const signal =
		'getExecutionCancelSignal' in context ? context.getExecutionCancelSignal() : undefined;
	return sessionWith(service, interval, signal);
}

/** An execution's own requests, such as creates, go its own way; looks go the way of any execution that is there. */
export async function withWatchSession<T>(
	context: IExecuteFunctions,
	pollSeconds: number,
	work: (session: WatchSession) => Promise<T>,
): Promise<T> {
	const connection = await connectionOf(context);
	const send = sendWith(context, connection);
	const interval = pollInterval(pollSeconds, connection.baseUrl);
	const signal = context.getExecutionCancelSignal();
	return await withSharedWatch(connection, { send, interval, signal }, (watch) => {
		const { poller, workspace } = watch;
		return work({ ...sessionWith(watch.service.over(send), interval, signal), poller, workspace });
	});
}

function sessionWith(
	service: BriefingService,
	interval: PollInterval,
	signal: AbortSignal | undefined,
): Session {
	return { service, reader: retryingReader(service, { clock, interval }), clock, interval, signal };
}
