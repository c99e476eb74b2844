import { loadContract } from './contract';
import { addFaults, Faults } from './faults';
import { keys, type KeyName } from './keys';
import type { SandboxOptions, Switches } from './switches';
import { addBrief, briefView, finish, type BriefView, type OthersBrief } from './outside';
import { PROTOCOL_PATH } from './protocol/tool-call';
import { RequestLog, type LoggedRequest } from './request-log';
import { listen } from './http-server';
import { newService } from './service-state';

export type { Clock } from './sandbox-clock';
export type { OperationId } from './contract';
export type { Fault, FaultKind, LikelyFault, PlannedFault } from './faults';
export type { KeyName } from './keys';
export type { SandboxOptions, Switches } from './switches';
export type { BriefView, OthersBrief } from './outside';
export type { LoggedRequest } from './request-log';

/** A running sandbox, seen from outside. */
export interface Sandbox {
	/** {base_url}: with the /v1. */
	readonly url: string;
	/** {mcp_url}: its address for AI assistants. */
	readonly mcpUrl: string;
	readonly port: number;
	/** The secrets, by what they are for. */
	readonly keys: Readonly<Record<KeyName, string>>;
	/** Switches; a change counts from the next request. */
	readonly options: Switches;
	readonly faults: Faults;
	/** Every request, in the order of arrival. */
	readonly requests: readonly LoggedRequest[];
	/** The sandbox's time, in ms. */
	now(): number;
	setTime(ms: number): void;
	advance(ms: number): void;
	/** All briefs of all workspaces, oldest first. */
	briefs(): BriefView[];
	/** How many briefs were created through the API. */
	createdCount(): number;
	/** The most briefs that ever ran at once in a workspace (in any, if none is given). */
	maxRunning(workspace?: string): number;
	/** Adds a brief that somebody else ordered in the workspace, running or finished. */
	addBrief(brief?: OthersBrief): BriefView;
	/** Ends a running brief now. */
	finish(id: string, outcome?: 'ready' | 'failed'): BriefView;
	/** The daily refresh of the hooks, now. */
	refreshHooks(): void;
	revoke(key: KeyName): void;
	restore(key: KeyName): void;
	close(): Promise<void>;
}

export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
	const service = newService(options, await loadContract());
	const { clock, switches } = service;
	const faults = new Faults(service.seed);
	if (options.faults) addFaults(faults, options.faults);
	const log = new RequestLog();
	const server = await listen(service, faults, log, options.port ?? 0);
	const secrets = Object.values(keys).map(({ name, secret }) => [name, secret]);

	return {
		url: `http://127.0.0.1:${server.port}/v1`,
		mcpUrl: `http://127.0.0.1:${server.port}${PROTOCOL_PATH}`,
		port: server.port,
		keys: Object.fromEntries(secrets) as Record<KeyName, string>,
		options: switches,
		faults,
		requests: log.entries,
		now: () => clock.now(),
		setTime: (ms) => clock.setTime(ms),
		advance: (ms) => clock.advance(ms),
		briefs: () => {
			service.briefs.advance(clock.now(), switches.slots);
			return service.briefs.list().map((brief) => briefView(service, brief));
		},
		createdCount: () => service.counters.creates,
		maxRunning: (workspace) => {
			service.briefs.advance(clock.now(), switches.slots);
			return service.briefs.maxRunning(workspace);
		},
		addBrief: (brief = {}) => addBrief(service, brief),
		finish: (id, outcome = 'ready') => finish(service, id, outcome),
		refreshHooks: () => service.hooks.refresh(clock.now()),
		revoke: (key) => service.revoked.add(key),
		restore: (key) => service.revoked.delete(key),
		close: () => server.close(),
	};
}
