import { hash } from 'node:crypto';
import type { IExecuteFunctions, ILoadOptionsFunctions } from 'n8n-workflow';
import { ApiClient } from '../../core/api/client';
import { isLoopback } from '../../core/api/connection';
import { DEFAULT_POLL_INTERVAL, type PollInterval } from '../../core/api/limits';
import { FIRST_READ_LIMITS, READ_LIMITS } from '../../core/api/retry';
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
	/** Identifies the Base URL and the API key, without revealing the key. */
	readonly connectionId: string;
	/** When to stop waiting, by this machine's clock. */
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
	const connectionId = identifyConnection(connection);
	let hasAnswered = false;
	const client = new ApiClient(makeSend(node, connection), clock, {
		deadline,
		clockOffsetMs: clockOffsets.get(connectionId),
		onAnswer: (error) => {
			hasAnswered ||= error === null;
			clockOffsets.set(connectionId, client.clockOffsetMs);
		},
	});
	const context: RequestContext = {
		client,
		clock,
		signal: getEndSignal(node),
		pollInterval: choosePollInterval(pollSeconds, connection.baseUrl),
		get readLimits() {
			return { ...(hasAnswered ? READ_LIMITS : FIRST_READ_LIMITS), deadline };
		},
		createLimits: CREATE_LIMITS,
	};
	return { context, workspace: getWorkspace(connectionId), connectionId, deadline };
}

/** The timeout of the node limits how long an outage is waited out. */
const CREATE_LIMITS = { failures: Infinity, rateLimits: Infinity };

/**
 * How far the service's clock is ahead, by connection. A create request can be the first request of its execution, and by
 * its time the brief that comes back is new or existed before.
 */
const clockOffsets = new Map<string, number>();

const workspaces = new Map<string, Workspace>();

function getWorkspace(connectionId: string): Workspace {
	const workspace = workspaces.get(connectionId) ?? new Workspace();
	workspaces.set(connectionId, workspace);
	return workspace;
}

/** The same address and API key are the same workspace, whatever the credential is called. */
function identifyConnection({ baseUrl, apiKey }: Connection): string {
	return hash('sha256', JSON.stringify([new URL(baseUrl).href, apiKey]), 'hex');
}

/** A service on this machine, such as a sandbox, can be polled more often than docs/api.md 3 allows. */
function choosePollInterval(seconds: number, baseUrl: string): PollInterval {
	const minimum = isLoopback(baseUrl) ? 0 : DEFAULT_POLL_INTERVAL.shortest;
	const shortest = Math.max(seconds * 1000, minimum);
	const longest = Math.min(2 * shortest, DEFAULT_POLL_INTERVAL.longest);
	return { shortest, longest: Math.max(shortest, longest) };
}
