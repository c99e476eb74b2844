import { hash } from 'node:crypto';
import type { IExecuteFunctions, ILoadOptionsFunctions } from 'n8n-workflow';
import { ApiClient } from '../../core/api/client';
import { isLoopback } from '../../core/api/connection';
import { DEFAULT_POLL_INTERVAL, type PollInterval } from '../../core/api/limits';
import { READ_LIMITS } from '../../core/api/retry';
import type { RequestContext } from '../../core/workspace/request-context';
import { Workspace } from '../../core/workspace/workspace';
import type { Connection } from './connection';
import { getConnection } from './credential';
import { clock } from './node-clock';
import { getEndSignal, isOutsideCall, OUTSIDE_CALL_MS } from './outside-call';
import { makeSend } from './transport';

/** The connection of one execution to the service. */
export interface Session {
	readonly context: RequestContext;
	/** Shared by all executions of this process with the same Base URL and API key. */
	readonly workspace: Workspace;
	/** When to stop waiting and ordering, by this machine's clock. */
	readonly deadline: number;
}

interface SessionOptions {
	/** How long the node waits at most. */
	readonly timeoutMs?: number;
	readonly pollSeconds?: number;
}

/** @throws {NodeOperationError} if the credential cannot be read or used */
export async function openSession(
	node: IExecuteFunctions | ILoadOptionsFunctions,
	{ timeoutMs = Infinity, pollSeconds = 0 }: SessionOptions = {},
): Promise<Session> {
	const connection = await getConnection(node);
	const callMs = isOutsideCall(node) ? OUTSIDE_CALL_MS : Infinity;
	const deadline = clock.now() + Math.min(timeoutMs, callMs);
	const shared = getSharedConnection(connection);
	const client = new ApiClient(makeSend(node, connection), clock, {
		deadline,
		clockOffsetMs: shared.clockOffsetMs,
		onAnswer: () => {
			shared.clockOffsetMs = client.clockOffsetMs;
		},
	});
	const context: RequestContext = {
		client,
		clock,
		signal: getEndSignal(node),
		pollInterval: choosePollInterval(pollSeconds, connection.baseUrl),
		readLimits: { ...READ_LIMITS, deadline },
		createLimits: CREATE_LIMITS,
	};
	return { context, workspace: shared.workspace, deadline };
}

/** The timeout of the node limits how long an outage is waited out. */
const CREATE_LIMITS = { failures: Infinity, rateLimits: Infinity };

/** What the executions of this process share, for one Base URL and API key. */
interface SharedConnection {
	readonly workspace: Workspace;
	/**
	 * How far the service's clock is ahead. Executions compare the times of each other's requests, and the first answer of
	 * an execution can come late.
	 */
	clockOffsetMs: number | undefined;
}

const sharedConnections = new Map<string, SharedConnection>();

/** The same address and API key are the same workspace, whatever the credential is called. */
function getSharedConnection({ baseUrl, apiKey }: Connection): SharedConnection {
	// A hash, so that no key is kept.
	const id = hash('sha256', JSON.stringify([new URL(baseUrl).href, apiKey]), 'hex');
	const shared = sharedConnections.get(id) ?? {
		workspace: new Workspace(),
		clockOffsetMs: undefined,
	};
	sharedConnections.set(id, shared);
	return shared;
}

/** A service on this machine, such as a sandbox, can be polled more often than docs/api.md 3 allows. */
function choosePollInterval(seconds: number, baseUrl: string): PollInterval {
	const minimum = isLoopback(baseUrl) ? 0 : DEFAULT_POLL_INTERVAL.shortest;
	const shortest = Math.max(seconds * 1000, minimum);
	const usual = Math.min(2 * shortest, DEFAULT_POLL_INTERVAL.usual);
	return { shortest, usual: Math.max(shortest, usual) };
}
