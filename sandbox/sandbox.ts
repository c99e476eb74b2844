import { loadContract } from './contract';
import { Faults, parseFaults } from './faults';
import { TOOLS_PATH } from './http/assistant-tools';
import type { LoggedRequest } from './http/messages';
import { startServer } from './http/server';
import { keys, type KeyName } from './keys';
import {
	addBrief,
	finishBrief,
	viewBrief,
	type AddedBrief,
	type BriefView,
} from './operations/added-briefs';
import type { SandboxOptions, ServiceOptions } from './options';
import { createService } from './state';

export type { BriefView } from './operations/added-briefs';
export type { SandboxOptions } from './options';

/*
 * A stand-in for the service of docs/api.md, on 127.0.0.1. `http/server.ts` reads a request and lets a fault strike
 * it. `service.ts` checks key, rate, scope and, against openapi.yaml, the request; then a function of `operations/`
 * answers it from `state.ts`, which has the briefs and the hooks. `writing/` writes the briefs. The seed decides
 * everything random.
 *
 *     const sandbox = await startSandbox({ clock: { now: () => time }, failureShare: 0 });
 *     sandbox.faults.add({ kind: 'reset', at: 'after-work', operation: 'create_brief', times: 2 });
 *     sandbox.options.thirdBrief = 'queue';
 *     sandbox.addBrief({ status: 'running' }); // ordered by a colleague
 *     // The client under test uses sandbox.url with sandbox.keys.allScopes.
 *     sandbox.requests; // every request
 *     sandbox.briefs(); // every brief
 */
export interface Sandbox {
	/** The base URL, including /v1. */
	readonly url: string;
	/** The address for AI assistants. */
	readonly mcpUrl: string;
	readonly port: number;
	readonly keys: Readonly<Record<KeyName, string>>;
	/** A change takes effect with the next request. */
	readonly options: ServiceOptions;
	readonly faults: Faults;
	/** Every request, in the sequence of arrival. */
	readonly requests: readonly LoggedRequest[];
	/** The sandbox's time, in milliseconds since 1970. */
	now(): number;
	advance(ms: number): void;
	/** Returns all briefs of all workspaces, oldest first. */
	briefs(): BriefView[];
	/** Returns how many briefs were created through the API. */
	createdCount(): number;
	/** Returns the most briefs that ever had a slot at once in a workspace. */
	maxRunning(): number;
	/** Adds a brief of another user of the workspace. */
	addBrief(brief?: AddedBrief): BriefView;
	/** Ends a running brief now. */
	finish(id: string, status?: 'ready' | 'failed'): BriefView;
	/** Refreshes the hooks now. */
	refreshHooks(): void;
	revoke(key: KeyName): void;
	close(): Promise<void>;
}

export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
	const service = createService(options, await loadContract());
	const { briefs, clock, counters } = service;
	const faults = new Faults(service.seed);
	if (options.faults !== undefined)
		parseFaults(options.faults).forEach((fault) => faults.add(fault));
	const log: LoggedRequest[] = [];
	const server = await startServer({ service, faults, log }, options.port ?? 0);
	const origin = `http://127.0.0.1:${server.port}`;
	const assignSlots = () => briefs.assignSlots(clock.now(), service.options.slots);
	return {
		url: `${origin}/v1`,
		mcpUrl: `${origin}${TOOLS_PATH}`,
		port: server.port,
		keys: Object.fromEntries(
			Object.entries(keys).map(([name, { secret }]) => [name, secret]),
		) as Record<KeyName, string>,
		options: service.options,
		faults,
		requests: log,
		now: () => clock.now(),
		advance: (ms) => clock.advance(ms),
		briefs: () => {
			assignSlots();
			return briefs.list().map((brief) => viewBrief(service, brief));
		},
		createdCount: () => counters.creates,
		maxRunning: () => {
			assignSlots();
			return briefs.mostRunning;
		},
		addBrief: (brief = {}) => addBrief(service, brief),
		finish: (id, status = 'ready') => finishBrief(service, id, status),
		refreshHooks: () => service.hooks.refresh(clock.now()),
		revoke: (key) => service.revoked.add(key),
		close: () => server.close(),
	};
}
