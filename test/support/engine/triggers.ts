import type { INodeParameters } from 'n8n-workflow';
import type { SandboxOptions } from '../../../sandbox/sandbox';
import { MINUTE } from '../time';
import { openService, type Service } from './fixtures';
import { Poller } from './poller';

const START = Date.UTC(2026, 10, 12, 12);

/** How far this machine's clock, by which n8n polls, is ahead of the real clock. */
let aheadMs = 0;
beforeEach(() => {
	aheadMs = 0;
	const now = Date.now.bind(Date);
	jest.spyOn(Date, 'now').mockImplementation(() => now() + aheadMs);
});
afterEach(() => jest.restoreAllMocks());

/** Advances this machine's clock. */
export function pass(minutes: number): void {
	aheadMs += minutes * MINUTE;
}

/** Opens a sandbox whose clock only `advance` moves, together with this machine's clock. */
export async function openStillSandbox(options: SandboxOptions = {}): Promise<Service> {
	const sandbox = await openService({ clock: { now: () => START }, ...options });
	const advance = sandbox.advance.bind(sandbox);
	const advanceBoth = (ms: number) => {
		advance(ms);
		aheadMs += ms;
	};
	return Object.assign(sandbox, { advance: advanceBoth });
}

export function makeHooksTrigger(sandbox: Service, parameters: INodeParameters = {}): Poller {
	const options = { limit: 30 };
	const defaults = { triggerOn: 'hooksRefreshed', categories: [], output: 'hooks', options };
	return new Poller(sandbox.getTarget(), { ...defaults, ...parameters });
}

export function makeBriefsTrigger(sandbox: Service, parameters: INodeParameters = {}): Poller {
	const defaults = { triggerOn: 'briefFinished', simplify: false };
	return new Poller(sandbox.getTarget(), { ...defaults, ...parameters });
}

/** Each event, with the IDs that it returns for a day in which one brief finished. */
export const bothEvents = [
	['hooks', makeHooksTrigger, () => Array<unknown>(30).fill(expect.any(String))],
	['briefs', makeBriefsTrigger, (finishedId: string): unknown[] => [finishedId]],
] as const;

export function addRunning(sandbox: Service): string {
	return sandbox.addBrief({ durationMs: 999_000_000 }).id;
}

/** Adds a brief that finishes now. */
export function addFinished(sandbox: Service, status: 'ready' | 'failed' = 'ready'): string {
	const id = addRunning(sandbox);
	sandbox.finish(id, status);
	return id;
}

export async function getIds(items: ReturnType<Poller['poll']>): Promise<unknown[]> {
	return ((await items) ?? []).map(({ json }) => json['id']);
}

/** Publishes a trigger in a workspace with a brief that finished before. */
export async function publish(
	on: typeof makeBriefsTrigger,
	parameters: INodeParameters = {},
	options: SandboxOptions = {},
) {
	const sandbox = await openStillSandbox(options);
	addFinished(sandbox);
	const trigger = on(sandbox, parameters);
	expect(await trigger.activate()).toBeNull();
	let counted = sandbox.requests.length;
	/** Returns the number of requests since the last call. */
	const countNewRequests = () => -counted + (counted = sandbox.requests.length);
	return { sandbox, trigger, countNewRequests };
}
